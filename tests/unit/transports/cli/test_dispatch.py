import importlib
from types import SimpleNamespace

import pytest
import typer

from pincite.transports.cli.dispatch import run


def test_a_command_is_imported_when_it_runs_and_its_code_is_the_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[dict[str, object]] = []

    def command(**arguments: object) -> int:
        ran.append(arguments)
        return 3

    def imported(name: str) -> SimpleNamespace:
        return SimpleNamespace(**{f"run_{name.rpartition('.')[2]}": command})

    monkeypatch.setattr(importlib, "import_module", imported)
    with pytest.raises(typer.Exit) as ended:
        run("models", "run_models", as_json=True)
    assert ended.value.exit_code == 3
    assert ran == [{"as_json": True}]
