"""Sizes, overlaps and separators of passages, by type of document."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from pincite.errors import ConfigError
from pincite.registry import FORMATS

UNKNOWN = "unknown"
"""The type of documents that are none of the others."""

LONG_CHARS, LONG_SIZE, LONG_OVERLAP = 100_000, 1.5, 1.3
"""Characters above which passages are larger, and the factors of their size and overlap; by contract 4, Chunks."""
SHORT_CHARS, MIN_SIZE, MIN_OVERLAP = 5_000, 400, 50
"""Characters below which size and overlap are halved, and the values that halving stops at; by contract 4, Chunks."""


class Separator(StrEnum):
    """Where a text is split."""

    SLIDE = "slide"
    SHEET = "sheet"
    BLOCK = "block"
    PARAGRAPH = "paragraph"
    LINE = "line"
    SENTENCE = "sentence"
    WORD = "word"


_PROSE = (Separator.PARAGRAPH, Separator.LINE, Separator.SENTENCE, Separator.WORD)
_ROWS = (Separator.SHEET, Separator.BLOCK, Separator.PARAGRAPH, Separator.LINE, Separator.WORD)


@dataclass(frozen=True, slots=True)
class Profile:
    """How a document is cut into passages.

    Attributes:
        size: Maximum number of characters of a passage, without white space around it.
        overlap: Maximum number of characters that a passage repeats of the one before.
        separators: Where it is split, in order: at the next one only what is longer than a passage otherwise.

    Raises:
        ConfigError: The overlap is negative or not less than the size.
    """

    size: int
    overlap: int
    separators: tuple[Separator, ...] = _PROSE

    def __post_init__(self) -> None:
        if not 0 <= self.overlap < self.size:
            raise ConfigError(
                f"The overlap of passages ({self.overlap} characters) must be 0 or more, and less than their size "
                f"({self.size} characters)."
            )

    def sized(self, length: int) -> "Profile":
        """Return the profile for a text of this length: larger for a long text, smaller for a short one."""
        if length > LONG_CHARS:
            return replace(self, size=round(self.size * LONG_SIZE), overlap=round(self.overlap * LONG_OVERLAP))
        if length < SHORT_CHARS:
            size = max(self.size // 2, min(self.size, MIN_SIZE))
            overlap = max(self.overlap // 2, min(self.overlap, MIN_OVERLAP))
            return replace(self, size=size, overlap=overlap)
        return self


_TEXT = Profile(1500, 300)
_SHEETS = Profile(1200, 200, _ROWS)

PROFILES: Mapping[str, Profile] = {
    "pdf": _TEXT,
    "docx": _TEXT,
    "html": _TEXT,
    "pptx": Profile(800, 150, (Separator.SLIDE, *_PROSE)),
    "xlsx": _SHEETS,
    "csv": _SHEETS,
    UNKNOWN: Profile(1200, 250),
}
"""Profiles by document type; that of `UNKNOWN` is for all others. The values are those of contract 4, Chunks."""

_TYPES = {
    "pdf": "pdf",
    "docx": "docx",
    "doc": "docx",
    "pptx": "pptx",
    "ppt": "pptx",
    "sheets": "xlsx",
    "csv": "csv",
    "html": "html",
    "text": "txt",
    "markdown": "md",
    "image": "image",
}
"""Document types by name of the format; the formats of old office programs report their successor."""


def document_type(media_type: str) -> str:
    """Return the type of a document by its media type: `pdf docx pptx xlsx csv html txt md image unknown`."""
    name = next((row.name for row in FORMATS if row.media_types[0] == media_type), "")
    return _TYPES.get(name, UNKNOWN)
