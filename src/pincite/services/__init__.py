"""Abilities above one index."""
