"""Terms of labels: words of eight languages as one vocabulary of concepts.

Enters: a label or the name of a field.
Leaves: its concepts and remaining words.
First: `labels`.
Free: the lexicon: add words to its file, and run the evaluation of extraction.
Modules: defined, fitting, form_pairs, issuer, label_index, labels, page_tables, pairs, table_pairs, vocabulary.
"""
