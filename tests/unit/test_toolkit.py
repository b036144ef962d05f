"""The toolkit, against a toolset of its own."""

import json
import logging
import threading
import time
from collections.abc import Generator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field

from pincite.errors import Cancelled, ErrorForm, InternalError, InvalidInput, NotFound, PinciteError, TimeoutExceeded
from pincite.model.call import Call
from pincite.model.status import Freshness
from pincite.toolkit import TOOL_EVENTS, Answer, Events, Scope, Tool, Toolbox, optional, tool, tools_of, validated


class Thing(BaseModel):
    title: str
    named_null: str | None
    left_out: str | None = optional("Only where it says something.")


class Said(Answer):
    said: str
    things: list[Thing] = Field(default_factory=list[Thing])


@dataclass(frozen=True)
class StillView:
    freshness: Freshness


STILL = StillView(Freshness(generation=7, checked_at=0.0))


@contextmanager
def still() -> Generator[StillView]:
    yield STILL


class Parlour:
    name = "parlour"
    error_form = ErrorForm.MESSAGE
    events = TOOL_EVENTS

    def __init__(self, scope: Scope | None = None) -> None:
        self.scope = scope

    def view(self, tool: Tool, arguments: Mapping[str, Any], call: Call) -> AbstractContextManager[StillView] | None:
        del arguments, call
        return None if tool.name == "name_scope" else still()

    @tool()
    def say(
        self,
        view: StillView,
        title: Annotated[str, Field(description="What to say.")],
        times: Annotated[int, Field(description="How often.", ge=1, le=9)] = 1,
        loud: bool = False,
        manner: Literal["plain", "sung"] = "plain",
        to: str | None = None,
        either: int | str | None = None,
    ) -> Said:
        """Say something,
        as often as you like.
        """
        words = [title] * times + [to or "", str(loud), manner, "" if either is None else str(either)]
        return Said(said=" ".join(words).strip(), things=[Thing(title=str(view.freshness.generation), named_null=None)])

    @tool(semantic=True, seconds=0.05, result_chars=1000)
    def wait(self, call: Call) -> Said:
        """Wait until the time is over."""
        while True:
            call.check()
            time.sleep(0.001)

    @tool()
    def fail(self, known: bool = True) -> Said:
        """Fail."""
        if known:
            raise NotFound("There is no such thing. Ask for another.")
        raise KeyError("/secret/place")

    @tool(read_only=False, open_world=True)
    def name_scope(self, view: StillView | None = None) -> Said:
        """Name what may be read."""
        assert view is None
        return Said(said="everything" if self.scope is None else " ".join(sorted(self.scope.collections)))

    def aside(self) -> str:
        return "not a tool"


Nick = Annotated[str | None, Field(min_length=1, max_length=8)]


class Desk(Parlour):
    """A toolset that names its own events."""

    name = "desk"
    events = Events(
        start="query_received",
        success="query_complete",
        known_error="query_failed",
        received=lambda arguments: {"filters": sorted(arguments)},
        completed=lambda answer, seconds: {"said": answer.model_dump()["said"], "timed": seconds >= 0},
        problem="error_message",
        level=logging.ERROR,
    )

    @tool(refuse_empty=True)
    def ask(self, nick: Nick = None, share: Annotated[float, Field(ge=0)] = 0) -> Said:
        """Ask for someone."""
        return Said(said=f"{nick or 'nobody'} {share:g}")

    @tool()
    def guess(self, nick: Nick = None) -> Said:
        """Guess who it is."""
        if nick:
            raise NotFound("There is no such thing. Ask for another.")
        return Said(said="nobody")


@pytest.fixture
def toolbox() -> Toolbox:
    return Toolbox([Parlour], seconds=30)


def problem(toolbox: Toolbox, name: str, arguments: dict[str, object] | None) -> PinciteError:
    with pytest.raises(PinciteError) as caught:
        toolbox.call(name, arguments, Call())
    return caught.value


def test_the_tools_are_the_marked_methods_in_the_order_in_which_they_are_written(toolbox: Toolbox) -> None:
    assert [t.name for t in toolbox.tools] == ["say", "wait", "fail", "name_scope"]
    assert [t.name for t in tools_of(Parlour())] == ["say", "wait", "fail", "name_scope"]
    assert {t.toolset for t in toolbox.tools} == {"parlour"}


def test_a_tool_is_described_by_its_docstring_on_one_line(toolbox: Toolbox) -> None:
    assert toolbox.find("say").description == "Say something, as often as you like."


def test_the_input_schema_has_no_titles_no_nulls_and_no_room_for_more(toolbox: Toolbox) -> None:
    assert toolbox.find("say").input_schema == {
        "type": "object",
        "additionalProperties": False,
        "required": ["title"],
        "properties": {
            "title": {"type": "string", "description": "What to say."},
            "times": {"type": "integer", "description": "How often.", "minimum": 1, "maximum": 9, "default": 1},
            "loud": {"type": "boolean", "default": False},
            "manner": {"type": "string", "enum": ["plain", "sung"], "default": "plain"},
            "to": {"type": "string"},
            "either": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        },
    }


def test_the_given_parameters_are_no_arguments(toolbox: Toolbox) -> None:
    assert toolbox.find("wait").input_schema == {"type": "object", "additionalProperties": False, "properties": {}}
    assert toolbox.find("wait").injected == ("call",)
    assert toolbox.find("say").injected == ("view",)


def test_marks_are_kept(toolbox: Toolbox) -> None:
    wait, say = toolbox.find("wait"), toolbox.find("say")
    assert (wait.semantic, wait.seconds, wait.result_chars) == (True, 0.05, 1000)
    assert (say.semantic, say.seconds, say.result_chars) == (False, None, None)
    assert (say.read_only, say.open_world, say.error_form) == (True, False, ErrorForm.MESSAGE)
    name_scope = toolbox.find("name_scope")
    assert (name_scope.read_only, name_scope.open_world) == (False, True)


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


def test_null_means_the_default(toolbox: Toolbox) -> None:
    nulls = {"title": "a", "times": None, "loud": None, "manner": None, "to": None, "either": None}
    assert validated(toolbox.find("say"), nulls) == validated(toolbox.find("say"), {"title": "a"})


def test_no_arguments_at_all_are_no_arguments(toolbox: Toolbox) -> None:
    assert problem(toolbox, "say", None).message == "title parameter is required"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "title parameter is required"),
        ({"title": None}, "title parameter is required"),
        ({"title": 3}, "title should be text, not 3"),
        ({"title": "a", "times": "many"}, "times should be a whole number, not 'many'"),
        ({"title": "a", "times": 1.5}, "times should be a whole number, not 1.5"),
        ({"title": "a", "times": 0}, "times should be 1 to 9, not 0"),
        ({"title": "a", "times": 10}, "times should be 1 to 9, not 10"),
        ({"title": "a", "loud": "perhaps"}, "loud should be true or false, not 'perhaps'"),
        ({"title": "a", "manner": "hummed"}, "manner should be 'plain' or 'sung', not 'hummed'"),
        ({"title": "a", "to": ["b"]}, "to should be text, not ['b']"),
        ({"title": "a", "either": [1]}, "either should be a whole number, not [1]"),
        ({"titel": "a"}, "Unknown argument 'titel' for say. Did you mean 'title'?"),
        ({"zzz": 1}, "Unknown argument 'zzz' for say. Known: title, times, loud, manner, to, either."),
        ({"title": "a", "call": 1}, "Unknown argument 'call' for say. Known: title, times, loud, manner, to, either."),
        ({"title": ["x" * 200]}, "title should be text, not ['" + "x" * 57 + "…"),
    ],
)
def test_a_wrong_argument_is_refused_in_our_own_words(
    toolbox: Toolbox, arguments: dict[str, object], message: str
) -> None:
    error = problem(toolbox, "say", arguments)
    assert (error.code, error.message) == ("invalid_input", message)


def test_an_empty_text_counts_as_missing_unless_the_tool_refuses_it() -> None:
    desk = Toolbox([Desk], seconds=30)
    assert desk.call("guess", {"nick": ""}, Call()).model_dump()["said"] == "nobody"
    assert str(problem(desk, "ask", {"nick": ""})) == "nick should be 1 to 8 characters, not ''"


def test_a_range_is_named_whole_and_an_open_one_by_its_end() -> None:
    desk = Toolbox([Desk], seconds=30)
    assert str(problem(desk, "ask", {"nick": "x" * 9})) == "nick should be 1 to 8 characters, not 'xxxxxxxxx'"
    assert str(problem(desk, "ask", {"share": -1})) == "share should be greater than or equal to 0, not -1"


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


def test_a_tool_without_arguments_says_that_it_has_none(toolbox: Toolbox) -> None:
    assert problem(toolbox, "wait", {"x": 1}).message == "Unknown argument 'x' for wait. Known: none."


def test_a_number_written_as_text_is_a_number(toolbox: Toolbox) -> None:
    assert validated(toolbox.find("say"), {"title": "a", "times": "3"})["times"] == 3


def test_an_unknown_tool_is_refused_with_the_nearest_name(toolbox: Toolbox) -> None:
    assert problem(toolbox, "sya", {}).message == "Unknown tool: 'sya'. Did you mean 'say'?"
    assert problem(toolbox, "q" * 500, {}).message.endswith("…. Known: say, wait, fail, name_scope.")


def test_a_call_over_its_limit_is_ended_by_the_tool_that_asks(toolbox: Toolbox) -> None:
    assert isinstance(problem(toolbox, "wait", {}), TimeoutExceeded)


def test_an_earlier_deadline_of_the_caller_stands() -> None:
    start = time.monotonic()
    with pytest.raises(TimeoutExceeded):
        Toolbox([Parlour], seconds=30).call("wait", {}, Call(deadline=start))
    assert time.monotonic() - start < 20


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
        ("fail", {"known": False}, "tool.unhandled_error", logging.ERROR),
    ],
)
def test_every_call_logs_its_start_and_its_end(
    toolbox: Toolbox, caplog: pytest.LogCaptureFixture, name: str, arguments: dict[str, object], event: str, level: int
) -> None:
    caplog.set_level(logging.INFO, "pincite")
    with suppress(InvalidInput, InternalError):
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


def test_schemas_are_plain_json(toolbox: Toolbox) -> None:
    for each in toolbox.tools:
        json.dumps([each.input_schema, each.output_schema])
        assert '"title": "' not in json.dumps(each.output_schema)


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
