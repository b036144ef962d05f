"""Untagged pages, whose structure is derived from geometry: reading order, headings, paragraphs.

Enters: words, rules and pictures of the pages (`page`), and the tables found in them (`tables`).
Leaves: blocks in reading order, with levels of headings.
First: `layout`.
Free: one rule, in its own module; what a rule needs of a page is in `page_content`.
Modules: author_lines, beside_text, bookmarks, code, code_frames, code_in_text, code_spacing, drawings,
    heading_levels, headings, inner_pictures, label_columns, layout, leading, margin_notes, nesting, page_content,
    pages, paragraphs, pictures, placed_looks, reading_order, recognition, run_in_titles, running_heads, shared_rows,
    slanted, survey, title_places, toc, underlines.
"""
