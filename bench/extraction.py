"""What the services around extraction cost, beside the model that they ask and the SDK that they are built on.

    python bench/extraction.py [--runs 5] [--think 0.3]

The model is scripted and thinks for `--think` seconds before each reply: what is left of a task's time is ours. The
start is taken beside a bare server of the same MCP SDK, in turns. All in one run, so that the load of the machine is on
both sides of each ratio.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx2

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support import datasheet  # noqa: E402 - found by the line above
from support.http_wire import HttpServer  # noqa: E402 - as above
from support.scripted_model import Said, Step, following  # noqa: E402 - as above
from support.wire import HANDSHAKE, Wire, pincite  # noqa: E402 - as above

BARE = """
import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

async def main():
    server = Server("bare")
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())

anyio.run(main)
"""

START_TARGET = 1.5
AT_ONCE = 8
POLL_SECONDS = 0.01
API = ("serve", "--toolsets", "extraction", "--transport", "http")


def main() -> int:
    """Print the figures; 1 if the start misses its target."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--runs", type=int, default=5)
    arguments.add_argument("--think", type=float, default=0.3)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as place:
        ratio = starts(Path(place), given.runs)
        rules = split(Path(place) / "rules", given.runs)
        for way in ("api", "api over MCP_TOOLS_URL", *(["sdk"] if find_spec("claude_agent_sdk") else [])):
            claude(Path(place) / way.replace(" ", "-"), way, rules, given.runs, given.think)
    return int(ratio > START_TARGET)


def environment(folder: Path, **variables: str) -> dict[str, str]:
    """A server of one's own, with the bytecode that an installed package has, and without vectors."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name != "PYTHONDONTWRITEBYTECODE" and not name.startswith(("ANTHROPIC_", "CLAUDE"))
    }
    own = {"DATA_DIR": str(folder), "PINCITE_CACHE": str(folder / "cache"), "EMBEDDING_PROVIDER": "hash"}
    return {
        **kept,
        **own,
        "PYTHONPYCACHEPREFIX": str(folder.parent / "bytecode"),
        "MCP_RATE_LIMIT_RPM": "0",
        **variables,
    }


def starts(place: Path, runs: int) -> float:
    """Spawn to `initialize` over stdio, in turns."""
    ways: dict[str, Sequence[str]] = {
        "bare server of the SDK": [sys.executable, "-c", BARE],
        "serve --toolsets extraction": pincite("serve", "--toolsets", "extraction", "--transport", "stdio"),
    }
    env = environment(place / "start", LOG_LEVEL="WARNING")
    times: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(runs + 1):
        for name, command in ways.items():
            began = time.perf_counter()
            with Wire(list(command), env, era=HANDSHAKE) as wire:
                wire.open()
                if number:  # the first one compiles
                    times[name].append(time.perf_counter() - began)
    bare, ours = (statistics.median(seen) for seen in times.values())
    for name, seen in times.items():
        print(f"{name:<32} median {statistics.median(seen):.3f} s   least {min(seen):.3f} s")
    missed = "" if ours / bare <= START_TARGET else "MISSED"
    print(f"{'start, against the bare server':<32} {ours / bare:.2f} (target {START_TARGET}) {missed}", flush=True)
    return ours / bare


def split(folder: Path, runs: int) -> Mapping[str, Any]:
    """POST to result with the engine `rules`; return the last result."""
    result: Mapping[str, Any] = {}
    rows: list[tuple[float, ...]] = []
    with HttpServer(pincite(*API), environment(folder), start=subprocess.Popen) as server, server.client() as client:
        for number in range(runs + 1):
            began = time.perf_counter()
            task_id = posted(client, "rules")
            acknowledged = time.perf_counter() - began
            result = finished(client, task_id)
            total, timing = time.perf_counter() - began, result["timing"]
            rows.append((acknowledged, timing["index_seconds"], timing["extraction_seconds"], total))
            if not number:
                print(f"rules, first task (starts a reader): {total * 1000:.0f} ms")
    upload, index, extraction, total = (
        statistics.median(row[column] for row in rows[1:]) * 1000 for column in range(4)
    )
    print(
        f"rules, POST to result: {total:.0f} ms = {upload:.0f} until acknowledged + {index:.0f} reading and cutting + "
        f"{extraction:.0f} extraction + {total - upload - index - extraction:.0f} queue and polling",
        flush=True,
    )
    return result


def claude(folder: Path, way: str, known: Mapping[str, Any], runs: int, think: float) -> None:
    """POST to result with the engine `claude`: the model's own time, and ours."""
    runner = way.partition(" ")[0]
    replies = [thinking(step, think) for step in datasheet.agent(known, runner)]
    with following(replies) as model, ExitStack() as stack:
        variables = {
            "ANTHROPIC_API_KEY": "none",
            "ANTHROPIC_BASE_URL": model.url,
            "PINCITE_AGENT_RUNNER": runner,
            "MAX_CONCURRENT_TASKS": str(AT_ONCE),
        }
        if "MCP_TOOLS_URL" in way:
            command = pincite("serve", "--toolsets", "extraction", "--transport", "mcp")
            tools = stack.enter_context(HttpServer(command, environment(folder), start=subprocess.Popen))
            variables["MCP_TOOLS_URL"] = tools.url
        api = stack.enter_context(HttpServer(pincite(*API), environment(folder, **variables), start=subprocess.Popen))
        client = stack.enter_context(api.client())
        finished(client, posted(client, "claude"))  # imports
        alone = statistics.median(timed(client, 1) for _ in range(runs))
        together = timed(client, AT_ONCE)
    thought = think * len(replies)
    print(
        f"claude, {way}: {alone:.2f} s a task, the model {thought:.2f}, ours {(alone - thought) * 1000:.0f} ms."
        f" {AT_ONCE} at once: {together:.2f} s, {together / (AT_ONCE * alone):.2f} of one after the other",
        flush=True,
    )


def thinking(step: Step, seconds: float) -> Step:
    """A step for which the model takes its time."""

    def thought(results: Sequence[str]) -> Said:
        time.sleep(seconds)
        return step(results)

    return thought


def timed(client: httpx2.Client, count: int) -> float:
    """Seconds until so many tasks that were posted at once are finished."""
    began = time.perf_counter()
    with ThreadPoolExecutor(count) as threads:
        waiting = [threads.submit(lambda: finished(client, posted(client, "claude"))) for _ in range(count)]
        results = [each.result() for each in waiting]
    assert all(result["engine"] == "claude" for result in results)
    return time.perf_counter() - began


def posted(client: httpx2.Client, engine: str) -> str:
    """The id of a new task."""
    file = {"file": (datasheet.SHEET.name, datasheet.SHEET.read_bytes())}
    fields = {"schema": datasheet.SCHEMA.read_text(encoding="utf-8"), "engine": engine}
    answer = client.post("/tasks", files=file, data=fields)
    assert answer.status_code == 202, answer.text
    return answer.json()["task_id"]


def finished(client: httpx2.Client, task_id: str) -> Mapping[str, Any]:
    """The result of a task, once it is there."""
    while (state := client.get(f"/tasks/{task_id}").json())["status"] in ("queued", "running"):
        time.sleep(POLL_SECONDS)
    assert state["status"] == "succeeded", state
    return client.get(f"/tasks/{task_id}/result").json()


if __name__ == "__main__":
    sys.exit(main())
