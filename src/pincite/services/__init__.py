"""Services on top of the index."""
