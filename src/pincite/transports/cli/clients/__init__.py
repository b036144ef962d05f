"""The clients that `pincite connect` configures, and the servers that it connects them to.

Enters: a client's name and its configuration file.
Leaves: the file with one entry more, edited so that nothing else changes.
First: `files`.
Free: add a client as a row in `files`, with its form of an entry by URL in `url_entries`.
Modules: endpoints, files, url_entries.
"""
