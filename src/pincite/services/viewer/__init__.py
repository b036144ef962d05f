"""What the web page shows: documents, their pages with the boxes of every line, passages, citations."""
