"""Bringing memories in."""
