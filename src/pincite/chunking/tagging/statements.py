"""What the passages of a section are: requirements, definitions, notes, captions, rows; the rest is prose."""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pincite.chunking.sentences import sentence_ends
from pincite.chunking.tagging.asides import aside, caption, inner_aside, is_marker
from pincite.chunking.tagging.definitions import defines, is_by_reference, is_entry, is_term
from pincite.chunking.tagging.keywords import Strength, has_keyword, strength
from pincite.chunking.tagging.outline import Outline, Scope
from pincite.chunking.tagging.rows import Row, rows
from pincite.chunking.tagging.topics import Topic
from pincite.model.document import Block, BlockKind

_PROSE_TYPES = {
    Topic.OVERVIEW: "overview",
    Topic.REFERENCES: "reference",
    Topic.EXAMPLES: "example",
    Topic.FRONT: "overview",
    Topic.CONTENTS: "overview",
}
_NO_DEFINITIONS = frozenset({Topic.FRONT, Topic.BACK, Topic.CHANGES, Topic.CONTENTS, Topic.REFERENCES})
"""The terms of a licence and of another edition are not the document's."""
_ITEM = re.compile(
    r"^[ \t>]*(?:[-+*\u2022\u00b7\u25aa\u2013]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)])[ \t]+(?=\S)", re.MULTILINE
)
_FOR_EXAMPLE = re.compile(r"[\s(*_]*(?:for\s+(?:example|instance)|e\.g\.)", re.IGNORECASE)
_GENERIC_TITLE = re.compile(
    r"(?:general|conventions?|notation|key\s?words?|requirements?|conformance|document\s+conventions|overview|introduction"
    r"|normative\b.*|informative\b.*|.*\b(?:notation|conventions?|keywords|requirements))$",
    re.IGNORECASE,
)
_NUMBER_ALONE = re.compile(r"[\s*_]*(?:\d{1,3}|[A-Z])(?:\.\d{1,3})*\.?[\s*_]*")
_BOLD_ALONE = re.compile(r"\s*\*\*[^*\n]{1,100}\*\*(?:\s*\([^)\n]{1,40}\))?\s*")
_TEXT_KINDS = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST})

MAX_ENTRY_LINES = 4
"""Paragraphs of a glossary entry before its definition: a number, a term and its synonyms."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A span of a section that is of one kind.

    Attributes:
        start: First character in the document's text.
        end: One past its last character, the white space after it included.
        chunk_type: Its type.
        alone: Whether it is a chunk of its own; other neighbours of one type are joined.
        normative: Whether it is binding.
        clause: Its clause number.
        block: The kind of the block that it is in.
        stem: Whether it announces a list: "The message shall contain:".
    """

    start: int
    end: int
    chunk_type: str
    alone: bool
    normative: bool
    clause: str
    block: BlockKind
    stem: bool = False


@dataclass(frozen=True, slots=True)
class _Span:
    """A block and the blank lines after it."""

    kind: BlockKind
    start: int
    end: int
    block: Block
    scope: Scope


class Passages:
    """Divides the sections of one document into passages."""

    def __init__(self, text: str, outline: Outline) -> None:
        self._text, self._outline = text, outline

    def of(self, blocks: Sequence[Block], start: int, end: int) -> Iterator[Passage]:
        """Yield the passages of neighbouring blocks; together they cover the text from `start` to `end`."""
        borders = [start, *(block.start for block in blocks[1:]), end]
        spans = [
            _Span(block.kind, borders[number], borders[number + 1], block, self._outline.at(block.start))
            for number, block in enumerate(blocks)
        ]
        position, announced = 0, ""
        while position < len(spans):
            span = spans[position]
            entry = 0 if announced else self._entry(spans, position)
            if entry:
                last = spans[position + entry - 1]
                yield self._passage(span, span.start, last.end, "definition", alone=True)
                position += entry
                continue
            yield from self._block(span, announced)
            announced = self._announces(span)
            position += 1

    def _announces(self, span: _Span) -> str:
        """Return the type of the next block, if this one is a marker alone ("Note", "Example:")."""
        text = self._text[span.start : span.end]
        if span.kind not in _TEXT_KINDS:
            return ""
        if is_marker(text.strip()):
            return aside(text)
        return "example" if aside(text) == "example" and text.rstrip().endswith(":") else ""

    def _block(self, span: _Span, announced: str) -> Iterator[Passage]:
        text = self._text[span.start : span.end]
        if span.kind is BlockKind.TABLE:
            yield from self._table(span, announced)
        elif span.kind is BlockKind.FIGURE or (name := caption(text)) == "figure":
            yield self._passage(span, span.start, span.end, "figure", alone=True)
        elif span.kind in {BlockKind.CODE, BlockKind.QUOTE, BlockKind.CONTENTS, BlockKind.FRONT_MATTER}:
            yield self._prose(span, span.start, span.end, announced)
        elif name:
            yield self._passage(span, span.start, span.end, name)
        elif announced or (span.kind is not BlockKind.LIST and (announced := aside(text))):
            yield self._prose(span, span.start, span.end, announced)
        else:
            yield from self._regions(span, text)

    def _regions(self, span: _Span, text: str) -> Iterator[Passage]:
        """Yield the passages of a paragraph, or of each item of a list."""
        if span.kind is not BlockKind.LIST:
            yield from self._region(span, span.start, span.end)
            return
        starts = [span.start + item.start() for item in _ITEM.finditer(text)]
        if span.scope.topic is not Topic.TERMS and not has_keyword(text.lower()):
            yield from self._region(span, span.start, span.end)
            return
        borders = [span.start, *(start for start in starts if start > span.start), span.end]
        for start, end in itertools.pairwise(borders):
            yield from self._region(span, start, end)

    def _region(self, span: _Span, start: int, end: int) -> Iterator[Passage]:
        """Yield the passages of a paragraph or item."""
        whole = self._text[start:end]
        if note := aside(whole):
            yield self._prose(span, start, end, note)
            return
        if span.scope.topic is Topic.TERMS and is_entry(whole):
            name = "reference" if is_by_reference(whole) else "definition"
            yield self._passage(span, start, end, name, alone=True)
            return
        stop = inner_aside(self._text, start, end)
        yield from self._sentences(span, start, stop)
        if stop < end:
            yield self._prose(span, stop, end, "guidance")

    def _sentences(self, span: _Span, start: int, end: int) -> Iterator[Passage]:
        """Yield each requirement, recommendation and definition of a text, and the prose between them."""
        prose = start
        for stop in sentence_ends(self._text, start, end):
            name = self._sentence(span.scope, self._text[start:stop])
            if name:
                if prose < start:
                    yield self._prose(span, prose, start)
                yield self._passage(span, start, stop, name, alone=True)
                prose = stop
            start = stop
        if prose < end:
            yield self._prose(span, prose, end)

    def _sentence(self, scope: Scope, sentence: str) -> str:
        """Return "requirement", "recommendation", "definition" or nothing."""
        if scope.binding and not _FOR_EXAMPLE.match(sentence):
            match strength(sentence):
                case Strength.REQUIREMENT:
                    return "requirement"
                case Strength.RECOMMENDATION:
                    return "recommendation"
                case _:
                    pass
        return "definition" if scope.topic not in _NO_DEFINITIONS and defines(sentence) else ""

    def _table(self, span: _Span, announced: str) -> Iterator[Passage]:
        """Yield each row that says something of its own, and the rows between them."""
        terms = span.scope.topic is Topic.TERMS
        start = span.start
        for row in rows(self._text, span.start, span.end, span.scope.clause, terms=terms):
            name = "" if announced else self._row(span.scope, row)
            if not name and not row.clause:
                continue
            if start < row.start:
                yield self._passage(span, start, row.start, "table")
            passage = self._passage(span, row.start, row.stop, name or announced or "table", alone=True)
            yield replace(passage, clause=row.clause or passage.clause)
            if row.stop < row.end:
                yield self._passage(span, row.stop, row.end, "guidance")
            start = row.end
        if start < span.end:
            yield self._passage(span, start, span.end, announced or "table")

    def _row(self, scope: Scope, row: Row) -> str:
        if row.definition:
            return "definition"
        if not scope.binding:
            return ""
        if row.clause and row.imperative:
            return "requirement"
        return {Strength.REQUIREMENT: "requirement", Strength.RECOMMENDATION: "recommendation"}.get(
            strength(row.text), ""
        )

    def _entry(self, spans: Sequence[_Span], position: int) -> int:
        """Return the number of blocks of the glossary entry that begins at a block; 0 if none does."""
        span = spans[position]
        if span.scope.topic is not Topic.TERMS or span.kind not in _TEXT_KINDS:
            return 0
        text = self._text[span.start : span.end]
        if _NUMBER_ALONE.fullmatch(text) or _BOLD_ALONE.fullmatch(text) or self._is_numbered_term(span, text):
            return self._entry_blocks(spans, position, terms=1 if _NUMBER_ALONE.fullmatch(text) else 0)
        first = position == 0 or spans[position - 1].kind is BlockKind.HEADING
        titled = span.scope.sub_title and first and not _GENERIC_TITLE.match(span.scope.title)
        return 1 if titled and not (aside(text) or is_by_reference(f"x: {text}")) else 0

    def _is_numbered_term(self, span: _Span, text: str) -> bool:
        return span.scope.numbered and span.scope.start == span.block.start and is_term(text)

    def _entry_blocks(self, spans: Sequence[_Span], position: int, terms: int) -> int:
        """Return the number of blocks up to the definition: number, term, synonyms in bold, text.

        `terms` is the number of plain paragraphs before the definition.
        """
        for count, span in enumerate(spans[position + 1 : position + 1 + MAX_ENTRY_LINES], 2):
            text = self._text[span.start : span.end]
            if span.kind not in _TEXT_KINDS or aside(text) or _NUMBER_ALONE.fullmatch(text):
                return 0
            if _BOLD_ALONE.fullmatch(text):
                terms = 0
            elif not terms:
                return count
            else:
                terms -= 1
        return 0

    def _prose(self, span: _Span, start: int, end: int, name: str = "") -> Passage:
        scope = span.scope
        default = _PROSE_TYPES.get(scope.topic, "annex" if scope.annex else "guidance")
        if not scope.title and not scope.clause and scope.start == 0:
            default = "overview"
        return self._passage(span, start, end, name or default)

    def _passage(self, span: _Span, start: int, end: int, name: str, *, alone: bool = False) -> Passage:
        stem = alone and self._text[start:end].rstrip("* _\n\t").endswith(":")
        return Passage(start, end, name, alone, name == "requirement", span.scope.clause, span.kind, stem)
