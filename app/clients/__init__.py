"""Connecting Claude, seen and done from the desktop."""
