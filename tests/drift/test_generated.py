import importlib.util
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import cast

import pytest

from pincite import settings

ROOT = Path(__file__).resolve().parents[2]


def _made() -> Mapping[str, Callable[[], str]]:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "scripts" / "generate.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return cast("Mapping[str, Callable[[], str]]", module.MADE_FROM_CODE)


MADE = _made()


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
