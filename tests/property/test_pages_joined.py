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
from pincite.services.bounds import MOST_TOKENS
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
LIMITS = st.integers(1000, 2000) | st.integers(1000, MOST_TOKENS)
"""From where what stands around a text leaves room for it."""

LARGEST_ENTRY = 4000
"""Tokens that a list says of one page with very many headings; a smaller bound is refused."""

FILES = st.lists(TEXTS, min_size=1, max_size=3)


@pytest.fixture(scope="module")
def app() -> Iterator[App]:
    """An application over a folder that the examples fill."""
    place = Path(tempfile.mkdtemp())
    (place / "docs").mkdir()
    values = {"PINCITE_CACHE": place / "cache", "EMBEDDING_PROVIDER": "hash", "PINCITE_FRESH_BUDGET": "inf"}
    made = App(load(values), place / "docs")
    yield made
    made.close()
    shutil.rmtree(place)


@settings(max_examples=15, deadline=None)
@given(files=FILES, limit=LIMITS, context=st.integers(0, 20))
def test_every_text_tool(app: App, files: list[str], limit: int, context: int) -> None:
    check(app, files, limit, context)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@settings(max_examples=500, deadline=None)
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
            == ask(app, "open_citation", {**cited, "max_tokens": MOST_TOKENS}).content
        )
    entries = [entry for part in pages(app, "list_pages", {}, max(limit, LARGEST_ENTRY)) for entry in part.pages]
    assert entries == ask(app, "list_pages", {}).pages
    assert [entry.file_path for entry in entries] == [f"{n}.md" for n in range(len(files))]


def fill(app: App, files: list[str]) -> None:
    for path in app.root.iterdir():
        path.unlink()
    for n, text in enumerate(files):
        (app.root / f"{n}.md").write_bytes(text.encode())


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
