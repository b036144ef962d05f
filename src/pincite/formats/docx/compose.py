"""Compose pieces into blocks: items into lists, lines of code into one block, captions into tables and figures."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from pincite.formats.docx.notes import NoteKey
from pincite.formats.docx.pieces import Piece
from pincite.formats.docx.typed import typed
from pincite.formats.writing.page_writer import Item, PageWriter
from pincite.model.document import BlockKind

_GROUPED_KINDS = frozenset({BlockKind.LIST, BlockKind.CODE, BlockKind.CONTENTS, BlockKind.QUOTE})
_CAPTIONED_KINDS = (BlockKind.TABLE, BlockKind.FIGURE)


def compose(
    pieces: Iterable[Piece],
    writer: PageWriter,
    end_section: Callable[[list[NoteKey]], None],
    write_picture: Callable[[str], None],
) -> None:
    """Write pieces as blocks.

    Args:
        pieces: The pieces in reading order.
        writer: Receives the blocks.
        end_section: Writes the notes that a section refers to.
        write_picture: Writes the text of a picture, by the name of its part.
    """
    notes: list[NoteKey] = []
    for group in _groups(_captioned(typed(pieces))):
        first = group[0]
        anchors = tuple(name for piece in group for name in piece.anchors)
        writer.role = first.role
        if first.kind is BlockKind.HEADING:
            end_section(notes)
            notes.clear()
            writer.heading(first.level, first.text, anchors)
        elif first.kind is BlockKind.LIST:
            writer.items(_items(group), anchors)
        elif first.kind is BlockKind.CODE:
            writer.code("\n".join(piece.text for piece in group), anchors=anchors)
        elif first.kind is BlockKind.QUOTE:
            lines = "\n\n".join(piece.text.strip() for piece in group).split("\n")
            writer.block(BlockKind.QUOTE, "\n".join(f"> {line}".rstrip() for line in lines), anchors)
        elif first.kind is BlockKind.CONTENTS:
            writer.block(BlockKind.CONTENTS, "\n".join(piece.text.strip() for piece in group), anchors)
        elif first.table is not None:
            writer.table(first.table, anchors)
        elif first.kind is BlockKind.FIGURE:
            writer.figure(first.text, anchors)
        else:
            writer.paragraph(first.text, anchors)
        for part in (part for piece in group for part in piece.pictures):
            write_picture(part)
        notes += (key for piece in group for key in piece.notes)
    writer.role = ""
    end_section(notes)


def _items(group: list[Piece]) -> Iterator[Item]:
    """Yield the items; a continuation paragraph becomes further lines of the item before it."""
    current: Item | None = None
    for piece in group:
        if piece.continued and current is not None:
            current = replace(current, text=f"{current.text}\n{piece.text.strip()}")
            continue
        if current is not None:
            yield current
        current = Item(piece.text, piece.level, piece.label)
    if current is not None:
        yield current


def _groups(pieces: Iterable[Piece]) -> Iterator[list[Piece]]:
    group: list[Piece] = []
    for piece in pieces:
        if group and group[0].kind in _GROUPED_KINDS and (piece.kind is group[0].kind or _continues(group, piece)):
            group.append(piece)
            continue
        if group:
            yield group
        group = [piece]
    if group:
        yield group


def _continues(group: list[Piece], piece: Piece) -> bool:
    return piece.continued and group[0].kind is BlockKind.LIST and piece.kind is BlockKind.PARAGRAPH


def _captioned(pieces: Iterable[Piece]) -> list[Piece]:
    """Attach captions to the figure above, else to the table or figure below, else to the table above."""
    pending = deque(pieces)
    composed: list[Piece] = []
    while pending:
        piece = pending.popleft()
        above = composed[-1] if composed and _lacks_caption(composed[-1]) else None
        below = pending[0] if pending and _lacks_caption(pending[0]) else None
        if not piece.caption:
            composed.append(piece)
        # Word puts captions below figures and above tables; between both, the caption's word decides.
        elif above and (not below or (above.kind is BlockKind.FIGURE and not _is_table_caption(piece))):
            composed[-1] = _with_caption(above, piece)
        elif below:
            composed.append(_with_caption(pending.popleft(), piece))
        else:
            composed.append(piece)
    return composed


def _lacks_caption(piece: Piece) -> bool:
    """Return True for a table or figure without a caption."""
    return piece.kind in _CAPTIONED_KINDS and not piece.caption and not (piece.table and piece.table.caption)


def _is_table_caption(caption: Piece) -> bool:
    return caption.text.strip().lower().startswith("tab")


def _with_caption(piece: Piece, caption: Piece) -> Piece:
    piece = replace(
        piece, caption=True, anchors=(*caption.anchors, *piece.anchors), notes=(*caption.notes, *piece.notes)
    )
    text = " ".join(caption.text.split())
    if piece.table is not None:
        return replace(piece, table=replace(piece.table, caption=text))
    return replace(piece, text=f"{text} – {piece.text}" if piece.text else text)
