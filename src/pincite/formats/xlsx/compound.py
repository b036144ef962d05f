"""Check a compound file (XLS) for what calamine does not name: encryption, and cycles in which it would loop forever.

Fields by [MS-CFB] 2.2 and 2.3.
"""

import struct

from pincite.formats.detect.signature import FIRST_RESERVED
from pincite.formats.ole.compound import CompoundFile

_HEADER_ENTRIES = 109
"""Sectors of the allocation table that the header lists."""
_HEADER_SIZE = 512
_SECTOR_SHIFTS = (9, 12)
"""Sectors have 512 or 4,096 bytes."""


_STREAMS = ("Workbook", "Book")
_FILE_PASS = 0x2F
"""The record of an encrypted workbook ([MS-XLS] 2.4.117), right behind its first."""
_MAX_RECORDS_BEFORE = 3


def workbook_records(data: bytes) -> bytes:
    """Return the records of a workbook; empty if there are none.

    Args:
        data: A compound file whose chains end.
    """
    file = CompoundFile(data)
    return next((stream for name in _STREAMS if (stream := file.stream(name))), b"")


def is_encrypted(stream: bytes) -> bool:
    """Return True if a workbook is protected by a password to open it.

    Args:
        stream: Its records.
    """
    at = 0
    for _ in range(_MAX_RECORDS_BEFORE):
        kind, size = (int.from_bytes(stream[start : start + 2], "little") for start in (at, at + 2))
        if kind == _FILE_PASS:
            return True
        at += 4 + size
    return False


def chains_end(data: bytes) -> bool:
    """Return True if every chain of sectors ends within the file.

    Args:
        data: A compound file.
    """
    if len(data) < _HEADER_SIZE:
        return False
    shift = int.from_bytes(data[30:32], "little")
    if shift not in _SECTOR_SHIFTS:
        return False
    size = 1 << shift
    sectors = _table_sectors(data, size)
    table: list[int] = []
    for sector in sectors if sectors is not None else ():
        entries = _sector(data, sector, size)
        if entries is None:
            return False
        table.extend(entries)
    first_small = int.from_bytes(data[60:64], "little")
    return sectors is not None and not _has_loop(table) and not _has_loop(_small_table(data, table, first_small, size))


def _table_sectors(data: bytes, size: int) -> list[int] | None:
    """The sectors of the allocation table; None if their list is cyclic or leaves the file."""
    entries = struct.unpack_from(f"<{_HEADER_ENTRIES}I", data, 76)
    sectors = [entry for entry in entries if entry < FIRST_RESERVED]
    next_sector = int.from_bytes(data[68:72], "little")
    visited: set[int] = set()
    while next_sector < FIRST_RESERVED:
        further = _sector(data, next_sector, size)
        if further is None or next_sector in visited:
            return None
        visited.add(next_sector)
        sectors.extend(entry for entry in further[:-1] if entry < FIRST_RESERVED)
        next_sector = further[-1]
    return sectors if len(set(sectors)) == len(sectors) else None


def _sector(data: bytes, number: int, size: int) -> list[int] | None:
    start = (number + 1) * size
    if start + size > len(data):
        return None
    return list(struct.unpack_from(f"<{size // 4}I", data, start))


def _small_table(data: bytes, table: list[int], first: int, size: int) -> list[int]:
    """The allocation table of small sectors, by its chain in the large one, which has no loop."""
    small: list[int] = []
    while first < len(table):
        small.extend(_sector(data, first, size) or ())
        first = table[first]
    return small


def _has_loop(table: list[int]) -> bool:
    """Return True if a chain returns to a sector of its own."""
    # For each sector: 0 not visited, 1 on the current path, 2 known to end.
    state = bytearray(len(table))
    for start in range(len(table)):
        path: list[int] = []
        # Each sector is visited once over all chains, so that the check takes linear time.
        sector = start
        while sector < len(table) and not state[sector]:
            state[sector] = 1
            path.append(sector)
            sector = table[sector]
        if sector < len(table) and state[sector] == 1:
            return True
        for sector in path:
            state[sector] = 2
    return False
