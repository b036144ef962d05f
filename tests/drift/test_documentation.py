"""The documentation, executed.

Every line that begins with `$` runs, page by page and in order, in a folder where `docs` is a copy of the user guide
and each block marked `file=NAME` is that file. What a page shows below a command is what it prints, apart from
revisions, scores and times; `make record` writes it anew. Examples of Python run and print what is shown. JSON blocks
parse, links lead somewhere, and `make` targets exist.
"""

import doctest
import importlib.util
import json
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from pincite.app import App
from pincite.model.call import Call
from pincite.settings import load
from pincite.tools.citations import OpenedCitation

ROOT = Path(__file__).resolve().parents[2]


def _script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("record", ROOT / "scripts" / "record.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["record"] = module  # dataclasses look there
    spec.loader.exec_module(module)
    return module


record = _script()
PAGES: tuple[Path, ...] = record.PAGES
FENCE: re.Pattern[str] = record.FENCE
MODELS: Path | None = record.models()
MOST_WORDS_OF_A_DECISION = 300


def _named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def _blocks(page: Path, language: str) -> list[str]:
    return [block["body"] for block in record.blocks(page.read_text(encoding="utf-8"), language)]


def _with(language: str) -> list[Path]:
    return [page for page in PAGES if _blocks(page, language)]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("guide")


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("page", _with("console"), ids=_named)
def test_commands_work_and_print_what_the_page_shows(page: Path, shared: Path, tmp_path: Path) -> None:
    workplace = record.Workplace(tmp_path, shared, page.read_text(encoding="utf-8"), MODELS)
    for block in _blocks(page, "console"):
        for command in record.commands(block):
            if command.sets_up:
                continue
            code, printed = workplace.run(command.text)
            assert (command.text, code != 0) == (command.text, command.fails), printed
            # Without the model other passages come first; then it is only seen that the command works.
            if command.shown and MODELS:
                assert record.matches(command.shown, printed), f"run `make record`: {command.text}\n{printed}"


def test_there_are_commands_and_only_console_blocks_have_them() -> None:
    shown = [command for page in PAGES for block in _blocks(page, "console") for command in record.commands(block)]
    lines = [line for page in PAGES for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("$ ")]
    assert [f"$ {command.text}" for command in shown] == lines
    assert len(lines) > 20
    assert sum(bool(command.shown) for command in shown) > 6


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        (("ref a.md@12345678#h1  score 0.51",), "ref a.md@abcdef01#h1  score 0.52\n", True),
        (("ref a.md@12345678#h1",), "ref b.md@12345678#h1\n", False),
        (("first", "…", "last"), "first\nmore\nlast\n", True),
        (("first", "…"), "first\n", True),
        (("first",), "first\nmore\n", False),
    ],
)
def test_output_is_compared_but_for_what_varies(shown: tuple[str, ...], printed: str, same: bool) -> None:
    assert record.matches(shown, printed) is same


@pytest.mark.parametrize("page", _with("pycon"), ids=_named)
def test_examples_of_python_print_what_the_page_shows(
    page: Path, shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workplace = record.Workplace(tmp_path, shared, page.read_text(encoding="utf-8"), MODELS)
    monkeypatch.chdir(tmp_path)
    for name, value in workplace.environment.items():
        monkeypatch.setenv(name, value)
    text = "\n".join(_blocks(page, "pycon"))
    report: list[str] = []
    examples = doctest.DocTestParser().get_doctest(text, {}, _named(page), None, 0)
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples, out=report.append)
    assert report == []
    assert len(examples.examples) > 0


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
    missing = [_named(page) for page in PAGES if page.name != "README.md" and page.name not in shown]
    assert missing == []


@pytest.mark.parametrize("record", sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md")), ids=_named)
def test_a_decision_is_short_and_named_after_its_title(record: Path) -> None:
    text = record.read_text(encoding="utf-8")
    title = text.partition("\n")[0].removeprefix("# ")
    assert record.stem == re.sub(r"[^a-z0-9]+", "-", title.lower().replace("'s", ""))
    assert len(text.split()) <= MOST_WORDS_OF_A_DECISION


def test_decisions_that_the_code_names_exist() -> None:
    files = [file for folder in ("src", "tests", "eval", "bench", "scripts") for file in (ROOT / folder).rglob("*.py")]
    named = {
        number for file in files for number in re.findall(r"decisions?[ /](\d{4})", file.read_text(encoding="utf-8"))
    }
    assert named - {record.name[:4] for record in (ROOT / "docs" / "decisions").glob("[0-9]*.md")} == set()
    assert named


def test_the_references_that_the_readme_prints_open_in_its_checkout(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r"^   ref (\S+)\n\n((?:   \|.*\n)+)", readme, re.MULTILINE)
    settings = load({"PINCITE_CACHE": tmp_path, "EMBEDDING_PROVIDER": "hash", "PINCITE_FRESH_BUDGET": "inf"})
    app = App(settings, ROOT / "docs" / "guide")
    try:
        for ref, passage in shown:
            answer = app.toolbox.call("open_citation", {"ref": ref}, Call())
            assert isinstance(answer, OpenedCitation)
            words = set(re.findall(r"\w+", passage))
            assert words and words <= set(re.findall(r"\w+", answer.content))
    finally:
        app.close()
    assert len(shown) > 1 and all("~" in ref for ref, _ in shown)


def test_make_targets_that_pages_name_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = {
        name
        for page in PAGES
        for name in re.findall(r"(?:^|`)make ([a-z-]+)", page.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert named - targets == set()
    assert {"demo", "test"} <= named


def test_the_readme_shows_an_answer_and_then_the_two_commands() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    opening = text.partition("\n## ")[0]
    assert "   ref " in opening.partition("make demo\nmake test")[0]
    assert "\n```sh\nmake demo\nmake test\n```\n" in opening
