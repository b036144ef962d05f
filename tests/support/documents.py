"""Documents with something in every field."""

from pincite.model.document import (
    Aside,
    AsideKind,
    Block,
    BlockKind,
    Box,
    Cell,
    Coverage,
    Document,
    PackedCells,
    PageFailure,
    Section,
    Table,
)


def document(text: str = "# Ä\n\n| a | b |\n\nhalf \ud800 \u2028 \x1f\x00", name: str = "a.pdf") -> Document:
    """A document with packed and plain cells, boxes, spans of sections, odd characters."""
    plain = Table(1, 2, (Cell(0, 0, "a", 1, 2, header=True), Cell(0, 1, "b\n")), 1, "caption", "S!A1", source="b a")
    packed = Table(2, 2, PackedCells("a\x1fb\x1ec\x1fd", 2, 1), continued=True)
    blocks = (
        Block(BlockKind.HEADING, 0, 3, 1, "Ä", anchors=("x", "y"), page=1, boxes=(Box(0.1, 2, 3.5, 1e-9),)),
        Block(BlockKind.TABLE, 5, 14, table=plain, page=1, boxes=(Box(1, 2, 3, 4), Box(1, 2, 3, 5)), box_starts=(0, 4)),
        Block(BlockKind.TABLE, 5, 14, table=packed),
        Block(BlockKind.CODE, 16, len(text), language="python"),
    )
    return Document(
        name,
        text,
        (Section(0, 0, (), 0, 0, ()), Section(1, 1, ("Ä", "\udfff"), 0, len(text), blocks)),
        "Ä",
        "ab" * 32,
        "application/pdf",
        {"author": "Ann", "größe": "1"},
        None,
        Coverage(3, 2, (PageFailure(None, "blank"), PageFailure(3, "damaged")), 0, 1, ("max_pages",)),
        (Aside(AsideKind.HIDDEN, "hidden", 1, "line 1", "white"), Aside(AsideKind.HEADER, "head")),
        ("a warning",),
    )
