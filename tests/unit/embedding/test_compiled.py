"""The finished model: built once, checked at each use, built again when it is not what was written."""

from pathlib import Path

import pytest

from pincite.embedding import compiled, weights
from pincite.embedding.weights import Pin
from pincite.errors import Cancelled, ConfigError
from pincite.model.call import Call
from support.tiny_model import safetensors, tiny_pin, tiny_weights, wheels_in


@pytest.fixture
def pin(tmp_path: Path) -> Pin:
    return tiny_pin(tmp_path / "index")


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    folder = tmp_path / "cache"
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(safetensors(tiny_weights()))
    return folder


def obtain(pin: Pin, cache: Path, call: Call | None = None, model_dir: Path | None = None) -> Path | bytes:
    return compiled.obtain("int8", pin, model_dir, cache, None, call or Call())


def test_it_is_built_from_the_weights_and_kept(pin: Pin, cache: Path) -> None:
    file = obtain(pin, cache)
    assert isinstance(file, Path) and file.name == "minilm-l6-v2-int8-v1-2.onnx"
    manifest = weights.read_manifest(file)
    assert manifest is not None and manifest.source == f"built from model.safetensors {pin.sha256[:8]}"


def test_once_built_it_needs_no_weights(pin: Pin, cache: Path) -> None:
    file = obtain(pin, cache)
    (cache / "model.safetensors").unlink()
    assert obtain(pin, cache) == file


@pytest.mark.parametrize("damage", ["bit", "cut", "gone", "manifest"])
def test_a_damaged_one_is_built_again(pin: Pin, cache: Path, damage: str) -> None:
    file = obtain(pin, cache)
    assert isinstance(file, Path)
    blob = file.read_bytes()
    match damage:
        case "bit":
            file.write_bytes(blob[:99] + bytes([blob[99] ^ 1]) + blob[100:])
        case "cut":
            file.write_bytes(blob[:-1])
        case "gone":
            file.unlink()
        case _:
            weights.manifest_path(file).write_text("{")
    assert obtain(pin, cache) == file
    assert file.read_bytes() == blob


def test_damage_without_weights_is_told(pin: Pin, cache: Path) -> None:
    file = obtain(pin, cache)
    assert isinstance(file, Path)
    file.write_bytes(b"")
    (cache / "model.safetensors").unlink()
    with pytest.raises(ConfigError, match="not on this machine"):
        obtain(pin, cache)


def test_a_cache_that_cannot_be_written_gives_bytes(pin: Pin, cache: Path, tmp_path: Path) -> None:
    no_folder = tmp_path / "file"
    no_folder.write_text("")
    kept, given = obtain(pin, cache), obtain(pin, no_folder, model_dir=cache)
    assert isinstance(kept, Path) and given == kept.read_bytes()


def test_missing_weights_are_fetched_first(pin: Pin, tmp_path: Path) -> None:
    options = wheels_in(tmp_path / "index")
    assert compiled.obtain("fp32", pin, None, tmp_path / "new", options, Call()) == (
        tmp_path / "new" / "minilm-l6-v2-fp32-v1-2.onnx"
    )


def test_a_cancelled_call_builds_nothing(pin: Pin, cache: Path) -> None:
    call = Call()
    call.stop.set()
    with pytest.raises(Cancelled):
        obtain(pin, cache, call)
