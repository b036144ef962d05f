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
    assert "The file as it was before: " in again.out
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
