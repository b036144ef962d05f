"""Word 97 documents (DOC), also of Word 6 and 95.

Enters: a compound file.
Leaves: the parts of a DOCX package, which `formats/docx` reads.
First: `reader`.
Free: all of it; what comes out must be markup that `formats/docx` knows.
Modules: assemble, fib, fonts, grid, lists, markup, modifiers, package, reader, story, styles, text.
"""
