"""OpenDocument texts (OpenDocument 1.3, part 3).

Enters: a zip file, or one XML file (FODT).
Leaves: blocks of the text with all tracked changes accepted, hidden text as asides.
First: `reader`.
Free: all of it.
Modules: inline, lists, names, properties, reader, styles, tables, walker.
"""
