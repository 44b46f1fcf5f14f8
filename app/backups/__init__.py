"""The backups, and the way back to one."""
