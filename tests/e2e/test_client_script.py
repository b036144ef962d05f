"""`scripts/client.sh`, with curl and with Docker alone."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.task_server import TaskApp, serving_tasks

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "client.sh"
KEY = 'a "key" with \\ signs'
TOOLS = ("sh", "awk", "sed", "tr", "sleep", "dirname", "basename", "pwd")

DOCKER = f"""#!{sys.executable}
import os, sys
arguments = sys.argv[1:]
assert arguments[:5] == ["run", "--rm", "--interactive", "--network", "host"], arguments
volumes = [value for flag, value in zip(arguments, arguments[1:]) if flag == "--volume"]
image = next(number for number, value in enumerate(arguments) if value.startswith("curlimages/curl"))
curl = arguments[image + 1 :]
for volume in volumes:
    outside, inside, mode = volume.rsplit(":", 2)
    assert mode == "ro"
    outside = outside.replace('"', '\\\\"')
    curl = [value.replace(inside + '"', outside + '"') for value in curl]
os.execv({shutil.which("curl")!r}, ["curl", *curl])
"""

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")]


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TaskApp]:
    with serving_tasks(tmp_path_factory.mktemp("data"), MCP_API_KEY=KEY) as served:
        yield served


def ran(
    app: TaskApp, folder: Path, text: str = "go", schema: str = '{"a": "integer"}', **variables: str
) -> "subprocess.CompletedProcess[str]":
    document, fields = folder / 'My "sheet"; 1.txt', folder / "schema, 2.json"
    document.write_text(text)
    fields.write_text(schema)
    env = {"PATH": os.environ["PATH"], "MCP_API_KEY": KEY, "POLL_SECONDS": "0.05", **variables}
    command = ["sh", str(SCRIPT), f"{app.url}/", str(document), str(fields)]
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=False)


def without_curl(folder: Path) -> str:
    """A PATH with Docker and no curl."""
    tools = folder / "bin"
    tools.mkdir()
    for name in TOOLS:
        if found := shutil.which(name):
            (tools / name).symlink_to(found)
    (tools / "docker").write_text(DOCKER)
    (tools / "docker").chmod(0o755)
    return str(tools)


@pytest.mark.parametrize("with_curl", [True, False])
def test_it_prints_the_result_as_indented_json(app: TaskApp, tmp_path: Path, *, with_curl: bool) -> None:
    done = ran(app, tmp_path, **({} if with_curl else {"PATH": without_curl(tmp_path)}))
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["data"] == {"a": 1} and done.stdout.startswith('{\n  "task_id": "')
    assert "queued" in done.stderr or "running" in done.stderr or "succeeded" in done.stderr
    (task,) = [task for task in app.tasks.task_page(1) if task.id == result["task_id"]]
    assert task.file_name == 'My "sheet"; 1.txt'


@pytest.mark.parametrize(
    ("text", "schema", "variables", "error"),
    [
        ("fail", '{"a": ""}', {}, "The task failed: The document has no text."),
        ("go", "{", {}, "The upload was refused (400): Invalid JSON in schema field"),
        ("go", '{"a": ""}', {"MCP_API_KEY": "wrong"}, "The upload was refused (401): Authentication required"),
        ("go", '{"a": ""}', {"PATH": "/nowhere"}, ""),
    ],
)
def test_a_failure_is_said_on_standard_error(
    app: TaskApp, tmp_path: Path, text: str, schema: str, variables: dict[str, str], error: str
) -> None:
    if "PATH" in variables:
        (tmp_path / "bin").mkdir()
        for name in TOOLS:
            (tmp_path / "bin" / name).symlink_to(str(shutil.which(name)) if shutil.which(name) else "/bin/true")
        variables, error = {"PATH": str(tmp_path / "bin")}, "Neither curl nor docker is there."
    done = ran(app, tmp_path, text, schema, **variables)
    assert (done.returncode, done.stdout) == (1, "")
    assert error in done.stderr


def test_what_is_missing_is_said(app: TaskApp, tmp_path: Path) -> None:
    for arguments, error in (
        ([], "Usage: "),
        ([app.url, str(tmp_path / "none.pdf"), str(SCRIPT)], "There is no file"),
        (["http://127.0.0.1:9", str(SCRIPT), str(SCRIPT)], "No answer from http://127.0.0.1:9."),
    ):
        done = subprocess.run(["sh", str(SCRIPT), *arguments], capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 1 and error in done.stderr
