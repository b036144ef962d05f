"""A store in PostgreSQL: one schema a collection, shared by many servers."""
