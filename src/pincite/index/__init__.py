"""The index: documents of a source in a store, refreshed and searched."""
