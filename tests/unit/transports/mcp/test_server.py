"""The MCP transport over real standard input and output, with tools of its own, in both protocol generations."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from types import ModuleType
from typing import Any, cast

import jsonschema
import pytest

from pincite.transports.mcp.server import build
from pincite.transports.served import ServedApp
from support.raw_client import PARLOUR
from support.serving import MakeApp
from support.waiting import pause, wait_for
from support.wire import ERAS, HANDSHAKE, STATELESS, Refused, Wire

Start = Callable[..., Wire]


@pytest.fixture(scope="module", params=ERAS)
def wire(request: pytest.FixtureRequest) -> Iterator[Wire]:
    with Wire(PARLOUR, os.environ, era=request.param) as started:
        yield started.open()


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts a server of its own."""
    with ExitStack() as stack:

        def started(era: str = HANDSHAKE, **env: str) -> Wire:
            held: AbstractContextManager[Wire] = Wire(PARLOUR, {**os.environ, **env}, era=era)
            return stack.enter_context(held)

        yield started


def text(result: dict[str, Any]) -> str:
    (content,) = result["content"]
    assert content["type"] == "text"
    return content["text"]


def progress(wire: Wire, token: str) -> list[dict[str, Any]]:
    return [
        n["params"]
        for n in wire.notes
        if n["method"] == "notifications/progress" and n["params"]["progressToken"] == token
    ]


def logged(wire: Wire, words: str) -> bool:
    """Whether the log holds these words, now or within some seconds."""
    return wait_for(lambda: words in "".join(wire.log))


class TestOpening:
    def test_the_server_names_itself_and_says_how_to_use_it(self, wire: Wire) -> None:
        meta = wire.opening.get("_meta", {})
        info = wire.opening.get("serverInfo") or meta["io.modelcontextprotocol/serverInfo"]
        assert info["name"] == "pincite" and info["version"]
        assert wire.opening["instructions"].startswith("A house with a parlour. ")
        assert "search_docs" in wire.opening["instructions"]
        assert wire.opening["instructions"].count(". ") == 4

    def test_it_has_tools_that_do_not_change_and_resources_that_do(self, wire: Wire) -> None:
        # The later generation has one switch for all lists: whether changes can be listened to.
        assert wire.opening["capabilities"] == {
            "tools": {"listChanged": wire.era != HANDSHAKE},
            "prompts": {"listChanged": wire.era != HANDSHAKE},
            "resources": {"listChanged": True, "subscribe": True},
        }


class TestListing:
    def test_tools_are_listed_in_the_order_in_which_they_are_written(self, wire: Wire) -> None:
        names = [tool["name"] for tool in wire.request("tools/list")["tools"]]
        assert names == ["say", "chatter", "tell_the_time", "oblivious", "patient", "staged", "fail", "was_stopped"]

    def test_a_tool_shows_schemas_annotations_and_how_long_its_results_may_be(self, wire: Wire) -> None:
        say, chatter, *_ = wire.request("tools/list")["tools"]
        assert say["title"] == "Say"
        assert say["description"] == "Say something, as `words`."
        assert say["inputSchema"]["required"] == ["words"]
        assert set(say["outputSchema"]["properties"]) == {"index", "said", "nothing", "names", "left_out"}
        assert say["annotations"] == {
            "readOnlyHint": True,
            "openWorldHint": False,
        }
        assert chatter["annotations"] == {
            "readOnlyHint": False,
            "destructiveHint": True,
            "idempotentHint": False,
            "openWorldHint": True,
        }
        assert say["_meta"] == {"anthropic/maxResultSizeChars": 1000}
        assert "_meta" not in chatter

    def test_where_the_protocol_has_cache_hints_they_are_given(self, wire: Wire) -> None:
        listed = wire.request("tools/list")
        hints = {key: listed[key] for key in ("ttlMs", "cacheScope") if key in listed}
        assert hints == ({"ttlMs": 3_600_000, "cacheScope": "public"} if wire.era == STATELESS else {})

    def test_there_is_one_page(self, wire: Wire) -> None:
        with pytest.raises(Refused) as caught:
            wire.request("tools/list", {"cursor": "x"})
        assert caught.value.code == -32602


class TestCalling:
    def test_an_answer_is_structured_and_the_same_as_text(self, wire: Wire) -> None:
        result = wire.call("say", {"words": "grüß <Gott>"})
        index = {"generation": 7, "checked_at": "1970-01-01T00:00:00.000Z", "pending": 0, "stale": False}
        assert result["structuredContent"] == {"index": index, "said": "grüß <Gott>", "nothing": None}
        assert json.loads(text(result)) == result["structuredContent"]
        assert not result["isError"]

    def test_it_validates_against_the_declared_schema(self, wire: Wire) -> None:
        say, *_ = wire.request("tools/list")["tools"]
        jsonschema.Draft202012Validator.check_schema(say["outputSchema"])
        jsonschema.validate(wire.call("say", {"words": "a"})["structuredContent"], say["outputSchema"])

    def test_a_known_failure_is_a_result_that_names_the_next_action(self, wire: Wire) -> None:
        result = wire.call("fail")
        assert (result["isError"], text(result)) == (True, "There is no such thing. Ask for another.")
        assert "structuredContent" not in result

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({}, "words parameter is required"),
            ({"words": 1}, "words should be text, not 1"),
            ({"wrods": "a"}, "Unknown argument 'wrods' for say. Did you mean 'words'?"),
        ],
    )
    def test_a_wrong_argument_is_a_result_in_our_own_words(
        self, wire: Wire, arguments: dict[str, Any], message: str
    ) -> None:
        result = wire.call("say", arguments)
        assert (result["isError"], text(result)) == (True, message)

    def test_an_unknown_tool_is_a_protocol_error_as_the_protocol_says(self, wire: Wire) -> None:
        with pytest.raises(Refused) as caught:
            wire.call("sya")
        assert (caught.value.code, caught.value.message) == (-32602, "Unknown tool: 'sya'. Did you mean 'say'?")

    @pytest.mark.parametrize("how", ["unknown", "shape"])
    def test_an_unknown_failure_is_masked_and_its_id_is_in_the_log(self, wire: Wire, how: str) -> None:
        result = wire.call("fail", {"how": how})
        said, _, request_id = text(result).rstrip(".").rpartition(" ")
        assert result["isError"] and said == "fail failed. The server's log says why, under request id"
        assert "secret" not in json.dumps(result)
        assert logged(wire, request_id)

    def test_a_name_that_is_no_utf_8_does_not_end_the_server(self, wire: Wire) -> None:
        answer = wire.call("fail", {"how": "surrogate"})["structuredContent"]
        assert (answer["said"], answer["nothing"], answer["names"]) == ("b\ufffd", "a\ufffd", ["a", "\ufffd"])
        assert wire.call("say", {"words": "still here"})["structuredContent"]["said"] == "still here"

    def test_nothing_but_messages_is_on_standard_output(self, start: Start) -> None:
        wire = start().open()
        assert wire.call("chatter")["structuredContent"]["said"] == "done"
        assert wire.end() == 0
        assert not wire.stray
        assert all(logged(wire, words) for words in ("printed", "written late", "written to the descriptor", "echoed"))

    def test_an_unknown_method_is_refused(self, wire: Wire) -> None:
        with pytest.raises(Refused) as caught:
            wire.request("tools/nothing")
        assert caught.value.code == -32601


class TestTime:
    def test_a_tool_that_takes_no_notice_of_its_limit_is_answered_for(self, wire: Wire) -> None:
        result = wire.call("oblivious")
        assert result["isError"]
        assert text(result) == "oblivious did not finish within 0.2 seconds. Ask for less, or ask again later."

    def test_calls_run_side_by_side(self, wire: Wire) -> None:
        slow = wire.ask("tools/call", {"name": "patient", "arguments": {"steps": 30}})
        assert wire.call("say", {"words": "quick"})["structuredContent"]["said"] == "quick"
        assert wire.await_answer(slow)["structuredContent"]["said"] == "patient"

    def test_no_more_calls_run_at_a_time_than_the_setting_says_and_abandoned_ones_count(self, start: Start) -> None:
        wire = start(PINCITE_CONCURRENT_CALLS="1").open()
        assert "did not finish" in text(wire.call("oblivious", {"seconds": 1.2}))
        assert wire.call("say", {"words": "a"})["structuredContent"].get("names") is None

    def test_a_cancelled_call_stops_and_is_not_answered(self, wire: Wire) -> None:
        number = wire.ask(
            "tools/call", {"name": "patient", "arguments": {"steps": 3000}, "_meta": {"progressToken": "c"}}
        )
        assert wait_for(lambda: progress(wire, "c"))
        wire.send({"method": "notifications/cancelled", "params": {"requestId": number}})
        assert wire.call("was_stopped")["structuredContent"]["said"] == "True"
        with pytest.raises(TimeoutError):
            wire.await_answer(number, 0.1)


class TestProgress:
    def test_progress_is_sent_to_a_client_that_asked_for_it(self, wire: Wire) -> None:
        wire.call("patient", {"steps": 60}, token="p1")  # noqa: S106 - a progress token
        sent = progress(wire, "p1")
        assert len(sent) > 2
        assert sent[0]["total"] == 60 and sent[0]["message"].startswith("step ")

    def test_it_rises_and_is_not_sent_for_every_step(self, wire: Wire) -> None:
        wire.call("patient", {"steps": 100, "pause": 0.002}, token="p2")  # noqa: S106 - a progress token
        values = [note["progress"] for note in progress(wire, "p2")]
        assert values == sorted(set(values)) and len(values) < 20

    def test_a_stage_that_counts_from_its_beginning_goes_on_from_the_one_before(self, wire: Wire) -> None:
        wire.call("staged", token="0")  # noqa: S106 - a progress token
        sent = progress(wire, "0")
        values = [note["progress"] for note in sent]
        assert values == sorted(set(values)) and values[-1] > 5
        assert {note["message"] for note in sent} == {"reading", "embedding"}

    def test_a_failure_is_told_as_without_progress(self, wire: Wire) -> None:
        result = wire.call("fail", token="p3")  # noqa: S106 - a progress token
        assert (result["isError"], result["content"][0]["text"]) == (True, "There is no such thing. Ask for another.")

    def test_none_is_sent_to_a_client_that_did_not_ask(self, wire: Wire) -> None:
        before = len(wire.notes)
        wire.call("patient", {"steps": 30})
        assert len(wire.notes) == before


class TestTracing:
    def test_spans_are_made_only_where_something_may_take_them(
        self, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        app = cast("ServedApp", make_app())
        monkeypatch.delitem(sys.modules, "opentelemetry.sdk", raising=False)
        assert len(build(app).middleware) == 1
        monkeypatch.setitem(sys.modules, "opentelemetry.sdk", ModuleType("opentelemetry.sdk"))
        tracing, _ = build(app).middleware
        assert type(tracing).__name__ == "OpenTelemetryMiddleware"


class TestBeginningAndEnd:
    @pytest.mark.parametrize("era", ERAS)
    def test_work_ahead_begins_after_the_first_answer(self, start: Start, era: str) -> None:
        wire = start(era)
        pause(1, "nothing may begin")
        assert "house.began" not in "".join(wire.log)
        wire.open()
        assert logged(wire, "house.began")
        wire.call("say", {"words": "a"})
        assert wire.end() == 0
        assert "".join(wire.log).count("house.began") == 1
        assert "house.closed" in "".join(wire.log)

    def test_a_client_that_leaves_at_once_starts_no_work(self, start: Start) -> None:
        wire = start()
        assert wire.end() == 0
        assert "house.began" not in "".join(wire.log)

    @pytest.mark.parametrize("mood", ["known", "unknown"])
    def test_work_ahead_that_fails_is_logged_and_calls_go_on(self, start: Start, mood: str) -> None:
        wire = start(PARLOUR=mood).open()
        assert logged(wire, "indexing.not_begun")
        assert wire.call("say", {"words": "a"})["structuredContent"]["said"] == "a"

    def test_tools_that_cannot_be_made_are_a_masked_error(self, start: Start) -> None:
        wire = start(PARLOUR="shut").open()
        for method, params in (("tools/list", {}), ("tools/call", {"name": "say"})):
            with pytest.raises(Refused) as caught:
                wire.request(method, params)
            assert caught.value.code == -32603 and "secret" not in caught.value.message
        assert logged(wire, "/secret/place")

    @pytest.mark.parametrize("mood", ["", "busy", "stuck"])
    def test_the_end_of_the_input_ends_the_server_at_once_with_0(self, start: Start, mood: str) -> None:
        wire = start(PARLOUR=mood).open()
        assert logged(wire, "house.began")
        wire.ask("tools/call", {"name": "patient", "arguments": {"steps": 10_000}})
        wire.ask("tools/call", {"name": "oblivious"})
        assert wire.end() == 0

    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
    def test_a_signal_ends_the_server_cleanly(self, start: Start, number: signal.Signals) -> None:
        wire = start(PARLOUR="busy").open()
        assert logged(wire, "house.began")
        wire.process.send_signal(number)
        assert wire.wait() == 0
        assert "house.closed" in "".join(wire.log)
        assert "Traceback" not in "".join(wire.log)

    def test_a_client_that_goes_away_in_the_middle_is_no_failure(self) -> None:
        with subprocess.Popen(
            PARLOUR, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            assert process.stdin is not None and process.stdout is not None
            process.stdout.close()
            for number in range(3):
                process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": "ping"}).encode() + b"\n")
                process.stdin.flush()
            pause(1, "nobody reads the answers")
            _, log = process.communicate(timeout=60)
        assert process.returncode == 0
        assert b"Traceback" not in log
