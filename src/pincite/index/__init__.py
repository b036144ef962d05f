"""The index: a source brought into a store, kept fresh, searched."""
