"""Content of an open page: characters, words, ruling lines, and which words are visible.

Enters: a page as pdfium opens it.
Leaves: words and lines with boxes and styles, rules, images; hidden words apart.
First: `page`.
Free: one repair of characters or words, in its own module; `words` says in which order they come.
Modules: character_repairs, characters, code_text, drawn_signs, glyph_extents, hyphens, images, margin_numbers, markers,
    page, pdfium, placed_text, quality, rectangles, rules, visibility, word_repairs, words.
"""
