import asyncio
import threading
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any, cast

import pytest

from pincite.agents.claude import engine as claude
from pincite.agents.claude.conversation import Access, Usage
from pincite.agents.claude.desk import Desk
from pincite.agents.claude.engine import build, opened, runner_of
from pincite.app import App
from pincite.errors import ConfigError, Unsupported
from pincite.model.call import Call
from pincite.model.extraction import Material
from pincite.registry import RUNNERS
from pincite.settings import load
from pincite.toolkit import Toolbox


def never(*given: object) -> Desk:
    raise AssertionError(given)


def options(**variables: str) -> Any:
    return load({"ANTHROPIC_API_KEY": "", "ANTHROPIC_AUTH_TOKEN": "", "ANTHROPIC_BASE_URL": "", **variables}).agent


def test_without_a_key_it_is_said_what_to_set() -> None:
    with pytest.raises(ConfigError, match="ANTHROPIC_API_KEY"):
        build(options(), seconds=1, retries=0, open_desk=never)


def test_an_endpoint_of_ones_own_needs_no_key() -> None:
    given = options(ANTHROPIC_BASE_URL="http://127.0.0.1:9", PINCITE_AGENT_RUNNER="api")
    assert build(given, seconds=1, retries=0, open_desk=never).name == "claude"


def leave_out(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Let the packages of these runners be missing."""
    rows = [replace(row, target="absent_package:run") if row.name in names else row for row in RUNNERS]
    monkeypatch.setattr(claude, "RUNNERS", rows)


@pytest.mark.parametrize("runner", ["sdk", "api", "auto"])
def test_a_missing_extra_is_one_sentence_with_the_command(runner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    leave_out(monkeypatch, "sdk", "api")
    with pytest.raises(Unsupported, match=r"pip install 'pincite\[claude\]'"):
        runner_of(runner)


def test_the_lighter_runner_is_taken_where_the_sdk_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    leave_out(monkeypatch, "sdk")
    made = build(options(ANTHROPIC_API_KEY="x"), seconds=1, retries=0, open_desk=never)
    assert made.runner == "api"


@pytest.mark.parametrize(
    ("variables", "engine"),
    [({}, "rules"), ({"ANTHROPIC_API_KEY": "x"}, "claude"), ({"ANTHROPIC_AUTH_TOKEN": "x"}, "claude")],
    ids=["none", "key", "token"],
)
def test_auto_takes_a_model_where_there_is_a_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], engine: str
) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    given = {"DATA_DIR": str(tmp_path), "EMBEDDING_PROVIDER": "hash", "PINCITE_AGENT_RUNNER": "api", **variables}
    assert App(load(given), None, toolsets=["extraction"]).engine("auto", tmp_path / "a.md").name == engine


def test_a_desk_that_nobody_waits_for_any_more_is_closed() -> None:
    begun, goes_on, closed = threading.Event(), threading.Event(), threading.Event()

    def open_desk(material: Material, call: Call) -> Desk:
        del material, call
        begun.set()
        goes_on.wait(30)
        return Desk(Toolbox([], 1.0), PurePath("a.md"), close=closed.set)

    async def left() -> None:
        opening = asyncio.ensure_future(opened(open_desk, cast("Material", None), Call()))
        await asyncio.to_thread(begun.wait, 30)
        opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await opening
        goes_on.set()

    asyncio.run(left())
    assert closed.wait(30)


def test_secrets_are_neither_shown_nor_repeated() -> None:
    access = Access("sonnet", key="a-key", token="a-token")  # noqa: S106 - made up
    assert "a-key" not in repr(access) and "a-token" not in repr(access)
    assert access.without_secrets("bad key a-key or a-token") == "bad key … or …"


def test_usage_states_tokens_always_and_money_where_it_is_known() -> None:
    usage = Usage("api")
    usage.add({"input_tokens": 2, "output_tokens": 3, "service_tier": "standard", "cache_read_input_tokens": None})
    usage.add({"input_tokens": 5})
    assert usage.as_json()["input_tokens"] == 7 and "cost_usd" not in usage.as_json()
    usage.cost_usd = 0.5
    assert usage.as_json()["cost_usd"] == 0.5
