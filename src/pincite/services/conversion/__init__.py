"""Conversion of documents to Markdown: the service of contract 3, and the client of another one.

Enters: a file.
Leaves: Markdown with page marks; states by the words of contract 3.
First: `service`.
Free: polling and retries of the client; the protocol is contract 3.
Modules: client, page_marks, service.
"""
