"""How often Python looks for garbage that refers to itself."""

import gc

COLLECTED_OBJECTS = 10_000
"""New objects after which Python looks for garbage among them; 700 by its own choice. A start looked 240 times through
what it imports, which lives until the end, and a page of a report has thousands of words, of which hardly any refer to
each other: 6 % of the time to the first answer, and of reading."""


def collect_rarely() -> None:
    """Look for garbage once for every `COLLECTED_OBJECTS` new objects, and never among those that there are."""
    gc.freeze()
    gc.set_threshold(COLLECTED_OBJECTS)
