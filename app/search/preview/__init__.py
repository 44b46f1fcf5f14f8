"""One memory, whole, with what happened around it."""
