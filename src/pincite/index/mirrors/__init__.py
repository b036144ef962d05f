"""Collections that a mirror searches.

Enters: a library and a mirror (`store/mirrors`).
Leaves: the same collection, searched in the mirror while it is up to date.
First: `mirrored`.
Free: when and how a mirror is brought up to date; the library alone is the truth.
Modules: mirrored, mirroring, rebuilding.
"""
