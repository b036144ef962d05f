"""PDF: words, lines, layout, tables and structure, read with pdfium."""
