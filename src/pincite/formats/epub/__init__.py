"""EPUB books: their chapters are web pages."""
