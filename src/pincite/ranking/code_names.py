"""Names of code in a question, and the passages that define them."""

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple

from pincite.ranking.query import IDENTIFIER

DEFINITION_BOOST = 0.75
"""Share of the difference between a score and 1 that a definition adds: as much as a phrase in quotation marks."""

MAX_NAMES = 4
"""Names of one question that are looked for; a question with more of them is a piece of code."""

_OF_CODE = re.compile(rf"{IDENTIFIER.pattern}|[A-Z]{{2}}[a-z]{{2}}|#|->|\(\)$")
_NAME = re.compile(r"(?<![\w/.@-])(?:--?)?[A-Za-z_$][\w$-]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*(?![\w/])(?:\(\))?")
_SEPARATOR = re.compile(r"\.|::|#|->")

_LEAST, _MOST = 0.6, 0.9
"""Strengths of a definition that lacks qualifiers of the name, with hardly any and with all of them near."""

_HEADING = r"\#{1,6} +(?P<heading>.+)"
_TERM = r"(?:[-*+] +)?\*\*(?P<term>.+?)\*\*"
_DIRECTIVE = (
    r"\.\. +(?:[\w-]+:)?(?:auto)?(?:coroutine|abstract|static|class)?"
    r"(?:function|method|class|attribute|property|data|exception|decorator|module|macro|type|enum|enumerator|struct|"
    r"union|var|member|option|cmdoption|envvar|confval|setting|opcode|describe|object|directive|role)"
    r":: +(?P<directive>.+)"
)
"""Directives of Sphinx that describe an object; others name it, such as `versionadded` and `audit-event`."""
_ITEM = r"[-*+] +`(?P<item>[^`\n]+)`"
_CELL = r"\|(?P<cell>[^|\n]+)\|"
_SOURCE = (
    r"(?:(?:export|default|public|private|protected|static|final|abstract|async|pub|inline|extern) +)*"
    r"(?:def|class|func|function|fn|interface|struct|enum|trait|type|module|\#define) +(?P<source>.+)"
)
_DEFINITION = re.compile(rf"^[ \t]*(?:{_HEADING}|{_TERM}|{_DIRECTIVE}|{_ITEM}|{_CELL}|{_SOURCE})", re.MULTILINE)
"""Lines of Markdown, reStructuredText and source code that define a name."""
_PRODUCT = re.compile(r"[A-Z][A-Za-z0-9]*")
"""A name such as GraphQL or ChatGPT, which may be a topic as well as a class."""
_KIND = re.compile(
    r"\b(?:annotation|attribute|class|command|component|constant|constructor|decorator|directive|element|enum|event|"
    r"exception|field|flag|function|hook|interface|keyword|macro|method|module|object|operator|option|parameter|"
    r"property|setting|statement|struct|trait|type|variable)s?\b",
    re.IGNORECASE,
)
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*\)")
_SUBJECT_END = re.compile(r"[(=]|(?<!:):(?!:)")
_WORD = re.compile(r"[\w$:.#>-]+")


class Name(NamedTuple):
    """A name of code, without the parentheses of a call.

    Attributes:
        text: As typed.
        parts: From the outermost to its own name.
    """

    text: str
    parts: tuple[str, ...]


def names(question: str) -> tuple[Name, ...]:
    """Return the names of code and of options in a question; none if there are more than `MAX_NAMES`."""
    typed = dict.fromkeys(word.removesuffix("()") for word in _NAME.findall(question) if _OF_CODE.search(word))
    return tuple(Name(word, tuple(_SEPARATOR.split(word))) for word in typed) if len(typed) <= MAX_NAMES else ()


class Definition:
    """The definition of a name, to be recognised in texts."""

    def __init__(self, name: Name) -> None:
        """Store the name."""
        self.name = name

    @cached_property
    def _outer(self) -> list[re.Pattern[str]]:
        return [re.compile(rf"(?<!\w){re.escape(part)}(?!\w)") for part in self.name.parts[:-1]]

    @cached_property
    def may_be_a_topic(self) -> bool:
        """Whether the name is one capitalised word, which may be a product or a protocol as well."""
        return bool(_PRODUCT.fullmatch(self.name.text))

    def strength(self, text: str, around: Callable[[], str]) -> float:
        """Return how certainly a text defines the name: 1 by its full name, 0 if it does not.

        A name without its qualifiers (`get()` for `http.Client.get`) counts as far as they are near.

        Args:
            text: A passage.
            around: Returns the document's name and the headings above the passage, for the qualifiers.
        """
        if self.name.parts[-1] not in text:
            return 0.0
        matched = max((self._matched(subject) for subject in subjects(text, self.may_be_a_topic)), default=0)
        if matched == 0 or matched == len(self.name.parts):
            return float(matched > 0)
        near = f"{around()}\n{text}"
        missing = self._outer[: len(self.name.parts) - matched]
        present = sum(bool(pattern.search(near)) for pattern in missing)
        return _LEAST + (_MOST - _LEAST) * present / len(missing) if present else 0.0

    def _matched(self, subject: str) -> int:
        """Return the number of parts of the name that a subject has; a subject may have further ones before them."""
        theirs = _SEPARATOR.split(subject)
        common = min(len(theirs), len(self.name.parts))
        return common if tuple(theirs[-common:]) == self.name.parts[-common:] else 0


def subjects(text: str, only_kinds: bool = False) -> Iterator[str]:
    """Yield the names that a text defines: of its headings, terms, directives, first cells and source code.

    Args:
        text: A passage.
        only_kinds: Leave out headings that do not say what kind of thing they name, as "SSLProtocol Directive" does.
    """
    for match in _DEFINITION.finditer(text):
        kind, line = match.lastgroup, _LINK.sub(r"\1", match[match.lastgroup or 0]).replace("`", "").replace("@", "")
        subject = line[: end.start()] if (end := _SUBJECT_END.search(line)) else line
        for alternative in subject.split(","):
            words = [word.rstrip(".:#>-") for word in _WORD.findall(alternative)]
            if kind == "heading":
                if not only_kinds or "(" in line or _KIND.search(line):
                    yield from words
            elif words and (kind != "cell" or len(words) == 1):
                yield words[-1]
