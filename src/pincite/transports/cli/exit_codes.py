"""Exit codes of a command that did not fail; `problems` has the ones of failures."""

SUCCESS = 0
PARTIAL = 1
"""It answered, but something is missing, stale, or below what was required."""
NOTHING = 2
"""Nothing could be processed."""
CONFIGURATION = 3
"""A setting is wrong."""
INTERRUPTED = 130
"""A person stopped it."""
