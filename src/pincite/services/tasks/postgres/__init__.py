"""Tasks and their uploads in PostgreSQL, shared by the servers and workers of many machines."""
