"""Entries of a glossary that take several blocks: a number, a term, its definition."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.chunking.tagging.asides import aside
from pincite.chunking.tagging.definitions import introduces, is_by_reference, is_plain_entry, is_run_in, is_term
from pincite.chunking.tagging.keywords import is_about_keywords
from pincite.chunking.tagging.outline import Scope
from pincite.chunking.tagging.topics import Topic
from pincite.model.document import Block, BlockKind

MAX_ENTRY_LINES = 4
"""Paragraphs of a glossary entry before its definition: a number, a term and its synonyms."""

TEXT_KINDS = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST})
SOURCE = re.compile(r"\s*\[SOURCE\b", re.IGNORECASE)
_NUMBER_ALONE = re.compile(r"[\s*_]*(?:\d{1,3}|[A-Z])(?:\.\d{1,3})*\.?[\s*_]*")
_BOLD_ALONE = re.compile(r"\s*\*\*[^*\n]{1,100}\*\*(?:\s*\([^)\n]{1,40}\))?\s*")
_GENERIC_TITLE = re.compile(
    r"(?:general|conventions?|notation|key\s?words?|requirements?|conformance|document\s+conventions|overview|introduction"
    r"|definitions?|explanations?|examples?|description|discussion|background|rationale|remarks?|notes?|purpose|details"
    r"|normative\b.*|informative\b.*|.*\b(?:notation|conventions?|keywords|requirements))$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Span:
    """A block with the blank lines after it, and the clause that it is in."""

    kind: BlockKind
    start: int
    end: int
    block: Block
    scope: Scope


def entry_blocks(text: str, spans: Sequence[Span], position: int) -> int:
    """Return the number of blocks of the glossary entry that begins at a block; 0 if none does."""
    span = spans[position]
    if span.scope.topic is not Topic.TERMS or span.kind not in TEXT_KINDS:
        return 0
    first = text[span.start : span.end]
    if introduces(first) or is_about_keywords(first) or SOURCE.match(first):
        return 0
    after_heading = position == 0 or spans[position - 1].kind is BlockKind.HEADING
    if _NUMBER_ALONE.fullmatch(first):
        return _until_definition(text, spans, position, terms=1)
    if _is_term_alone(span.scope, span, first, after_heading=after_heading):
        return _until_definition(text, spans, position, terms=0)
    following = spans[position + 1] if position + 1 < len(spans) else None
    if following and following.kind in TEXT_KINDS and is_plain_entry(first, text[following.start : following.end]):
        return 2
    return 1 if _is_whole(span.scope, first, after_heading=after_heading) else 0


def _is_term_alone(scope: Scope, span: Span, first: str, *, after_heading: bool) -> bool:
    """Return True for a term whose definition is the next block: in bold, with its number, or under it."""
    if _BOLD_ALONE.fullmatch(first):
        return True
    if not (scope.numbered and is_term(first)):
        return False
    return (after_heading and not scope.title) or (scope.sub_title and scope.start == span.block.start)


def _is_whole(scope: Scope, first: str, *, after_heading: bool) -> bool:
    """Return True for a definition whose term is the section's title, or its own first words."""
    if scope.numbered and is_run_in(first):
        return True
    titled = after_heading and scope.sub_title and not _GENERIC_TITLE.match(scope.title)
    return titled and not (aside(first) or is_by_reference(f"x: {first}"))


def _until_definition(text: str, spans: Sequence[Span], position: int, terms: int) -> int:
    """Return the number of blocks up to the definition: number, term, synonyms in bold, text.

    `terms` is the number of plain paragraphs before the definition.
    """
    for count, span in enumerate(spans[position + 1 : position + 1 + MAX_ENTRY_LINES], 2):
        block = text[span.start : span.end]
        if span.kind not in TEXT_KINDS or aside(block) or _NUMBER_ALONE.fullmatch(block):
            return 0
        if _BOLD_ALONE.fullmatch(block):
            terms = 0
        elif not terms:
            return count
        else:
            terms -= 1
    return 0
