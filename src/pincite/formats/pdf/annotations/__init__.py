"""Form fields and comments."""
