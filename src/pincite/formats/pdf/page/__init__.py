"""Content of an open page: characters, words, ruling lines, and which words are visible.

Enters: a page as pdfium opens it.
Leaves: words and lines with boxes and styles, rules, images; hidden words apart.
First: `page`.
Free: one repair of characters or words, in its own module; `words` says in which order they come.
Modules: accents, baselines, cancelled_spaces, characters, code_text, drawn, drawn_signs, drawn_underscores,
    glyph_extents, hyphen_objects, hyphens, images, letter_spacing, line_heights, line_numbers, margin_numbers,
    markers, page, pdfium, placed_text, powers, private_use, quality, recognised, rectangles, reversed_lines,
    right_to_left, rules, runs, small_capitals, small_print, suspects, tex, turned, unknown_names, visibility,
    word_gaps, words.
"""
