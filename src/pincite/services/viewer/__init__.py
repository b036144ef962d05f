"""What the web page shows: documents, their pages with the place of every line, passages, citations."""
