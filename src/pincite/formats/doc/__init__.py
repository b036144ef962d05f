"""Word 97 documents (DOC), also those of Word 6 and 95."""
