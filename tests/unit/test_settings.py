"""Settings: flag > environment > .env > default, and every fault at once."""

from pathlib import Path

import pytest

from pincite.errors import ConfigError
from pincite.settings import SECTIONS, load, variable


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for section in SECTIONS.values():
        for field in section.model_fields:
            monkeypatch.delenv(variable(section, field), raising=False)


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


@pytest.mark.parametrize(
    ("text", "read"), [("8/100 MB", (8, 100)), ("4", (4, 4)), ("0.5 / 2", (0.5, 2)), ("16MB", (16, 16))]
)
def test_file_limits_are_a_pair_or_one_number(text: str, read: tuple[float, float]) -> None:
    assert load({"PINCITE_MAX_FILE": text}).limits.max_file == read


@pytest.mark.parametrize(("text", "read"), [("2", 2.0), ("0.5 s", 0.5), ("inf", float("inf"))])
def test_times_are_seconds(text: str, read: float) -> None:
    assert load({"PINCITE_FRESH_BUDGET": text}).freshness.budget == read


def test_the_level_may_be_written_small() -> None:
    assert load({"LOG_LEVEL": "debug"}).logging.level == "DEBUG"


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


def test_every_setting_has_a_variable_and_a_description() -> None:
    for section in SECTIONS.values():
        for name, field in section.model_fields.items():
            assert variable(section, name).isupper()
            assert field.description and field.description.endswith(".")
