from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def test_serve_hands_the_folder_to_the_transport(
    pincite: Callable[..., Any], docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[Any] = []
    monkeypatch.setattr("pincite.transports.mcp.server.serve_stdio", served.append)
    assert pincite("serve", docs, "--db", tmp_path / "index.db").code == 0
    assert pincite("serve", "--docs", docs).code == 0
    assert [app.root for app in served] == [docs.resolve(), docs.resolve()]
    assert served[0].database == tmp_path / "index.db"


def test_serve_needs_exactly_one_folder(pincite: Callable[..., Any], docs: Path) -> None:
    assert pincite("serve").code == 2
    ran = pincite("serve", docs, "--docs", docs.parent)
    assert ran.code == 2
    assert "Two folders were named" in ran.err
