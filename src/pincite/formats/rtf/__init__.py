"""Rich Text Format (RTF).

Enters: the bytes of a file.
Leaves: the parts of a DOCX package, which `formats/docx` reads.
First: `reader`.
Free: all of it; what comes out must be markup that `formats/docx` knows.
Modules: header, parser, reader, state, story, tokens.
"""
