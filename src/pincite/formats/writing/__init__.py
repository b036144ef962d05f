"""Output of the readers: blocks as Markdown, tables, boxes, labels, and the document made of them.

Enters: what a reader found: texts, grids, boxes.
Leaves: canonical Markdown with spans, and the `Document`.
First: `page_writer`.
Free: little: every format writes by it, so a change shows in all snapshots.
Modules: addresses, builder, contrast, formulas, grid, inner_pictures, long_tables, numerals, page_writer, picture,
    scripts, table_headers, text_boxes.
"""
