"""Reading files, with the cache of what was read."""
