"""How much freed memory this process keeps: the C library's allocator (glibc)."""

import os
import sys
from functools import cache
from typing import Any

MAX_ARENAS = 1
"""Heaps of the threads of a process; glibc's default is eight a processor, and what is freed in one is no use to the
threads of another. Nearly all allocations are made under the interpreter's lock, one at a time."""

MAPPED_BYTES = 4_194_304
"""Size of a block from which it is returned to the system as soon as it is freed. glibc begins with 128 KiB, and raises
that to 32 MiB as larger blocks are freed: answers of megabytes then leave gaps in the heap. With 1 MiB, an answer of
3 MB took a half more processor time."""

_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8
"""Parameters of `mallopt(3)`."""


def limit_kept_memory() -> None:
    """Set both limits, but for those that glibc's own variables set (`MALLOC_ARENA_MAX`, `GLIBC_TUNABLES`, …).

    To be called before threads are started. Without glibc it does nothing.
    """
    library = _glibc()
    if library is None or "glibc.malloc." in os.environ.get("GLIBC_TUNABLES", ""):
        return
    for variable, parameter, value in (
        ("MALLOC_ARENA_MAX", _M_ARENA_MAX, MAX_ARENAS),
        ("MALLOC_MMAP_THRESHOLD_", _M_MMAP_THRESHOLD, MAPPED_BYTES),
    ):
        if variable not in os.environ:
            library.mallopt(parameter, value)


def return_freed_memory() -> None:
    """Return free pages to the system, those below memory in use, too. Without glibc it does nothing.

    It takes milliseconds: to be called after work that took much memory.
    """
    if library := _glibc():
        library.malloc_trim(0)


@cache
def _glibc() -> Any:
    """Return the C library, or None if it is another one. Each `CDLL` has a class of its own, which is a cycle."""
    if sys.platform != "linux":
        return None
    import ctypes  # noqa: PLC0415 - only there

    library = ctypes.CDLL(None)
    return library if hasattr(library, "gnu_get_libc_version") else None
