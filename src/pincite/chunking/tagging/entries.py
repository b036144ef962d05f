"""Entries of a glossary that take several blocks: a number, a term, its definition."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.chunking.sentences import sentence_ends
from pincite.chunking.tagging.asides import aside
from pincite.chunking.tagging.definitions import (
    introduces,
    is_abbreviation,
    is_acronym,
    is_by_reference,
    is_plain_definition,
    is_plain_term,
    is_synonym,
    is_term,
)
from pincite.chunking.tagging.keywords import Strength, is_about_keywords, strength
from pincite.chunking.tagging.outline import Scope
from pincite.chunking.tagging.topics import Topic
from pincite.model.document import Block, BlockKind

MAX_ENTRY_LINES = 4
"""Paragraphs of a glossary entry before its definition: a number, a term and its synonyms."""

ASIDE_ROLES = {"note": "guidance", "example": "example"}
"""Chunk types of blocks that explain, by their role."""
TEXT_KINDS = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST})
SOURCE = re.compile(r"\s*\[SOURCE\b", re.IGNORECASE)
_NUMBER_ALONE = re.compile(r"[\s*_]*(?:\d{1,3}|[A-Z])(?:\.\d{1,3})*\.?[\s*_]*")
_ABBREVIATIONS = re.compile(r"\b(?:abbreviat|acronym|initialism)", re.IGNORECASE)
_LINES = re.compile(r"[\s*_]*\d{1,3}(?:\.\d{1,3})*\.?[*_]*\n[*_]*[^.:;\n]{1,80}\n(?=\S)")
"""The number, the term and its definition on lines of their own in one paragraph."""
_BOLD_ALONE = re.compile(r"\s*\*\*[^*\n]{1,100}\*\*(?:\s*\([^)\n]{1,40}\))?\s*")
_SAYS_MORE = re.compile(r"\s*(?:These|This|Those|That|It|They|There|We|You|See|In\s+this|For\s+the|The\s+following)\b")
"""How prose goes on, and no definition begins."""


@dataclass(frozen=True, slots=True)
class Span:
    """A block with the blank lines after it, and the clause that it is in."""

    kind: BlockKind
    start: int
    end: int
    block: Block
    scope: Scope


def abbreviates(scope: Scope, text: str) -> bool:
    """Return True for an entry of a section on abbreviations."""
    return _ABBREVIATIONS.search(scope.title) is not None and is_abbreviation(text)


def entry_blocks(text: str, spans: Sequence[Span], position: int, *, in_series: bool) -> int:
    """Return the number of blocks of the glossary entry that begins at a block; 0 if none does.

    Args:
        text: The document's text.
        spans: The blocks of a section.
        position: The block's position among them.
        in_series: Whether an entry or the announcement of entries ends right before the block.
    """
    span = spans[position]
    if span.scope.topic is not Topic.TERMS or span.kind not in TEXT_KINDS or span.block.role in ASIDE_ROLES:
        return 0
    first = text[span.start : span.end]
    if introduces(first) or is_about_keywords(first) or SOURCE.match(first):
        return 0
    after_heading = position == 0 or spans[position - 1].kind is BlockKind.HEADING
    if _NUMBER_ALONE.fullmatch(first):
        return _until_definition(text, spans, position, terms=1)
    if _is_term_alone(span.scope, span, first, after_heading=after_heading):
        return _until_definition(text, spans, position, terms=0)
    if _is_pair(text, spans, position, in_series=in_series):
        return 2
    return 1 if _is_whole(span.scope, first, after_heading=after_heading) else 0


def _is_pair(text: str, spans: Sequence[Span], position: int, *, in_series: bool) -> bool:
    """Return True for a term and its definition, both plain paragraphs: one of several, or "A file that …"."""
    following = spans[position + 1] if position + 1 < len(spans) else None
    if following is None or following.kind not in TEXT_KINDS or following.block.role in ASIDE_ROLES:
        return False
    span = spans[position]
    line, paragraph = text[span.start : span.end], text[following.start : following.end]
    if (
        is_acronym(line)
        or abbreviates(span.scope, line)
        or not is_plain_term(line)
        or aside(paragraph)
        or introduces(paragraph)
        or SOURCE.match(paragraph)
    ):
        return False
    if in_series or is_plain_definition(paragraph):
        return not _SAYS_MORE.match(paragraph)
    others = (number for number in range(len(spans)) if number not in {position, position - 1, position + 1})
    return not (_SAYS_MORE.match(paragraph) or is_term(paragraph)) and any(
        _is_pair(text, spans[number : number + 2], 0, in_series=True)
        and not is_term(text[spans[number + 1].start : spans[number + 1].end])
        for number in others
        if number + 1 < len(spans)
    )


def _is_term_alone(scope: Scope, span: Span, first: str, *, after_heading: bool) -> bool:
    """Return True for a term whose definition is the next block: in bold, with its number, or under it."""
    if _BOLD_ALONE.fullmatch(first):
        return True
    if not (scope.numbered and is_term(first)):
        return False
    return (after_heading and not scope.title) or (scope.is_entry and scope.start == span.block.start)


def _is_whole(scope: Scope, first: str, *, after_heading: bool) -> bool:
    """Return True for a definition whose term is the section's title."""
    if scope.numbered and not scope.title and _LINES.match(first):
        return True
    if not (after_heading and scope.is_entry) or aside(first) or is_by_reference(f"x: {first}"):
        return False
    # "Terms are optional" is a clause on glossaries.
    return strength(first[: next(sentence_ends(first, 0, len(first)), 0)]) is not Strength.REQUIREMENT


def _until_definition(text: str, spans: Sequence[Span], position: int, terms: int) -> int:
    """Return the number of blocks up to the definition: number, term, synonyms in bold, text.

    `terms` is the number of plain paragraphs before the definition.
    """
    for count, span in enumerate(spans[position + 1 : position + 1 + MAX_ENTRY_LINES], 2):
        block = text[span.start : span.end]
        if span.kind not in TEXT_KINDS or aside(block) or _NUMBER_ALONE.fullmatch(block):
            return 0
        if _BOLD_ALONE.fullmatch(block) or is_synonym(block):
            terms = 0
        elif not terms:
            return count
        else:
            terms -= 1
    return 0
