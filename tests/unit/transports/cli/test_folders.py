from pathlib import Path

import pytest

from pincite.errors import InvalidInput
from pincite.transports.cli.folders import arguments_of, folders_of, served_folders


def test_one_folder_needs_no_name() -> None:
    assert served_folders(["./docs"]) == Path("docs")
    assert served_folders([]) is None


def test_several_are_named_and_a_tilde_is_the_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    assert served_folders(["api=./api", "hand-book=~/docs"]) == {"api": Path("api"), "hand-book": Path("/home/me/docs")}
    assert served_folders(["api=./api"]) == {"api": Path("api")}


def test_a_folder_whose_name_has_the_sign_is_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a=b").mkdir()
    monkeypatch.chdir(tmp_path)
    assert served_folders(["a=b"]) == Path("a=b")


@pytest.mark.parametrize("arguments", ["./api ./handbook", "api=./api ./b", "api=./a api=./b", "ä=c d=e"])
def test_several_without_names_of_their_own_are_refused(arguments: str) -> None:
    with pytest.raises(InvalidInput, match="Name each"):
        served_folders(arguments.split())


@pytest.mark.parametrize("folders", [None, Path("docs"), {"api": Path("a"), "handbook": Path("b")}])
def test_the_arguments_name_the_same_folders_again(folders: Path | dict[str, Path] | None) -> None:
    assert served_folders(arguments_of(folders)) == folders
    assert len(folders_of(folders)) == len(arguments_of(folders))
