"""Answers whose list of texts is bounded by `max_tokens` and continued by a cursor (contract 0, section 3)."""

import hashlib
from collections.abc import Sequence
from typing import Any, TypeVar

from pincite.chunking.tokens import TokenCounter
from pincite.model.call import Call
from pincite.services.bounds import Bounded, bound, continued

A = TypeVar("A", bound=Bounded)

HASH_DIGITS = 12
"""Of the hash that a cursor carries of the answer that it continues."""


def bounded(
    tokens: TokenCounter,
    call: Call,
    answer: A,
    fields: tuple[str, str],
    arguments: Sequence[object],
    max_tokens: int | None,
    cursor: str | None,
) -> A:
    """Return as many entries of an answer as fit; the text of the last one may be cut.

    Args:
        tokens: Counts tokens.
        call: Sets the deadline.
        answer: The whole answer.
        fields: The name of its list, and that of the text of an entry. Each entry has a `ref`.
        arguments: Name and arguments of the call, without `max_tokens` and `cursor`.
        max_tokens: Maximum tokens of the answer; None for no limit.
        cursor: The cursor to continue from; None for the beginning.

    Raises:
        InvalidInput: The cursor is of another call, or of an answer that is another one by now.
    """
    if max_tokens is None and cursor is None:  # without a bound, counting would cost time for nothing
        return answer
    name, text_name = fields
    entries: Sequence[Any] = getattr(answer, name) or ()
    texts = [str(getattr(entry, text_name)) for entry in entries]
    stamp = hashlib.sha256("\n".join(entry.ref for entry in entries).encode()).hexdigest()[:HASH_DIGITS]
    limit = bound(tokens, stamp, arguments, max_tokens, cursor)
    around = answer.model_copy(update={name: []})
    taken, following = limit.take(call, texts, around, lambda n: entries[n].model_copy(update={text_name: ""}))
    shown = [
        entries[part.text].model_copy(update={text_name: texts[part.text][part.start : part.end]}) for part in taken
    ]
    rest = continued(call, following)
    kept = {name: shown if entries else getattr(answer, name)}
    return answer.model_copy(update={**kept, **rest, "partial": answer.partial or rest["partial"]})
