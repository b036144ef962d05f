"""The clients that `pincite connect` configures, and the servers that it connects them to.

Enters: a client's name and its configuration file.
Leaves: the file with one entry more, edited so that nothing else changes.
First: `known`.
Free: add a client as a row in `known`.
Modules: endpoints, files, formats, known, url_entries.
"""
