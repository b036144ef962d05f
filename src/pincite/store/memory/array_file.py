"""Arrays in a file that processes map into memory: they share what the system has read of it.

A line of JSON says what the arrays are of; they follow, each at an aligned offset, with room for rows to come. A file
is only ever replaced whole. It is mapped privately: what a process writes into the arrays is in its own memory.
"""

import json
import logging
import mmap
import os
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pincite.runtime.private_files import opener

Array = npt.NDArray[Any]

MAGIC = b"pincvec1"
"""The first bytes, with the version of the layout."""

_ALIGNED_BYTES = 65_536
"""Offsets are multiples of it: of a page on every system. The line of JSON is shorter."""

_ABANDONED_SECONDS = 3600.0
"""Age from which a file that is being written belongs to a process that was killed."""

log = logging.getLogger("pincite.index")


def read(path: Path) -> tuple[Mapping[str, Any], list[Array]] | None:
    """Map a file; return what was written of it and its arrays, or None if there is none that can be used."""
    try:
        with path.open("rb") as file:
            line = file.readline(_ALIGNED_BYTES)
            if not line.startswith(MAGIC):
                return None
            about, arrays = json.loads(line[len(MAGIC) :])
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        return about, [np.frombuffer(mapped, *spec).reshape(shape) for *spec, shape in arrays]
    except (OSError, ValueError, TypeError):
        return None


def write(path: Path, about: Mapping[str, Any], arrays: Sequence[Array], used: int) -> list[Array] | None:
    """Replace a file; return the arrays mapped from it, or None if the disk is full, or another process writes it.

    Args:
        path: The file.
        about: What the arrays are of, for `read`.
        arrays: All of C order.
        used: Number of rows that are written; of those after it only the room is kept.
    """
    if sys.platform == "win32":  # a file that is mapped cannot be replaced there
        return None
    temporary, end = path.with_name(f"{path.name}.new"), _ALIGNED_BYTES
    specs: list[tuple[str, int, int, tuple[int, ...]]] = []
    for array in arrays:
        specs.append((array.dtype.str, array.size, end, array.shape))
        end += -(-array.nbytes // _ALIGNED_BYTES) * _ALIGNED_BYTES
    try:
        with suppress(FileNotFoundError):
            if time.time() - temporary.stat().st_mtime > _ABANDONED_SECONDS:
                temporary.unlink()
        with open(temporary, "xb", opener=opener) as file:
            try:
                file.write(MAGIC + json.dumps([about, specs]).encode() + b"\n")
                for array, (_, _, offset, _) in zip(arrays, specs, strict=True):
                    file.seek(offset)
                    file.write(array[:used].data)
                file.truncate(end)
                file.flush()
                # The name must not be on the disk before the contents are.
                os.fsync(file.fileno())
                kept = read(temporary)  # by its new name it may be another process's a moment later
                temporary.replace(path)
            except OSError:
                temporary.unlink(missing_ok=True)
                raise
    except OSError as error:
        log.info("index.vectors_not_kept", extra={"problem": error.strerror or type(error).__name__})
        return None
    return kept[1] if kept else None
