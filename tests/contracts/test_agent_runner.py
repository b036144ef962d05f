"""What every runner of the engines that ask a model keeps, against an API that is real but for the model.

Those that start the command line are slow; the client alone takes milliseconds.
"""

import json
import threading
from collections.abc import Sequence

import pytest

from pincite.agents.claude.desk import BUILD, SEARCH, TOOLS
from pincite.errors import AgentFailed, AuthError, Cancelled, ConnectionFailed, RateLimited, TimeoutExceeded
from pincite.model.call import Call
from support.agents import DILIGENT, ENGINES, KEY, Bench, answer, right, tool
from support.scripted_model import (
    Dropped,
    Failure,
    Said,
    Several,
    Silent,
    Step,
    Text,
    ToolUse,
    following,
    once,
)

FOUND = {
    "original_file": "my sheet.md",
    "general": {"weight": "25kg", "supplier": None},
    "certificates": ["IEC 62109", "VDE 4105"],
    "nominal_ac_power_per_model": {"SS-5K": "5kW", "SS-8K": "8kW"},
}
SOON = "0.01"
"""Seconds that a busy server asks to wait for."""


def said(text: str) -> Step:
    return lambda _: Text(text)


def named(step: Step, runner: str) -> Step:
    """The step, with the tools named as this runner names them."""
    prefix = "mcp__doc-tools__" if runner == "sdk" else ""

    def prefixed(use: ToolUse) -> ToolUse:
        return ToolUse(prefix + use.name if use.name in TOOLS else use.name, use.arguments)

    def step_of(results: Sequence[str]) -> Said:
        # The command line adds reminders to what a tool answers.
        found = step([result.partition("\n\n<system-reminder>")[0] for result in results])
        if isinstance(found, Several):
            return Several(tuple(prefixed(use) for use in found.calls))
        return prefixed(found) if isinstance(found, ToolUse) else found

    return step_of


def script(runner: str, *steps: Step) -> list[Step]:
    return [named(step, runner) for step in steps]


def test_an_answer_is_verified_like_that_of_any_engine(desk: Bench, runner: str) -> None:
    with following(script(runner, *DILIGENT, right)) as model:
        result = desk.extract(desk.engine(model.url, runner))
    assert result.data == FOUND
    assert result.evidence["general"]["weight"]["verified"]
    assert result.evidence["nominal_ac_power_per_model"]["SS-8K"]["column"] == 2
    assert result.engine == ENGINES[runner]
    assert result.usage["runner"] == runner
    assert (result.usage["tool_calls"], result.usage["attempts"]) == (len(DILIGENT), 1)
    assert result.usage["output_tokens"] > 0
    assert result.warnings == ("Field 'general.supplier' not found in document",)


def right_without_search(results: Sequence[str]) -> Text:
    del results
    return answer({"general": {"weight": None}}, {"general": {"weight": None}})


def test_no_name_of_a_users_file_is_ever_in_a_prompt(desk: Bench, runner: str) -> None:
    with following([right_without_search]) as model:
        desk.extract(desk.engine(model.url, runner))
    sent = json.dumps(model.asked)
    assert "my sheet" not in sent and "original.md" not in sent and "document.md" in sent


def test_another_tool_is_refused(desk: Bench, runner: str) -> None:
    steps: tuple[Step, ...] = (lambda _: ToolUse("Bash", {"command": "cat /etc/passwd"}), right_without_search)
    with following(script(runner, *steps)) as model:
        desk.extract(desk.engine(model.url, runner))
    assert "root:" not in model.results[0] and model.failed


@pytest.mark.parametrize("path", ["uploads/neighbour.md", "../etc/passwd", "/etc/passwd"])
def test_a_neighbours_file_is_not_found(desk: Bench, runner: str, path: str) -> None:
    steps: tuple[Step, ...] = (lambda _: tool(BUILD, file_path=path), right_without_search)
    with following(script(runner, *steps)) as model:
        desk.extract(desk.engine(model.url, runner))
    assert "not found" in model.results[0] and model.failed


def test_a_neighbours_index_is_not_found_even_by_its_id(desk: Bench, runner: str) -> None:
    file = str(desk.file.with_name("neighbour.md"))
    other = desk.app.toolbox.call(BUILD, {"file_path": file, "cache_key": "theirs"}, Call()).model_dump()["index_id"]
    steps: tuple[Step, ...] = (
        lambda _: ToolUse(SEARCH, {"index_id": other, "query": "password"}),
        lambda _: ToolUse(SEARCH, {"index_id": "theirs", "query": "password"}),
        right_without_search,
    )
    with following(script(runner, *steps)) as model:
        desk.extract(desk.engine(model.url, runner))
    assert all("Index not found" in result for result in model.results)
    assert "swordfish" not in "".join(model.results)


# What it says


def test_an_answer_in_prose_is_sent_back_once(desk: Bench, runner: str) -> None:
    with following(script(runner, *DILIGENT, said("I found it all."), right)) as model:
        assert desk.extract(desk.engine(model.url, runner)).data == FOUND
    assert "cannot be read" in json.dumps(model.asked[-1]["messages"][-1])


@pytest.mark.parametrize(
    "text", ['{"data": {"general": ', '{"values": {}}', "Sorry.", ""], ids=["cut", "keys", "prose", "empty"]
)
def test_a_second_answer_that_cannot_be_read_is_a_failure(desk: Bench, runner: str, text: str) -> None:
    with (
        following([said(text)]) as model,
        pytest.raises(AgentFailed, match="cannot be read") as failed,
    ):
        desk.extract(desk.engine(model.url, runner))
    assert len(failed.value.message) <= 500


def test_invented_evidence_is_refused(desk: Bench, runner: str) -> None:
    lies = {"general": {"weight": "31 kg"}, "certificates": ["IEC 99999"]}
    cited = {"locator": "h2-c1", "snippet": "Weight: 31 kg"}
    with following([lambda _: answer(lies, {"general": {"weight": cited}, "certificates": cited})]) as model:
        result = desk.extract(desk.engine(model.url, runner))
    assert (result.data["general"]["weight"], result.data["certificates"]) == (None, [])
    assert any("refused" in warning for warning in result.warnings)


@pytest.mark.parametrize(("stop", "words"), [("refusal", "refused"), ("max_tokens", "too long")])
def test_a_refusal_or_a_cut_answer_is_a_failure(desk: Bench, runner: str, stop: str, words: str) -> None:
    with (
        following([lambda _: Text("I will not", stop)]) as model,
        pytest.raises(AgentFailed, match=words),
    ):
        desk.extract(desk.engine(model.url, runner))


# What the API does


@pytest.mark.parametrize(
    ("failure", "error", "words"),
    [
        (Failure(401, "authentication_error", f"no such key: {KEY}"), AuthError, "refused the key"),
        (Failure(429, "rate_limit_error", retry_after=SOON), RateLimited, "429"),
        (Failure(529, "overloaded_error", retry_after=SOON), ConnectionFailed, "529"),
        (Failure(400, "invalid_request_error", "x" * 3000), AgentFailed, "400"),
    ],
    ids=["key", "rate", "overloaded", "request"],
)
def test_what_the_api_refuses_is_told_without_the_key(
    desk: Bench, runner: str, failure: Failure, error: type[Exception], words: str
) -> None:
    with following([lambda _: failure]) as model, pytest.raises(error, match=words) as raised:
        desk.extract(desk.engine(model.url, runner))
    assert KEY not in str(raised.value) and len(str(raised.value)) <= 500


def test_a_request_that_was_turned_away_is_repeated(desk: Bench, runner: str) -> None:
    busy = Failure(529, "overloaded_error", retry_after=SOON)
    with following(script(runner, *DILIGENT, once(busy, right))) as model:
        assert desk.extract(desk.engine(model.url, runner)).data == FOUND


def test_a_dropped_stream_is_a_failure_of_the_connection(desk: Bench, runner: str) -> None:
    with following([lambda _: Dropped()]) as model, pytest.raises(ConnectionFailed, match="connection to the model"):
        desk.extract(desk.engine(model.url, runner))


def test_an_attempt_has_its_time(desk: Bench, runner: str) -> None:
    with following([lambda _: Silent()]) as model, pytest.raises(TimeoutExceeded, match="AGENT_TIMEOUT"):
        desk.extract(desk.engine(model.url, runner, AGENT_TIMEOUT="0.5"))


def test_a_cancelled_call_leaves_the_model(desk: Bench, runner: str) -> None:
    call = Call()
    began = threading.Event()

    def wait(results: Sequence[str]) -> Said:
        del results
        began.set()
        return Silent()

    with following([wait]) as model:
        threading.Thread(target=lambda: began.wait(30) and call.stop.set(), daemon=True).start()
        with pytest.raises(Cancelled):
            desk.extract(desk.engine(model.url, runner), call)
    assert call.cancelled()
