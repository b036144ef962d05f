"""OpenDocument texts (OpenDocument 1.3, part 3)."""
