"""Settings: flag > environment > .env > default, and every fault at once."""

from pathlib import Path

import pytest

from pincite.errors import ConfigError
from pincite.settings import SECTIONS, load, unknown, unprefixed, variable


def test_the_defaults_are_those_of_the_contract() -> None:
    settings = load()
    assert settings.freshness.budget == 2.0
    assert settings.embedding.grace == 0.5
    assert settings.limits.max_file == (8.0, 100.0)
    assert settings.limits.max_files == 50_000
    assert settings.embedding.model == "all-MiniLM-L6-v2"
    assert settings.embedding.precision == "int8"


def test_flag_wins_over_environment_wins_over_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / ".env"
    file.write_text("PINCITE_FRESH_BUDGET=3\nPINCITE_MODEL_GRACE=3\nPINCITE_MAX_FILES=3\n")
    monkeypatch.setenv("PINCITE_FRESH_BUDGET", "4")
    monkeypatch.setenv("PINCITE_MODEL_GRACE", "4")
    settings = load({"PINCITE_FRESH_BUDGET": "5"}, file)
    assert settings.freshness.budget == 5
    assert settings.embedding.grace == 4
    assert settings.limits.max_files == 3


def test_no_env_file_is_read_unless_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").write_text("PINCITE_FRESH_BUDGET=3\n")
    monkeypatch.chdir(tmp_path)
    assert load().freshness.budget == 2.0


@pytest.mark.parametrize(("text", "read"), [("2", 2.0), ("0.5 s", 0.5), ("inf", float("inf"))])
def test_times_are_seconds(text: str, read: float) -> None:
    assert load({"PINCITE_FRESH_BUDGET": text}).freshness.budget == read


def test_every_fault_is_reported_at_once_with_its_variable_and_without_its_value() -> None:
    faulty = {"PINCITE_FRESH_BUDGET": "-1", "PINCITE_MAX_FILE": "much-secret", "LOG_LEVEL": "LOUD"}
    with pytest.raises(ConfigError) as caught:
        load(faulty)
    message = caught.value.message
    assert all(name in message for name in faulty)
    assert "much-secret" not in message


def test_an_env_file_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.env does not exist"):
        load(env_file=tmp_path / "nowhere.env")


def test_each_line_of_an_env_file_that_sets_nothing_is_a_fault_that_is_said_once(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / ".env"
    file.write_text("PINCITE_MAX_FILES=x\nthis sets nothing\nLOG_LEVEL=ERROR\n'PORT=1\n")
    with pytest.raises(ConfigError) as caught:
        load(env_file=file)
    message = caught.value.message
    assert [message.count(text) for text in ("Line 2 of .env", "Line 4 of .env", "PINCITE_MAX_FILES: ")] == [1, 1, 1]
    assert capfd.readouterr().err == caplog.text == ""


@pytest.mark.parametrize("content", [b"PORT=\xff\n", None])
def test_an_env_file_that_cannot_be_read_is_a_fault(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / ".env"
    file.write_bytes(content) if content else file.mkdir()
    with pytest.raises(ConfigError, match=r"\.env"):
        load(env_file=file)


def test_every_setting_has_a_variable_and_a_description() -> None:
    for section in SECTIONS.values():
        for name, field in section.model_fields.items():
            assert variable(section, name).isupper()
            assert field.description and field.description.endswith(".")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *((name, value) for name in ("PINCITE_READER_TIMEOUT", "PINCITE_BULK_LEASE") for value in ("0", "inf", "nan")),
        *((name, value) for name in ("PINCITE_READER_IDLE", "PINCITE_ZIP_PART") for value in ("0", "inf", "nan")),
        *((name, value) for name in ("PINCITE_ZIP_TOTAL", "PINCITE_READER_RESULT") for value in ("0", "inf", "nan")),
        *(("PINCITE_READER_WALL_FACTOR", value) for value in ("0.5", "inf", "nan")),
        *((name, "inf") for name in ("PINCITE_READER_TIMEOUT_PER_MB", "PINCITE_READER_TIMEOUT_PER_PAGE")),
        *(("PINCITE_READER_MEMORY", value) for value in ("0", "inf", "nan", "1e15")),
        *(("PINCITE_MAX_FILE", value) for value in ("0", "8/0", "9" * 400)),
        *((name, value) for name in ("MCP_REQUEST_TIMEOUT", "PINCITE_RESCAN") for value in ("0", "-inf", "nan")),
        *((name, "nan") for name in ("PINCITE_FRESH_BUDGET", "PINCITE_MODEL_GRACE")),
        ("PINCITE_EMBED_THREADS", "100000"),
        ("EMBEDDING_MODEL", "text-embedding-9"),
        ("EMBEDDING_DIMENSIONS", "1536"),
        ("PINCITE_MODEL_DIR", "/nowhere/at/all"),
    ],
)
def test_a_value_with_which_nothing_would_work_is_a_fault(name: str, value: str) -> None:
    with pytest.raises(ConfigError, match=f"- {name}: "):
        load({name: value})


@pytest.mark.parametrize(
    "name", ["PINCITE_FRESH_BUDGET", "PINCITE_MODEL_GRACE", "PINCITE_RESCAN", "MCP_REQUEST_TIMEOUT"]
)
def test_a_wait_may_be_without_limit(name: str) -> None:
    load({name: "inf"})


def test_a_path_may_begin_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    settings = load({"PINCITE_CACHE": "~/cache", "PINCITE_MODEL_DIR": "~", "PINCITE_SYNONYMS": "~/words.txt"})
    assert settings.storage.cache == tmp_path / "cache"
    assert settings.embedding.model_dir == tmp_path
    assert settings.searching.synonyms == tmp_path / "words.txt"


def test_a_misspelt_variable_is_named_with_the_nearest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_FRESH_BUGDET", "3")
    monkeypatch.setenv("pincite_bulk", "3")
    monkeypatch.setenv("PINCITE_BOOKSHELF", "secret")
    monkeypatch.setenv("EMBEDDING_PRECISON", "fp32")
    file = tmp_path / ".env"
    file.write_text("PINCITE_MAX_FLIES=3\nSECRET_KEY=x\nEMBEDDING_BATCH_SIZE=3\n")
    assert sorted(unknown(file)) == [
        "EMBEDDING_PRECISON is not a setting of this version and has no effect. Did you mean EMBEDDING_PRECISION?",
        "PINCITE_BOOKSHELF is not a setting of this version and has no effect.",
        "PINCITE_FRESH_BUGDET is not a setting of this version and has no effect. Did you mean PINCITE_FRESH_BUDGET?",
        "PINCITE_MAX_FLIES is not a setting of this version and has no effect. Did you mean PINCITE_MAX_FILES?",
        "pincite_bulk is not a setting of this version and has no effect. Did you mean PINCITE_BULK?",
    ]


def test_every_setting_is_known() -> None:
    assert unknown() == []


def test_every_name_may_have_the_prefix_which_wins_where_both_are_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / ".env"
    file.write_text("PINCITE_LOG_LEVEL=ERROR\nPINCITE_PORT=1\nCHUNK_OVERLAP=1\nPINCITE_CORS_ORIGINS=\n")
    monkeypatch.setenv("LOG_LEVEL", "DEBUG")
    monkeypatch.setenv("PORT", "2")
    monkeypatch.setenv("PINCITE_PORT", "3")
    settings = load({"PINCITE_DB_PATH": "a.db"}, file)
    assert (settings.logging.level, settings.http.port, settings.knowledge.chunk_overlap) == ("DEBUG", 3, 1)
    assert (str(settings.extraction.database), settings.http.cors_origins) == ("a.db", ())
    assert unknown(file) == []
    assert set(unprefixed(file)) == {"LOG_LEVEL", "PORT", "CHUNK_OVERLAP"}
