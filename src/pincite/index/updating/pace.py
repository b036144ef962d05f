"""How many texts are embedded in a time: what decides whether a call embeds them itself."""

INITIAL_SECONDS_PER_TEXT = 0.025
"""Assumed before a measurement: the default model embeds 36 to 52 texts a core-second."""

NEW_SHARE = 0.5
"""Weight of the last measurement: the load of the machine changes within seconds."""


class Pace:
    """The time that embedding a text takes, as a moving average. Written by one thread at a time."""

    def __init__(self) -> None:
        # Seconds a text, not texts a second: of the mean of those, one quick measurement would outweigh many slow ones.
        self._seconds_per_text = INITIAL_SECONDS_PER_TEXT

    def record(self, texts: int, seconds: float) -> None:
        """Record that this number of texts took so long."""
        self._seconds_per_text += NEW_SHARE * (seconds / texts - self._seconds_per_text)

    def seconds_for(self, texts: int) -> float:
        """Return the time that this number of texts is likely to take."""
        return texts * self._seconds_per_text
