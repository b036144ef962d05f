"""The command as people and clients start it: real processes, a real terminal."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support import fork_server
from support.waiting import wait_for
from support.wire import Wire

PINCITE = (sys.executable, "-m", "pincite")
SECONDS = 60.0


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "keys.md").write_text("# Keys\n\n## Rotation\n\nRotate the signing keys monthly.\n", encoding="utf-8")
    return folder


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    own = {"HOME": str(tmp_path), "PINCITE_CACHE": str(tmp_path / "cache"), "EMBEDDING_PROVIDER": "hash"}
    kept = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "LOG_LEVEL"}}
    return {**kept, **own, "TERM": "xterm-256color"}


def on_terminal(command: list[str], environment: dict[str, str]) -> tuple[int, str]:
    """Run a command on a terminal of its own; its exit code and all that the terminal was sent."""
    mine, its = pty.openpty()
    process = subprocess.Popen(command, stdin=its, stdout=its, stderr=its, env=environment)
    os.close(its)
    sent = b""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline and select.select([mine], [], [], SECONDS)[0]:
        try:
            data = os.read(mine, 65536)
        except OSError:
            break
        if not data:
            break
        sent += data
    os.close(mine)
    return process.wait(SECONDS), sent.decode()


def test_a_terminal_shows_matched_words_in_colour(docs: Path, environment: dict[str, str]) -> None:
    code, sent = on_terminal([*PINCITE, "search", "signing keys", "--docs", str(docs)], environment)
    assert code == 0
    assert "\x1b[1;33msigning\x1b[0m" in sent


def test_a_pipe_gets_plain_text(docs: Path, environment: dict[str, str]) -> None:
    command = [*PINCITE, "search", "signing keys", "--docs", str(docs)]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "\x1b" not in ran.stdout + ran.stderr
    assert re.search(r"^   ref keys\.md@[0-9a-f]{8}#h2-c1~[0-9a-z]{11}$", ran.stdout, re.MULTILINE)


def test_head_ends_a_search_quietly(docs: Path, environment: dict[str, str]) -> None:
    line = f"'{sys.executable}' -m pincite search keys --docs '{docs}' | head -1"
    ran = subprocess.run(["bash", "-c", line], env=environment, capture_output=True, text=True, check=True)
    assert (ran.stdout.count("\n"), ran.stderr) == (1, "")


def test_an_interruption_leaves_an_index_that_goes_on(docs: Path, environment: dict[str, str]) -> None:
    for number in range(3000):
        text = "".join(f"## Part {part}\n\nPage {number} speaks of part {part}.\n\n" for part in range(20))
        (docs / f"{number}.md").write_text(f"# Page {number}\n\n{text}", encoding="utf-8")
    command = [*PINCITE, "search", "part", "--yes", "--docs", str(docs)]
    process = subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # What a shell starts in the background ignores interrupts, and hands that on.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - it takes no lock
    )
    cache = Path(environment["PINCITE_CACHE"]) / "folders"
    assert wait_for(lambda: list(cache.glob("*.db")), SECONDS)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=SECONDS)
    assert process.returncode == 130
    assert re.fullmatch(r"Interrupted: [\d,]+ documents? indexed\. Run the same command again to go on\.\n", err)
    for file in docs.glob("[0-9]*.md"):
        file.unlink()
    ran = subprocess.run([*command, "--json"], env=environment, capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout)["total_chunks"] == 2


def test_serve_answers_over_the_wire_with_nothing_else_on_it(docs: Path, environment: dict[str, str]) -> None:
    initialize = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    asked = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    process = subprocess.Popen(
        [*PINCITE, "serve", str(docs)],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write("".join(json.dumps(message) + "\n" for message in asked))
    process.stdin.flush()
    answers = [json.loads(process.stdout.readline()) for _ in range(2)]
    process.stdin.close()
    assert process.wait(SECONDS) == 0
    assert process.stdout.read() == ""
    tools = {answer["id"]: answer for answer in answers}[2]["result"]["tools"]
    assert "search_docs" in {tool["name"] for tool in tools}
    process.stdout.close()


def test_servers_of_two_folders_introduce_themselves_by_what_they_serve(
    docs: Path, tmp_path: Path, environment: dict[str, str]
) -> None:
    other = tmp_path / "handbook"
    other.mkdir()
    (other / "leave.md").write_text("# Parental leave\n\nAsk in time.\n", encoding="utf-8")
    said: list[str] = []
    for folder in (docs, other):
        command = [*PINCITE, "serve", str(folder)]
        with Wire(command, environment).open() as server:
            server.call("search_docs", {"query": "keys"})
        with Wire(command, environment).open() as server:
            said.append(server.opening["instructions"])
    assert "the folder 'docs' (1 document indexed so far, with titles such as \"Keys\")" in said[0]
    assert "the folder 'handbook' (1 document indexed so far, with titles such as \"Parental leave\")" in said[1]


def test_read_prints_what_a_reference_cites(docs: Path, environment: dict[str, str]) -> None:
    found = subprocess.run(
        [*PINCITE, "search", "signing keys", "--docs", str(docs), "--json"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    hit = json.loads(found.stdout)["results"][0]
    command = [*PINCITE, "read", hit["ref"], "--docs", str(docs)]
    ran = fork_server.run(command, env=environment)
    assert ran.stdout.rstrip("\n") == hit["content"].rstrip("\n")
    assert ran.stderr.startswith("note: From keys.md > Keys")
    whole = fork_server.run([*command, "--json"], env=environment)
    assert json.loads(whole.stdout)["content"] == hit["content"]
    other = re.sub("@[0-9a-f]{8}", "@00000000", hit["ref"])
    anywhere = fork_server.run([*PINCITE, "read", other, "--docs", str(docs)], env=environment)
    assert (anywhere.returncode, anywhere.stdout) == (0, ran.stdout)
    assert f"not here: {hit['ref']}" in anywhere.stderr
    command = [*PINCITE, "read", other.partition("~")[0], "--docs", str(docs)]
    unknown = fork_server.run(command, env=environment)
    assert unknown.returncode == 2
    assert "Revision 00000000 of keys.md is unknown" in unknown.stderr


def test_serve_refuses_an_unknown_toolset(docs: Path, environment: dict[str, str]) -> None:
    command = [*PINCITE, "serve", str(docs), "--toolsets", "docs,cites"]
    ran = fork_server.run(command, env=environment)
    assert ran.returncode == 3
    assert "Known: docs, citations" in ran.stderr


def test_serve_says_what_has_no_effect_and_refuses_what_cannot_work(docs: Path, environment: dict[str, str]) -> None:
    command = [*PINCITE, "serve", str(docs)]

    def served(**settings: str) -> subprocess.CompletedProcess[str]:
        env = {**environment, **settings}
        return fork_server.run(command, env=env)

    misspelt = served(PINCITE_FRESH_BUGDET="3", LOG_FORMAT="json")
    assert misspelt.returncode == 0
    assert "Did you mean PINCITE_FRESH_BUDGET?" in json.loads(misspelt.stderr.splitlines()[0])["problem"]
    for name, value in {"MCP_REQUEST_TIMEOUT": "0", "EMBEDDING_MODEL": "ada", "EMBEDDING_DIMENSIONS": "3"}.items():
        refused = served(**{name: value})
        assert refused.returncode == 3
        assert f"- {name}: " in refused.stderr


FULL = Path("/dev/full")
PRINTING = [
    ["--help"],
    ["search", "--help"],
    ["--version"],
    ["search", "signing keys", "--yes"],
    ["search", "signing keys", "--json", "--yes"],
    ["search", "--json"],
    ["status", "--yes"],
    ["status", "--all"],
    ["doctor"],
    ["connect", "cursor"],
    ["models", "list", "--json"],
    ["convert", "keys.md"],
]


@pytest.mark.skipif(not FULL.exists(), reason="no file here that is always full")
@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
def test_an_output_that_cannot_be_written_is_one_line_of_error(
    docs: Path, environment: dict[str, str], arguments: list[str]
) -> None:
    # Both ways of writing, each for some of the commands.
    env = {**environment, "PYTHONUNBUFFERED": "1" if len(arguments) > 1 else ""}
    with FULL.open("w") as full:
        ran = subprocess.run(
            [*PINCITE, *arguments], env=env, cwd=docs, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert ran.returncode == 2
    wrong_usage = arguments == ["search", "--json"]
    assert wrong_usage or re.fullmatch(r"error: The output .* No space left on device\.\n", ran.stderr), ran
    with FULL.open("w") as full:
        ran = subprocess.run(
            [*PINCITE, *arguments], env=env, cwd=docs, stdout=subprocess.PIPE, stderr=full, check=False
        )
    assert ran.returncode == (2 if wrong_usage else 0)
    assert ran.stdout


def test_closed_streams_are_no_fault(docs: Path, environment: dict[str, str]) -> None:
    for closed in (">&-", "2>&-", ">&- 2>&-"):
        line = f"'{sys.executable}' -m pincite search keys --docs '{docs}' {closed}"
        ran = subprocess.run(["bash", "-c", line], env=environment, capture_output=True, text=True, check=True)
        assert "error" not in ran.stderr


LONG = ["x" * 100_000, "word " * 20_000, "a/" * 50_000]
ECHOING = [
    ["search", "x", "--docs", "{}"],
    ["search", "x", "--env-file", "{}"],
    ["search", "x", "--top-k", "{}"],
    ["search", "x", "--db", "{}"],
    ["read", "{}"],
    ["convert", "{}"],
    ["status", "--docs", "{}"],
    ["doctor", "--docs", "{}"],
    ["connect", "{}"],
    ["connect", "cursor", "{}"],
    ["eval", "{}"],
    ["models", "--from", "{}"],
    ["serve", "{}"],
    ["serve", ".", "--toolsets", "{}"],
    ["{}"],
]


@pytest.mark.skipif(sys.platform == "win32", reason="no argument may be as long there")
@pytest.mark.parametrize("arguments", ECHOING, ids=" ".join)
def test_a_long_argument_is_not_echoed_whole_and_no_fault(
    docs: Path, environment: dict[str, str], arguments: list[str]
) -> None:
    value = LONG[ECHOING.index(arguments) % len(LONG)]
    command = [*PINCITE, *(argument.format(value) for argument in arguments)]
    ran = fork_server.run(command, env=environment, cwd=docs)
    assert ran.returncode in (1, 2, 3)
    assert len(ran.stderr + ran.stdout) < 5000
    assert "bug in pincite" not in ran.stderr and "Traceback" not in ran.stderr


@pytest.mark.parametrize("end", ["\r\n", pytest.param("\r", marks=pytest.mark.slow)])
def test_line_ends_of_windows_print_as_line_ends(docs: Path, environment: dict[str, str], end: str) -> None:
    (docs / "keys.md").write_bytes(end.join(["# Keys", "", "Rotate the signing keys", "every month.", ""]).encode())
    command = [*PINCITE, "search", "signing keys", "--docs", str(docs)]
    ran = subprocess.run(command, env=environment, capture_output=True, check=True)
    assert b"   | Rotate the signing keys\n   | every month.\n" in ran.stdout
    ref = re.search(r"   ref (\S+)", ran.stdout.decode())
    assert ref is not None
    read = subprocess.run(
        [*PINCITE, "read", ref[1], "--docs", str(docs)], env=environment, capture_output=True, check=True
    )
    assert read.stdout == b"# Keys\n\nRotate the signing keys\nevery month.\n"
    code, sent = on_terminal(command, environment)
    assert code == 0
    assert "\N{REPLACEMENT CHARACTER}" not in sent and "\r\r" not in sent


@pytest.mark.parametrize("command", [["search", "keys", "--docs", "."], ["serve", "."]])
def test_folders_for_an_index_file_are_not_made_in_silence(
    docs: Path, environment: dict[str, str], command: list[str]
) -> None:
    command = [*PINCITE, *command, "--db", "new/folder/x.db"]
    ran = fork_server.run(command, env=environment, cwd=docs)
    assert ran.returncode == 3
    assert "The folder of --db 'new/folder/x.db' does not exist." in ran.stderr
    assert not (docs / "new").exists()


def test_serve_on_a_terminal_says_what_it_is_and_what_to_do(docs: Path, environment: dict[str, str]) -> None:
    mine, its = pty.openpty()
    process = subprocess.Popen(
        [*PINCITE, "serve", str(docs)], stdin=its, stdout=subprocess.DEVNULL, stderr=its, env=environment
    )
    os.close(its)
    sent = b""
    while b"pincite search" not in sent and select.select([mine], [], [], SECONDS)[0]:
        sent += os.read(mine, 65536)
    process.kill()
    process.wait(SECONDS)
    os.close(mine)
    assert sent.startswith(b"Serving ") and b"search_docs" in sent
    assert b"pincite connect claude-code " in sent and b"pincite search " in sent
