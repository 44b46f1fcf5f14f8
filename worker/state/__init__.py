"""state.db: what is ours and cannot be derived."""
