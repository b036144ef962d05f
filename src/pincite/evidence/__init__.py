"""Whether a quote stands in a document, and where."""
