"""Presentations (PPTX).

Enters: a package of Office Open XML; `formats/ppt` makes one, too.
Leaves: a page and a section for each slide, with notes and comments.
First: `reader`.
Free: all of it; run the tests of `ppt`, too.
Modules: appearance, content, layouts, reader, remarks, shapes.
"""
