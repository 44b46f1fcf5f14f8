"""Conversations of Claude Code, read from its files and made into memories."""
