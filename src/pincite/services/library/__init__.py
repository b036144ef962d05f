"""The library: what ingestion adds to it, and its terms and clauses.

Enters: files and folders to add; questions for terms and clauses.
Leaves: a plan of additions, chunk ids that outlive the index, glossaries.
First: `ingestion`.
Free: how terms are found. Chunk ids are kept by others: the rule in `chunk_ids` must not change.
Modules: chunk_ids, chunk_records, clause_names, downloads, editions, glossaries, ingestion, probes, requirement_files,
    terms, uploads.
"""
