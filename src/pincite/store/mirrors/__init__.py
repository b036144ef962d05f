"""Mirrors: copies of a collection in other engines, which search it."""
