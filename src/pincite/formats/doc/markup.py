"""WordprocessingML for the formats of a Word 97 document: what the reader of Word documents knows."""

from collections.abc import Mapping

from pincite.formats.doc.modifiers import Code, Modifiers
from pincite.text.xml_text import escaped

NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)
_OFF, _ON, _AS_STYLE = 0, 1, 0x80
_SCRIPTS = {1: "superscript", 2: "subscript"}
_PALETTE = (
    "auto", "000000", "0000FF", "00FFFF", "00FF00", "FF00FF", "FF0000", "FFFF00", "FFFFFF", "00008B", "008B8B",
    "006400", "8B008B", "8B0000", "808000", "A9A9A9", "D3D3D3",
)  # fmt: skip
"""Colours by their index ([MS-DOC] 2.9.119, `Ico`)."""
_SHADINGS = (Code.HIGHLIGHT, Code.SHADING, Code.OLD_SHADING, Code.PARAGRAPH_SHADING, Code.OLD_PARAGRAPH_SHADING)
_TOGGLES = {Code.BOLD: "b", Code.ITALIC: "i", Code.HIDDEN: "vanish", Code.CAPS: "caps"}
_NO_LISTS = frozenset({0, 0x7FF})
_MAX_LIST = 0xF801
"""List numbers from here on are negative: the paragraph stays in its list, and shows no label."""


def value(tag: str, text: object) -> str:
    """Return an element with the attribute `w:val`."""
    return f'<w:{tag} w:val="{escaped(str(text))}"/>'


def number(changes: Modifiers, code: int) -> int | None:
    """Return the operand of a modifier as a number, or None."""
    operand = changes.get(code)
    return int.from_bytes(operand, "little") if operand else None


def is_shaded(changes: Modifiers) -> bool:
    """Return True if a background is set."""
    return any(code in changes for code in _SHADINGS)


def run_properties(changes: Modifiers, fonts: Mapping[int, str], *, with_colour: bool) -> str:
    """Return the `w:rPr` of modifiers; empty if there is nothing to say.

    Args:
        changes: The modifiers.
        fonts: Names of the document's fonts by index.
        with_colour: False where the background is not known: every colour is taken for visible then.
    """
    parts: list[str] = []
    style = number(changes, Code.CHARACTER_STYLE)
    if style:
        parts.append(value("rStyle", style))
    font = fonts.get(number(changes, Code.FONT) or -1)
    if font:
        parts.append(f'<w:rFonts w:ascii="{escaped(font)}" w:hAnsi="{escaped(font)}"/>')
    for code, tag in _TOGGLES.items():
        state = number(changes, code)
        if state is not None and state != _AS_STYLE:
            parts.append(value(tag, "0") if state == _OFF else f"<w:{tag}/>")
    if with_colour and not is_shaded(changes):
        parts += _colour(changes)
    size = number(changes, Code.SIZE)
    if size:
        parts.append(value("sz", size))
    script = _SCRIPTS.get(number(changes, Code.SCRIPT) or 0)
    if script:
        parts.append(value("vertAlign", script))
    return f"<w:rPr>{''.join(parts)}</w:rPr>" if parts else ""


def _colour(changes: Modifiers) -> list[str]:
    colour = changes.get(Code.COLOUR, b"")
    if len(colour) == 4:  # noqa: PLR2004 - red, green, blue, and whether the colour is automatic
        return [value("color", "auto" if colour[3] else colour[:3].hex().upper())]
    index = number(changes, Code.COLOUR_INDEX)
    return [value("color", _PALETTE[index])] if index is not None and index < len(_PALETTE) else []


def paragraph_properties(changes: Modifiers, style: int | None = None) -> str:
    """Return the content of `w:pPr` for modifiers.

    Args:
        changes: The modifiers.
        style: Index of the paragraph's style; None in a style.
    """
    parts = [value("pStyle", style)] if style is not None else []
    list_number = number(changes, Code.LIST)
    level = number(changes, Code.LIST_LEVEL)
    if list_number is not None:
        is_none = list_number in _NO_LISTS or list_number >= _MAX_LIST
        identity = value("numId", 0 if is_none else list_number)
        parts.append(f"<w:numPr>{value('ilvl', level or 0)}{identity}</w:numPr>")
    elif level:
        parts.append(f"<w:numPr>{value('ilvl', level)}</w:numPr>")
    outline = number(changes, Code.OUTLINE)
    if outline is not None:
        parts.append(value("outlineLvl", outline))
    return "".join(parts)
