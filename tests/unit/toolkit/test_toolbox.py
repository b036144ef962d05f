"""The toolbox: tools called, limited, logged and restricted."""

import logging
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import pytest

from pincite.errors import Cancelled, ErrorForm, InternalError, InvalidInput, NotFound, TimeoutExceeded
from pincite.model.call import Call
from pincite.toolkit import TOOL_EVENTS, Scope, Tool, Toolbox, tool
from support.sample_toolsets import Desk, Parlour, Said, problem


def test_the_time_limit_is_the_lower_of_the_two(toolbox: Toolbox) -> None:
    assert toolbox.limit(toolbox.find("wait")) == 0.05
    assert toolbox.limit(toolbox.find("say")) == 30


def test_an_answer_says_the_state_of_the_index_that_it_was_taken_from(toolbox: Toolbox) -> None:
    answer = toolbox.call("say", {"title": "hello"}, Call())
    assert answer.model_dump(mode="json")["index"] == {
        "generation": 7,
        "checked_at": "1970-01-01T00:00:00.000Z",
        "pending": 0,
        "stale": False,
    }


def test_a_null_that_the_contract_names_stays_and_an_optional_one_is_left_out(toolbox: Toolbox) -> None:
    answer = toolbox.call("say", {"title": "hello"}, Call()).model_dump(mode="json")
    assert answer["things"] == [{"title": "7", "named_null": None}]
    shape = toolbox.find("say").output_schema["$defs"]["Thing"]
    assert set(shape["properties"]) == {"title", "named_null", "left_out"}
    assert shape["required"] == ["title", "named_null"]


def test_a_toolset_may_name_its_events_and_their_fields(caplog: pytest.LogCaptureFixture) -> None:
    desk = Toolbox([Desk], seconds=30)
    with caplog.at_level(logging.INFO, "pincite.tools"):
        desk.call("ask", {"nick": "Al"}, Call())
        problem(desk, "guess", {"nick": "Bo"})
    logged = [(r.levelname, r.getMessage(), vars(r)) for r in caplog.records]
    assert [entry[:2] for entry in logged] == [
        ("INFO", "query_received"),
        ("INFO", "query_complete"),
        ("INFO", "query_received"),
        ("ERROR", "query_failed"),
    ]
    assert logged[0][2]["filters"] == ["nick"]
    assert (logged[1][2]["said"], logged[1][2]["timed"]) == ("Al 0", True)
    assert logged[3][2]["error_message"] == "There is no such thing. Ask for another."


def test_an_unknown_tool_is_refused_with_the_nearest_name(toolbox: Toolbox) -> None:
    assert problem(toolbox, "sya", {}).message == "Unknown tool: 'sya'. Did you mean 'say'?"
    assert problem(toolbox, "q" * 500, {}).message.endswith("…. Known: say, wait, fail, name_scope.")


def test_a_call_over_its_limit_is_ended_by_the_tool_that_asks(toolbox: Toolbox) -> None:
    assert isinstance(problem(toolbox, "wait", {}), TimeoutExceeded)


def test_an_earlier_deadline_of_the_caller_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    deadlines: list[float | None] = []
    check = Call.check

    def record(call: Call) -> None:
        deadlines.append(call.deadline)
        check(call)

    monkeypatch.setattr(Call, "check", record)
    given = Call(deadline=time.monotonic())
    with pytest.raises(TimeoutExceeded):
        Toolbox([Parlour], seconds=30).call("wait", {}, given)
    assert set(deadlines) == {given.deadline}


def test_a_cancelled_call_stops(toolbox: Toolbox) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        toolbox.call("wait", {}, Call(stop=stop))


def test_a_known_failure_keeps_its_words(toolbox: Toolbox) -> None:
    assert problem(toolbox, "fail", {}).message == "There is no such thing. Ask for another."


def test_an_unknown_failure_is_masked_and_logged_with_the_request_id(
    toolbox: Toolbox, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(InternalError) as caught:
        toolbox.call("fail", {"known": False}, Call(request_id="0123456789ab"))
    assert caught.value.message == "fail failed. The server's log says why, under request id 0123456789ab."
    (record,) = caplog.records
    assert record.exc_info is not None and vars(record)["rid"] == "0123456789ab"


@pytest.mark.parametrize(
    ("name", "arguments", "event", "level"),
    [
        ("say", {"title": "a"}, "tool.success", logging.INFO),
        ("say", {}, "tool.known_error", logging.WARNING),
        ("wait", {}, "tool.timeout", logging.WARNING),
        ("fail", {"known": False}, "tool.unhandled_error", logging.ERROR),
    ],
)
def test_every_call_logs_its_start_and_its_end(
    toolbox: Toolbox, caplog: pytest.LogCaptureFixture, name: str, arguments: dict[str, object], event: str, level: int
) -> None:
    caplog.set_level(logging.INFO, "pincite")
    with suppress(InvalidInput, InternalError, TimeoutExceeded):
        toolbox.call(name, arguments, Call())
    start, record = caplog.records
    assert (start.getMessage(), start.levelno) == ("tool.start", logging.INFO)
    assert (record.getMessage(), record.levelno) == (event, level)
    assert vars(start)["rid"] == vars(record)["rid"]
    assert {"tool", "rid", "elapsed"} <= vars(record).keys()


def test_a_failure_that_no_one_can_mend_by_asking_again_is_an_error_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Broken:
        name = "broken"
        error_form = ErrorForm.MESSAGE
        events = TOOL_EVENTS

        def view(self, tool: Tool, arguments: Mapping[str, Any], call: Call) -> None:
            del tool, arguments, call

        @tool()
        def run(self) -> Said:
            """Run."""
            raise InternalError("Something broke.")

    with pytest.raises(InternalError):
        Toolbox([lambda _: Broken()], seconds=1).call("run", {}, Call())
    assert caplog.records[0].levelno == logging.ERROR


def test_the_answer_of_a_shape_that_needs_no_index_says_nothing_of_one() -> None:
    assert Said(said="x").model_dump(mode="json") == {"said": "x", "things": []}


def test_a_tool_that_needs_no_index_opens_none_and_its_answer_says_nothing_of_one(toolbox: Toolbox) -> None:
    answer = toolbox.call("name_scope", {}, Call())
    assert answer.model_dump(mode="json") == {"said": "everything", "things": []}


def test_a_restricted_toolbox_has_the_named_tools_alone(toolbox: Toolbox) -> None:
    restricted = toolbox.only(["fail", "say"], Scope(frozenset({"guide"})))
    assert [t.name for t in restricted.tools] == ["say", "fail"]
    assert problem(restricted, "name_scope", {}).message == "Unknown tool: 'name_scope'. Known: say, fail."
    assert problem(restricted, "say", {}).message == "title parameter is required"
    assert restricted.limit(restricted.find("say")) == 30
    assert [t.name for t in toolbox.tools] == ["say", "wait", "fail", "name_scope"]


def test_the_toolsets_of_a_restricted_toolbox_see_its_scope_alone(toolbox: Toolbox) -> None:
    scope = Scope(frozenset({"guide", "handbook"}))
    restricted = toolbox.only(["name_scope"], scope)
    assert restricted.call("name_scope", {}, Call()).model_dump()["said"] == "guide handbook"
    narrower = restricted.only(["name_scope"], Scope(frozenset({"handbook", "secrets"})))
    assert narrower.call("name_scope", {}, Call()).model_dump()["said"] == "handbook"
    assert toolbox.call("name_scope", {}, Call()).model_dump()["said"] == "everything"


def test_a_toolbox_cannot_be_restricted_to_a_tool_that_it_does_not_have(toolbox: Toolbox) -> None:
    with pytest.raises(NotFound, match="Did you mean 'say'"):
        toolbox.only(["sya"], Scope(frozenset()))
    restricted = toolbox.only(["say"], Scope(frozenset()))
    with pytest.raises(NotFound, match="Unknown tool: 'fail'"):
        restricted.only(["fail"], Scope(frozenset()))
