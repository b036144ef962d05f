"""Names: paths, globs, wildcards and hosts."""
