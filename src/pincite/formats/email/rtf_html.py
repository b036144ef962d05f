"""The HTML that Outlook has put into RTF ([MS-OXRTFEX])."""

from dataclasses import dataclass, replace

from pincite.formats.email import charsets
from pincite.formats.rtf.tokens import Kind, Token, tokens

_MARK = b"\\fromhtml1"
_HEAD_BYTES = 1000
_CHARACTERS = {
    "par": "\n",
    "line": "\n",
    "tab": "\t",
    "lquote": "\u2018",
    "rquote": "\u2019",
    "ldblquote": "\u201c",
    "rdblquote": "\u201d",
    "bullet": "\u2022",
    "endash": "\u2013",
    "emdash": "\u2014",
}
_SYMBOLS = {"{": "{", "}": "}", "\\": "\\", "~": "&nbsp;", "_": "&shy;"}
_DESTINATIONS = frozenset(["fonttbl", "colortbl", "stylesheet", "info", "pict", "header", "footer"])
_MAX_GROUPS = 10_000


@dataclass(frozen=True, slots=True)
class _Group:
    r"""The state of a group.

    Attributes:
        is_markup: True inside the markup of the page.
        is_rtf: True in what replaces that markup in programs that show RTF.
        is_passed_over: True in a destination that is no text.
        fallback: Characters after `\u` that replace it in older programs.
    """

    is_markup: bool = False
    is_rtf: bool = False
    is_passed_over: bool = False
    fallback: int = 1


def html(rtf: bytes) -> str:
    """Return the page; empty for RTF that was not made of one."""
    return _Page().read(rtf) if _MARK in rtf[:_HEAD_BYTES] else ""


class _Page:
    def __init__(self) -> None:
        self._parts: list[str] = []
        self._bytes: list[bytes] = []
        self._charset = "cp1252"
        self._group = _Group()
        self._groups: list[_Group] = []
        self._is_starred = False
        self._passed_over = 0

    def read(self, rtf: bytes) -> str:
        for token in tokens(rtf):
            if token.kind is Kind.TEXT:
                self._text(token)
            elif token.kind is Kind.OPEN:
                self._flush()
                if len(self._groups) >= _MAX_GROUPS:
                    break
                self._groups.append(self._group)
            elif token.kind is Kind.CLOSE:
                self._flush()
                self._group = self._groups.pop() if self._groups else _Group()
            elif token.kind is Kind.SYMBOL:
                self._symbol(token.word)
            else:
                self._flush()
                self._word(token.word, token.number)
            self._is_starred = token.kind is Kind.SYMBOL and token.word == "*"
        self._flush()
        return "".join(self._parts).encode("utf-16", "surrogatepass").decode("utf-16", "replace")

    def _word(self, word: str, number: int | None) -> None:
        if word == "htmlrtf":
            self._group = replace(self._group, is_rtf=number != 0)
        elif self._is_starred:
            self._group = replace(self._group, is_markup=word == "htmltag", is_passed_over=word != "htmltag")
        elif word in _DESTINATIONS:
            self._group = replace(self._group, is_passed_over=True)
        elif word == "ansicpg":
            self._charset = f"cp{number}"
        elif word == "uc":
            self._group = replace(self._group, fallback=max(0, number or 0))
        elif word == "u":
            self._add(chr((number or 0) % 0x10000))
            self._passed_over = self._group.fallback
        else:
            self._add(_CHARACTERS.get(word, ""))

    def _symbol(self, symbol: str) -> None:
        if symbol in "\r\n":
            symbol = ""
            self._add("\n")
        if self._passed_over and symbol in _SYMBOLS:
            self._passed_over -= 1
        else:
            self._flush()
            self._add(_SYMBOLS.get(symbol, ""))

    def _text(self, token: Token) -> None:
        data = token.data
        if self._passed_over:
            passed = min(self._passed_over, len(data))
            self._passed_over -= passed
            data = data[passed:]
        if data and self._is_shown:
            self._bytes.append(data)

    @property
    def _is_shown(self) -> bool:
        group = self._group
        return not group.is_passed_over and (group.is_markup or (not group.is_rtf and bool(self._groups)))

    def _add(self, text: str) -> None:
        if text and self._is_shown:
            self._parts.append(text)

    def _flush(self) -> None:
        """Decode the bytes so far: a character of two may be written as two tokens."""
        if self._bytes:
            self._parts.append(charsets.decode(b"".join(self._bytes), self._charset)[0])
            self._bytes.clear()
