"""The settings, kept and shown."""
