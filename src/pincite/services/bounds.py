"""Answers of a bounded size with cursor-based continuation.

Size is counted in the embedding model's tokens of the answer as JSON, and at least one per four
bytes. A cursor is opaque to clients; it contains the position to continue from, the version of the source (a
revision, a generation) and a hash of the call.
"""

import base64
import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import accumulate
from typing import Annotated, Any

from pydantic import Field

from pincite.chunking.tokens import TokenCounter
from pincite.errors import InvalidInput
from pincite.model.call import Call
from pincite.toolkit import Answer, ResponseModel, optional

MAX_ANSWER_TOKENS = 20_000
"""Maximum of `max_tokens`."""

ENVELOPE_TOKENS = 220
"""Tokens reserved for the answer's other fields: the index's state, a cursor."""

MAX_CURSOR_BYTES = 200
"""Maximum size of a decoded cursor; real ones have less than half of it."""

COMMA_TOKENS = 1
"""Tokens between two entries of a list."""

BYTES_PER_TOKEN = 4
"""Bytes per token of English prose; a lower bound on tokens where the model has one token for a long run of letters."""


_LENIENT = ("utf-8", "surrogatepass")

MaxTokens = Annotated[int | None, Field(description="Maximum tokens of the answer, up to 20000.")]
InCollection = Annotated[str | None, Field(description="Name of one of the collections; all of them if left out.")]
Cursor = Annotated[str | None, Field(description="next_cursor, to continue.")]


class Bounded(Answer):
    """An answer that may be a part of the whole."""

    truncated: bool | None = optional("True if the limit of its size or the time cut it.")
    next_cursor: str | None = optional("Repeat the call with it as `cursor` to go on.")
    partial: bool | None = optional("True if the time ran out before all of it was there.")


@dataclass(frozen=True, slots=True)
class Start:
    """The position at which an answer continues: index of the text, and character in it."""

    text: int = 0
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Taken:
    """The part of a text that fits: its index, and its characters `start` to `end`."""

    text: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Bound:
    """The size limit of one call's answer.

    Attributes:
        tokens: Counts tokens.
        most: Maximum number of tokens of the answer; None for no limit.
        start: The position to start from.
        stamp: The version of the source: a revision or a generation.
        call: Hash of the call's arguments, without `max_tokens` and `cursor`.
    """

    tokens: TokenCounter
    most: int | None
    start: Start
    stamp: str
    call: str

    def take(
        self,
        call: Call,
        texts: Sequence[str],
        around: ResponseModel,
        extra_of: Callable[[int], ResponseModel] | None = None,
    ) -> tuple[list[Taken], str | None]:
        """Return the parts of the texts that fit within size and time, and the cursor to continue (None at the end).

        Args:
            call: Sets the deadline; at least one text is taken even after it, so that every call makes progress.
            texts: In order.
            around: The answer without texts.
            extra_of: Returns the answer's other fields for the n-th text.

        Raises:
            Cancelled: The call is cancelled.
            InvalidInput: Not even the other fields for the next text fit.
        """
        taken: list[Taken] = []
        extra_of = extra_of and cache(extra_of)
        indices = range(self.start.text, len(texts))
        sizes = (len(_json([texts[n], extra_of(n).model_dump() if extra_of else 0]).encode(*_LENIENT)) for n in indices)
        room = self._room(around, sizes)
        for index in indices:
            if taken and call.remaining() <= 0:
                return taken, self.cursor(Start(index))
            if call.cancelled():
                call.check()
            begin = self.start.offset if index == self.start.text else 0
            extra = extra_of(index) if extra_of else None
            if room is not None:
                cost = self._count(extra.model_dump()) + COMMA_TOKENS if extra else 0
                spent = cost + self._count_up_to(texts[index][begin:], room - cost)
                if spent > room:
                    end = begin + self._prefix(texts[index][begin:], room - cost)
                    if end == begin and not taken:
                        raise self._too_small(room, cost, Start(index + 1))
                    cut = [Taken(index, begin, end)] if end > begin else []
                    return [*taken, *cut], self.cursor(Start(index, end))
                room -= spent
            taken.append(Taken(index, begin, len(texts[index])))
        return taken, None

    def take_items(
        self, call: Call, sizes: Sequence[int], around: ResponseModel, entry: Callable[[int, int, int], ResponseModel]
    ) -> tuple[list[Taken], str | None]:
        """Return the entries that fit, as `take` does; an entry too large for any answer is split between its items.

        Args:
            call: Sets the deadline.
            sizes: Number of items of each entry, in order.
            around: The answer without entries.
            entry: Returns the n-th entry with the items of a range (start, end).

        Raises:
            Cancelled: The call is cancelled.
            InvalidInput: Not even the next item fits; the message has the cursor that continues after it.
        """
        taken: list[Taken] = []
        indices = range(self.start.text, len(sizes))
        room = self._room(
            around, (len(_json(entry(n, 0, sizes[n]).model_dump()).encode(*_LENIENT)) + 1 for n in indices)
        )
        for index in indices:
            if taken and call.remaining() <= 0:
                return taken, self.cursor(Start(index))
            if call.cancelled():
                call.check()
            begin = self.start.offset if index == self.start.text else 0
            if room is not None:
                cost = self._count_entry(entry(index, begin, sizes[index]), room)
                if cost > room and taken:
                    return taken, self.cursor(Start(index))
                if cost > room:
                    end = self._last_item(partial(entry, index, begin), begin, sizes[index], room)
                    return [Taken(index, begin, end)], self.cursor(Start(index, end))
                room -= cost
            taken.append(Taken(index, begin, sizes[index]))
        return taken, None

    def _last_item(self, entry: Callable[[int], ResponseModel], begin: int, size: int, room: int) -> int:
        """Return the end (exclusive) of the items of an entry that fit, from `begin`."""
        # Double the number of items until they do not fit, then bisect: each test serialises the entry.
        low, high = begin, min(begin + 1, size)
        while high < size and self._count_entry(entry(high), room) <= room:
            low, high = high, min(2 * high - begin, size)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._count_entry(entry(middle), room) <= room else (low, middle)
        if low == begin:
            behind = Start(self.start.text, high) if high < size else Start(self.start.text + 1)
            raise self._too_small(room, self._count(entry(high).model_dump()), behind)
        return low

    def _count_entry(self, entry: ResponseModel, room: int) -> int:
        """Return the tokens of an entry, or, without counting, a value over `room` if its bytes alone exceed it."""
        text = f"{_json(entry.model_dump())},"
        least = len(text.encode(*_LENIENT)) // BYTES_PER_TOKEN
        return least if least > room else max(self.tokens.count(text), least)

    def _room(self, around: ResponseModel, sizes: Iterable[int]) -> int | None:
        """Return the tokens for entries; None if all of them fit.

        Args:
            around: The answer without entries.
            sizes: Bytes of each entry: no fewer than its tokens, and counted faster.

        Raises:
            InvalidInput: Not even the answer without entries fits.
        """
        if self.most is None:
            return None
        needed = ENVELOPE_TOKENS + self._count(around.model_dump())
        if self.most <= needed:
            raise InvalidInput(f"max_tokens is too small: without any text the answer takes {needed}. Raise it.")
        room = self.most - needed
        return None if all(total <= room for total in accumulate(sizes)) else room

    def _too_small(self, room: int, cost: int, behind: Start) -> InvalidInput:
        """Return the error that an entry does not fit: what the answer takes with it, and how to go on behind it."""
        return InvalidInput(
            f"max_tokens is too small: with the next entry the answer takes {(self.most or 0) - room + cost + 1}. "
            f"Raise it, or go on behind it with cursor {self.cursor(behind)}"
        )

    def _count(self, value: object) -> int:
        text = _json(value)[1:-1] if isinstance(value, str) else _json(value)
        return max(self.tokens.count(text), len(text.encode(*_LENIENT)) // BYTES_PER_TOKEN)

    def _count_up_to(self, text: str, room: int) -> int:
        """Return the tokens of a text, or, without counting, a value over `room` if its length alone exceeds it."""
        return room + 1 if len(text) > room * BYTES_PER_TOKEN else self._count(text)

    def _prefix(self, text: str, room: int) -> int:
        """Return the length of a prefix that fits, near the longest; it ends with a line or word if possible."""
        if room < 1:
            return 0
        end = self.tokens.cut(text[: room * BYTES_PER_TOKEN], room)
        while end and (spent := self._count(text[:end])) > room:
            end = min(end - 1, end * room // spent)
        for border in ("\n", " "):
            near = text.rfind(border, end - end // 4, end)
            if near >= 0:
                return near + 1
        return end

    def cursor(self, start: Start) -> str:
        """Return the cursor that continues from a position."""
        text = _json([start.text, start.offset, self.stamp, self.call])
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def bound(
    tokens: TokenCounter,
    stamp: str,
    arguments: Sequence[object],
    max_tokens: int | None,
    cursor: str | None,
    default: int = 0,
) -> Bound:
    """Return the size limit of a call.

    Args:
        tokens: Counts tokens.
        stamp: The version of the source: a revision or a generation.
        arguments: The tool's name and its arguments, without `max_tokens` and `cursor`.
        max_tokens: Maximum number of tokens of the answer, at most `MAX_ANSWER_TOKENS`.
        cursor: From the previous answer.
        default: Maximum number of tokens without `max_tokens`; 0 for no limit.

    Raises:
        InvalidInput: The limit is out of its range, the cursor is of another call, or the source has changed since.
    """
    if max_tokens is not None and not 1 <= max_tokens <= MAX_ANSWER_TOKENS:
        raise InvalidInput(f"max_tokens should be 1 to {MAX_ANSWER_TOKENS}, not {max_tokens}")
    call = hashlib.sha256(_json(list(arguments)).encode(*_LENIENT)).hexdigest()[:12]
    first = Bound(tokens, default or None if max_tokens is None else max_tokens, Start(), stamp, call)
    return first if cursor is None else replace(first, start=_start(cursor, first))


def continued(call: Call, cursor: str | None) -> dict[str, Any]:
    """Return the fields of `Bounded`."""
    cut = True if cursor else None
    return {"truncated": cut, "next_cursor": cursor, "partial": cut if call.remaining() <= 0 else None}


def _start(cursor: str, bound: Bound) -> Start:
    try:
        read: Any = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))[:MAX_CURSOR_BYTES])
        text, offset, stamp, call = read
        is_valid = isinstance(text, int) and isinstance(offset, int) and min(text, offset) >= 0
    except (ValueError, TypeError, RecursionError):
        is_valid, text, offset, stamp, call = False, 0, 0, "", ""
    if not is_valid or call != bound.call:
        raise InvalidInput(
            "This cursor belongs to another call. Repeat the call that returned it, with the same arguments, "
            "or leave it out."
        )
    if stamp != bound.stamp:
        raise InvalidInput("The documents have changed since the previous answer. Start again without cursor.")
    return Start(text, offset)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
