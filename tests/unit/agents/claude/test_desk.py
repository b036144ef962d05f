import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pincite.agents.claude.desk import BUILD, READ, SEARCH, TOOLS, UNSEARCHED, VALIDATE, Desk
from pincite.errors import Cancelled, NotFound, TimeoutExceeded
from pincite.model.call import Call
from pincite.toolkit import Scope
from support.agents import Bench, bench


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    with bench(tmp_path_factory.mktemp("data")) as made:
        yield made


@pytest.fixture
def desk(data: Bench) -> Desk:
    blob = data.app.parts.extraction.files.read_blob(str(data.file))
    name = data.app.cached.of(blob, Call(), "elements").spec.name
    return Desk(
        data.app.toolbox.only(TOOLS, Scope(frozenset({name}), frozenset({data.file}))),
        data.file,
    )


def test_the_file_has_another_name_for_the_model(desk: Desk) -> None:
    assert desk.file_name == "document.md"
    built = desk.call(BUILD, {"file_path": "document.md"}, Call())
    assert not built.is_error and "original" not in built.text


def test_search_is_the_bare_array_of_the_contract(desk: Desk) -> None:
    index_id = json.loads(desk.call(BUILD, {"file_path": "document.md"}, Call()).text)["index_id"]
    hits = json.loads(desk.call(SEARCH, {"index_id": index_id, "query": "weight"}, Call()).text)
    assert isinstance(hits, list) and "25 kg" in hits[0]["snippet"]


def test_a_read_comes_after_a_search(desk: Desk) -> None:
    index_id = json.loads(desk.call(BUILD, {"file_path": "document.md"}, Call()).text)["index_id"]
    read = {"index_id": index_id, "locator": "h2-c1"}
    assert json.loads(desk.call(READ, read, Call()).text) == {"error": UNSEARCHED}
    desk.call(SEARCH, {"index_id": index_id, "query": "weight"}, Call())
    assert "IP65" in desk.call(READ, read, Call()).text


def test_a_failure_is_a_result_that_says_what_to_do(desk: Desk) -> None:
    failed = desk.call(SEARCH, {"index_id": "nothing", "query": "weight"}, Call())
    assert failed.is_error and "Call doc_index_build first" in json.loads(failed.text)["error"]
    assert desk.call(SEARCH, {"question": 1}, Call()).is_error


def test_there_is_no_other_tool(desk: Desk) -> None:
    assert "There is no tool 'Bash'" in desk.call("Bash", {}, Call()).text


def test_calls_are_counted_and_reported(desk: Desk) -> None:
    seen: list[tuple[float, str]] = []
    call = Call(progress=lambda done, _total, message: seen.append((done, message)))
    for name in (VALIDATE, "Bash"):
        desk.call(name, {"schema": {"a": "string"}, "data": {}}, call)
    assert seen == [(1, VALIDATE), (2, "an unknown tool")] and desk.calls == 2


def test_a_call_that_is_over_is_no_result(desk: Desk) -> None:
    call = Call()
    call.stop.set()
    with pytest.raises(Cancelled):
        desk.call(VALIDATE, {"schema": {"a": "string"}}, call)
    with pytest.raises(TimeoutExceeded):
        desk.call(VALIDATE, {"schema": {"a": "string"}}, replace(Call(), deadline=time.monotonic() - 1))


def test_a_desk_has_all_four_tools_or_there_is_none(data: Bench) -> None:
    few = data.app.toolbox.only([VALIDATE], Scope(frozenset()))
    with pytest.raises(NotFound):
        assert Desk(few, Path("a.md")).tools
