"""Saving memories by hand."""
