import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pincite.app import App
from pincite.settings import load
from pincite.transports.cli import main


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


Pincite = Callable[..., Ran]


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    """Commands log to the standard error of their test, which no later test may."""
    root, ours = logging.getLogger(), logging.getLogger("pincite")
    handlers, level, own = list(root.handlers), root.level, ours.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    ours.setLevel(own)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine of one's own: working directory, cache, no model, no settings."""
    here = tmp_path / "home"
    here.mkdir()
    monkeypatch.chdir(here)
    for name in ("HOST", "MCP_API_KEY", "PINCITE_INSECURE", "CODEX_HOME", "CLINE_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PORT", "0")  # whatever listens at 8000 is none of ours
    for name in ("LOG_LEVEL", "LOG_FORMAT", "PINCITE_FRESH_BUDGET", "PINCITE_MODEL_GRACE", "PINCITE_MODEL_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(here))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(here / ".config"))
    monkeypatch.setenv("PINCITE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PINCITE_FETCH_MODEL", "false")
    monkeypatch.setenv("EMBEDDING_PROVIDER", "hash")
    return here


@pytest.fixture
def docs(home: Path) -> Path:
    folder = home / "docs"
    folder.mkdir()
    (folder / "keys.md").write_text("# Keys\n\n## Rotation\n\nRotate the signing keys every month.\n", encoding="utf-8")
    (folder / "start.md").write_text("# Start\n\nInstall it and run it.\n", encoding="utf-8")
    return folder


@pytest.fixture
def pincite(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Pincite:
    """Runs a command in this process."""
    assert home.is_dir()

    def run(*arguments: str | Path) -> Ran:
        monkeypatch.setattr("sys.argv", ["pincite", *map(str, arguments)])
        with pytest.raises(SystemExit) as exit_:
            main()
        captured = capsys.readouterr()
        code = exit_.value.code
        return Ran(code if isinstance(code, int) else 0 if code is None else 1, captured.out, captured.err)

    return run


@pytest.fixture
def make_library(home: Path) -> Iterator[Callable[[], App]]:
    """Opens the library that commands filled."""
    opened: list[App] = []

    def make() -> App:
        assert home.is_dir()
        opened.append(App(load({"PINCITE_MODEL_GRACE": "inf"}), None, toolsets=["knowledge"]))
        return opened[-1]

    yield make
    for app in opened:
        app.close()
