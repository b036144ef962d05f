"""What a page says of itself between `---` (YAML) or `+++` (TOML) lines at its top."""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass

LONGEST = 65_536
"""Characters in which front matter must end."""

_FENCES = (
    re.compile(r"(?P<mark>---)[ \t]*(?:\r\n?|\n)(?P<body>(?:[^\r\n]*(?:\r\n?|\n))*?)(?:---|\.\.\.)[ \t]*(?=[\r\n]|\Z)"),
    re.compile(r"(?P<mark>\+\+\+)[ \t]*(?:\r\n?|\n)(?P<body>(?:[^\r\n]*(?:\r\n?|\n))*?)\+\+\+[ \t]*(?=[\r\n]|\Z)"),
)
_LINE_END = re.compile(r"\r\n?|\n")
_PAIR = re.compile(r"""(?P<key>"[^"]*"|'[^']*'|[^\s#:\-\[{&*!|>%@`"'?,][^:#]*?)[ \t]*:(?:[ \t]+(?P<value>.*))?""")
_COMMENT = re.compile(r"(?:^|\s)#.*")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """Front matter that was found.

    Attributes:
        end: Its end in the page, after the closing line's marks.
        properties: Its one-line scalars, values as text.
    """

    end: int
    properties: Mapping[str, str]

    @property
    def title(self) -> str | None:
        """The title that the page gives itself."""
        return " ".join(self.properties.get("title", "").split()) or None

    @property
    def language(self) -> str | None:
        """The language that the page names, if it looks like a BCP 47 tag."""
        tag = self.properties.get("lang") or self.properties.get("language") or ""
        return tag.replace("_", "-") if _LANGUAGE.fullmatch(tag) else None


def find(text: str) -> FrontMatter | None:
    """The front matter at the top of a page; None where there is none.

    Lines between two `---` that do not begin as a YAML mapping are no front matter but text
    between two rules.
    """
    head = text[:LONGEST]
    for fence in _FENCES:
        if match := fence.match(head):
            if match["mark"] == "+++":
                return FrontMatter(match.end(), _toml(match["body"]))
            if _is_mapping(match["body"]):
                return FrontMatter(match.end(), _yaml(match["body"]))
    return None


def _is_mapping(body: str) -> bool:
    lines = (line for line in _LINE_END.split(body) if line.strip() and not line.startswith("#"))
    first = next(lines, None)
    return first is None or _PAIR.fullmatch(first) is not None


def _yaml(body: str) -> dict[str, str]:
    """The pairs of the outermost mapping whose value stands on the key's own line."""
    properties: dict[str, str] = {}
    for line in _LINE_END.split(body):
        pair = _PAIR.fullmatch(line)
        if pair and (value := _scalar((pair["value"] or "").strip())):
            properties[pair["key"].strip("\"'")] = value
    return properties


def _scalar(value: str) -> str:
    """A YAML value as text; empty where it goes on in the next lines."""
    if value.startswith('"'):
        end = _closing(value)
        try:
            return str(json.loads(value[: end + 1]))
        except ValueError:
            return value[1:end]
    if value.startswith("'"):
        match = re.match(r"'((?:[^']|'')*)'", value)
        return match[1].replace("''", "'") if match else value[1:]
    if re.fullmatch(r"[|>][-+0-9]*(?:\s+#.*)?", value):
        return ""
    return _COMMENT.sub("", value).strip()


def _closing(value: str) -> int:
    """Where a double-quoted value ends."""
    match = re.match(r'"(?:[^"\\]|\\.)*"', value)
    return match.end() - 1 if match else len(value)


def _toml(body: str) -> dict[str, str]:
    """The scalars of the outermost table; nothing where it is not TOML."""
    try:
        table = tomllib.loads(_LINE_END.sub("\n", body))
    except (ValueError, RecursionError):
        return {}
    return {key: _text(value) for key, value in table.items() if not isinstance(value, list | dict)}


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
