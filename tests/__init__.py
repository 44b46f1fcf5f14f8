"""All tests; real files, real processes, real SQLite."""
