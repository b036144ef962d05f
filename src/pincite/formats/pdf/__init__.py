"""PDF: words, lines, layout, tables and structure, read with pdfium.

Enters: the bytes of a PDF file, and the text recognised in its scanned pages.
Leaves: pages of blocks with boxes, by the file's tags (`tagged`) or else by its layout (`layout`).
First: `reader`.
Free: one rule at a time, with the evaluation of readers (`eval/reading`). `formats/image` lays out recognised text by
    `layout`, too. A table that goes on over pages is joined where it is tagged (`tagged/pages`).
Modules: annotations, attachments, document, fitted/, layout/, page/, properties, reader, render, tables/, tagged/.
"""
