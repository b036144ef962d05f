"""Pages whose structure is in the file: its structure tree."""
