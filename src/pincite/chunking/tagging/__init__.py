"""What a standard says about its own text: clauses, scope, requirements, definitions, references.

Enters: the sections and blocks of one document.
Leaves: statements and tags of its text, which the policy `clauses` turns into chunks.
First: `outline`.
Free: rules of one kind of text (notes and examples, which never bind: `asides`); the tags' names are in
    `model.chunk`. New tags need a new version of the policy's stamp.
Modules: asides, definitions, documents, entries, keywords, marked_terms, numbers, outline, references, rows,
    statements, topics.
"""
