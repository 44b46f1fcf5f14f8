"""From what was typed to a ranked, rendered answer."""
