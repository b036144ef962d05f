import pytest

from pincite.errors import InvalidInput
from pincite.formats.ole.compound import CompoundFile
from support.compound import compound, tree
from support.doc_read import manual


def test_streams_are_found_by_name_whatever_its_case() -> None:
    file = CompoundFile(compound({"One": b"a" * 5000, "Another": b"b" * 10}))
    assert (file.stream("ONE") or b"").startswith(b"a" * 5000)
    assert (file.stream("another") or b"").rstrip(b"\0") == b"b" * 10
    assert file.stream("Third") is None


def test_streams_of_small_sectors_are_whole() -> None:
    summary = CompoundFile(manual()).stream("\x05SummaryInformation") or b""
    assert len(summary) < 4096 and b"Pump manual" in summary


def test_a_chain_that_is_a_circle_ends() -> None:
    data = bytearray(compound({"One": b"a" * 5000}))
    # The last sector of the stream is followed by its first.
    table = data.index((0xFFFFFFFE).to_bytes(4, "little"), 520)
    data[table : table + 4] = data[table - 8 : table - 4]
    assert len(CompoundFile(bytes(data)).stream("One") or b"") <= 8192


@pytest.mark.parametrize("data", [b"", b"PK\3\4" * 200, manual()[:100]], ids=["empty", "a zip file", "truncated"])
def test_what_is_no_compound_file_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidInput, match="save it again"):
        CompoundFile(data)


def test_a_sector_size_that_cannot_be_is_refused() -> None:
    data = bytearray(manual())
    data[30] = 200
    with pytest.raises(InvalidInput, match="header is damaged"):
        CompoundFile(bytes(data))


def test_storages_within_storages() -> None:
    file = CompoundFile(tree({"a": b"1", "in 2": {"b": b"2", "in": {"c": b"3"}}, "in 1": {}}))
    assert (file.stream("A"), file.stream("b"), file.root.stream("in 2")) == (b"1", None, None)
    empty, full = file.root.storages("in")
    assert (empty.stream("b"), full.stream("b")) == (None, b"2")
    assert [inner.stream("c") for inner in full.storages("")] == [b"3"]
