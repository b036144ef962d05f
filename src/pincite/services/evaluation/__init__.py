"""Retrieval quality against questions whose answers are known."""
