"""Conversion of documents to Markdown: the service of contract 3, and the client of another one."""
