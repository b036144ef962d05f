"""The console scripts of contract 2: their options and exit codes."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.transports.cli import knowledge


def ran(monkeypatch: pytest.MonkeyPatch, script: Callable[[], None], *arguments: str | Path) -> int:
    monkeypatch.setattr("sys.argv", ["x", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        script()
    code = ended.value.code
    return code if isinstance(code, int) else 0


@pytest.fixture
def data(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DATA_DIR", str(home / "data"))
    return home


def test_knowledge_ingest_takes_pdf_docx_and_markdown_by_default(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (data / "in").mkdir()
    (data / "in/a.md").write_text("# A\n\nIt shall work.\n")
    (data / "in/b.txt").write_text("b\n")
    assert ran(monkeypatch, knowledge.ingest_main, data / "in", "--verbose") == 0
    assert "added: a.md" in capsys.readouterr().out
    assert ran(monkeypatch, knowledge.ingest_main, data / "none") == 2
    assert ran(monkeypatch, knowledge.ingest_main, data / "in", "--pattern", "*.pdf") == 2
    monkeypatch.setenv("CHUNK_OVERLAP", "-1")
    assert ran(monkeypatch, knowledge.ingest_main, data / "in") == 3


@pytest.mark.usefixtures("data")
def test_knowledge_mcp_serves_the_library_over_stdio(monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[Any] = []

    def serve(*given: Any) -> None:
        served.append(given[0])

    monkeypatch.setattr("pincite.transports.mcp.server.serve_stdio", serve)
    assert ran(monkeypatch, knowledge.mcp_main) == 0
    assert "knowledge_search" in [tool.name for tool in served[0].toolbox.tools]


@pytest.mark.usefixtures("data")
def test_knowledge_mcp_says_by_its_code_why_it_did_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ran(monkeypatch, knowledge.mcp_main, "--transport", "pigeon") == 3
    monkeypatch.setenv("CHUNK_OVERLAP", "-1")
    assert ran(monkeypatch, knowledge.mcp_main) == 3
    monkeypatch.delenv("CHUNK_OVERLAP")
    (Path.cwd() / "file").write_text("")
    monkeypatch.setenv("DATA_DIR", "file")
    assert ran(monkeypatch, knowledge.mcp_main) == 3


def test_a_database_that_cannot_be_reached_is_a_fault_of_the_configuration_of_both(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (data / "a.md").write_text("# A\n\nIt shall work.\n")
    monkeypatch.setenv("PINCITE_STORE_URL", "postgresql://127.0.0.1:1/pincite")
    for script, arguments in ((knowledge.ingest_main, [data / "a.md"]), (knowledge.mcp_main, [])):
        assert ran(monkeypatch, script, *arguments) == 3
        assert "PINCITE_STORE_URL cannot be reached" in capsys.readouterr().err


@pytest.mark.usefixtures("data")
def test_an_interrupted_server_ended_cleanly(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object) -> int:
        return 130 if arguments else 0

    monkeypatch.setattr(knowledge, "run_program", interrupted)
    assert ran(monkeypatch, knowledge.mcp_main) == 0


@pytest.mark.parametrize(
    ("variable", "name"), [("VECTOR_STORE", "chromadb"), ("EMBEDDING_PROVIDER", "openai")], ids=["store", "embedder"]
)
def test_a_setting_whose_extra_is_missing_is_a_fault_of_the_configuration(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], variable: str, name: str
) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setenv(variable, name)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789abcdef")
    (data / "in").mkdir()
    (data / "in/a.md").write_text("# A\n\nIt shall work.\n")
    assert ran(monkeypatch, knowledge.ingest_main, data / "in") == 3
    assert f"{variable} is {name}. " in (shown := capsys.readouterr().err) and f"pincite[{name}]" in shown
    assert ran(monkeypatch, knowledge.mcp_main) == 3
