"""A page as pdfium gives it: characters, words, rules, and what of it can be seen."""
