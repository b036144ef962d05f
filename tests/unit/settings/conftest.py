"""No setting of this machine."""

import os

import pytest

from pincite.settings import SECTIONS, variable


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for section in SECTIONS.values():
        for field in section.model_fields:
            monkeypatch.delenv(variable(section, field), raising=False)
    for name in [name for name in os.environ if name.upper().startswith("PINCITE_")]:
        monkeypatch.delenv(name)
