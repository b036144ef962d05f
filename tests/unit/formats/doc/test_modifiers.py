import struct

from pincite.formats.doc.modifiers import Code, Runs, modifiers

BOLD = struct.pack("<HB", Code.BOLD, 1)


def test_each_operand_has_the_size_that_its_code_says() -> None:
    size = struct.pack("<HH", Code.SIZE, 24)
    colour = struct.pack("<HI", Code.COLOUR, 0xFF)
    shading = struct.pack("<HB", Code.SHADING, 3) + b"abc"
    cells = struct.pack("<HH", Code.CELLS, 4) + b"xyz"
    found = modifiers(size + colour + shading + cells + BOLD)
    assert found == {
        Code.SIZE: b"\x18\0",
        Code.COLOUR: b"\xff\0\0\0",
        Code.SHADING: b"abc",
        Code.CELLS: b"xyz",
        Code.BOLD: b"\1",
    }


def test_the_last_of_two_modifiers_holds() -> None:
    assert modifiers(BOLD + struct.pack("<HB", Code.BOLD, 0)) == {Code.BOLD: b"\0"}


def test_a_damaged_list_has_none() -> None:
    assert modifiers(struct.pack("<H", Code.CELLS) + b"\x04") == {}
    assert modifiers(b"") == {}


def test_word_6_has_codes_of_one_byte() -> None:
    found = modifiers(b"\x05\x01\x18\x01\x19\x01\x63\x14\x00\x00", is_old=True)
    assert found == {Code.IN_TABLE: b"\1", Code.ROW_END: b"\1", Code.SIZE: b"\x14\0"}


def page(*runs: tuple[int, bytes], end: int, entry: int) -> bytes:
    """A page of runs: their starts, then where their modifiers are."""
    bounds = struct.pack(f"<{len(runs) + 1}I", *(start for start, _ in runs), end)
    places, at, tail = b"", 510, b""
    for _, data in runs:
        at -= len(data) + len(data) % 2
        places += bytes([at // 2]).ljust(entry, b"\0")
        tail = data.ljust(len(data) + len(data) % 2, b"\0") + tail
    whole = bounds + places
    return whole + bytes(510 - len(whole) - len(tail)) + tail + bytes([0, len(runs)])


def test_runs_of_characters_are_found_by_offset() -> None:
    main = bytes(512) + page((100, bytes([len(BOLD)]) + BOLD), (110, bytes([0])), end=120, entry=1)
    runs = Runs(main, struct.pack("<III", 100, 120, 1), paragraphs=False, is_old=False)
    first, second = runs.at(105), runs.at(119)
    assert first is not None and (first.start, first.end, first.changes) == (100, 110, {Code.BOLD: b"\1"})
    assert second is not None and second.changes == {}
    assert runs.at(99) is None and runs.at(120) is None


def test_runs_of_paragraphs_have_a_style() -> None:
    format_of = struct.pack("<H", 7) + struct.pack("<HB", Code.IN_TABLE, 1)
    main = page((0, bytes([3]) + format_of), end=50, entry=13)
    run = Runs(main, struct.pack("<III", 0, 50, 0), paragraphs=True, is_old=False).at(49)
    assert run is not None and (run.style, run.changes) == (7, {Code.IN_TABLE: b"\1"})


def test_a_page_beyond_the_file_has_no_runs() -> None:
    assert Runs(b"", struct.pack("<III", 0, 50, 9), paragraphs=True, is_old=False).at(1) is None
    assert Runs(b"", b"", paragraphs=True, is_old=False).at(1) is None
