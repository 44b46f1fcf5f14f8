"""Keyword index and vectors, both derived from the store and disposable."""
