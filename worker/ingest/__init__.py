"""What comes in: checked, made into rows, written by the store."""
