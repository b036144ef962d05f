"""OLE compound files: the streams of DOC, PPT, XLS and MSG files, and their document properties.

Enters: the bytes of a compound file.
Leaves: streams, pictures and properties, read on demand and bounded.
First: `compound`.
Free: how streams are found; its readers ask by a stream's name only.
Modules: compound, pictures, summary.
"""
