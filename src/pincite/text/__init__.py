"""Text operations that every layer shares: folding, Markdown markup, globs, paths, excerpts.

Enters: strings.
Leaves: strings, spans and maps between both.
First: `words`.
Free: little: words and folding are in every index, so a change makes the existing ones outdated.
Modules: characters, comments, counts, csv_text, embed_text, excerpt, invisible, json_values, languages, lexical,
    lexicon, mapped, markup, names/, periods, prose, quotation_marks, retry_after, tables/, terms/, values/, words,
    xml_text.
"""
