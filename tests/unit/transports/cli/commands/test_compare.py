"""`pincite compare`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

OLD = "# Doors\n\n## 5.1 Locks\n\nDoors shall have a lock.\n\nLocks shall hold ten minutes.\n"
NEW = "# Doors\n\n## 5.1 Locks\n\nDoors shall have a lock.\n\nLocks shall hold twenty minutes.\n\nKeys shall turn.\n"


@pytest.fixture
def editions(home: Path, pincite: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATA_DIR", str(home / "data"))
    for name, text in (("doors-1", OLD), ("doors-2", NEW)):
        (home / f"{name}.md").write_text(text)
        assert pincite("ingest", home / f"{name}.md").code == 0


@pytest.mark.usefixtures("editions")
def test_what_two_editions_require_differently_is_shown_with_references(pincite: Callable[..., Any]) -> None:
    ran = pincite("compare", "doors-1", "doors-2", "--json")
    told = json.loads(ran.out)
    assert (ran.code, told["counts"]) == (0, {"changed": 1, "added": 1, "unchanged": 1})
    (changed, added) = told["changes"]
    assert (changed["old"]["requirement_text"], changed["new"]["requirement_text"]) == (
        "Locks shall hold ten minutes.", "Locks shall hold twenty minutes."
    )  # fmt: skip
    assert "old" not in added and "Keys shall turn." in pincite("read", added["new"]["ref"], "--library").out
    lines = pincite("compare", "doors-1", "doors-2").out.splitlines()
    assert lines[1] == "- 5.1  Locks shall hold ten minutes." and lines[3] == "+ 5.1  Locks shall hold twenty minutes."
    assert lines[-1].endswith(": 1 changed, 1 added, 1 unchanged")


@pytest.mark.usefixtures("editions")
def test_an_unknown_edition_is_named_with_the_nearest(pincite: Callable[..., Any]) -> None:
    ran = pincite("compare", "doors-1", "doors-3")
    assert ran.code == 2 and "doors-3" in ran.err and "doors-2" in ran.err
