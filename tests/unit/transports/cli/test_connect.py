import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

NAMES = ("claude-desktop", "claude-code", "cursor", "vscode")


@pytest.mark.parametrize("client", NAMES)
def test_a_configuration_is_printed_and_nothing_is_written(
    pincite: Callable[..., Any], docs: Path, client: str
) -> None:
    ran = pincite("connect", client, docs)
    assert ran.code == 0
    assert str(docs.resolve()) in ran.out
    assert json.dumps(sys.executable) in ran.out
    assert ("claude mcp add" in ran.out) == (client == "claude-code")
    assert [path.name for path in docs.parent.iterdir()] == ["docs"]


@pytest.mark.parametrize("client", NAMES)
def test_a_configuration_is_written_where_the_client_reads_it(
    pincite: Callable[..., Any], docs: Path, client: str
) -> None:
    told = json.loads(pincite("connect", client, docs, "--name", "manual", "--write", "--json").out)
    assert json.loads(Path(told["file"]).read_text(encoding="utf-8")) == told["configuration"]
    assert told["written"] is True and told["backup"] is None
    again = pincite("connect", client, docs, "--write")
    assert "Backup of the file: " in again.out
    assert set(json.loads(Path(told["file"]).read_text(encoding="utf-8"))[next(iter(told["configuration"]))]) == {
        "manual",
        "pincite",
    }


def test_a_folder_that_is_not_there_is_refused(pincite: Callable[..., Any]) -> None:
    ran = pincite("connect", "cursor", "nowhere")
    assert ran.code == 3
    assert "There is no folder 'nowhere'" in ran.err


def test_an_unknown_client_is_refused(pincite: Callable[..., Any], docs: Path) -> None:
    assert pincite("connect", "emacs", docs).code == 2


def servers(home: Path) -> dict[str, Any]:
    return json.loads((home / ".cursor" / "mcp.json").read_text(encoding="utf-8"))["mcpServers"]


def test_a_second_folder_is_a_second_server(pincite: Callable[..., Any], docs: Path, home: Path) -> None:
    for name in ("two", "other/two"):
        (home / name).mkdir(parents=True)
    for folder in (docs, home / "two", home / "other" / "two", home / "two", docs):
        assert pincite("connect", "cursor", folder, "--write").code == 0
    assert {name: entry["args"][-1] for name, entry in servers(home).items()} == {
        "pincite": str(docs.resolve()),
        "pincite-two": str((home / "two").resolve()),
        "pincite-two-2": str((home / "other" / "two").resolve()),
    }


def test_a_name_of_another_server_is_refused_unless_it_is_to_be_replaced(
    pincite: Callable[..., Any], docs: Path, home: Path
) -> None:
    (home / "two").mkdir()
    pincite("connect", "cursor", docs, "--write", "--name", "guide")
    refused = pincite("connect", "cursor", home / "two", "--write", "--name", "guide")
    assert refused.code == 3 and "--replace" in refused.err
    assert servers(home)["guide"]["args"][-1] == str(docs.resolve())
    assert pincite("connect", "cursor", home / "two", "--write", "--name", "guide", "--replace").code == 0
    assert servers(home)["guide"]["args"][-1] == str((home / "two").resolve())


def test_the_entry_of_a_folder_that_is_gone_is_written_anew(
    pincite: Callable[..., Any], docs: Path, home: Path
) -> None:
    (home / "two").mkdir()
    pincite("connect", "cursor", home / "two", "--write")
    (home / "two").rmdir()
    assert pincite("connect", "cursor", docs, "--write", "--name", "pincite").code == 0
    assert {name: entry["args"][-1] for name, entry in servers(home).items()} == {"pincite": str(docs.resolve())}


def test_a_file_that_cannot_be_read_does_not_keep_the_entry_from_being_printed(
    pincite: Callable[..., Any], docs: Path, home: Path
) -> None:
    (home / ".mcp.json").write_text("// comments\n{}", encoding="utf-8")
    ran = pincite("connect", "claude-code", docs)
    assert ran.code == 0 and '"pincite"' in ran.out
    assert pincite("connect", "claude-code", docs, "--write").code == 3
