"""What the passages of a section are: requirements, definitions, notes, captions, rows; the rest is prose."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pincite.chunking.sentences import sentence_ends
from pincite.chunking.tagging.asides import aside, caption, inner_aside, is_marker
from pincite.chunking.tagging.definitions import (
    are_entries,
    defines,
    introduces,
    introduces_terms,
    is_acronym,
    is_by_reference,
    is_definition_by_shall,
    is_entry,
    is_synonym,
    is_term,
    may_define,
)
from pincite.chunking.tagging.entries import ASIDE_ROLES, SOURCE, TEXT_KINDS, Span, abbreviates, entry_blocks
from pincite.chunking.tagging.keywords import Strength, has_keyword, is_statement, strength
from pincite.chunking.tagging.marked_terms import defines_marked_term, has_marked_term
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
    Topic.CHANGES: "overview",
    Topic.BACK: "overview",
}
_NO_DEFINITIONS = frozenset({Topic.FRONT, Topic.BACK, Topic.CHANGES, Topic.CONTENTS, Topic.REFERENCES})
"""The terms of a licence and of another edition are not the document's."""
_ITEM = re.compile(
    r"^[ \t>]*(?:[-+*\u2022\u00b7\u25aa\u2013\u2014]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)])[ \t]+(?=\S)", re.MULTILINE
)
_TYPED_ITEM = re.compile(r"(?:\(?[a-z]{1,2}[.)]|[\u2022\u00b7\u25aa\u2013\u2014])[ \t\u00a0]+(?=\S)")
"""The mark of an item that is typed as a paragraph of its own."""
_QUOTED_PARAGRAPH = re.compile(r"(?<=\n)(?=>[ \t]*\n)")
_LINE = re.compile(r"^(?=\S)", re.MULTILINE)
_FOR_EXAMPLE = re.compile(r"[\s(*_]*(?:for\s+(?:example|instance)|e\.g\.)", re.IGNORECASE)

_LETTER = re.compile(r"[^\W\d_]")
_FOOTNOTE = re.compile(r"\s*\[\^[^\]\s]{1,40}\]:")
_RUN_IN_TITLE = re.compile(r"[\s*_]*\d{1,3}(?:\.\d{1,3})+\.?\s+(?:[^\s.]+\s){0,7}[^\s.]+\.[*_]*\s*")


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
        embed_start: First embedded character: after the header of a table, which its first row's passage begins with.
            None for `start`.
    """

    start: int
    end: int
    chunk_type: str
    alone: bool
    normative: bool
    clause: str
    block: BlockKind
    stem: bool = False
    embed_start: int | None = None


class Passages:
    """Divides the sections of one document into passages.

    Args:
        text: The document's text, its comments blank.
        outline: Its clauses.
        terms_are_marked: Whether its author marked the terms that it defines: then no other sentence defines one.
    """

    def __init__(self, text: str, outline: Outline, *, terms_are_marked: bool = False) -> None:
        self._text, self._outline, self._terms_are_marked = text, outline, terms_are_marked

    def of(self, blocks: Sequence[Block], start: int, end: int) -> Iterator[Passage]:
        """Yield the passages of neighbouring blocks; together they cover the text from `start` to `end`.

        A paragraph without a letter, as a number in the margin, is part of the next passage of its clause.
        """
        held: Passage | None = None
        for passage in self._passages(blocks, start, end):
            if held and (held.clause, held.block) == (passage.clause, passage.block):
                passage = replace(passage, start=held.start)  # noqa: PLW2901
            elif held:
                yield held
            shown = self._text[passage.start : passage.end].strip()
            is_bare = passage.block is BlockKind.PARAGRAPH and shown != "" and not _LETTER.search(shown)
            held = passage if is_bare else None
            if not held:
                yield passage
        if held:
            yield held

    def _passages(self, blocks: Sequence[Block], start: int, end: int) -> Iterator[Passage]:
        borders = [start, *(block.start for block in blocks[1:]), end]
        spans = [self._span(block, borders[number], borders[number + 1]) for number, block in enumerate(blocks)]
        position, announced, terms, in_series = 0, "", False, False
        while position < len(spans):
            span = spans[position]
            terms = self._in_terms(span, announced=terms)
            if terms and span.scope.topic is not Topic.TERMS:
                span = replace(span, scope=replace(span.scope, topic=Topic.TERMS))
            entry = 0 if announced else entry_blocks(self._text, spans, position, in_series=in_series)
            in_series = entry > 0 or self._keeps_series(span, in_series=in_series)
            if entry:
                text = spans[position + entry - 1].start
                position += entry
                while position < len(spans) and is_synonym(self._whole(spans[position])):
                    position += 1
                yield from self._definition(span, span.start, text, spans[position - 1].end)
                continue
            yield from self._block(span, announced)
            announced = self._announces(span)
            position += 1

    def _span(self, block: Block, start: int, end: int) -> Span:
        scope = self._outline.at(block.start)
        if block.role:
            scope = replace(scope, binding=False)
        is_item = block.kind is BlockKind.PARAGRAPH and _TYPED_ITEM.match(self._text, start, end)
        return Span(BlockKind.LIST if is_item else block.kind, start, end, block, scope)

    def _keeps_series(self, span: Span, *, in_series: bool) -> bool:
        """Return True for what announces the entries of a glossary, and for a note or source between two."""
        text = self._whole(span)
        if in_series and (span.block.role or aside(text) or SOURCE.match(text)):
            return True
        return span.scope.topic is Topic.TERMS and introduces(text)

    def _whole(self, span: Span) -> str:
        return self._text[span.start : span.end]

    def _in_terms(self, span: Span, *, announced: bool) -> bool:
        """Return True within a list of entries that a sentence announces: "This document uses the following terms:"."""
        if span.kind not in TEXT_KINDS:
            return False
        text = self._whole(span)
        # The list may have a title of its own.
        return introduces_terms(text) or (
            announced and (span.kind is BlockKind.LIST or is_entry(text) or is_term(text))
        )

    def _announces(self, span: Span) -> str:
        """Return the type of the next block, if this one is a marker alone ("Note", "Example:")."""
        text = self._whole(span)
        name = aside(text) if span.kind in TEXT_KINDS else ""
        if name and is_marker(text.strip()):
            return name
        return name if name == "example" and text.rstrip().endswith(":") else ""

    def _block(self, span: Span, announced: str) -> Iterator[Passage]:
        text = self._whole(span)
        announced = announced or ASIDE_ROLES.get(span.block.role, "")
        if span.kind is BlockKind.TABLE:
            yield from self._table(span, announced)
        elif span.kind is BlockKind.FIGURE or (name := caption(text)) == "figure":
            yield self._passage(span, span.start, span.end, "figure", alone=True)
        elif span.kind in {BlockKind.CODE, BlockKind.CONTENTS, BlockKind.FRONT_MATTER}:
            yield self._prose(span, span.start, span.end, announced)
        elif name:
            yield self._passage(span, span.start, span.end, name)
        elif announced or (span.kind not in {BlockKind.LIST, BlockKind.QUOTE} and (announced := aside(text))):
            yield self._prose(span, span.start, span.end, announced)
        else:
            yield from self._regions(span, text)

    def _regions(self, span: Span, text: str) -> Iterator[Passage]:
        """Yield the passages of a paragraph, or of each item of a list."""
        in_terms = span.scope.topic is Topic.TERMS
        if in_terms and span.kind is BlockKind.PARAGRAPH and are_entries(text.strip().splitlines()):
            starts = [span.start + line.start() for line in _LINE.finditer(text)]
        elif span.kind is BlockKind.QUOTE:
            starts = [span.start + paragraph.start() for paragraph in _QUOTED_PARAGRAPH.finditer(text)]
        elif span.kind is BlockKind.LIST:
            starts = [span.start + item.start() for item in _ITEM.finditer(text)]
        else:
            yield from self._region(span, span.start, span.end)
            return
        has_statement = has_keyword(text.lower()) or (self._terms_are_marked and has_marked_term(text))
        if not in_terms and not has_statement:
            yield from self._region(span, span.start, span.end)
            return
        borders = [span.start, *(start for start in starts if start > span.start), span.end]
        for start, end in pairwise(borders):
            yield from self._region(span, start, end)

    def _region(self, span: Span, start: int, end: int) -> Iterator[Passage]:
        """Yield the passages of a paragraph or item."""
        whole = self._text[start:end]
        note = aside(whole)
        if note or (span.kind is BlockKind.HEADING and not is_statement(whole)):
            yield self._prose(span, start, end, note)
            return
        # The footnotes of a document may be printed under its glossary.
        is_text = span.kind is not BlockKind.HEADING and not _FOOTNOTE.match(whole)
        in_terms = span.scope.topic is Topic.TERMS and is_text
        if in_terms and SOURCE.match(whole):
            yield self._prose(span, start, end, "reference")
            return
        if in_terms and not introduces(whole) and self._is_entry(span.scope, whole):
            if is_by_reference(whole):
                yield self._passage(span, start, end, "reference", alone=True)
            else:
                yield from self._definition(span, start, start, end)
            return
        stop = inner_aside(self._text, start, end)
        yield from self._sentences(span, start, stop)
        if stop < end:
            yield self._prose(span, stop, end, "guidance")

    def _is_entry(self, scope: Scope, text: str) -> bool:
        return is_entry(text) or is_acronym(text) or abbreviates(scope, text)

    def _definition(self, span: Span, start: int, text: int, end: int) -> Iterator[Passage]:
        """Yield an entry of a glossary, and what its later sentences require.

        Args:
            span: The block of its definition.
            start: Where the entry begins.
            text: Where the paragraph or item with its definition begins.
            end: Where it ends.
        """
        stops = [*sentence_ends(self._text, text, end)] if has_keyword(self._text[text:end].lower()) else []
        for first, stop in pairwise(stops):
            if self._sentence(span.scope, self._text[first:stop]) == "requirement":
                yield self._passage(span, start, first, "definition", alone=True)
                yield from self._sentences(span, first, end)
                return
        yield self._passage(span, start, end, "definition", alone=True)

    def _sentences(self, span: Span, start: int, end: int) -> Iterator[Passage]:
        """Yield each requirement, recommendation and definition of a text, and the prose between them."""
        lowered = self._text[start:end].lower()
        if not has_keyword(lowered) and not may_define(lowered):
            if start < end:
                yield self._prose(span, start, end)
            return
        prose, first = start, start
        for stop in sentence_ends(self._text, start, end):
            if start == first == span.scope.start and stop < end and _RUN_IN_TITLE.fullmatch(self._text, start, stop):
                # "4.1 General." belongs to the sentence after it.
                continue
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
                    return "definition" if is_definition_by_shall(sentence) else "requirement"
                case Strength.RECOMMENDATION:
                    return "recommendation"
                case _:
                    pass
        return "definition" if scope.topic not in _NO_DEFINITIONS and self._defines(sentence) else ""

    def _defines(self, sentence: str) -> bool:
        if self._terms_are_marked:
            return has_marked_term(sentence) and (defines_marked_term(sentence) or defines(sentence))
        return defines(sentence) and not _FOR_EXAMPLE.match(sentence)

    def _table(self, span: Span, announced: str) -> Iterator[Passage]:
        """Yield each row that says something of its own, and the rows between them; the header is with the first."""
        terms = span.scope.topic is Topic.TERMS
        start, has_rows = span.start, False
        for row in rows(self._text, span.start, span.end, span.scope.clause, terms=terms):
            name = "" if announced else self._row(span.scope, row)
            if not name and not row.clause:
                has_rows = True
                continue
            if start < row.start and has_rows:
                yield self._passage(span, start, row.start, "table")
                start = row.start
            passage = self._passage(span, start, row.stop, name or announced or "table", alone=True)
            yield replace(passage, clause=row.clause or passage.clause, embed_start=row.start)
            if row.stop < row.end:
                yield self._passage(span, row.stop, row.end, "guidance")
            start, has_rows = row.end, False
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

    def _prose(self, span: Span, start: int, end: int, name: str = "") -> Passage:
        scope = span.scope
        default = _PROSE_TYPES.get(scope.topic, "annex" if scope.annex else "guidance")
        if not scope.title and not scope.clause and scope.start == 0:
            default = "overview"
        return self._passage(span, start, end, name or default)

    def _passage(self, span: Span, start: int, end: int, name: str, *, alone: bool = False) -> Passage:
        stem = alone and self._text[start:end].rstrip("* _\n\t").endswith(":")
        return Passage(start, end, name, alone, name == "requirement", span.scope.clause, span.kind, stem)
