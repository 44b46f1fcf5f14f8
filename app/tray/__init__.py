"""The icon, its menu, and what stands in where there is no tray."""
