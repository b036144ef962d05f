"""Read truth values: words and marks in eight languages."""

import re

_TRUE = (
    "yes y true included integrated available supported standard built-in ✓ ✔ ● ☑ √ x "
    "ja wahr vorhanden integriert enthalten serienmäßig oui vrai inclus intégré intégrée disponible sí si verdadero "
    "incluido integrado sì vero incluso integrato waar inbegrepen geïntegreerd aanwezig 是 有 支持 内置 标配 "
    "はい 有り あり 対応 標準 内蔵"
)
_FALSE = (
    "no n false none not-available not-supported ✗ ✘ ☐ nein falsch nicht-vorhanden keine non faux aucun falso ninguno "
    "nessuno nee onwaar geen 否 无 無 不支持 いいえ なし 非対応"
)
TRUE_WORDS = frozenset(word.replace("-", " ") for word in _TRUE.split()) | {"built-in"}
FALSE_WORDS = frozenset(word.replace("-", " ") for word in _FALSE.split())
_FIRST_WORD = re.compile(r"[^\s,;.(]+")


def read_boolean(text: str) -> bool | None:
    """Return the truth value that a text is or begins with; None if it has none."""
    plain = " ".join(text.lower().split()).strip(" .|*")
    first = _FIRST_WORD.match(plain)
    for candidate in (plain, first[0] if first else ""):
        if candidate in TRUE_WORDS:
            return True
        if candidate in FALSE_WORDS:
            return False
    return None
