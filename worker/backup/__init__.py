"""Verified backups of the databases, and the way back from one."""
