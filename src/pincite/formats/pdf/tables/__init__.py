"""Table detection on untagged pages: ruled and borderless tables.

Enters: words, rules and fills of a page.
Leaves: detected tables: cells with text, spans, header rows and boxes.
First: `find`.
Free: one rule, in its own module; `draft` is the form in which rules pass tables on.
Modules: band_cells, bands, borderless, draft, find, header_rows, partly_ruled, readings, regroup, ruled,
    segments, spanned_names, table_rows, text_columns, whitespace.
"""
