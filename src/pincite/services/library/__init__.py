"""The library: what ingestion adds to it, and its terms and clauses."""
