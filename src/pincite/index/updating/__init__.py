"""Updating a collection: what changed is read, cut, embedded and written."""
