"""Answers of a bounded size, continued without loss.

A bound counts the tokens of an answer as JSON: those of the embedding model, and never fewer than one for
four bytes. A cursor is opaque to its holder; it carries where to go on, what the answer was taken from (a
revision, a generation) and which call it belongs to.
"""

import base64
import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any

from pydantic import Field

from pincite.chunking.tokens import TokenCounter
from pincite.errors import InvalidInput
from pincite.model.call import Call
from pincite.toolkit import Answer, ResponseModel, optional

MOST_TOKENS = 20_000
"""The greatest bound (contract 0, 3)."""

ENVELOPE = 220
"""Tokens kept free for what stands around the texts: the index's state, a cursor."""

MAX_CURSOR_BYTES = 200
"""Ours have less than half of it."""

BYTES_A_TOKEN = 4
"""Of English prose; where the model has one token for a long run of letters, bytes count."""


MaxTokens = Annotated[int | None, Field(description="Maximum tokens of the answer, up to 20000.")]
Cursor = Annotated[str | None, Field(description="next_cursor of the previous answer, to continue.")]


class Bounded(Answer):
    """An answer that may be a part of the whole."""

    truncated: bool | None = optional("True if max_tokens or the time cut it.")
    next_cursor: str | None = optional("Repeat the call with it as `cursor` to go on.")
    partial: bool | None = optional("True if the time ran out before all of it was there.")


@dataclass(frozen=True, slots=True)
class Start:
    """Where an answer goes on: in which text, at which character of it."""

    text: int = 0
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Taken:
    """A part of the n-th text that fits: its characters `start` to `end`."""

    text: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Bound:
    """One call's bound.

    Attributes:
        tokens: Counts.
        most: The most tokens of the answer; None for all of it.
        start: Where it begins.
        stamp: What it is taken from.
        call: What was asked, the bound and the cursor left out.
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
        """What of the texts fits, in the time that there is, and the cursor for the rest; None where there is none.

        Args:
            call: Whose time it is; one text is taken however little is left, so that every call goes on.
            texts: In order.
            around: The answer without texts.
            extra_of: What the answer says of the n-th text, the text itself left out.

        Raises:
            Cancelled: The caller went away.
            InvalidInput: Not even the next text's description fits.
        """
        taken: list[Taken] = []
        room = None if self.most is None else self._room(around)
        for place in range(self.start.text, len(texts)):
            if taken and call.remaining() <= 0:
                return taken, self._cursor(Start(place))
            if call.cancelled():
                call.check()
            begin = self.start.offset if place == self.start.text else 0
            extra = extra_of(place) if extra_of else None
            if room is not None:
                cost = self._count(extra.model_dump()) if extra else 0
                spent = cost + self._count_up_to(texts[place][begin:], room - cost)
                if spent > room:
                    end = begin + self._prefix(texts[place][begin:], room - cost)
                    if end == begin and not taken:
                        end = self._least(texts[place], begin, cost)
                    cut = [Taken(place, begin, end)] if end > begin else []
                    return [*taken, *cut], self._cursor(Start(place, end))
                room -= spent
            taken.append(Taken(place, begin, len(texts[place])))
        return taken, None

    def take_items(
        self, call: Call, sizes: Sequence[int], around: ResponseModel, entry: Callable[[int, int, int], ResponseModel]
    ) -> tuple[list[Taken], str | None]:
        """What of a list of entries fits, as `take`; an entry that no answer has room for is split between its items.

        Args:
            call: Whose time it is.
            sizes: How many items each entry has, in order.
            around: The answer without entries.
            entry: The n-th entry with its items from a first to a last, that one excluded.

        Raises:
            Cancelled: The caller went away.
            InvalidInput: Not even the next item fits; the message holds the cursor that goes on behind it.
        """
        taken: list[Taken] = []
        room = None if self.most is None else self._room(around)
        for place in range(self.start.text, len(sizes)):
            if taken and call.remaining() <= 0:
                return taken, self._cursor(Start(place))
            if call.cancelled():
                call.check()
            begin = self.start.offset if place == self.start.text else 0
            if room is not None:
                cost = self._count_entry(entry(place, begin, sizes[place]), room)
                if cost > room and taken:
                    return taken, self._cursor(Start(place))
                if cost > room:
                    end = self._last_item(partial(entry, place, begin), begin, sizes[place], room)
                    return [Taken(place, begin, end)], self._cursor(Start(place, end))
                room -= cost
            taken.append(Taken(place, begin, sizes[place]))
        return taken, None

    def _last_item(self, entry: Callable[[int], ResponseModel], begin: int, size: int, room: int) -> int:
        """One past the last item that fits, from the first that an entry shows."""
        low, high = begin, min(begin + 1, size)
        while high < size and self._count_entry(entry(high), room) <= room:
            low, high = high, min(2 * high - begin, size)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._count_entry(entry(middle), room) <= room else (low, middle)
        if low == begin:
            needed = self._count(entry(high).model_dump()) + ENVELOPE
            behind = self._cursor(Start(self.start.text, high) if high < size else Start(self.start.text + 1))
            raise InvalidInput(
                f"max_tokens is too small: the next entry alone takes {needed}. Raise it, or go on behind it with "
                f"cursor {behind}"
            )
        return low

    def _count_entry(self, entry: ResponseModel, room: int) -> int:
        """Tokens of an entry; anything over `room` where it is clear without counting that they are more."""
        text = _json(entry.model_dump())
        least = len(text.encode("utf-8", "surrogatepass")) // BYTES_A_TOKEN
        return least if least > room else max(self.tokens.count(text), least)

    def _room(self, around: ResponseModel) -> int:
        """Tokens for texts: at least half of the bound, however small it is."""
        most = self.most or 0
        return max(most - ENVELOPE - self._count(around.model_dump()), -(-most // 2))

    def _least(self, text: str, begin: int, cost: int) -> int:
        """The least that goes on: some of a text beside which even its own description does not fit."""
        end = begin + self._prefix(text[begin:], -(-(self.most or 0) // 2))
        if end == begin:
            raise InvalidInput(f"max_tokens is too small: the next entry alone takes {cost + ENVELOPE}. Raise it.")
        return end

    def _count(self, value: object) -> int:
        text = _json(value)[1:-1] if isinstance(value, str) else _json(value)
        return max(self.tokens.count(text), len(text.encode("utf-8", "surrogatepass")) // BYTES_A_TOKEN)

    def _count_up_to(self, text: str, room: int) -> int:
        """Tokens of a text; anything over `room` where it is clear without counting that they are more."""
        return room + 1 if len(text) > room * BYTES_A_TOKEN else self._count(text)

    def _prefix(self, text: str, room: int) -> int:
        """Characters of a prefix that fits, about as long as one can be; it ends with a line or word if one is near."""
        if room < 1:
            return 0
        end = self.tokens.cut(text[: room * BYTES_A_TOKEN], room)
        while end and (spent := self._count(text[:end])) > room:
            end = min(end - 1, end * room // spent)
        for border in ("\n", " "):
            near = text.rfind(border, end - end // 4, end)
            if near >= 0:
                return near + 1
        return end

    def _cursor(self, start: Start) -> str:
        text = _json([start.text, start.offset, self.stamp, self.call])
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def bound(
    tokens: TokenCounter, stamp: str, arguments: Sequence[object], max_tokens: int | None, cursor: str | None
) -> Bound:
    """The bound of a call.

    Args:
        tokens: Counts.
        stamp: What the answer is taken from: a revision or a generation.
        arguments: The tool's name and its arguments, `max_tokens` and `cursor` left out.
        max_tokens: The most tokens of the answer; more than `MOST_TOKENS` counts as that.
        cursor: From the answer before.

    Raises:
        InvalidInput: The bound is below 1, or the cursor is of another call, or what it was taken from has changed.
    """
    if max_tokens is not None and max_tokens < 1:
        raise InvalidInput(f"max_tokens should be 1 to {MOST_TOKENS}, not {max_tokens}")
    call = hashlib.sha256(_json(list(arguments)).encode("utf-8", "surrogatepass")).hexdigest()[:12]
    most = None if max_tokens is None else min(max_tokens, MOST_TOKENS)
    made = Bound(tokens, most, Start(), stamp, call)
    return made if cursor is None else replace(made, start=_start(cursor, made))


def continued(call: Call, cursor: str | None) -> dict[str, Any]:
    """The fields of `Bounded`."""
    cut = True if cursor else None
    return {"truncated": cut, "next_cursor": cursor, "partial": cut if call.remaining() <= 0 else None}


def _start(cursor: str, made: Bound) -> Start:
    try:
        read: Any = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))[:MAX_CURSOR_BYTES])
        text, offset, stamp, call = read
        known = isinstance(text, int) and isinstance(offset, int) and min(text, offset) >= 0
    except (ValueError, TypeError, RecursionError):
        known, text, offset, stamp, call = False, 0, 0, "", ""
    if not known or call != made.call:
        raise InvalidInput(
            "This cursor belongs to another call. Repeat the call that returned it, with the same arguments, "
            "or leave it out."
        )
    if stamp != made.stamp:
        raise InvalidInput("The documents have changed since the previous answer. Start again without cursor.")
    return Start(text, offset)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
