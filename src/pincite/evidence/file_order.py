"""A document's text with its tables as the file has them, for quotes that run across one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pincite.evidence.search import Prepared, Span, Wording, neighbours, occurrences, prepare
from pincite.model.call import Call
from pincite.text.mapped import Mapped, MappedBuilder

Source = tuple[int, int, str]
"""First character of a table in the document's text, one past its last, and its text in the file's order."""


@dataclass(frozen=True, slots=True)
class FileOrder:
    """A document's text in the file's order, ready for quotes, with the way back: a table maps as a whole."""

    prepared: Prepared
    way: Mapped


def in_file_order(text: str, sources: Sequence[Source], call: Call) -> FileOrder:
    """Make a document with tables ready.

    Args:
        text: The document's text.
        sources: Its tables, in order.
        call: Whom it is for.

    Raises:
        Cancelled: The caller went away.
        TimeoutExceeded: The deadline has passed.
    """
    builder = MappedBuilder()
    position = 0
    for start, end, source in sources:
        if not source.strip() or start < position or end > len(text):
            continue
        builder.put(text[position:start], position, start)
        # A piece as long as its original would map character by character.
        builder.put(source + " " * (len(source) == end - start), start, end)
        position = end
    builder.put(text[position:], position, len(text))
    way = builder.done()
    return FileOrder(prepare(way.text, call), way)


def occurrence(words: Iterable[Wording], document: FileOrder, cited_span: Span) -> Span | None:
    """The first span of the document's own text, in a place of it, for which the file says these words."""
    within = (document.way.first_at(cited_span[0]), document.way.first_at(cited_span[1]))
    for wording in words:
        for span in occurrences(wording, document.prepared, within):
            found = document.way.span(*span)
            if cited_span[0] <= found[0] and found[1] <= cited_span[1]:
                return found
    return None


def elsewhere(words: Iterable[Wording], document: FileOrder, cited_span: Span) -> Span | None:
    """The span nearest to a place for which the file says these words."""
    middle = document.way.first_at(cited_span[1])
    found = [document.way.span(*span) for wording in words for span in neighbours(wording, document.prepared, middle)]
    return min(found, key=lambda span: max(0, cited_span[0] - span[1], span[0] - cited_span[1]), default=None)
