import importlib.util
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from pincite import settings

ROOT = Path(__file__).resolve().parents[2]


def _generate() -> Mapping[str, Any]:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "scripts" / "generate.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return vars(module)


GENERATE = _generate()
MADE: Mapping[str, Callable[[], str]] = GENERATE["MADE_FROM_CODE"]


@pytest.mark.parametrize("name", MADE)
def test_what_is_made_from_the_code_says_what_the_code_says(name: str) -> None:
    assert (ROOT / name).read_text(encoding="utf-8") == MADE[name](), "run `make generate`"


def test_the_example_with_every_line_taken_in_gives_the_defaults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in os.environ if name.startswith(("PINCITE_", "EMBEDDING_", "LOG_", "MCP_"))]:
        monkeypatch.delenv(name)
    lines = (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()
    assigned = [
        line.removeprefix("# ") for line in lines if line.startswith("# ") and line[2:3].isupper() and "=" in line
    ]
    taken = [line for line in assigned if line.partition("=")[0].isupper()]
    file = tmp_path / ".env"
    file.write_text("\n".join(taken), encoding="utf-8")
    assert len(taken) == sum(len(section.model_fields) for section in settings.SECTIONS.values())
    assert settings.load(env_file=file) == settings.load()


def test_every_setting_is_in_a_group_and_those_to_begin_with_exist() -> None:
    assert sorted(name for names in GENERATE["GROUPS"].values() for name in names) == sorted(settings.SECTIONS)
    known = {
        settings.prefixed(settings.variable(section, field))
        for section in settings.SECTIONS.values()
        for field in section.model_fields
    }
    assert {name for names in GENERATE["FIRST"].values() for name in names} - known == set()
