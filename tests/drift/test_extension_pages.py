"""The pages on adding parts, executed in a copy of the source: files written, lines added, code run."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.wire import Wire

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(
    r"^```(?:python|text)(?: (?P<kind>file|row)=(?P<target>\S+))?\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL
)


@pytest.mark.parametrize("page", ["adding-a-format.md", "adding-a-policy.md", "adding-a-tool.md"])
def test_one_file_and_one_line_are_all_it_takes(page: str, tmp_path: Path) -> None:
    env, code = followed(page, tmp_path)
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize(
    ("toolsets", "tools"),
    [("counting", ["count_words"]), ("all", ["count_words", "search_docs", "get_page", "get_section"])],
)
def test_a_toolset_that_was_added_is_served_to_clients(toolsets: str, tools: list[str], tmp_path: Path) -> None:
    env, _ = followed("adding-a-tool.md", tmp_path)
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "start.md").write_text("# Start\n\nInstall it and run it.\n")
    serve = [sys.executable, "-m", "pincite", "serve", str(docs), "--toolsets", toolsets]
    with Wire(serve, {**env, "PINCITE_CACHE": str(tmp_path / "cache")}, cwd=tmp_path).open() as wire:
        listed = wire.request("tools/list")["tools"]
        assert [tool["name"] for tool in listed][: len(tools)] == tools
        assert listed[0]["annotations"]["readOnlyHint"] and "file_path" in listed[0]["inputSchema"]["properties"]
        answer = wire.call("count_words", {"file_path": "start.md"})
        assert answer["structuredContent"]["words"] == 7
        assert answer["structuredContent"]["index"]["stale"] is False
        unknown = wire.call("count_words", {"file_path": "begin.md"})
        assert unknown["isError"] and unknown["content"][0]["text"].startswith("No document 'begin.md' here.")


def followed(page: str, tmp_path: Path) -> tuple[dict[str, str], str]:
    """A copy of the source in which the page was followed: the environment that runs it, and the page's last step."""
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
    return {**plain, **own}, blocks[2]["body"]


def _with_row(text: str, table: str, row: str) -> str:
    """The registry with a row more, in front of the others."""
    return re.sub(
        rf"^({table}: [^=]+ = Table\(\n +\"[a-z.]+\",\n +\()",
        lambda match: f"{match[1]}{row}",
        text,
        count=1,
        flags=re.MULTILINE,
    )
