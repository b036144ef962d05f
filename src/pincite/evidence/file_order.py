"""A document's text with its tables in the file's own order, for quotes that run across one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pincite.evidence.search import Prepared, Span, Wording, neighbours, occurrences, prepare
from pincite.model.call import Call
from pincite.text.mapped import Mapped, MappedBuilder

Source = tuple[int, int, str]
"""(start, end, text): a table's span in the document's text, and its text in the file's order."""


@dataclass(frozen=True, slots=True)
class FileOrder:
    """A document's text in the file's order, prepared for search, with its mapping to the document's own text.

    A table maps as a whole.
    """

    prepared: Prepared
    mapping: Mapped


def in_file_order(text: str, sources: Sequence[Source], call: Call) -> FileOrder:
    """Prepare a document with tables.

    Args:
        text: The document's text.
        sources: Its tables, in order.
        call: Checked for cancellation.

    Raises:
        Cancelled: The call is cancelled.
        TimeoutExceeded: The deadline has passed.
    """
    builder = MappedBuilder()
    position = 0
    for start, end, source in sources:
        if not source.strip() or start < position or end > len(text):
            continue
        builder.put(text[position:start], position, start)
        # A piece of its original's length would map character by character, so a space is added.
        builder.put(source + " " * (len(source) == end - start), start, end)
        position = end
    builder.put(text[position:], position, len(text))
    mapping = builder.done()
    return FileOrder(prepare(mapping.text, call), mapping)


def occurrence(words: Iterable[Wording], document: FileOrder, cited_span: Span) -> Span | None:
    """Return the first occurrence within the cited span, as a span of the document's own text; None without one."""
    within = (document.mapping.first_at(cited_span[0]), document.mapping.first_at(cited_span[1]))
    for wording in words:
        for span in occurrences(wording, document.prepared, within):
            own_span = document.mapping.span(*span)
            if cited_span[0] <= own_span[0] and own_span[1] <= cited_span[1]:
                return own_span
    return None


def elsewhere(words: Iterable[Wording], document: FileOrder, cited_span: Span) -> Span | None:
    """Return the occurrence nearest to the cited span, as a span of the document's own text; None without one."""
    middle = document.mapping.first_at(cited_span[1])
    spans = [
        document.mapping.span(*span) for wording in words for span in neighbours(wording, document.prepared, middle)
    ]
    return min(spans, key=lambda span: max(0, cited_span[0] - span[1], span[0] - cited_span[1]), default=None)
