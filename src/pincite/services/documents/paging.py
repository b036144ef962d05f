"""Answers of several texts, continued without loss: a document's content first, then what was found in it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pincite.model.call import Call
from pincite.services.bounds import Bound, Start
from pincite.toolkit import ResponseModel

M = TypeVar("M", bound=ResponseModel)


@dataclass(frozen=True, slots=True)
class Part:
    """An item of an answer.

    Attributes:
        item: The item, whole.
        field: The field whose text may be cut.
    """

    item: ResponseModel
    field: str

    @property
    def text(self) -> str:
        """The text that may be cut."""
        return getattr(self.item, self.field)

    def cut_text(self, start: int, end: int) -> ResponseModel:
        """Return the item with a part of its text."""
        return self.item.model_copy(update={self.field: self.text[start:end]})


@dataclass(frozen=True, slots=True)
class Page:
    """A part of an answer.

    Attributes:
        content: The content's part; empty if it is complete already.
        items: The items, whole or cut, in order.
        cursor: Where the answer continues; None at its end.
    """

    content: str
    items: Sequence[ResponseModel]
    cursor: str | None

    def of(self, kind: type[M]) -> list[M]:
        """Return the items of a kind."""
        return [item for item in self.items if isinstance(item, kind)]


def page(
    limit: Bound, call: Call, around: ResponseModel, content: str | None, parts: Sequence[Part], content_chars: int
) -> Page:
    """Return the part of an answer that fits.

    Args:
        limit: The size limit of the call; without `max_tokens` only the content is cut.
        call: Its deadline ends the part, too.
        around: The answer without content and items.
        content: The content; None for an answer of items alone.
        parts: The items.
        content_chars: Maximum number of characters of the content in one answer.

    Raises:
        InvalidInput: See `Bound.take`.
    """
    texts = [*([] if content is None else [content]), *(part.text for part in parts)]
    first = len(texts) - len(parts)
    index, offset = limit.start.text, limit.start.offset
    end = offset + content_chars
    is_cut = content is not None and index == 0 and len(content) > end
    # What was found in a document comes with the content's first part, or after its last.
    is_content_alone = first == 1 and index == 0 and (is_cut if limit.most is not None else offset > 0)
    if is_cut and content is not None:
        texts[0] = content[:end]
    if is_content_alone:
        texts = texts[:1]

    def other_fields(number: int) -> ResponseModel:
        return around if number < first else parts[number - first].cut_text(0, 0)

    taken, cursor = limit.take(call, texts, around, None if limit.most is None else other_fields)
    if cursor is None and is_cut:
        cursor = limit.cursor(Start(0, end))
    shown = "".join(texts[taking.text][taking.start : taking.end] for taking in taken if taking.text < first)
    items: Iterator[ResponseModel] = (
        parts[taking.text - first].cut_text(taking.start, taking.end) for taking in taken if taking.text >= first
    )
    return Page(shown, list(items), cursor)
