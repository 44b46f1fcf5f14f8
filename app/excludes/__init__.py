"""What is not to be remembered: excludes, and pauses."""
