"""The search window."""
