"""Verify quotes and values: find them in a document, and tell how exactly they match.

Enters: a document's text, and a quote or a value with the span that it is said to be from.
Leaves: a verdict (exact, normalised, moved, stitched or absent), the span and the mark (`quotes`); of a value its
    confidence too (`claims`).
First: `quotes`.
Free: how a wording is searched; which characters count as the same says `text.characters`. Verdicts are of the
    contract, and a mark once given out must stay readable.
Modules: agreement, association, boundaries, claims, file_order, marks, naming, nearness, periods, quotes, search,
    stitching, values.
"""
