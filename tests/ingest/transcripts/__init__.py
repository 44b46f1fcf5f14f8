"""Transcripts made for tests, and what becomes of them."""
