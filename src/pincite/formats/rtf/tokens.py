"""Tokens of RTF (version 1.9.1): braces, control words, control symbols, bytes of text."""

import re
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

_TOKEN = re.compile(
    rb"\\([A-Za-z]{1,32})(-?\d{1,10})? ?|\\'([0-9A-Fa-f]{2})|\\([^A-Za-z])|([{}])|([^\\{}\r\n\x00]+)|[\r\n\x00]+|\\",
    re.DOTALL,
)
_BINARY = "bin"


class Kind(Enum):
    """The kind of a token."""

    OPEN = "open"
    CLOSE = "close"
    WORD = "word"
    SYMBOL = "symbol"
    TEXT = "text"


class Token(NamedTuple):
    """A token.

    Attributes:
        kind: Its kind.
        word: The name of a control word; the character of a control symbol.
        number: The parameter of a control word; None for none.
        data: The bytes of text.
    """

    kind: Kind
    word: str = ""
    number: int | None = None
    data: bytes = b""


_OPEN, _CLOSE = Token(Kind.OPEN), Token(Kind.CLOSE)


def tokens(data: bytes) -> Iterator[Token]:
    """Yield the tokens of a file; binary data is passed over."""
    at = 0
    while match := _TOKEN.match(data, at):
        at = match.end()
        word, number, code, symbol, brace, text = match.groups()
        if word is not None:
            name = word.decode("ascii")
            if name == _BINARY:
                at += max(0, int(number or 0))
            else:
                yield Token(Kind.WORD, name, int(number) if number is not None else None)
        elif code is not None:
            yield Token(Kind.TEXT, data=bytes([int(code, 16)]), word="'")
        elif symbol is not None:
            yield Token(Kind.SYMBOL, symbol.decode("latin-1"))
        elif brace is not None:
            yield _OPEN if brace == b"{" else _CLOSE
        elif text is not None:
            yield Token(Kind.TEXT, data=text)
