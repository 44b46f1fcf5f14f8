"""One list of checks: how each part is, why, and what helps; each returns a PartReport."""
