"""Answers whose list of entries is bounded by `max_tokens` and continued by a cursor (contract 0, section 3)."""

import hashlib
from collections.abc import Sequence
from typing import Any, TypeVar

from pincite.model.call import Call
from pincite.services.bounds import Bounded, continued
from pincite.tools.base import Parts

A = TypeVar("A", bound=Bounded)

HASH_DIGITS = 12
"""Of the hash that a cursor carries of the answer that it continues."""


def bounded(
    parts: Parts,
    call: Call,
    answer: A,
    fields: tuple[str, str],
    arguments: Sequence[object],
    max_tokens: int | None,
    cursor: str | None,
) -> A:
    """Return as many entries of an answer as fit; the text of the last one may be cut.

    Args:
        parts: Sets the limit where the call sets none.
        call: Sets the deadline.
        answer: The whole answer.
        fields: The names of its list and of the text of an entry; the latter is empty if no entry may be cut.
        arguments: Name and arguments of the call, without `max_tokens` and `cursor`.
        max_tokens: Maximum tokens of the answer.
        cursor: The cursor to continue from; None for the beginning.

    Raises:
        InvalidInput: The cursor is of another call, or of an answer that is another one by now.
    """
    name, text_name = fields
    entries: Sequence[Any] = getattr(answer, name) or ()
    texts = [str(getattr(entry, text_name)) if text_name else "" for entry in entries]

    def cut(n: int, start: int, end: int) -> Any:
        return entries[n].model_copy(update={text_name: texts[n][start:end]}) if text_name else entries[n]

    listed = "\n".join(getattr(entry, "ref", None) or repr(entry) for entry in entries)
    stamp = hashlib.sha256(listed.encode(errors="replace")).hexdigest()[:HASH_DIGITS]
    limit = parts.bound(stamp, arguments, max_tokens, cursor)
    around = answer.model_copy(update={name: []})
    taken, following = limit.take(call, texts, around, lambda n: cut(n, 0, 0))
    rest = continued(call, following)
    kept = {name: [cut(part.text, part.start, part.end) for part in taken] if entries else getattr(answer, name)}
    return answer.model_copy(update={**kept, **rest, "partial": answer.partial or rest["partial"]})
