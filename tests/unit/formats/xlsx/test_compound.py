import struct

from pincite.formats.detect.decode import COMPOUND
from pincite.formats.xlsx.compound import chains_end, is_encrypted, workbook_records
from support.compound import compound as compound_file

END, FREE = 0xFFFFFFFE, 0xFFFFFFFF


def compound(
    table: list[int], *, small: int = END, lists: int = END, sectors: int = 4, listed: list[int] | None = None
) -> bytes:
    """A compound file whose first sector is its allocation table."""
    header = COMPOUND + bytes(22) + struct.pack("<HH", 9, 6) + bytes(26) + struct.pack("<II", small, 0)
    header += struct.pack("<II", lists, 0) + struct.pack("<109I", *([*(listed or [0])] + [FREE] * 108)[:109])
    body = struct.pack("<128I", *(table + [FREE] * 128)[:128])
    return header + body + struct.pack("<128I", *[FREE] * 128) * (sectors - 1)


def test_chains_that_end_are_fine() -> None:
    assert chains_end(compound([END, 2, END]))
    assert chains_end(compound([END, 2, 3, END], small=1))
    assert chains_end(compound([END, END], lists=1))


def test_a_chain_that_comes_back_to_itself_has_no_end() -> None:
    assert not chains_end(compound([END, 1]))
    assert not chains_end(compound([END, 2, 3, 1]))


def test_small_sectors_may_have_a_loop_too() -> None:
    data = bytearray(compound([END, END], small=1))
    data[1024:1032] = struct.pack("<II", 1, 0)
    assert not chains_end(bytes(data))


def test_a_table_beyond_the_file_or_listed_twice_has_no_end() -> None:
    assert not chains_end(compound([END], listed=[9]))
    assert not chains_end(compound([END], listed=[0, 0]))


def test_a_list_of_tables_that_goes_in_a_circle_or_out_of_the_file_has_no_end() -> None:
    data = bytearray(compound([END, END], lists=1))
    data[1024 + 508 : 1024 + 512] = struct.pack("<I", 1)
    assert not chains_end(bytes(data))
    assert not chains_end(compound([END], lists=50))


def test_what_is_too_short_or_has_odd_sectors_has_no_end() -> None:
    assert not chains_end(COMPOUND)
    assert not chains_end(COMPOUND + bytes(600))


def test_a_workbook_says_that_it_is_encrypted_behind_its_first_record() -> None:
    first, password, other = struct.pack("<HHI", 0x809, 4, 0x600), struct.pack("<HHI", 0x2F, 4, 0), b"\xe1\0\2\0\0\0"
    assert is_encrypted(workbook_records(compound_file({"Workbook": first + password})))
    assert is_encrypted(workbook_records(compound_file({"Book": first + other + password})))
    assert not is_encrypted(workbook_records(compound_file({"Workbook": first + other * 5 + password})))
    assert not is_encrypted(workbook_records(compound_file({"Other": password})))
