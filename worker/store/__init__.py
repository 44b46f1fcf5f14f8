"""SQL in, dataclasses out: the claude-mem database, which is the truth."""
