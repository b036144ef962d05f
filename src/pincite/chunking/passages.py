"""The policy of passages: windows over the whole text, of a size in characters that depends on its type."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pincite.chunking.cutting import cut_spans
from pincite.chunking.importance import content_type, importance
from pincite.chunking.interruptible import InterruptibleCounter
from pincite.chunking.profiles import PROFILES, UNKNOWN, Profile, Separator, document_type
from pincite.chunking.sentences import sentence_ends
from pincite.chunking.separators import lay_out
from pincite.chunking.splitting import Ends, Splitter, Unit, line_ends
from pincite.chunking.tokens import TokenCounter
from pincite.model.call import Call
from pincite.model.chunk import Chunk, Tags
from pincite.model.document import Document

VERSION = 4
"""To be incremented when the same document gives other chunks or tags, or other text of it is embedded."""

CONTEXT_TOKENS = 64
"""Default for title and headings: the breadcrumbs of all measured documents but a few of RFC 9110 have fewer."""

Span = tuple[int, int]

_PARAGRAPH = re.compile(r"(?:\r\n?|\n)(?:[ \t\f\v]*(?:\r\n?|\n))+")
_RULE = re.compile(r"^---[ \t]*$", re.MULTILINE)
_SHEET = re.compile(r"^=== .* ===[ \t]*$", re.MULTILINE)
_WORD_START = re.compile(r"(?<=\s)\S")


class LengthCounter:
    """A `TokenCounter` whose tokens are characters."""

    def count(self, text: str) -> int:
        """Return the length of a text."""
        return len(text)

    def cut(self, text: str, limit: int) -> int:
        """Return the length of a text, at most the limit."""
        return min(len(text), limit)


@dataclass(frozen=True, slots=True)
class PassagePolicy:
    """Implements `Policy`: windows over the whole text, whatever its sections.

    A passage ends at the first separator of its profile that the text has there, and repeats the last characters of
    the one before from a sentence's or line's start on, or a word's. Its tags say what it has and how much it matters.

    Attributes:
        profiles: Sizes, overlaps and separators by document type.
        context_tokens: Maximum tokens of the title and the headings that are embedded before its text.
    """

    profiles: Mapping[str, Profile] = field(default_factory=lambda: PROFILES)
    context_tokens: int = CONTEXT_TOKENS

    @property
    def identity(self) -> str:
        """See `Policy.identity`."""
        return f"passages/{VERSION}/{self.context_tokens}/" + "/".join(
            f"{name}-{each.size}-{each.overlap}-{'-'.join(each.separators)}"
            for name, each in sorted(self.profiles.items())
        )

    def lay_out(self, document: Document) -> Document:
        """See `Policy.lay_out`: with lines between pages, slides, sheets and blocks."""
        return lay_out(document)

    def cut(self, document: Document, tokens: TokenCounter, call: Call) -> Iterator[Chunk]:
        """See `Policy.cut`."""
        named = self.profiles.get(document_type(document.media_type), self.profiles[UNKNOWN])
        spans = passages(document.text, named.sized(len(document.text)), call) if document.text.strip() else ()
        return cut_spans(document, spans, self.context_tokens, tokens, call, _tags)


def _tags(text: str) -> Tags:
    text = text.strip()
    return Tags(chunk_type=content_type(text), importance=importance(text))


def passages(text: str, profile: Profile, call: Call) -> Iterator[Span]:
    """Yield the spans of a text's passages, which together cover it.

    Args:
        text: Not white space alone.
        profile: How it is cut.
        call: Checked between passages.

    Raises:
        Cancelled: The call is cancelled.
        TimeoutExceeded: The deadline has passed.
    """
    splitter = Splitter(text, InterruptibleCounter(LengthCounter(), call))
    ends = [_ENDS[separator] for separator in profile.separators if separator in _ENDS]
    whole = Unit(first := len(text) - len(text.lstrip()), len(text), len(text) - first)
    # A unit leaves room for what is repeated before it.
    units = _visible(text, splitter.split_at(whole, tuple(ends), profile.size - profile.overlap))
    start, (_, end, shown) = 0, units[0]
    begin = first
    for following in units[1:]:
        if following[2] - begin > profile.size:
            yield start, end
            start = begin = _overlap_start(text, begin, shown, end, following[2], profile)
        _, end, shown = following
    yield start, end


def _visible(text: str, units: Iterator[Unit]) -> Sequence[tuple[int, int, int]]:
    """Return start, end and the end of the visible text of units; those of white space alone extend the one before."""
    visible: list[tuple[int, int, int]] = []
    for unit in units:
        shown = unit.start + len(text[unit.start : unit.end].rstrip())
        if shown == unit.start and visible:
            visible[-1] = (visible[-1][0], unit.end, visible[-1][2])
        else:
            visible.append((unit.start, unit.end, shown))
    return visible


def _overlap_start(text: str, begin: int, shown: int, end: int, following: int, profile: Profile) -> int:
    """Return where a passage begins that follows one from `begin` to `shown`, and ends at `following`."""
    first = max(begin + 1, shown - profile.overlap, following - profile.size)
    if first >= shown:
        return end
    starts = [
        stop
        for ends in (line_ends, sentence_ends)
        for stop in (next(iter(ends(text, first - 1, shown)), shown),)
        if first <= stop < shown
    ]
    if starts:
        return min(starts)
    word = _WORD_START.search(text, first, shown)
    return word.start() if word else first


def _paragraph_ends(text: str, start: int, end: int) -> Iterator[int]:
    return _ends_of(_PARAGRAPH, text, start, end)


def _ends_of(pattern: re.Pattern[str], text: str, start: int, end: int) -> Iterator[int]:
    for match in pattern.finditer(text, start, end):
        if match.end() < end:
            yield match.end()
    yield end


def _rule_ends(text: str, start: int, end: int) -> Iterator[int]:
    return _starts_of(_RULE, text, start, end)


def _sheet_ends(text: str, start: int, end: int) -> Iterator[int]:
    return _starts_of(_SHEET, text, start, end)


def _starts_of(pattern: re.Pattern[str], text: str, start: int, end: int) -> Iterator[int]:
    for match in pattern.finditer(text, start, end):
        if match.start() > start:
            yield match.start()
    yield end


_ENDS: Mapping[Separator, Ends] = {
    Separator.SLIDE: _rule_ends,
    Separator.SHEET: _sheet_ends,
    Separator.BLOCK: _rule_ends,
    Separator.PARAGRAPH: _paragraph_ends,
    Separator.LINE: line_ends,
    Separator.SENTENCE: sentence_ends,
}
"""Words are what is left when a text has none of these."""
