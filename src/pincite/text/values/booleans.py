"""Read truth values: words and marks in eight languages."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_TRUE = (
    "yes y true included integrated available supported standard built-in ✓ ✔ ● √ x "
    "ja wahr vorhanden integriert enthalten serienmäßig oui vrai inclus intégré intégrée disponible sí si verdadero "
    "incluido integrado sì vero incluso integrato waar inbegrepen geïntegreerd aanwezig 是 有 支持 内置 标配 "
    "はい 有り あり 対応 標準 内蔵"
)
_FALSE = (
    "no n false none not-available not-supported ✗ ✘ nein falsch nicht-vorhanden keine non faux aucun falso ninguno "
    "nessuno nee onwaar geen 否 无 無 不支持 いいえ なし 非対応"
)
TRUE_WORDS = frozenset(word.replace("-", " ") for word in _TRUE.split()) | {"built-in"}
FALSE_WORDS = frozenset(word.replace("-", " ") for word in _FALSE.split())
_BOX = re.compile(r"(?P<mark>[☐□☑☒■]|\[[ xX✓]?\])\s*(?P<option>[^☐□☑☒■\[\]|]*)")
_EMPTY = frozenset({"☐", "□", "[]", "[ ]"})
_FIRST_WORD = re.compile(r"[^\s,;.(]+")


@dataclass(frozen=True, slots=True)
class Box:
    """A box to tick, and the option after it.

    Attributes:
        start: First character of the box.
        end: One past the last character of its option.
        mark_end: One past the box itself.
        option: The option; empty for a box without a text.
        is_ticked: Whether it is ticked.
    """

    start: int
    end: int
    mark_end: int
    option: str
    is_ticked: bool


def read_boxes(text: str) -> list[Box]:
    """Return the boxes of a text in order."""
    return [
        Box(
            match.start(),
            match.start("option") + len(match["option"].rstrip()),
            match.end("mark"),
            match["option"].strip(" ,;./"),
            match["mark"] not in _EMPTY,
        )
        for match in _BOX.finditer(text)
    ]


def read_boolean(text: str) -> bool | None:
    """Return the truth value that a text is or begins with; None if it has none."""
    boxes = read_boxes(text)
    if boxes:
        return _ticked(boxes)
    plain = " ".join(text.lower().split()).strip(" .|*")
    first = _FIRST_WORD.match(plain)
    for candidate in (plain, first[0] if first else ""):
        if candidate in TRUE_WORDS:
            return True
        if candidate in FALSE_WORDS:
            return False
    return None


def _ticked(boxes: Sequence[Box]) -> bool | None:
    """Return the truth value of the one option that is ticked, or of a box without a text."""
    ticked = [box for box in boxes if box.is_ticked]
    if len(boxes) == 1 and not boxes[0].option:
        return bool(ticked)
    return read_boolean(ticked[0].option) if len(ticked) == 1 else None
