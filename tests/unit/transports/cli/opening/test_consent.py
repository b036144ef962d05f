import io
from collections.abc import Callable
from pathlib import Path
from shutil import rmtree

import pytest

from unit.transports.cli.conftest import Pincite


class Keyboard(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Types a line at a terminal."""

    def type_line(line: str) -> None:
        monkeypatch.setattr("sys.stdin", Keyboard(line + "\n"))
        monkeypatch.setattr("sys.stderr.isatty", lambda: True)

    return type_line


def is_indexed(home: Path) -> bool:
    return any((home.parent / "cache" / "folders").glob("*.db"))


@pytest.mark.parametrize("command", [["search", "keys"], ["status"], ["verify", "keys"], ["read", "a.md@9f31c2aa#h1"]])
def test_a_working_directory_outside_of_a_repository_is_not_indexed_unasked(
    pincite: Pincite, home: Path, docs: Path, command: list[str]
) -> None:
    assert docs.is_dir()
    ran = pincite(*command)
    assert ran.code == 2
    assert ran.err.startswith(f"error: {home} is in no repository and is not indexed yet. Add --yes to index it, or ")
    assert not is_indexed(home)
    pincite("search", "keys", "--yes")
    assert "is not indexed yet" not in pincite(*command).err


def test_a_repository_and_a_folder_that_is_named_are_indexed_unasked(pincite: Pincite, home: Path, docs: Path) -> None:
    assert pincite("search", "keys", docs).code == 0
    assert pincite("search", "keys", ".").code == 0
    rmtree(home.parent / "cache")
    (home / ".git").mkdir()
    assert pincite("search", "keys").code == 0


def test_a_large_folder_is_not_indexed_unasked(
    pincite: Pincite, home: Path, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_UNASKED_FILES", "1")
    ran = pincite("search", "keys", docs)
    assert (ran.code, is_indexed(home)) == (2, False)
    assert ran.err.startswith(f"error: {docs} has more than 1 file and is not indexed yet. Add --yes")
    (docs / ".gitignore").write_text("start.md\n")
    assert pincite("search", "keys", docs).code == 0
    (docs / ".gitignore").unlink()
    assert pincite("search", "keys", docs).code == 0  # what grows is indexed already


def test_a_person_is_asked(pincite: Pincite, home: Path, docs: Path, typed: Callable[[str], None]) -> None:
    assert docs.is_dir()
    typed("n")
    ran = pincite("search", "keys")
    assert (ran.code, ran.out, is_indexed(home)) == (2, "", False)
    assert f"{home} is in no repository and is not indexed yet. Index it? [y/N] " in ran.err
    assert "Nothing was indexed." in ran.err
    typed("y")
    ran = pincite("search", "keys")
    assert ran.code == 0 and "keys.md" in ran.out
