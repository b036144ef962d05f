"""Parse lines of an ignore file into patterns, exactly as git's `dir.c` and `wildmatch.c` do.

Git matches bytes: `?` is one byte. So paths are decoded with one character per byte (Latin-1).
"""

import string
from dataclasses import dataclass

from pincite.text.names.wildcards import Part, Wild, regex

_NEVER = "(?!)"
_SPECIAL = frozenset("*?[\\")


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line of an ignore file.

    Attributes:
        regex: Matches the base name (`anchored` false) or the path from the ignore file's folder.
        literal: The pattern itself if it has no wildcards, else None.
        anchored: Whether it matches the path.
        folders_only: Whether it matches only folders (not links to folders).
        negated: Whether it re-includes what an earlier pattern ignores.
    """

    regex: str
    literal: str | None
    anchored: bool
    folders_only: bool
    negated: bool


def parse(text: bytes) -> list[Pattern]:
    """Return the patterns of an ignore file in order."""
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
    """Return the line without trailing spaces, except one escaped with a backslash."""
    kept = at = 0
    while at < len(line):
        escaped = line[at] == "\\"
        blank = line[at] == " "
        at += 1 + escaped
        kept = kept if blank else at
    return line[:kept]


def _parts(text: str, plain: int, *, crossing: bool) -> list[Part]:
    """Parse a pattern.

    Args:
        text: The pattern without `!`, leading and trailing `/`.
        plain: Length of the literal prefix, which git compares without its wildcard matcher; `**` right
            after it counts as at the beginning.
        crossing: Whether `**` may match several segments.
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
    """Parse a bracket expression after its `[`; return its regex and the index after it."""
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
    """Return a character of a class, escaped or not, and the index after it; empty at the end of the pattern."""
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
