"""Pages whose structure is in their geometry: reading order, headings, paragraphs."""
