"""Untagged pages, whose structure is derived from geometry: reading order, headings, paragraphs."""
