"""The LangChain agent of `clients/agent`, as its own process, over a running server and a model that follows a script.

It has an environment of its own: `python -m venv clients/agent/.venv`, then its pip, `install -r requirements.txt`.
AGENT_PYTHON names the interpreter of another one.
"""

import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from behaviour.faces import EXACT
from support import scripted_gemini as gemini
from support.document_server import serving_documents
from support.http_wire import HttpServer
from support.scripted_model import Text, ToolUse
from support.scripted_openai import Step, following
from support.wire import pincite

AGENT = Path(__file__).resolve().parents[2] / "clients" / "agent"
PYTHON = Path(os.environ.get("AGENT_PYTHON", AGENT / ".venv" / "bin" / "python"))
KEY, MODEL_KEY = "server-key-0123456789", "model-key-0123456789"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not PYTHON.is_file(), reason="clients/agent has no environment: see its README.md"),
]

REPORT = "# Report\n\n" + "Some words of prose. " * 40 + "\n\n## Ostriches\n\nOstriches grew by 12.5% in the north.\n"


@pytest.fixture(scope="module")
def documents() -> Iterator[str]:
    with serving_documents({"report.md": ("text/markdown", REPORT.encode())}) as root:
        yield root


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    folder = tmp_path_factory.mktemp("data")
    own = {
        **EXACT,
        "LOG_LEVEL": "INFO",
        "PINCITE_CACHE": str(folder / "cache"),
        "DATA_DIR": str(folder / "data"),
        "DOWNLOAD_ALLOW_PRIVATE": "1",
        "MCP_API_KEY": KEY,
    }
    command = pincite("serve", "--toolsets", "documents", "--port", "0")
    with HttpServer(command, {**os.environ, **own}) as started:
        yield started


def run(env: Mapping[str, str], *arguments: str, typed: str = "") -> "subprocess.CompletedProcess[str]":
    """Run the agent without the variables of the tests' own environment."""
    clean = {"PATH": os.environ["PATH"], "no_proxy": "*", "PYTHONUTF8": "1", **env}
    command = [str(PYTHON), str(AGENT / "agent.py"), *arguments]
    return subprocess.run(
        command, env=clean, input=typed, capture_output=True, encoding="utf-8", timeout=120, check=False
    )


def variables(server: HttpServer, model_url: str, path: str = "/mcp") -> dict[str, str]:
    return {
        "OPENAI_API_KEY": MODEL_KEY,
        "OPENAI_BASE_URL": model_url,
        "MCP_SERVER_URL": f"{server.url}{path}",
        "MCP_API_KEY": KEY,
    }


def search(url: str) -> ToolUse:
    return ToolUse("retrieve_chunks", {"document_url": url, "query": "how much did ostriches grow"})


def cited(result: str) -> Text:
    """An answer with the reference of the first passage."""
    return Text(f"They grew by 12.5% [{json.loads(result)['results'][0]['ref']}].")


@pytest.mark.parametrize("path", ["/mcp", "/sse"])
def test_one_question_is_answered_with_a_citation(server: HttpServer, documents: str, path: str) -> None:
    script: list[Step] = [lambda _: search(f"{documents}report.md"), lambda results: cited(results[-1])]
    with following(script) as model:
        ended = run(variables(server, model.url, path), "How much did ostriches grow?")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("They grew by 12.5% [report.md@")
    assert len(model.tools) == 12 and "retrieve_chunks" in model.tools
    assert model.keys == {f"Bearer {MODEL_KEY}"}


def test_a_tool_that_fails_is_told_to_the_model_which_goes_on(server: HttpServer, documents: str) -> None:
    script: list[Step] = [
        lambda _: search(f"{documents}missing.md"),
        lambda _: search(f"{documents}report.md"),
        lambda results: Text(f"First: {results[0][:200]} Then: {cited(results[1]).text}"),
    ]
    with following(script) as model:
        ended = run(variables(server, model.url), "How much did ostriches grow?")
    assert ended.returncode == 0, ended.stderr
    assert "404" in ended.stdout and "Then: They grew by 12.5%" in ended.stdout


def test_at_the_prompt_a_conversation_goes_on_until_an_empty_line(server: HttpServer) -> None:
    with following([lambda _: Text("Hello there.")]) as model:
        ended = run(variables(server, model.url), typed="Hello\nAgain\n\nnever read\n")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.count("Hello there.") == 2


def test_without_a_key_of_a_model_it_says_so(server: HttpServer) -> None:
    ended = run({"MCP_SERVER_URL": f"{server.url}/mcp"}, "Hello")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith("Set GOOGLE_API_KEY or OPENAI_API_KEY")


def test_without_a_server_it_says_how_to_start_one() -> None:
    nobody = {"OPENAI_API_KEY": "x", "MCP_SERVER_URL": "http://127.0.0.1:9/mcp"}
    ended = run(nobody, "Hello")
    assert ended.returncode == 1
    assert "pincite serve --toolsets documents" in ended.stderr and "Traceback" not in ended.stderr


def test_a_wrong_key_of_the_server_is_an_error(server: HttpServer) -> None:
    with following([]) as model:
        ended = run({**variables(server, model.url), "MCP_API_KEY": "wrong"}, "Hello")
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr


def test_an_answer_is_printed_while_it_is_written(server: HttpServer) -> None:
    with following([lambda _: Text("First words, then the last")]) as model:
        model.gate.clear()
        env = {"PATH": os.environ["PATH"], "no_proxy": "*", **variables(server, model.url)}
        command = [str(PYTHON), str(AGENT / "agent.py"), "Hello"]
        with subprocess.Popen(command, env=env, stdout=subprocess.PIPE) as running:
            assert running.stdout
            written = b"First words, then the "
            assert running.stdout.read(len(written)) == written
            assert running.poll() is None
            model.gate.set()
            assert running.stdout.read().strip() == b"last"


def test_with_a_key_of_google_gemini_answers_whatever_other_keys_there_are(server: HttpServer, documents: str) -> None:
    script: list[gemini.Step] = [
        lambda _: search(f"{documents}report.md"),
        lambda results: Text("They grew by 12.5%." if "12.5%" in results[-1] else results[-1]),
    ]
    with gemini.gemini_following(script) as model:
        google = {"GOOGLE_API_KEY": "google-key", "GOOGLE_GEMINI_BASE_URL": model.url}
        ended = run({**variables(server, "http://127.0.0.1:9"), **google}, "How much did ostriches grow?")
    assert (ended.returncode, ended.stderr, ended.stdout.strip()) == (0, "", "They grew by 12.5%.")
    assert {key for _, key in model.models} == {"google-key"}
    assert all(path.startswith("/v1beta/models/gemini-2.5-flash:") for path, _ in model.models)
    assert not model.traces


def test_traces_go_to_the_langsmith_that_is_named_and_only_if_switched_on(server: HttpServer) -> None:
    with gemini.gemini_following([]) as smith, following([lambda _: Text("Hello there.")]) as model:
        named = {
            "LANGSMITH_ENDPOINT": smith.url + gemini.TRACES,
            "LANGCHAIN_API_KEY": "smith-key",
            "LANGCHAIN_PROJECT": "ostriches",
        }
        assert run({**variables(server, model.url), **named}, "Hello").returncode == 0
        assert not smith.traces
        traced = run({**variables(server, model.url), **named, "LANGSMITH_TRACING": "true"}, "Hello")
    assert (traced.returncode, traced.stdout.strip()) == (0, "Hello there.")
    assert {key for key, _ in smith.traces} == {"smith-key"}
    assert any(b"ostriches" in body for _, body in smith.traces)
