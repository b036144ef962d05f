import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def checks(pincite: Callable[..., Any], *arguments: str | Path) -> dict[str, Any]:
    told = json.loads(pincite("doctor", "--json", *arguments).out)
    return {check["name"]: check for check in told["checks"]}


def test_a_good_installation_is_well(pincite: Callable[..., Any], docs: Path) -> None:
    ran = pincite("doctor", "--docs", docs)
    assert ran.code == 0
    assert "FAIL" not in ran.out and "ok    pincite" in ran.out


def test_a_model_that_is_not_there_is_a_warning_with_its_mend(
    pincite: Callable[..., Any], docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMBEDDING_PROVIDER", "local")
    monkeypatch.setenv("PINCITE_FETCH_MODEL", "true")
    ran = pincite("doctor", "--docs", docs)
    assert ran.code == 0
    assert "warn  model" in ran.out
    assert "pincite models fetch" in ran.out


def test_documents_in_another_language_are_told_with_the_model_that_knows_it(
    pincite: Callable[..., Any], docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "languages" not in checks(pincite, "--docs", docs), "nothing is indexed yet"
    pincite("search", "keys", docs)
    assert "languages" not in checks(pincite, "--docs", docs), "English needs no other model"
    for page in docs.iterdir():
        page.write_text("# Schlüssel\n\nDer Schlüssel und das Schloss sind Sache der Betreiber.\n", encoding="utf-8")
    pincite("search", "Schlüssel", docs)
    check = checks(pincite, "--docs", docs)["languages"]
    assert "are German: EMBEDDING_MODEL=paraphrase-multilingual-MiniLM-L12-v2 finds them" in check["found"]
    assert (check["state"], "pincite[fastembed]" in check["fix"]) == ("warning", True)
    monkeypatch.setenv("EMBEDDING_PROVIDER", "fastembed")
    assert "languages" not in checks(pincite, "--docs", docs), "this model was chosen"


def test_every_broken_address_is_told_at_once_by_doctor_and_by_serve(
    pincite: Callable[..., Any], docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = {
        "PINCITE_STORE_URL": "garbage",
        "MARKITDOWN_URL": "http://127.0.0.1:abc/",
        "MCP_TOOLS_URL": "http://[::1",
        "ANTHROPIC_BASE_URL": "http://a..b/",
        "OPENAI_BASE_URL": "ftp://example.com",
        "PINCITE_WEBHOOK_URL": "http:// /",
        "QDRANT_URL": "http://",
    }
    for variable, value in broken.items():
        monkeypatch.setenv(variable, value)
    for command in (("doctor",), ("serve", docs), ("serve", "--toolsets", "all")):
        ran = pincite(*command)
        assert ran.code == 3
        assert [variable for variable in broken if variable not in ran.out + ran.err] == []


def test_the_env_file_that_is_read_and_the_short_names_that_are_set_are_named(
    pincite: Callable[..., Any], home: Path, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"PORT": "0", "EMBEDDING_PROVIDER": "hash"}.items():
        monkeypatch.delenv(name)
        monkeypatch.setenv(f"PINCITE_{name}", value)
    assert checks(pincite, "--docs", docs)["settings"]["found"] == "No .env file is read"
    (home / ".env").write_text("PINCITE_LOG_LEVEL=ERROR\n", encoding="utf-8")
    read = f".env: {(home / '.env').resolve()}"
    assert checks(pincite, "--docs", docs)["settings"]["found"] == read
    (home / ".env").write_text("LOG_LEVEL=ERROR\n", encoding="utf-8")
    found = checks(pincite, "--docs", docs)["settings"]["found"]
    assert found == f"{read}. Set by short names, without PINCITE_: LOG_LEVEL"


def test_an_env_file_that_other_commands_read_is_named_without_a_folder_and_its_lines_are_checked(
    pincite: Callable[..., Any], home: Path
) -> None:
    (home / ".env").write_text("PINCITE_LOG_LEVEL=ERROR\n", encoding="utf-8")
    found = checks(pincite)["settings"]["found"]
    assert found.startswith(f".env: {(home / '.env').resolve()} (not by commands that search or serve this folder)")
    assert checks(pincite, "--docs", home)["settings"]["found"].startswith("No .env file is read")
    (home / ".env").write_text("no setting\n", encoding="utf-8")
    ran = pincite("doctor")
    assert (ran.code, ran.out.count("Line 1 of .env"), ran.err) == (3, 1, "")


def test_faulty_settings_are_told_and_the_rest_is_still_checked(
    pincite: Callable[..., Any], docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_MAX_FILES", "many")
    ran = pincite("doctor", "--docs", docs)
    assert ran.code == 3
    assert "PINCITE_MAX_FILES" in ran.out and "watching" in ran.out


def test_a_folder_that_is_not_there_is_a_failure(pincite: Callable[..., Any]) -> None:
    ran = pincite("doctor", "--docs", "nowhere")
    assert ran.code == 1
    assert "FAIL  folder" in ran.out


def test_a_cache_that_cannot_be_written_is_a_failure(
    pincite: Callable[..., Any], docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("PINCITE_CACHE", str(tmp_path / "file"))
    told = checks(pincite, "--docs", docs)
    assert told["cache"]["state"] == "failure"
    assert "journal" not in told


def test_a_client_that_is_connected_is_told(pincite: Callable[..., Any], docs: Path) -> None:
    pincite("connect", "cursor", docs, "--write")
    assert checks(pincite, "--docs", docs)["client cursor"]["state"] == "ok"


def test_a_client_whose_folder_has_gone_is_told_with_the_mend(pincite: Callable[..., Any], docs: Path) -> None:
    (docs / "deep").mkdir()
    pincite("connect", "vscode", docs / "deep", "--write")
    (docs / "deep").rmdir()
    check = checks(pincite, "--docs", docs)["client vscode"]
    assert check["state"] == "warning"
    assert check["fix"].startswith("Write it again: pincite connect vscode ")


def test_a_client_with_other_servers_only_is_not_mentioned(pincite: Callable[..., Any], home: Path, docs: Path) -> None:
    servers = {"a": {"command": "npx", "args": ["other"]}, "b": "odd", "c": {"url": "http://localhost"}}
    (home / ".mcp.json").write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
    assert "client claude-code" not in checks(pincite, "--docs", docs)


def test_a_client_file_that_cannot_be_read_is_a_warning(pincite: Callable[..., Any], home: Path, docs: Path) -> None:
    (home / ".mcp.json").write_text("{", encoding="utf-8")
    assert checks(pincite, "--docs", docs)["client claude-code"]["state"] == "warning"


def test_a_setting_without_effect_is_a_warning(
    pincite: Callable[..., Any], docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_BUKL", "3")
    monkeypatch.setenv("PINCITE_MODEL_DIR", str(tmp_path))
    check = checks(pincite, "--docs", docs)["settings"]
    assert check["state"] == "warning"
    assert "Did you mean PINCITE_BULK?" in check["fix"]
    assert "The folder of PINCITE_MODEL_DIR holds no model.safetensors" in check["fix"]
