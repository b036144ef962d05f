"""EPUB books: their chapters are web pages.

Enters: a zip file with a package document.
Leaves: the blocks of its chapters in reading order, each read by `formats/html`.
First: `reader`.
Free: all of it.
Modules: publication, reader.
"""
