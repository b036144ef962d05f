"""Table detection on untagged pages: ruled and borderless tables.

Enters: words, rules and fills of a page.
Leaves: detected tables: cells with text, spans, header rows and boxes.
First: `find`.
Free: one rule, in its own module; `draft` is the form in which rules pass tables on.
Modules: band_cells, bands, borderless, columns, draft, edges, figures, fills, find, first_rows, formulas, group_rows,
    header_rows, joints, line_rows, mirrored, named_columns, partly_ruled, phrase_groups, readings, records, regroup,
    row_starts, ruled, segments, spanned_names, table_rows, text_columns, whitespace.
"""
