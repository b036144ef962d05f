import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from pincite.embedding import inventory
from pincite.embedding.inventory import ModelFile, ModelRow


def test_a_machine_without_model_has_the_vocabulary_alone(pincite: Callable[..., Any]) -> None:
    ran = pincite("models", "list")
    assert ran.code == 0
    assert "present  tokenizer.json (package" in ran.out
    assert "absent   model.safetensors (cache" in ran.out


@pytest.mark.parametrize("command", [("models",), ("models", "list")])
def test_an_absent_model_is_told_with_the_ways_to_get_it(pincite: Callable[..., Any], command: Sequence[str]) -> None:
    ran = pincite(*command)
    assert ran.code == 0
    for way in ("pincite models fetch", "pincite models --from FILE", "data wheel"):
        assert way in ran.err
    assert json.loads(pincite(*command, "--json").out)["models"][0]["files"][1]["status"] == "absent"


def test_a_file_that_is_not_the_model_is_refused_in_one_sentence(pincite: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"half")
    ran = pincite("models", "--from", tmp_path / "model.safetensors")
    assert ran.code == 2 and ran.err.startswith("error: model.safetensors has 4 bytes") and ran.err.count("\n") == 1
    assert not (tmp_path / "cache" / "models").exists()


def test_a_file_is_installed_into_the_cache_and_made_ready(
    pincite: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def install(source: Path, folder: Path, precision: str, _: object, model_dir: Path | None) -> Sequence[ModelRow]:
        asked.extend([source, folder, precision, model_dir])
        return inventory.models(folder)

    monkeypatch.setattr(inventory, "install", install)
    assert pincite("models", "--from", "brought.whl").code == 0
    assert asked == [Path("brought.whl"), tmp_path / "cache" / "models", "int8", None]


def test_an_option_before_a_command_of_models_is_refused(pincite: Callable[..., Any]) -> None:
    ran = pincite("models", "--json", "list")
    assert ran.code == 2 and "Options come after the command" in ran.err


def test_the_real_model_is_installed_from_its_folder(
    pincite: Callable[..., Any], model_cache: Path, tmp_path: Path
) -> None:
    assert pincite("models", "--from", model_cache).code == 0
    assert pincite("models", "verify").code == 0
    assert {path.suffix for path in (tmp_path / "cache" / "models").iterdir()} == {".safetensors", ".onnx", ".json"}


def test_a_configured_folder_is_looked_into_first(
    pincite: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_MODEL_DIR", str(tmp_path))
    files = json.loads(pincite("models", "list", "--json").out)["models"][0]["files"]
    assert [file["source"] for file in files][:3] == ["package", "configured folder", "cache"]


def test_nothing_to_verify_is_exit_code_2(pincite: Callable[..., Any]) -> None:
    assert pincite("models", "verify").code == 2


def test_a_damaged_file_is_a_fault_with_its_mend(pincite: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "cache" / "models").mkdir(parents=True)
    (tmp_path / "cache" / "models" / "model.safetensors").write_bytes(b"half")
    ran = pincite("models", "verify")
    assert ran.code == 3
    assert "Damaged: model.safetensors. Delete it, then: pincite models fetch" in ran.err


def test_a_model_that_was_verified_is_well(
    pincite: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = ModelFile(tmp_path / "m.onnx", "cache", "built from here", 5_000_000, "ab" * 32, "present")

    def verify(*_: object) -> list[ModelRow]:
        return [ModelRow("small", (here,))]

    monkeypatch.setattr(inventory, "verify", verify)
    ran = pincite("models", "verify")
    assert ran.code == 0
    assert ran.out.splitlines() == [
        "small",
        "  present  m.onnx (cache, 5.0 MB)",
        f"           {tmp_path / 'm.onnx'}",
        "           built from here",
        f"           sha256 {'ab' * 32}",
    ]


def test_fetching_puts_it_into_the_cache(
    pincite: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def fetch(folder: Path, precision: str, _: object, model_dir: Path | None) -> Sequence[ModelRow]:
        asked.extend([folder, precision, model_dir])
        return inventory.models(folder)

    monkeypatch.setattr(inventory, "fetch", fetch)
    assert pincite("models", "fetch").code == 0
    assert asked == [tmp_path / "cache" / "models", "int8", None]
