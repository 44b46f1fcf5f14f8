"""Excludes and pauses, as the app shows them."""
