"""Word documents (ECMA-376 part 1, 17; strict and transitional).

Enters: a package of Office Open XML; `formats/doc` and `formats/rtf` make one, too.
Leaves: blocks of the text with all tracked changes accepted, hidden text as asides.
First: `reader`.
Free: how a story is read, and where its notes go (`compose`); run the tests of `doc` and `rtf`, too.
Modules: appearance, compose, drawings, fields, inline, names, notes, numbering, pieces, properties, reader, styles,
    tables, typed.
"""
