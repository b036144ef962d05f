"""OpenDocument texts and presentations (OpenDocument 1.3, part 3).

Enters: a zip file.
Leaves: blocks of the text with all tracked changes accepted, or a page for each slide; hidden text as asides.
First: `reader`.
Free: all of it.
Modules: inline, lists, names, properties, reader, styles, tables, walker.
"""
