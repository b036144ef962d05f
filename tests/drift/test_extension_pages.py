"""The pages on adding parts, executed in a copy of the source: files written, lines added, code run."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(
    r"^```(?:python|text)(?: (?P<kind>file|row)=(?P<target>\S+))?\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL
)


@pytest.mark.parametrize("page", ["adding-a-format.md", "adding-a-policy.md", "adding-a-tool.md"])
def test_one_file_and_one_line_are_all_it_takes(page: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    registry = tmp_path / "src" / "pincite" / "registry.py"
    blocks = list(FENCE.finditer((ROOT / "docs" / page).read_text(encoding="utf-8")))
    assert [block["kind"] for block in blocks] == ["file", "row", None]
    for block in blocks[:2]:
        if block["kind"] == "file":
            file = tmp_path / block["target"]
            assert not file.exists()
            file.write_text(block["body"], encoding="utf-8")
        else:
            text = registry.read_text(encoding="utf-8")
            added = _with_row(text, block["target"], block["body"].strip())
            assert added != text
            registry.write_text(added, encoding="utf-8")
    # What runs here is a copy: its coverage is not that of the source.
    plain = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    own = {
        "PYTHONPATH": str(tmp_path / "src"),
        "EMBEDDING_PROVIDER": "hash",
        "HOME": str(tmp_path),
        # On a busy machine, starting the worker process takes longer than a call waits by default.
        "PINCITE_FRESH_BUDGET": "inf",
    }
    ran = subprocess.run(
        [sys.executable, "-c", blocks[2]["body"]],
        cwd=tmp_path,
        env={**plain, **own},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr


def _with_row(text: str, table: str, row: str) -> str:
    """The registry with a row more, in front of the others."""
    return re.sub(rf"^({table}: [^=]+ = \()", lambda match: f"{match[1]}{row}", text, count=1, flags=re.MULTILINE)
