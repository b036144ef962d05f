"""Whatever the documents and the limits: no answer exceeds its bound, its pages joined are the whole, byte for byte."""

import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.app import App
from pincite.errors import InvalidInput
from pincite.model.call import Call
from pincite.services.bounds import MAX_ANSWER_TOKENS
from pincite.settings import load

PIECES = st.sampled_from(
    [
        *(
            "# One\n\n",
            "## Two\n\n",
            "### Three\n\n",
            "word ",
            "A sentence of words. ",
            "\n\n",
            "| a | b |\n|---|---|\n",
        ),
        *(
            "x" * 3000,
            "é",
            "🦓",
            "日本語の文書",
            '"quoted"\\',
            "\t",
            "\r\n",
            "```\ncode\n```\n",
            "- item\n",
            "\u2028",
            "﷽",
        ),
    ]
)
TEXTS = st.lists(
    st.one_of(PIECES, st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40)), max_size=40
).map(lambda pieces: "# Top\n\n" + "".join(pieces) + "\nThe end.\n")
LIMITS = st.integers(1000, 2000) | st.integers(1000, MAX_ANSWER_TOKENS)
"""From where what stands around a text leaves room for it."""

FILES = st.lists(TEXTS, min_size=1, max_size=3)


@pytest.fixture(scope="module")
def app() -> Iterator[App]:
    """An application over a folder that the examples fill."""
    place = Path(tempfile.mkdtemp())
    (place / "docs").mkdir()
    values = {"PINCITE_CACHE": place / "cache", "EMBEDDING_PROVIDER": "hash", "PINCITE_FRESH_BUDGET": "inf"}
    values["PINCITE_ANSWER_TOKENS"] = "0"
    made = App(load(values), place / "docs")
    yield made
    made.close()
    shutil.rmtree(place)


@settings(max_examples=15)
@given(files=FILES, limit=LIMITS, context=st.integers(0, 20))
def test_every_text_tool(app: App, files: list[str], limit: int, context: int) -> None:
    check(app, files, limit, context)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@settings(max_examples=200)
@given(files=FILES, limit=LIMITS, context=st.integers(0, 20))
def test_every_text_tool_at_length(app: App, files: list[str], limit: int, context: int) -> None:
    check(app, files, limit, context)


def test_a_change_between_two_pages_is_an_error_that_says_so(app: App) -> None:
    long = "## Long\n\n" + "Words to go on with. " * 1000
    fill(app, [f"# Top\n\nOne.\n\n{long}"])
    section = {"file_path": "0.md", "heading_path": "Top > Long"}
    cited = {"ref": ask(app, "get_section", section).ref}
    asked = [("get_page", {"file_path": "0.md"}), ("get_section", section), ("open_citation", cited)]
    cursors = [ask(app, tool, {**arguments, "max_tokens": 1000}).next_cursor for tool, arguments in asked]
    fill(app, [f"# Top\n\nOther.\n\n{long}"])
    for (tool, arguments), cursor in zip(asked, cursors, strict=True):
        with pytest.raises(InvalidInput, match="have changed"):
            ask(app, tool, {**arguments, "max_tokens": 1000, "cursor": cursor})
        assert ask(app, tool, {**arguments, "max_tokens": 1000}).next_cursor


def check(app: App, files: list[str], limit: int, context: int) -> None:
    fill(app, files)
    whole = ask(app, "get_page", {"file_path": "0.md"})
    assert "".join(chunk.content for chunk in whole.chunks) == files[0]
    parts = pages(app, "get_page", {"file_path": "0.md"}, limit)
    assert "".join(chunk.content for part in parts for chunk in part.chunks) == files[0]
    for chunk in whole.chunks[:: max(1, len(whole.chunks) // 3)]:
        section = {"file_path": "0.md", "heading_path": chunk.heading_path}
        assert joined(app, "get_section", section, limit) == ask(app, "get_section", section).content
        cited = {"ref": chunk.ref, "context": context}
        assert (
            joined(app, "open_citation", cited, limit)
            == ask(app, "open_citation", {**cited, "max_tokens": MAX_ANSWER_TOKENS}).content
        )
    entries = joined_entries(app, limit)
    assert entries == ask(app, "list_pages", {}).pages
    assert [entry.file_path for entry in entries] == [f"{n}.md" for n in range(len(files))]


def joined_entries(app: App, limit: int) -> list[Any]:
    """The entries of all parts; those of one page, whose headings were split, as one."""
    entries: list[Any] = []
    for found in (entry for part in pages(app, "list_pages", {}, limit) for entry in part.pages):
        entry = found
        if entry.headings_part is not None and entry.headings_part.first:
            last = entries.pop()
            assert (last.file_path, len(last.headings)) == (entry.file_path, entry.headings_part.first)
            both = {name: getattr(last, name) + getattr(entry, name) for name in ("headings", "heading_paths")}
            entry = entry.model_copy(update=both)
        entries.append(entry)
    for n, entry in enumerate(entries):
        if entry.headings_part is not None:
            assert entry.headings_part.of == len(entry.headings)
            entries[n] = entry.model_copy(update={"headings_part": None})
    return entries


def test_a_page_with_more_headings_than_an_answer_has_room_for_is_listed_in_parts(app: App) -> None:
    releases = "".join(f"## Version 1.{n} / 2026-11-22\n\nFixes.\n\n" for n in range(3000))
    fill(app, ["# Before\n", f"# Changelog\n\n{releases}", "# After\n"])
    entries = joined_entries(app, 1000)
    assert entries == ask(app, "list_pages", {}).pages
    assert [len(entry.headings) for entry in entries] == [1, 3001, 1]


def test_behind_a_heading_that_the_bound_has_no_room_for_the_cursor_in_the_error_goes_on(app: App) -> None:
    fill(app, [f"# Top\n\n## {'long ' * 3_000}\n\n## Last\n", "# After\n"])
    first = ask(app, "list_pages", {"max_tokens": 500})
    assert [entry.headings for entry in first.pages] == [["Top"]]
    with pytest.raises(InvalidInput, match="Raise it, or go on behind it with cursor") as caught:
        ask(app, "list_pages", {"max_tokens": 500, "cursor": first.next_cursor})
    behind = caught.value.message.rpartition(" ")[2]
    rest = ask(app, "list_pages", {"max_tokens": 500, "cursor": behind})
    assert [(entry.file_path, entry.headings) for entry in rest.pages] == [("0.md", ["Last"]), ("1.md", ["After"])]


def fill(app: App, files: list[str]) -> None:
    folder = app.collection().spec.source
    for path in folder.iterdir():
        path.unlink()
    for n, text in enumerate(files):
        (folder / f"{n}.md").write_bytes(text.encode())


def joined(app: App, tool: str, arguments: Mapping[str, object], limit: int) -> str:
    return "".join(part.content for part in pages(app, tool, arguments, limit))


def pages(app: App, tool: str, arguments: Mapping[str, object], limit: int) -> Iterator[Any]:
    """All parts of an answer; each keeps the bound."""
    cursor: str | None = None
    while True:
        answer = ask(app, tool, {**arguments, "max_tokens": limit, "cursor": cursor})
        said = json.dumps(answer.model_dump(mode="json"), ensure_ascii=False, separators=(",", ":"))
        assert max(app.embedder.tokenizer.count(said), len(said.encode()) // 4) <= limit
        yield answer
        cursor = answer.next_cursor
        assert (answer.truncated is True) == (cursor is not None)
        if cursor is None:
            return


def ask(app: App, tool: str, arguments: Mapping[str, object]) -> Any:
    return app.toolbox.call(tool, arguments, Call())
