"""Patterns for bullets, list numbers, section numbers, labels of fields and dot leaders."""

import re

ARROW = "→"
"""A bullet, and a sign of formulas."""
_BULLET = re.compile(r"[•●▪■□◦‣\u2043∙·○▫◆◇►▶➢➤→✓✔❖–—\-*\x80-\x9f\ue000-\uf8ff\ufffd]")
"""Includes control, private-use and unmapped characters: bullets of symbol fonts have no Unicode value."""
_MIN_RULE_CHARS = 8
_RULE = re.compile(r"[_=\-–—.*~]+")
"""A line drawn with characters."""
_LABEL = re.compile(
    r"\(?(?:\d{1,3}|[a-zA-Z]|[ivxlc]{1,6}|[IVXLC]{1,6})[.)]|\(\d{1,3}\)|\[\d{1,3}\]|\d{1,2}(?:\.\d{1,2}){1,3}\.?"
)
"""Number of a list item: `1.`, `(a)`, `iv)`, `[12]`, `2.1`."""
_SECTION = re.compile(
    r"(?:(?P<word>part|item|chapter|section|appendix|annex|article|note|kapitel|anhang|teil)\s+|§\s*)?"
    r"(?P<number>[A-Z]?\d{1,3}(?:\.\d{1,3}){0,5}(?(word)[A-Z]?)|[IVX]{1,5}(?:\.\d{1,3}){0,4}|[A-Z](?:\.\d{1,3}){0,4})"
    r"(?P<end>[.:)]?)(?=\s|$|(?(word)[—–]|$))",
    re.IGNORECASE,
)
"""Number of a section, with or without a word before it: `1.2`, `Part II`, `Annex A.1`; behind one also `Item 1A—`."""
_LEADER = re.compile(r"(?:\.{4,}|(?:\. ){4,}|…{2,}|_{6,})\s*(?:[A-Z]-)?(?P<page>\d{1,4}|[ivxlc]+)\s*$")
"""Dot leaders and a page number at the end of a line."""
_LEADER_PARTS = ("....", ". . ", "……", "______")
"""One of them is in any leader; their search takes a tenth of the time of the expression."""
MAX_FIELD_LABEL_CHARS = 40
"""Length of the label of a field."""
_FIELD = re.compile(rf"[^\W\d_a-zß-ÿ](?:(?!\. )[^\[\]{{}}=:,;“”\"]){{1,{MAX_FIELD_LABEL_CHARS}}}:(?: |$)")
"""A label at the beginning of a line: from a capital letter to a colon, and no end of a sentence."""
_LAST_NUMBER = re.compile(r"\s(?:[A-Z]-)?(?P<page>\d{1,4})$")
"""Page number at the end of a line; `F-12` in annexes."""

_CAPTION = re.compile(
    r"(?:table|figure|fig\.|listing|chart|graph|diagram|map|tabelle|tab\.|abbildung|abb\.|diagramm|schaubild|"
    r"übersicht|tableau|graphique|schéma|encadré|tabla|cuadro|figura|gráfico|gráfica|ilustración|tabella|grafico|"
    r"quadro|tabela|tabel|figuur|afbeelding|grafiek|tabell|figur|rysunek|wykres|таблица|рисунок|рис\.)\s*:?\s*"
    r"(?:[A-Z]{1,3}[-–.]?)?\d{1,4}(?:[-–.]\d{1,4}){0,3}[a-z]?(?:\s*[.:—–-]|\s|$)|"
    r"(?:table|figure)[.:]\s+\S|"
    r"(?:sources?|notes?|quellen?|anmerkung|fuentes?|fontes?|fonti)\s*:\s+\S",
    re.IGNORECASE,
)
"""Beginning of a table's or figure's title, `Table 6.1: Size of the market` or `TABLE. Rates`, or of a line
`Source: Eurostat`."""

_NOTE_LABEL = re.compile(
    r"(?:note|nota bene|remarks?|warning|caution|important|tip|hint|danger|attention|"
    r"anmerkung|hinweis|warnung|achtung|vorsicht|wichtig|tipp|gefahr|"
    r"remarque|avertissement|astuce|conseil|prudence|"
    r"nota|aviso|atención|atenção|advertencia|advertência|precaución|cuidado|importante|sugerencia|consejo|dica|"
    r"avvertenza|avvertimento|attenzione|suggerimento|"
    r"opmerking|waarschuwing|let op|"
    r"примечание|предупреждение|внимание|важно|подсказка|"
    r"注記|注意|警告|重要|ヒント|注|提示)\s*[:!\uff1a]?",
    re.IGNORECASE,
)
"""Label of a box within a text, as DocBook, Sphinx and Asciidoc set it."""


def is_bullet(word: str) -> bool:
    """Return True if a word is the bullet of a list item."""
    return len(word) == 1 and _BULLET.match(word) is not None


def is_rule(word: str) -> bool:
    """Return True if a word is a line drawn with characters, such as `____`."""
    return len(word) >= _MIN_RULE_CHARS and _RULE.fullmatch(word) is not None


def is_label(word: str) -> bool:
    """Return True if a word is the number of a list item: `1.`, `(a)`, `iv)`, `[12]`."""
    # Most words end in a letter.
    return not word[-1:].isalpha() and _LABEL.fullmatch(word) is not None


def is_caption(text: str) -> bool:
    """Return True if a text names a table or figure by its number, or says where its data is from."""
    return _CAPTION.match(text) is not None


def is_note_label(text: str) -> bool:
    """Return True for the label of a note, tip or warning: `Note`, `Achtung!`."""
    return _NOTE_LABEL.fullmatch(text) is not None


def is_bracketed(text: str) -> bool:
    """Return True for what is in brackets as a whole: the unit of a table, or the label below a line of a form."""
    return text.startswith("(") and text.endswith(")")


def section_number(text: str) -> str:
    """Return the section number at the start of a text, `1.2` for `1.2 Scope`; empty without one."""
    match = _SECTION.match(text)
    if match is None:
        return ""
    number: str = match["number"]
    return number if any(map(str.isdigit, number)) or match["end"] else ""


def section_depth(text: str) -> int:
    """Return the number of components of a section number, 2 for `1.2 Scope`; 0 without one."""
    number = section_number(text)
    return number.count(".") + 1 if number else 0


def without_section_number(text: str) -> str:
    """Return a title without its section number; a text as it is that begins in lower case after a single number."""
    match = _SECTION.match(text)
    depth = section_depth(text)
    title = text[match.end() :].lstrip() if match and depth else ""
    # Letters of many scripts have no case.
    is_name = title[:1].isalpha() and not title[:1].islower()
    return title if is_name or (title and depth > 1) else text


def leader_page(text: str) -> str:
    """Return the page number after dot leaders at the end of a line; empty without leaders."""
    match = _LEADER.search(text) if has_leader(text) else None
    return match["page"] if match else ""


def has_leader(text: str) -> bool:
    """Return True if dot leaders may be in a text, of one line or of a page."""
    return any(map(text.__contains__, _LEADER_PARTS))


def last_number(text: str) -> int | None:
    """Return the number at the end of a line; None without one or if the line has no letters."""
    match = _LAST_NUMBER.search(text)
    if match is None or not any(character.isalpha() for character in text):
        return None
    return int(match["page"])


def is_field(text: str) -> bool:
    """Return True for a line that begins with a label: its value follows, or is missing."""
    # Most lines begin with a small letter.
    return not "a" <= text[:1] <= "z" and _FIELD.match(text) is not None
