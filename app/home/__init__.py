"""The window that stands in for a tray where there is none."""
