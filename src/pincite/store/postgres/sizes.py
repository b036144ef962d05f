"""Sizes of a collection from which it is searched in another way."""

EXACT_ROWS = 10_000
"""Rows up to which the nearest are found by comparing all: quicker than the index under a filter, and exact. A smaller
collection has no index of its vectors: a server keeps them in memory, 20 MB at most, and follows the changes."""

GRAPH_ROWS = 500_000
"""Rows up to which vectors have a graph (HNSW), of which 100 candidates find .99 of the ten nearest; of a million they
find .89. More have as many lists (IVFFlat) as the root of their number, of which `PROBED_LISTS` are compared."""

PROBED_LISTS = 32
"""The root of a million's lists, as pgvector recommends: 32,000 vectors are compared."""

FEW_ROWS = 1_000
FEW_SHARE = 0.02
"""Chunks, or their share, up to which those that pass a filter are listed first."""

COUNTED_FROM = 20_000
"""Chunks from which terms have a number that was counted earlier: below, their lists are fetched and counted. A number
that is wrong by a half changes no order that matters (the study of PostgreSQL)."""

PLANNED_ONCE_FROM = 20_000
"""Chunks from which rows are looked up by statements whose plan is kept: in a smaller collection it may read a whole
table, which would stay so while the collection grows."""

COPIED_CHUNKS = 100_000
"""Chunks up to which a server copies a collection into its memory, unless it is set otherwise: 270 MB."""

COPIED_ROWS = 4_096
"""Rows that are read at once for it: 6 MB of vectors."""
