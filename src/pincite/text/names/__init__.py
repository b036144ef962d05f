"""Names: paths, globs, wildcards and hosts.

Enters: what a caller wrote as a path or pattern, and the documents' names.
Leaves: predicates, names that exist, and similar ones.
First: `paths`.
Free: suggestions. Which names a glob selects is promised by the contracts.
Modules: glob, hosts, paths, wildcards.
"""
