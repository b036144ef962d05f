import pytest

from pincite.formats.docx.pieces import Piece
from pincite.formats.docx.typed import typed
from pincite.model.document import BlockKind


def pieces(*texts: str) -> list[Piece]:
    return list(typed(Piece(BlockKind.PARAGRAPH, text) for text in texts))


def items(*texts: str) -> list[tuple[int, str, str]]:
    found = pieces(*texts)
    assert {piece.kind for piece in found} == {BlockKind.LIST}
    return [(piece.level, piece.label, piece.text) for piece in found]


def test_paragraphs_with_a_mark_and_a_tab_are_items() -> None:
    assert items("\u2022\tone", "\u2022 \ttwo\tand", "\u2022\t three") == [
        (0, "", "one"),
        (0, "", "two\tand"),
        (0, "", "three"),
    ]
    assert items("1.\tone", "2.\ttwo") == [(0, "1.", "one"), (0, "2.", "two")]
    assert items("[1]\tone", "[12]\ttwo") == [(0, "[1]", "one"), (0, "[12]", "two")]


def test_another_kind_of_mark_begins_a_list_below() -> None:
    found = items("1.\tone", "(a)\tinner", "(b)\tinner", "\u2013\tinnermost", "2.\ttwo", "(iv)\tinner")
    assert [level for level, _, _ in found] == [0, 1, 1, 2, 0, 1]


@pytest.mark.parametrize(
    "texts",
    [("1.\tA title", "and text"), ("1983\ta", "1984\tb"), ("-\t", "-\t"), ("1. a", "2. b"), ("e.g.\ta", "e.g.\tb")],
    ids=["alone", "years", "nothing", "no tab", "words"],
)
def test_other_paragraphs_are_no_items(texts: tuple[str, ...]) -> None:
    assert {piece.kind for piece in pieces(*texts)} == {BlockKind.PARAGRAPH}


def test_an_item_has_one_mark() -> None:
    """The styles `B1` and `List` have a mark of their own only in some documents."""
    styled = [
        Piece(BlockKind.LIST, "-\tone"),
        Piece(BlockKind.LIST, "1)\ttwo", 1),
        Piece(BlockKind.LIST, "-\tx", label="2."),
    ]
    assert [(piece.level, piece.label, piece.text) for piece in typed(styled)] == [
        (0, "", "one"),
        (1, "1)", "two"),
        (0, "2.", "-\tx"),
    ]


def test_rows_of_the_same_number_of_cells_are_a_table() -> None:
    rows = [f"{number}\t\tname {number}\t{number}00" for number in range(4)]
    before, found, after = pieces("Rates", *rows, "a\tb")
    assert (before.text, after.text) == ("Rates", "a\tb")
    assert found.table is not None and (found.table.rows, found.table.columns) == (4, 3)
    assert [cell.text for cell in found.table.cells][3:6] == ["1", "name 1", "100"]


def test_a_table_has_the_anchors_and_notes_of_its_rows() -> None:
    rows = [Piece(BlockKind.PARAGRAPH, "a\tb", anchors=(f"n{n}",), notes=(("footnote", str(n)),)) for n in range(4)]
    (found,) = typed(rows)
    assert (found.anchors[-1], found.notes[0]) == ("n3", ("footnote", "0"))


@pytest.mark.parametrize(
    "rows",
    [["a\tb"] * 3, ["a\tb", "a\tb\tc", "a\tb", "a\tb"], ["a\t" + "b" * 61] * 4, ["a\nx\tb"] * 4],
    ids=["few", "of other numbers", "long", "of lines"],
)
def test_other_rows_are_paragraphs(rows: list[str]) -> None:
    assert {piece.kind for piece in pieces(*rows)} == {BlockKind.PARAGRAPH}
