"""How a command that did not fail says what it did; failures have those of `problems`."""

SUCCESS = 0
PARTIAL = 1
"""It answered, but something is missing, stale, or below what was required."""
NOTHING = 2
"""Nothing could be processed."""
CONFIGURATION = 3
"""A setting is wrong."""
INTERRUPTED = 130
"""A person stopped it."""
