"""The backups, as a person sees and restores them."""
