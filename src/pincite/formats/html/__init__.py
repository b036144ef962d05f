"""HTML and XHTML pages (WHATWG HTML, parsed by lexbor).

Enters: the bytes of a page.
Leaves: the blocks of its main content; hidden text as asides, what surrounds an article left out.
First: `reader`.
Free: one rule of what is content at a time, with the evaluation of readers (`eval/reading`); `epub` and `email` read by
    it. Names and phrases of what surrounds an article are added to `phrases.toml`.
Modules: action_links, article, blocks, captions, cards, checkboxes, closing_sections, code, containers, css,
    data_tables, elements, encoding, events, flow, footnotes, head, inline, interface_lines, leads,
    lists, main_content, mathml, mso_lists, named_parts, nesting, node_texts, page_links, phrases, reader, roles,
    site_lines, spacer_columns, spans, stylesheets, surroundings, text_classes, visibility, walk.
"""
