"""PowerPoint 97 presentations (PPT).

Enters: a compound file.
Leaves: the parts of a PPTX package, which `formats/pptx` reads.
First: `reader`.
Free: all of it; what comes out must be markup that `formats/pptx` knows.
Modules: media, package, reader, records, slides, text.
"""
