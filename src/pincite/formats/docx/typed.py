"""Lists and tables that are typed: paragraphs that begin with a mark and a tab, or whose cells tabs separate."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from pincite.formats.docx.pieces import Piece
from pincite.model.document import BlockKind, Cell, Table

_ITEM = re.compile(
    r"(?:(?P<bullet>[-*\u2013\u2014\u2022\u00b7\u25cf\u25cb\u25aa\u25a0\u25ba\u2023\u27a2\uf0b7\uf0a7])"
    r"|(?P<label>\(?(?:\d{1,3}|[A-Za-z]|[ivx]{2,5}|[IVX]{2,5})[.)]|\[\d{1,3}\]))[ \xa0]?\t\s*(?=\S)"
)
_NUMBER = re.compile(r"\d+")
_LOWER, _UPPER = re.compile(r"[a-z]+"), re.compile(r"[A-Z]+")
_MIN_ITEMS = 2
"""Paragraphs with marks from which they are a list; one may be a numbered title."""
_MIN_ROWS, _MIN_COLUMNS = 4, 2
"""Paragraphs with the same number of cells from which they are a table: three may be an address or signatures."""
_MAX_CELL_CHARACTERS = 60
"""Length of a cell: one line of a column, as a longer text behind a tab is prose with a term before it."""


def typed(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Yield pieces, with typed lists as items and typed rows as tables."""
    for (is_item, cells), group in groupby(pieces, key=_shape):
        run = list(group)
        if is_item and len(run) >= _MIN_ITEMS:
            yield from _items(run)
        elif cells >= _MIN_COLUMNS and len(run) >= _MIN_ROWS:
            yield _table(run, cells)
        else:
            yield from map(_without_second_mark, run)


def _shape(piece: Piece) -> tuple[bool, int]:
    """Return whether a piece begins like an item, else its number of cells; 0 for what is no row."""
    if piece.kind is not BlockKind.PARAGRAPH or "\t" not in piece.text or piece.caption or piece.continued:
        return False, 0
    text = piece.text.strip()
    if _ITEM.match(text):
        return True, 0
    cells = _cells(text)
    is_row = "\n" not in text and all(len(cell) <= _MAX_CELL_CHARACTERS for cell in cells)
    return False, len(cells) if is_row else 0


def _cells(text: str) -> list[str]:
    """Return the texts between tabs; several tabs count once, as they only reach a tab stop further right."""
    return [cell for part in text.split("\t") if (cell := part.strip())]


def _items(run: Sequence[Piece]) -> Iterator[Piece]:
    """Yield items; a mark of another kind than those before it begins a list below theirs."""
    kinds: list[str] = []
    for piece in run:
        text = piece.text.strip()
        if (mark := _ITEM.match(text)) is None:
            yield piece
            continue
        label = mark["label"] or ""
        kind = _kind(label) if label else mark["bullet"]
        if kind in kinds:
            del kinds[kinds.index(kind) + 1 :]
        else:
            kinds.append(kind)
        yield replace(piece, kind=BlockKind.LIST, text=text[mark.end() :], level=len(kinds) - 1, label=label)


def _without_second_mark(piece: Piece) -> Piece:
    """Return an item of a style for lists whose mark is typed without that mark, which would be its second one."""
    mark = _ITEM.match(piece.text.lstrip()) if piece.kind is BlockKind.LIST and not piece.label else None
    return replace(piece, text=piece.text.lstrip()[mark.end() :], label=mark["label"] or "") if mark else piece


def _kind(label: str) -> str:
    return _UPPER.sub("A", _LOWER.sub("a", _NUMBER.sub("1", label)))


def _table(run: Sequence[Piece], columns: int) -> Piece:
    cells = tuple(
        Cell(row, column, text) for row, piece in enumerate(run) for column, text in enumerate(_cells(piece.text))
    )
    return Piece(
        BlockKind.TABLE,
        "",
        anchors=tuple(name for piece in run for name in piece.anchors),
        notes=tuple(key for piece in run for key in piece.notes),
        table=Table(len(run), columns, cells),
        pictures=tuple(part for piece in run for part in piece.pictures),
    )
