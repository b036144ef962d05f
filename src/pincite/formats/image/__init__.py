"""Pictures (PNG, JPEG, GIF, TIFF, WebP, BMP).

Enters: the bytes of a picture, and the text recognised in it.
Leaves: one page for each picture, laid out by `formats/pdf/layout`, and its metadata.
First: `reader`.
Free: all of it.
Modules: embedded, metadata, reader, render.
"""
