"""A document is the same after it was lines."""

import json
from dataclasses import fields, replace

import pytest

from pincite.model.document import (
    Aside,
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
from pincite.services.reading.lines import from_lines, layout, to_lines
from support.documents import document


def test_every_field_survives() -> None:
    whole = document()
    again = from_lines(to_lines(whole))
    assert again == whole
    blocks = again.sections[1].blocks
    assert isinstance(blocks[0].kind, BlockKind)
    assert [type(table.cells) for block in blocks if (table := block.table)] == [tuple, PackedCells]
    hash(again.sections)


def test_a_line_is_one_line_of_json() -> None:
    lines = list(to_lines(document()))
    assert [line.count("\n") for line in lines] == [1, 1, 1]
    assert all(json.loads(line) for line in lines)


def test_an_empty_document_survives() -> None:
    empty = replace(document(""), sections=())
    assert from_lines(to_lines(empty)) == empty


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["\n"],
        ["nonsense\n"],
        ["[]\n"],
        ["{}\n"],
        ["1\n"],
        ["null\n"],
        ['["a.pdf","text"]\n'],
        [*to_lines(document())][:-1],
        [*to_lines(document()), "[]\n"],
        [*to_lines(document())][:1] * 3,
        [line.replace('"heading"', '"os.system"') for line in to_lines(document())],
        [line.replace('"packed"', '"__class__"') for line in to_lines(document())],
    ],
)
def test_other_lines_are_an_error(lines: list[str]) -> None:
    with pytest.raises((ValueError, TypeError, LookupError, AttributeError)):
        from_lines(iter(lines))


def test_the_layout_names_every_field() -> None:
    for kind in (Document, Section, Block, Table, PackedCells, Cell, Box, Coverage, PageFailure, Aside):
        (part,) = (part for part in layout().split("; ") if part.startswith(f"{kind.__name__} "))
        assert all(f" {field.name}:" in part for field in fields(kind))
