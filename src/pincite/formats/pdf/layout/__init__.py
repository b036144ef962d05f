"""Untagged pages, whose structure is derived from geometry: reading order, headings, paragraphs.

Enters: words, rules and pictures of the pages (`page`), and the tables found in them (`tables`).
Leaves: blocks in reading order, with levels of headings.
First: `layout`.
Free: one rule, in its own module; what a rule needs of a page is in `page_content`.
Modules: bookmarks, code, heading_levels, headings, layout, page_content, pages, paragraphs,
    reading_order, recognition, run_in_titles, running_heads, underlines.
"""
