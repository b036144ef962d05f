"""A look at the sector chains of a compound file (XLS), which the native reader follows without an end.

Fields by [MS-CFB] 2.2 and 2.3.
"""

import struct

SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

_HEADER_ENTRIES = 109
_HEADER_SIZE = 512
_LAST_SECTOR = 0xFFFFFFFA
_SHIFTS = (9, 12)


def chains_end(data: bytes) -> bool:
    """Whether every chain of sectors ends within the file.

    Args:
        data: A compound file.
    """
    if len(data) < _HEADER_SIZE:
        return False
    shift = int.from_bytes(data[30:32], "little")
    if shift not in _SHIFTS:
        return False
    size = 1 << shift
    listed = _listed(data, size)
    table: list[int] = []
    for sector in listed if listed is not None else ():
        entries = _sector(data, sector, size)
        if entries is None:
            return False
        table.extend(entries)
    first_small = int.from_bytes(data[60:64], "little")
    return listed is not None and not _has_loop(table) and not _has_loop(_small(data, table, first_small, size))


def _listed(data: bytes, size: int) -> list[int] | None:
    """The sectors that hold the allocation table; None where their list has no end."""
    entries = struct.unpack_from(f"<{_HEADER_ENTRIES}I", data, 76)
    listed = [entry for entry in entries if entry < _LAST_SECTOR]
    following = int.from_bytes(data[68:72], "little")
    seen: set[int] = set()
    while following < _LAST_SECTOR:
        more = _sector(data, following, size)
        if more is None or following in seen:
            return None
        seen.add(following)
        listed.extend(entry for entry in more[:-1] if entry < _LAST_SECTOR)
        following = more[-1]
    return listed if len(set(listed)) == len(listed) else None


def _sector(data: bytes, number: int, size: int) -> list[int] | None:
    start = (number + 1) * size
    if start + size > len(data):
        return None
    return list(struct.unpack_from(f"<{size // 4}I", data, start))


def _small(data: bytes, table: list[int], first: int, size: int) -> list[int]:
    """The allocation table of small sectors, by its chain in the large one (which has no loop)."""
    small: list[int] = []
    while first < len(table):
        small.extend(_sector(data, first, size) or ())
        first = table[first]
    return small


def _has_loop(table: list[int]) -> bool:
    """Whether a chain comes back to a sector of its own."""
    done = bytearray(len(table))
    for start in range(len(table)):
        path: list[int] = []
        sector = start
        while sector < len(table) and not done[sector]:
            done[sector] = 1
            path.append(sector)
            sector = table[sector]
        if sector < len(table) and done[sector] == 1:
            return True
        for sector in path:
            done[sector] = 2
    return False
