import struct

import pytest

from pincite.errors import InvalidInput
from pincite.formats.ole.compound import CompoundFile
from pincite.formats.ppt.records import Kind, Record, open_deck, records
from support.compound import compound, ppt_record
from support.ppt_read import talk


def test_records_contain_records() -> None:
    inner = ppt_record(0, Kind.BYTES, b"text")
    (group,) = records(ppt_record(0x0F, Kind.LIST, inner + ppt_record(0x2F, Kind.LIST, inner)))
    assert [child.kind for child in group.children()] == [Kind.BYTES, Kind.LIST]
    assert [(one.data, one.instance) for one in group.all(Kind.BYTES)] == [(b"text", 0)] * 2
    found = group.first(Kind.LIST)
    assert found is not None and found.instance == 2


def test_a_record_longer_than_its_bytes_is_cut_and_an_atom_has_no_children() -> None:
    (record,) = records(struct.pack("<HHI", 0, Kind.BYTES, 999) + b"text")
    assert (record.data, list(record.children())) == (b"text", [])


def test_records_in_records_end() -> None:
    data = b""
    for _ in range(500):
        data = ppt_record(0x0F, Kind.SHAPE_GROUP, data)
    assert list(Record(0, 0, data, is_container=True).all(Kind.BYTES)) == []


def test_slides_are_found_by_the_last_edit() -> None:
    deck = open_deck(CompoundFile(talk()))
    kinds = {record.kind for identity in deck.offsets if (record := deck.record(identity))}
    assert {Kind.DOCUMENT, Kind.SLIDE, Kind.NOTES} <= kinds
    assert deck.document.kind == Kind.DOCUMENT
    assert deck.record(999_999) is None


def test_edits_in_a_circle_end() -> None:
    edit = struct.pack("<IHBBIIII", 0, 0, 0, 3, 0, 0, 1, 1)
    stream = ppt_record(0, Kind.EDIT, edit) + ppt_record(0x0F, Kind.DOCUMENT, b"")
    deck = open_deck(CompoundFile(compound({"PowerPoint Document": stream})))
    assert (deck.document.kind, deck.offsets) == (Kind.DOCUMENT, {})


def test_an_encrypted_presentation_is_refused() -> None:
    user = ppt_record(0, 4086, struct.pack("<III", 20, 0xF3D1C4DF, 0) + bytes(8))
    with pytest.raises(InvalidInput, match="protected by a password"):
        open_deck(CompoundFile(compound({"PowerPoint Document": bytes(100), "Current User": user})))
