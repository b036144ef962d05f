"""What stores keep in memory to search: vectors and posting lists.

Enters: vectors, and chunks with their terms.
Leaves: exact nearest neighbours and BM25 scores.
First: `matrix`.
Free: how it is kept, as long as scores stay bit for bit: both stores must rank alike.
Modules: array_file, bitmaps, inverted, matrix, postings, quantized.
"""
