"""Measures Memtray against its figures: `python -m tests.bench`."""
