"""How often Python collects reference cycles."""

import gc

COLLECTED_OBJECTS = 10_000
"""New objects after which Python collects cycles among them; 700 by default. A start collected 240 times through
what it imports, which lives until the end, and a page of a report has thousands of words, of which hardly any refer to
each other: 6 % of the time to the first answer, and of reading."""


def collect_rarely() -> None:
    """Collect cycles once for every `COLLECTED_OBJECTS` new objects, and never among the existing ones."""
    gc.freeze()
    gc.set_threshold(COLLECTED_OBJECTS)
