"""Letting memories go from the windows."""
