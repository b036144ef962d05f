import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.errors import ConfigError
from pincite.transports.cli.opening.configuration import find_env_file, for_server, for_shell


@pytest.fixture
def repository(home: Path) -> Path:
    (home / ".git").mkdir()
    (home / "a" / "docs").mkdir(parents=True)
    return home


def test_the_nearest_env_file_up_to_the_repository_counts(repository: Path) -> None:
    (repository / ".env").touch()
    (repository / "a" / ".env").touch()
    assert find_env_file(repository / "a" / "docs", None) == (repository / "a" / ".env").resolve()


def test_nothing_above_the_repository_is_read(repository: Path) -> None:
    (repository.parent / ".env").touch()
    assert find_env_file(repository / "a", None) is None


def test_outside_a_repository_only_the_folder_itself_is_looked_into(home: Path) -> None:
    (home / ".env").touch()
    (home / "a").mkdir()
    assert find_env_file(home / "a", None) is None
    assert find_env_file(home, None) == (home / ".env").resolve()


def test_an_env_file_inside_the_searched_folder_is_never_read(repository: Path) -> None:
    (repository / "a" / ".env").touch()
    assert find_env_file(repository / "a", repository / "a") is None
    (repository / ".env").touch()
    assert find_env_file(repository / "a", repository / "a") == (repository / ".env").resolve()


def test_a_shell_waits_unless_told_otherwise(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = for_shell(None, None)
    assert math.isinf(settings.freshness.budget) and math.isinf(settings.embedding.grace)
    monkeypatch.setenv("PINCITE_FRESH_BUDGET", "3")
    (home / ".env").write_text("PINCITE_MODEL_GRACE=0.1\n", encoding="utf-8")
    settings = for_shell(None, None)
    assert (settings.freshness.budget, settings.embedding.grace) == (3, 0.1)


def test_a_server_reads_no_env_file_but_a_named_one(home: Path) -> None:
    file = home / ".env"
    file.write_text("LOG_LEVEL=ERROR\n", encoding="utf-8")
    assert for_server(None, {}, "text").logging.level == "INFO"
    assert for_server(file, {}, "text").logging.level == "ERROR"
    assert for_server(file, {"LOG_LEVEL": "debug"}, "text").logging.level == "DEBUG"
    with pytest.raises(ConfigError, match="does not exist"):
        for_server(home / "none", {}, "text")


def test_a_setting_without_effect_is_said_once_on_standard_error(
    pincite: Callable[..., Any], docs: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_BUKL", "3")
    (home / ".env").write_text("PINCITE_FRESH_BUGDET=3\n")
    ran = pincite("search", "keys", "--docs", docs, "--json")
    assert ran.code == 0
    assert ran.err.count("\n") == 2
    assert "warning: PINCITE_BUKL is not a setting of this version and has no effect." in ran.err
    assert "Did you mean PINCITE_FRESH_BUDGET?" in ran.err
    assert json.loads(ran.out)["results"]
