"""Readers: one file per format, bytes in, blocks out.

Enters: the bytes of a file and its name; nothing else is read, neither network nor disk.
Leaves: one `Head`, then pages of blocks in order, by the interface in `base`.
First: `base`.
Free: one format's package: other blocks of the same bytes need a new `version` of its row in `registry`.
Modules: admonitions, base, csv/, detect/, doc/, docx/, email/, epub/, html/, image/, markdown/, notebook, ocr/,
    odt/, ole/, ooxml/, pdf/, ppt/, pptx/, rtf/, symbols, text, text_headings, worker/, writing/, xlsx/.
"""
