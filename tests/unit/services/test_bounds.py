"""No answer exceeds its bound, and its pages joined are the whole."""

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from pincite.embedding.wordpiece import WordPiece
from pincite.errors import Cancelled, InvalidInput
from pincite.model.call import Call
from pincite.services.bounds import Bounded, Taken, bound, continued
from pincite.toolkit import ResponseModel
from support.serving import MakeApp

TOKENS = WordPiece()
TEXTS = st.lists(
    st.text(alphabet=st.sampled_from('ab \n|-#日é"\\\t') | st.characters(), max_size=400)
    | st.just("long" * 300)
    | st.just("plain words in a row " * 40),
    max_size=8,
)


class Entry(ResponseModel):
    number: int
    text: str


class Answer(Bounded):
    title: str
    entries: list[Entry]


def size(answer: BaseModel) -> int:
    said = json.dumps(answer.model_dump(mode="json", exclude_none=True), ensure_ascii=False, separators=(",", ":"))
    return max(TOKENS.count(said), len(said.encode("utf-8", "surrogatepass")) // 4)


def answer(
    texts: list[str],
    most: int | None,
    cursor: str | None,
    stamp: str = "r1",
    call: str = "x",
    deadline: float | None = None,
) -> Answer:
    limit = bound(TOKENS, stamp, [call], most, cursor)
    made = Call(deadline=deadline)
    whole = Answer(title="A title", entries=[])
    taken, following = limit.take(made, texts, whole, lambda n: Entry(number=n, text=""))
    entries = [Entry(number=part.text, text=texts[part.text][part.start : part.end]) for part in taken]
    return whole.model_copy(update={"entries": entries, **continued(made, following)})


@settings(max_examples=200)
@given(TEXTS, st.integers(300, 3000))
def test_pages_joined_are_the_whole_and_none_exceeds_its_bound(texts: list[str], most: int) -> None:
    joined = [""] * len(texts)
    seen: set[int] = set()
    cursor: str | None = None
    while True:
        page = answer(texts, most, cursor)
        assert size(page) <= most
        for entry in page.entries:
            joined[entry.number] += entry.text
            seen.add(entry.number)
        cursor = page.next_cursor
        assert page.truncated == (True if cursor else None)
        if cursor is None:
            break
        assert page.entries
    assert joined == texts
    assert seen == set(range(len(texts)))


def test_without_a_bound_an_answer_is_complete() -> None:
    page = answer(["a" * 100_000, "b"], None, None)
    assert [len(entry.text) for entry in page.entries] == [100_000, 1]
    assert page.truncated is None


@pytest.mark.parametrize("texts", [["word " * 500], ["word"], []], ids=["long", "short", "none"])
@pytest.mark.parametrize("most", [1, 20, 100])
def test_a_bound_that_is_too_small_for_what_surrounds_the_text_is_refused(most: int, texts: list[str]) -> None:
    with pytest.raises(InvalidInput, match=r"max_tokens is too small: without any text the answer takes \d+\. Raise"):
        answer(texts, most, None)


def test_an_answer_is_cut_at_the_end_of_a_line_or_word() -> None:
    page = answer(["some words and a line\n" * 200], 500, None)
    assert page.entries[0].text.endswith("line\n")
    page = answer(["some words " * 400], 500, None)
    assert page.entries[0].text.endswith(" ")


def test_an_entry_that_does_not_fit_without_its_text_asks_for_a_greater_bound() -> None:
    limit = bound(TOKENS, "r", [], 300, None)
    fields = Entry(number=0, text="word " * 999)
    with pytest.raises(InvalidInput, match=r"max_tokens is too small: with the next entry the answer takes") as refused:
        limit.take(
            Call(), ["", "b"], Answer(title="", entries=[]), lambda n: Entry(number=n, text="word " * 999 * (1 - n))
        )
    needed, cursor = re.findall(r"takes (\d+)|cursor (\S+)", refused.value.message)
    behind = bound(TOKENS, "r", [], 300, cursor[1])
    assert behind.take(Call(), ["", "b"], Answer(title="", entries=[])) == ([Taken(1, 0, 1)], None)
    enough = bound(TOKENS, "r", [], int(needed[0]), None)
    assert enough.take(Call(), [""], Answer(title="", entries=[]), lambda _: fields) == ([Taken(0, 0, 0)], None)


def test_a_cursor_of_another_call_is_refused() -> None:
    cursor = answer(["word " * 2000], 400, None).next_cursor
    with pytest.raises(InvalidInput, match="belongs to another call"):
        answer(["word " * 2000], 400, cursor, call="y")


def test_a_change_between_two_pages_is_an_error_that_says_so() -> None:
    cursor = answer(["word " * 2000], 400, None).next_cursor
    with pytest.raises(InvalidInput, match="have changed since the previous answer"):
        answer(["word " * 2000], 400, cursor, stamp="r2")


@given(st.text(max_size=60))
def test_anything_else_is_no_cursor(cursor: str) -> None:
    with pytest.raises(InvalidInput, match="belongs to another call"):
        answer(["text"], 400, cursor)


@pytest.mark.parametrize("most", [0, -5, 20_001])
def test_a_bound_out_of_its_range_is_refused(most: int) -> None:
    with pytest.raises(InvalidInput, match="max_tokens should be 1 to 20000"):
        bound(TOKENS, "r", [], most, None)


PAGE = "".join(
    f"# Part {n}\n\n" + f'Sentence {n} of the part, with "quotes" and\ttabs.\n' * n + "\n" for n in range(60)
)


@pytest.mark.parametrize(
    ("tool", "arguments", "most"),
    [
        ("get_page", {"file_path": "a.md"}, 700),
        ("get_section", {"file_path": "a.md", "heading_path": "Part 59"}, 500),
        ("list_pages", {}, 4000),
        ("list_pages", {"prefix": "a.md"}, 700),
        ("list_pages", {"prefix": "many"}, 1000),
    ],
)
def test_every_text_tool_keeps_its_bound_and_loses_nothing(
    folder: Path, make_app: MakeApp, tool: str, arguments: dict[str, str], most: int
) -> None:
    (folder / "a.md").write_text(PAGE)
    (folder / "many").mkdir()
    for n in range(40):
        (folder / "many" / f"{n:02}.md").write_text(f"# Page {n}\n\n## One\n\n## Two\n")
    app = make_app(PINCITE_ANSWER_TOKENS="0")
    whole = app.toolbox.call(tool, arguments, Call()).model_dump()
    pages: list[dict[str, Any]] = []
    cursor: object = None
    while cursor is not None or not pages:
        got = app.toolbox.call(tool, {**arguments, "max_tokens": most, "cursor": cursor}, Call())
        assert size(got) <= most
        pages.append(got.model_dump())
        cursor = pages[-1].get("next_cursor")
    assert len(pages) > 1
    assert joined(tool, pages) == joined(tool, [whole])


def joined(tool: str, pages: list[dict[str, Any]]) -> object:
    if tool == "get_section":
        return "".join(str(page["content"]) for page in pages)
    if tool == "list_pages":
        entries = [entry for page in pages for entry in page["pages"]]
        return [(entry["file_path"], text) for entry in entries for text in [*entry["heading_paths"], ""][:-1]]
    return "".join(chunk["content"] for page in pages for chunk in page["chunks"])


def test_a_list_that_changed_between_two_pages_is_an_error_and_a_new_vector_is_no_change(
    folder: Path, make_app: MakeApp
) -> None:
    for n in range(40):
        (folder / f"{n:02}.md").write_text(f"# Page {n}\n")
    app = make_app()
    first = app.toolbox.call("list_pages", {"max_tokens": 900}, Call()).model_dump()
    app.toolbox.call("search_docs", {"query": "page"}, Call())
    following = {"max_tokens": 900, "cursor": first["next_cursor"]}
    assert app.toolbox.call("list_pages", following, Call()).model_dump()["pages"]
    (folder / "new.md").write_text("# New\n")
    with pytest.raises(InvalidInput, match="have changed"):
        app.toolbox.call("list_pages", following, Call())


@pytest.mark.parametrize("most", [None, 2000])
def test_without_time_an_answer_comes_in_parts_that_say_so_and_join_to_the_whole(most: int | None) -> None:
    texts = ["one", "two", "three"]
    seen: list[str] = []
    cursor: str | None = None
    for left in (2, 1, 0):
        part = answer(texts, most, cursor, deadline=time.monotonic())
        seen += [entry.text for entry in part.entries]
        cursor = part.next_cursor
        assert (part.partial, part.truncated, bool(cursor)) == ((True, True, True) if left else (None, None, False))
    assert seen == texts


def test_an_answer_for_nobody_is_given_up() -> None:
    call = Call()
    call.stop.set()
    with pytest.raises(Cancelled):
        bound(TOKENS, "r", [], None, None).take(call, ["one"], Answer(title="", entries=[]))
