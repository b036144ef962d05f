"""Cutting a document into chunks.

Enters: a `Document` of sections and blocks, and a tokenizer.
Leaves: `Chunk`s in reading order, with spans, pages and boxes.
First: `base`.
Free: one policy at a time. A change of what it cuts needs a new version in its stamp, so that indexes are made again.
Modules: base, clauses, cutting, elements, importance, interruptible, joining, passages, places, profiles, sections,
    sentences, separators, splitting, tagging/, tokens, windows.
"""
