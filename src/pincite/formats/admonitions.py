"""Boxes that a text's markup sets apart by a name: notes, examples, informative texts."""

import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace

from pincite.model.document import Block, BlockKind

MAX_BOX_CHARS = 20_000
"""Characters in which the end of a box is searched; without one the box is a single block."""

_ROLES = {
    "example": frozenset(("doc-example", "example", "exampleblock", "examples")),
    "informative": frozenset(("informative", "non-normative", "nonnormative")),
    "note": frozenset((
        "admonition", "admonitionblock", "aside", "doc-tip", "ednote", "hint", "info", "issue", "note", "notes",
        "rationale", "remark", "seealso", "tip",
    )),
}  # fmt: skip
_BINDING = frozenset(("attention", "caution", "danger", "important", "warning"))
"""Names of boxes that may oblige."""
_OPENING = re.compile(
    r"(?:!!!|\?\?\?\+?|\.\.)[ \t]+(?P<indented>[\w-]+)"
    r"|>[ \t]*\[!(?P<quoted>[\w-]+)\]"
    r"|(?P<fence>:{3,})[ \t]*(?:\{(?P<braces>[^}\n]{1,100})\}|(?P<fenced>[\w-]+))"
    r"|\[(?P<delimited>[\w-]+)[^\]\n]{0,100}\]\n(?P<delimiter>={4,}$)?"
    r"|<(?P<tag>aside|div|section|example|info|note|tip)\b(?P<attributes>[^>\n]{0,200})>"
    r"|\{(?:%-?|\{[%<])[ \t]*(?P<call>[\w-]+)(?P<options>[^%>\n]{0,100})",
    re.IGNORECASE | re.MULTILINE,
)
"""`!!! note` (MkDocs), `.. note::` (reStructuredText), `> [!NOTE]` (GitHub), `:::note`, `::: {.note}` (Docusaurus,
Pandoc), `[NOTE]` (AsciiDoc), `<div class="note">`, `<Note>` (MDX), `{% hint style="info" %}` (Liquid), `{{< note >}}`
(Hugo)."""
_FENCE = re.compile(r"^:{3,}[ \t]*(?P<name>\S.*)?$", re.MULTILINE)
_WORD = re.compile(r"[\w-]+")
_NOT_INDENTED = re.compile(r"^(?=\S)", re.MULTILINE)
_NOT_QUOTED = re.compile(r"^(?!>)", re.MULTILINE)


def role_of_names(names: AbstractSet[str]) -> str:
    """Return the role of a text that is marked with these names, in lower case, as in `Block.role`."""
    if names & _BINDING:
        return ""
    return next((role for role, known in _ROLES.items() if names & known), "")


def with_roles(text: str, blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield blocks, those within a box with its role. See `Block.role`."""
    role, end = "", 0
    for block in blocks:
        if block.start >= end:
            opening = _OPENING.match(text, block.start)
            role = role_of_names(_names(opening)) if opening else ""
            end = _end(text, opening, block) if opening and role else block.end
        yield replace(block, role=role) if role and block.kind is not BlockKind.HEADING else block


def _names(opening: re.Match[str]) -> frozenset[str]:
    return frozenset(_WORD.findall(" ".join(filter(None, opening.groups())).lower()))


def _end(text: str, opening: re.Match[str], block: Block) -> int:
    """Return where a box ends."""
    if opening["indented"]:
        closing = _NOT_INDENTED
    elif opening["quoted"]:
        closing = _NOT_QUOTED
    elif opening["fence"]:
        return _end_of_container(text, opening.start(), block.end)
    elif opening["delimiter"]:
        closing = re.compile(rf"^{opening['delimiter']}[ \t]*$", re.MULTILINE)
    elif opening["tag"]:
        closing = re.compile(rf"</{opening['tag']}\s*>", re.IGNORECASE)
    elif opening["call"]:
        closing = re.compile(rf"\{{(?:%-?|\{{[%<])[ \t]*(?:end|/[ \t]*){opening['call']}\b")
    else:
        return block.end
    stop = opening.end() + MAX_BOX_CHARS
    closed = closing.search(text, max(opening.end(), text.find("\n", opening.end(), stop)), stop)
    return closed.end() if closed else block.end


def _end_of_container(text: str, start: int, otherwise: int) -> int:
    """Return where a container of colons ends, after those within it; `otherwise` if it is never closed."""
    depth = 0
    for fence in _FENCE.finditer(text, start, start + MAX_BOX_CHARS):
        depth += 1 if fence["name"] else -1
        if not depth:
            return fence.end()
    return otherwise
