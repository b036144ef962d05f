"""Lines of an ignore file as patterns: exactly what git's `dir.c` and `wildmatch.c` make of them.

Git matches bytes: `?` is one byte. So a path is written with one character a byte (Latin-1).
"""

import string
from dataclasses import dataclass

from pincite.text.wildcards import Part, Wild, regex

_NEVER = "(?!)"
_SPECIAL = frozenset("*?[\\")


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line of an ignore file.

    Attributes:
        regex: For the base name (`anchored` false) or the path from the ignore file's folder.
        literal: The same without wildcards, or None if it has some.
        anchored: Whether it is for the path.
        folders_only: Whether it means folders alone (not links to folders).
        negated: Whether it takes back in.
    """

    regex: str
    literal: str | None
    anchored: bool
    folders_only: bool
    negated: bool


def parse(text: bytes) -> list[Pattern]:
    """The patterns of an ignore file, in its order."""
    lines = text.removeprefix(b"\xef\xbb\xbf").decode("latin-1").split("\n")
    return [pattern for line in lines if line[:1] != "#" and (pattern := _pattern(line)) is not None]


def _pattern(line: str) -> Pattern | None:
    text = _trimmed(line.removesuffix("\r").partition("\0")[0])
    negated = text.startswith("!")
    text = text[negated:]
    folders_only = text.endswith("/")
    text = text[: len(text) - folders_only]
    anchored = "/" in text
    text = text.removeprefix("/")
    if not text:
        return None
    plain = next((i for i, char in enumerate(text) if char in _SPECIAL), len(text))
    return Pattern(
        regex=regex(_parts(text, plain if anchored else 0, crossing=anchored)),
        literal=text if plain == len(text) else None,
        anchored=anchored,
        folders_only=folders_only,
        negated=negated,
    )


def _trimmed(line: str) -> str:
    """The line without final spaces, unless a backslash keeps one."""
    kept = at = 0
    while at < len(line):
        escaped = line[at] == "\\"
        blank = line[at] == " "
        at += 1 + escaped
        kept = kept if blank else at
    return line[:kept]


def _parts(text: str, plain: int, *, crossing: bool) -> list[Part]:
    """What a pattern is made of.

    Args:
        text: The pattern without `!`, first and final `/`.
        plain: How much of its beginning git compares without its wildcard matcher; `**` right
            after it counts as at the beginning.
        crossing: Whether `**` may cross segments.
    """
    parts = [_character(char) for char in text[:plain]]
    at = plain
    while at < len(text):
        char = text[at]
        if char == "\\":
            parts.append(_character(text[at + 1]) if at + 1 < len(text) else _NEVER)
            at += 2
        elif char == "*":
            part, at = _stars(text, plain, at, crossing=crossing)
            parts.append(part)
        elif char == "[":
            part, at = _class(text, at + 1)
            parts.append(part)
        else:
            parts.append("[^/]" if char == "?" else _character(char))
            at += 1
    return parts


def _character(char: str) -> Part:
    return Wild.SEPARATOR if char == "/" else f"\\x{ord(char):02x}"


def _stars(text: str, start: int, at: int, *, crossing: bool) -> tuple[Part, int]:
    end = at
    while end < len(text) and text[end] == "*":
        end += 1
    bounded = at == start or text[at - 1] == "/"
    if crossing and end - at > 1 and bounded:
        if end == len(text) or text.startswith("\\/", end):
            return Wild.DEEP, end
        if text[end] == "/":
            return Wild.FOLDERS, end + 1
    return Wild.STAR, end


def _class(text: str, at: int) -> tuple[str, int]:
    """A bracket expression from behind its `[`, and one past its end."""
    negated = text[at : at + 1] in {"!", "^"}
    at += negated
    members: set[int] = set()
    previous = ""
    first = True
    while first or text[at : at + 1] != "]":
        first = False
        char = text[at : at + 1]
        if char == "[" and text[at + 1 : at + 2] == ":":
            end = text.find("]", at + 2)
            if end < 0:
                return _NEVER, len(text)
            if end > at + 2 and text[end - 1] == ":":
                named = _NAMED.get(text[at + 2 : end - 1])
                if named is None:
                    return _NEVER, len(text)
                members |= named
                previous, at = "", end + 1
                continue
        ranged = char == "-" and previous and text[at + 1 : at + 2] not in {"", "]"}
        at += bool(ranged)
        char, at = _member(text, at)
        if not char:
            return _NEVER, len(text)
        members.update(range(ord(previous), ord(char) + 1) if ranged else (ord(char),))
        previous = "" if ranged else char
    members.discard(ord("/"))
    kept = sorted(set(range(256)) - members - {ord("/")} if negated else members)
    listed = "".join(f"\\x{byte:02x}" for byte in kept)
    return (f"[{listed}]" if listed else _NEVER), at + 1


def _member(text: str, at: int) -> tuple[str, int]:
    """A character of a class, escaped or not, and one past it; empty at the end of the pattern."""
    if text[at : at + 1] == "\\":
        at += 1
    return text[at : at + 1], at + 1


def _bytes(characters: str) -> frozenset[int]:
    return frozenset(characters.encode("ascii"))


_NAMED = {
    "alnum": _bytes(string.ascii_letters + string.digits),
    "alpha": _bytes(string.ascii_letters),
    "blank": _bytes(" \t"),
    "cntrl": frozenset((*range(32), 127)),
    "digit": _bytes(string.digits),
    "graph": frozenset(range(33, 127)),
    "lower": _bytes(string.ascii_lowercase),
    "print": frozenset(range(32, 127)),
    "punct": _bytes(string.punctuation),
    "space": _bytes(" \t\r\n"),
    "upper": _bytes(string.ascii_uppercase),
    "xdigit": _bytes(string.hexdigits),
}
