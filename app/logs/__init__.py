"""The window that shows what all processes log."""
