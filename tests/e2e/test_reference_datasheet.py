"""The reference case: a hybrid inverter's datasheet as PDF and DOCX, by the command line and without a model."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import pytest

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "fixtures"
SCHEMA = FIXTURES / "datasheet_schema.json"
EXPECTED: dict[str, Any] = json.loads((FIXTURES / "datasheet_expected.json").read_text(encoding="utf-8"))
MIN_RIGHT = 0.9
"""Share of the leaves that must be right (issue of this face)."""


def leaves(tree: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(tree, Mapping):
        for key, child in cast("Mapping[str, Any]", tree).items():
            yield from leaves(child, f"{path}.{key}".strip("."))
    else:
        yield path, tree


def evidence_at(tree: Any, path: str) -> Mapping[str, Any]:
    for key in path.split("."):
        tree = tree[key]
    return tree


@pytest.mark.parametrize("name", ["datasheet.pdf", "datasheet.docx"])
def test_the_reference_datasheet(name: str) -> None:
    command = [sys.executable, "-m", "pincite", "extract", FIXTURES / name, "--schema", SCHEMA]
    ran = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False, timeout=300)
    assert ran.returncode == 1, ran.stderr  # some fields are not in the document
    result = json.loads(ran.stdout)
    found = dict(leaves(result["data"]))
    wanted = dict(leaves(EXPECTED))
    right = [path for path, value in wanted.items() if found.get(path) == value]
    empty = sum(value in (None, []) for value in found.values())
    counts = f"{len(found) - empty} found, {empty} null, {len(result['warnings'])} warnings"
    print(counts)  # noqa: T201 - the contract wants the counts printed
    assert len(right) >= MIN_RIGHT * len(wanted), sorted(set(wanted) - set(right))
    assert result["data"]["original_file"] == name
    assert list(result["data"]) == list(json.loads(SCHEMA.read_text(encoding="utf-8")))
    for path, value in found.items():
        record = evidence_at(result["evidence"], path)
        if value in (None, []):
            assert (record["locator"], record["snippet"], record["warning"]) == (None, None, "Not found in document")
            assert f"Field '{path}' not found in document" in result["warnings"]
        else:
            assert record["verified"]
            assert record["snippet"] or path == "original_file"
            # None wrong that is called verified.
            assert value == wanted.get(path, value)
