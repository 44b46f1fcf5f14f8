"""The worker started, watched and stopped."""
