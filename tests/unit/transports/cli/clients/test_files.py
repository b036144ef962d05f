import json
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from pincite.errors import ConfigError
from pincite.transports.cli.clients import files as clients
from pincite.transports.cli.clients import known

CURSOR = known.find("cursor")
ENTRY = {"command": "/bin/python", "args": ["-m", "pincite", "serve", "/docs"]}


def read(file: Path) -> dict[str, Any]:
    return json.loads(file.read_text(encoding="utf-8"))


def test_the_command_names_this_interpreter_and_the_whole_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs").mkdir()
    monkeypatch.chdir(tmp_path)
    assert clients.command(Path("docs")) == [sys.executable, "-m", "pincite", "serve", str(tmp_path.resolve() / "docs")]


@pytest.mark.parametrize("client", known.CLIENTS, ids=lambda client: client.name)
def test_an_entry_is_written_into_a_new_file(client: known.Client, tmp_path: Path) -> None:
    file = tmp_path / "deep" / "config.json"
    entry = client.entry(["/bin/python", "-m", "pincite"])
    assert clients.write(client, file, "pincite", entry) is None
    assert clients.read(client, file)[client.key]["pincite"] == entry
    assert entry["command"] == "/bin/python"


def test_everything_else_in_the_file_stays_in_its_place(tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    before = {"theme": "dark", "mcpServers": {"other": {"command": "x", "env": {"KEY": "é"}}}, "last": [1, None]}
    file.write_text(json.dumps(before), encoding="utf-8")
    backup = clients.write(CURSOR, file, "pincite", ENTRY)
    after = read(file)
    assert after["mcpServers"].pop("pincite") == ENTRY
    assert after == before
    assert list(after) == list(before)
    assert backup is not None and json.loads(backup.read_text(encoding="utf-8")) == before


def test_an_earlier_backup_is_never_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_text("{}", encoding="utf-8")
    first = clients.write(CURSOR, file, "a", ENTRY)
    second = clients.write(CURSOR, file, "b", ENTRY)
    assert first is not None and second is not None and first != second
    assert first.read_text(encoding="utf-8") == "{}"


def test_what_is_there_already_is_not_written_again(tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    clients.write(CURSOR, file, "pincite", ENTRY)
    before = file.stat().st_mtime_ns
    assert clients.write(CURSOR, file, "pincite", ENTRY) is None
    assert file.stat().st_mtime_ns == before
    assert [p.name for p in tmp_path.iterdir()] == ["mcp.json"]


def test_mode_and_symbolic_link_survive_and_the_backup_is_as_private(tmp_path: Path) -> None:
    real = tmp_path / "real.json"
    real.write_text('{"secret": 1}', encoding="utf-8")
    real.chmod(0o600)
    link = tmp_path / "mcp.json"
    link.symlink_to(real)
    backup = clients.write(CURSOR, link, "pincite", ENTRY)
    assert link.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o600
    assert backup is not None and stat.S_IMODE(backup.stat().st_mode) == 0o600


def test_an_empty_file_and_a_byte_order_mark_are_taken_as_they_are_meant(tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_text("", encoding="utf-8")
    assert clients.read(CURSOR, file) == {}
    file.write_bytes(b'\xef\xbb\xbf{"mcpServers": {}}')
    assert clients.read(CURSOR, file) == {"mcpServers": {}}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b'{"mcpServers": {} // mine\n}', "not plain JSON"),
        (b"[1]", "is not a JSON object"),
        (b'{"mcpServers": []}', "'mcpServers' in .* is not a JSON object"),
        (b"\xff\xfe\x00", "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_added_to_is_refused_and_not_touched(tmp_path: Path, content: bytes, says: str) -> None:
    file = tmp_path / "mcp.json"
    file.write_bytes(content)
    with pytest.raises(ConfigError, match=says) as refused:
        clients.write(CURSOR, file, "pincite", ENTRY)
    assert "not touched" in refused.value.message
    assert file.read_bytes() == content
    assert [p.name for p in tmp_path.iterdir()] == ["mcp.json"]


def test_a_place_that_cannot_be_reached_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(ConfigError, match="cannot be read"):
        clients.write(CURSOR, tmp_path / "file" / "mcp.json", "pincite", ENTRY)


def test_a_name_that_json_cannot_hold_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="by hand"):
        clients.write(CURSOR, tmp_path / "new" / "mcp.json", "pincite", {"command": "\ud800", "args": []})
    assert list(tmp_path.iterdir()) == []


def test_a_write_that_fails_leaves_the_old_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "mcp.json"
    file.write_text("{}", encoding="utf-8")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(ConfigError, match="No space left"):
        clients.write(CURSOR, file, "pincite", ENTRY)
    assert read(file) == {}
    assert sorted(p.name for p in tmp_path.iterdir()) == ["mcp.json", "mcp.json.bak"]


INPUT = {"type": "promptString", "id": "key", "description": "Key", "password": True}


def test_inputs_are_added_beside_those_that_are_there(tmp_path: Path) -> None:
    vscode, file = known.find("vscode"), tmp_path / "mcp.json"
    file.write_text(json.dumps({"inputs": [{"id": "other"}], "servers": {}}), encoding="utf-8")
    clients.write(vscode, file, "pincite", {"type": "http", "url": "http://a/mcp"}, [INPUT])
    assert read(file)["inputs"] == [{"id": "other"}, INPUT]


def test_an_input_that_a_person_changed_stays(tmp_path: Path) -> None:
    vscode, file = known.find("vscode"), tmp_path / "mcp.json"
    changed = {**INPUT, "description": "Ask Ann for it"}
    file.write_text(json.dumps({"inputs": [changed]}), encoding="utf-8")
    clients.write(vscode, file, "pincite", {"type": "http", "url": "http://a/mcp"}, [INPUT])
    assert read(file)["inputs"] == [changed]


def test_inputs_that_are_no_list_of_objects_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_text('{"inputs": {"id": "key"}}', encoding="utf-8")
    with pytest.raises(ConfigError, match=r"'inputs' in .* is not a list of JSON objects"):
        clients.read(known.find("vscode"), file)


@pytest.mark.parametrize(
    ("entry", "served"),
    [
        ({"url": "http://a/mcp", "headers": {}}, "http://a/mcp"),
        ({"command": "npx", "args": ["-y", "mcp-remote@1", "http://a/mcp", "--debug"]}, "http://a/mcp"),
        ({"command": "python", "args": ["-m", "pincite", "serve", "/docs"]}, "/docs"),
        (
            {"command": "pincite", "args": ["serve", "a=/a", "b=/b"]},
            {"command": "pincite", "args": ["serve", "a=/a", "b=/b"]},
        ),
        ({"command": "pincite", "args": ["serve"]}, {"command": "pincite", "args": ["serve"]}),
        ({"command": "npx", "args": ["mcp-remote"]}, {"command": "npx", "args": ["mcp-remote"]}),
        ("odd", "odd"),
    ],
)
def test_a_server_is_known_by_its_folder_or_its_url(entry: object, served: object) -> None:
    assert clients.served_by(entry) == served
