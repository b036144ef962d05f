"""Other commands find the page of a server that runs."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pincite.app import App
from pincite.settings import load
from pincite.transports.cli.opening.running import announced, page_of


def app_of(folder: Path, cache: Path) -> App:
    folder.mkdir(exist_ok=True)
    return App(load({"PINCITE_CACHE": cache, "EMBEDDING_PROVIDER": "hash"}), folder)


def test_a_server_of_the_same_folder_is_found_while_it_runs(tmp_path: Path) -> None:
    server, other = app_of(tmp_path / "docs", tmp_path), app_of(tmp_path / "other", tmp_path)
    with announced(server) as announce:
        announce("http://127.0.0.1:8123")
        assert page_of(app_of(tmp_path / "docs", tmp_path)) == "http://127.0.0.1:8123/ui/"
        assert page_of(other) == ""
    assert page_of(server) == "" and list((tmp_path / "servers").iterdir()) == []


def test_notes_of_servers_that_were_killed_and_other_files_are_passed_over(tmp_path: Path) -> None:
    app = app_of(tmp_path / "docs", tmp_path)
    (tmp_path / "servers").mkdir()
    for name, text in {"999999999": "{}", "x": "{}", str(os.getpid()): "[]", "1": "no json"}.items():
        (tmp_path / "servers" / f"{name}.json").write_text(text, "utf-8")
    assert page_of(app) == ""


def test_citations_are_printed_with_their_links(pincite: Callable[..., Any], tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("PINCITE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("EMBEDDING_PROVIDER", "hash")
    server = app_of(tmp_path / "docs", tmp_path / "cache")
    (tmp_path / "docs" / "a.md").write_text("# Keys\n\nKeys are renewed each year.\n", "utf-8")
    with announced(server) as announce:
        announce("http://127.0.0.1:8123")
        found = pincite("search", "keys renewed", "--docs", tmp_path / "docs")
        ref = next(line.split()[1] for line in found.out.splitlines() if line.strip().startswith("ref "))
        assert f"http://127.0.0.1:8123/ui/#ref={ref.replace('#', '%23')}" in found.out
        read = pincite("read", ref, "--docs", tmp_path / "docs", "--json")
        assert json.loads(read.out)["link"].startswith("http://127.0.0.1:8123/ui/#ref=a.md@")
        assert "/ui/#ref=" in pincite("read", ref, "--docs", tmp_path / "docs").err
    assert "/ui/" not in pincite("search", "keys renewed", "--docs", tmp_path / "docs").out
