import json
from pathlib import Path

import pytest

from unit.transports.cli.conftest import Pincite


@pytest.fixture
def library(home: Path, monkeypatch: pytest.MonkeyPatch, pincite: Pincite) -> Path:
    monkeypatch.setenv("DATA_DIR", str(home / "data"))
    monkeypatch.setenv("PINCITE_MODEL_GRACE", "inf")
    folder = home / "standards"
    folder.mkdir()
    for name in ("keys", "locks", "doors"):
        (folder / f"{name}.md").write_text(f"# {name.title()}\n\nA standard of {name}.\n", encoding="utf-8")
    assert pincite("ingest", folder).code == 0
    return folder


def listed(pincite: Pincite) -> list[str]:
    status = json.loads(pincite("status", "--library", "--json").out)
    return [document["document_id"] for document in status["documents"]]


def test_a_removed_document_is_found_no_more_and_its_file_stays(pincite: Pincite, library: Path) -> None:
    ran = pincite("remove", "keys")
    assert (ran.code, ran.out) == (0, f"removed: keys; its file stays: {library / 'keys.md'}\n")
    assert (library / "keys.md").exists()
    assert listed(pincite) == ["doors", "locks"]
    assert "standard of keys" not in pincite("search", "keys", "--library").out


def test_a_file_that_was_uploaded_goes_with_its_document(pincite: Pincite, home: Path, library: Path) -> None:
    assert library.is_dir()
    upload = home / "data" / "library" / "gates.md"
    upload.parent.mkdir()
    upload.write_text("# Gates\n\nA standard of gates.\n", encoding="utf-8")
    pincite("ingest", upload.parent)
    ran = pincite("remove", "gates")
    assert (ran.code, ran.out) == (0, "removed: gates and its file in DATA_DIR\n")
    assert not upload.exists()


def test_an_unknown_id_is_named_with_the_nearest_and_the_others_are_removed(pincite: Pincite, library: Path) -> None:
    assert library.is_dir()
    ran = pincite("remove", "lock", "doors")
    assert ran.code == 1
    assert "failed: No document 'lock' here. Nearest: locks" in ran.out and "removed: doors" in ran.out
    assert listed(pincite) == ["keys", "locks"]


def test_without_a_known_id_nothing_is_done(pincite: Pincite, library: Path) -> None:
    assert library.is_dir()
    ran = pincite("remove", "platypus", "--json")
    answer = json.loads(ran.out)
    assert (ran.code, answer["removed"]) == (2, [])
    assert answer["unknown"][0]["document_id"] == "platypus"
    assert listed(pincite) == ["doors", "keys", "locks"]


def test_without_a_library_none_is_made(home: Path, monkeypatch: pytest.MonkeyPatch, pincite: Pincite) -> None:
    monkeypatch.setenv("DATA_DIR", str(home / "data"))
    ran = pincite("remove", "keys")
    assert ran.code == 2 and "There is no library at" in ran.err
    assert not (home / "data").exists()
