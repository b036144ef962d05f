"""The documentation, executed.

A line that begins with `$ pincite` in a console block runs, in a folder where `docs` is a copy of the user guide
and every tsv block of the guide is the file that it names, and must succeed.
JSON blocks parse, links lead somewhere, and `make` targets exist.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


def _blocks(page: Path, language: str) -> list[str]:
    found = FENCE.finditer(page.read_text(encoding="utf-8"))
    return [match["body"] for match in found if (match["info"].split() or [""])[0] == language]


def _commands() -> list[str]:
    lines = (line for page in PAGES for block in _blocks(page, "console") for line in block.splitlines())
    return list(dict.fromkeys(line.removeprefix("$ ") for line in lines if line.startswith("$ ")))


def _named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("workplace")
    shutil.copytree(ROOT / "docs" / "guide", folder / "docs")
    for page in sorted((ROOT / "docs" / "guide").glob("*.md")):
        for block in FENCE.finditer(page.read_text(encoding="utf-8")):
            if block["info"].startswith("tsv file="):
                (folder / block["info"].removeprefix("tsv file=")).write_text(block["body"], encoding="utf-8")
    return folder


@pytest.mark.parametrize("command", _commands())
def test_a_console_command_works(command: str, workplace: Path) -> None:
    words = shlex.split(command)
    assert words[0] == "pincite"
    own = {
        "HOME": str(workplace),
        "XDG_CONFIG_HOME": str(workplace / ".config"),
        "PINCITE_CACHE": str(workplace / "cache"),
        "EMBEDDING_PROVIDER": "hash",
    }
    ran = subprocess.run(
        [sys.executable, "-m", "pincite", *words[1:]],
        cwd=workplace,
        env={**os.environ, **own},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout


def test_there_are_console_commands() -> None:
    assert len(_commands()) > 5


@pytest.mark.parametrize("page", PAGES, ids=_named)
def test_json_blocks_parse(page: Path) -> None:
    for block in _blocks(page, "json"):
        json.loads(block)


@pytest.mark.parametrize("page", PAGES, ids=_named)
def test_links_lead_somewhere(page: Path) -> None:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    targets = re.findall(r"\]\(([^)\s]+)\)", text)
    local = [target.partition("#")[0] for target in targets if not target.startswith(("https://", "#"))]
    assert [target for target in local if not (page.parent / target).exists()] == []


def test_every_page_is_on_the_map() -> None:
    shown = "".join(page.read_text(encoding="utf-8") for page in PAGES if page.name == "README.md")
    missing = [
        _named(page) for page in PAGES if page.name not in {"README.md", "measurements.md"} and page.name not in shown
    ]
    assert missing == []


def test_make_targets_that_pages_name_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = {
        name
        for page in PAGES
        for name in re.findall(r"(?:^|`)make ([a-z-]+)", page.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert named - targets == set()
    assert {"demo", "test"} <= named


def test_the_readme_opens_with_the_two_commands() -> None:
    assert (
        (ROOT / "README.md").read_text(encoding="utf-8").startswith("# pincite\n\n```sh\nmake demo\nmake test\n```\n")
    )
