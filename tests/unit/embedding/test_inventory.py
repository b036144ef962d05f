"""What `pincite models` shows."""

from pathlib import Path

import pytest

from pincite.embedding import inventory
from pincite.embedding.inventory import ModelRow
from pincite.embedding.weights import Pin
from pincite.errors import Cancelled
from pincite.model.call import Call
from support.tiny_model import tiny_pin, wheels_in

VOCABULARY = ("tokenizer.json", "package", "present")


@pytest.fixture
def pin(tmp_path: Path) -> Pin:
    return tiny_pin(tmp_path / "index")


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def fetch(pin: Pin, cache: Path, tmp_path: Path) -> list[ModelRow]:
    return inventory.fetch(cache, "int8", Call(), pin=pin, options=wheels_in(tmp_path / "index"))


def shown(rows: list[ModelRow]) -> list[tuple[str, str, str]]:
    (row,) = rows
    return [(file.path.name, file.source, file.status) for file in row.files]


def test_before_the_first_fetch_all_but_the_vocabulary_is_absent(cache: Path) -> None:
    rows = inventory.models(cache)
    assert rows[0].name == "all-MiniLM-L6-v2"
    assert shown(rows) == [
        VOCABULARY,
        ("model.safetensors", "cache", "absent"),
        ("minilm-l6-v2-int8-v1-2.onnx", "cache", "absent"),
        ("minilm-l6-v2-fp32-v1-2.onnx", "cache", "absent"),
    ]
    assert rows[0].files[1].size == 90_868_376 and rows[0].files[1].sha256.startswith("53aa5117")


def test_after_a_fetch_it_says_where_things_came_from(pin: Pin, cache: Path, tmp_path: Path) -> None:
    (row,) = fetch(pin, cache, tmp_path)
    _, kept, built, other = row.files
    assert (kept.status, kept.origin, kept.sha256, kept.size) == ("present", "tiny-weights 1.0", pin.sha256, pin.size)
    assert built.status == "present" and built.origin.startswith("built from") and len(built.sha256) == 64
    assert other.status == "absent" and other.size is None
    assert inventory.verify(cache, pin=pin) == [row]


def test_a_configured_folder_is_listed_first(pin: Pin, cache: Path, tmp_path: Path) -> None:
    fetch(pin, cache, tmp_path)
    rows = inventory.models(tmp_path, cache, pin)
    assert shown(rows)[1:3] == [
        ("model.safetensors", "configured folder", "present"),
        ("model.safetensors", "cache", "absent"),
    ]


def test_another_size_is_damage_at_a_glance(pin: Pin, cache: Path, tmp_path: Path) -> None:
    fetch(pin, cache, tmp_path)
    for name in ("model.safetensors", "minilm-l6-v2-int8-v1-2.onnx"):
        with (cache / name).open("ab") as file:
            file.write(b"x")
    assert [status for _, _, status in shown(inventory.models(cache, pin=pin))[1:3]] == ["damaged", "damaged"]


def test_one_wrong_byte_is_found_by_verify(pin: Pin, cache: Path, tmp_path: Path) -> None:
    fetch(pin, cache, tmp_path)
    for name in ("model.safetensors", "minilm-l6-v2-int8-v1-2.onnx"):
        with (cache / name).open("r+b") as file:
            file.write(b"\xff")
    assert [status for _, _, status in shown(inventory.models(cache, pin=pin))[1:3]] == ["present", "present"]
    assert [status for _, _, status in shown(inventory.verify(cache, pin=pin))[1:3]] == ["damaged", "damaged"]


def test_a_built_file_without_its_manifest_is_damaged(pin: Pin, cache: Path, tmp_path: Path) -> None:
    fetch(pin, cache, tmp_path)
    (cache / "minilm-l6-v2-int8-v1-2.onnx.json").unlink()
    assert shown(inventory.models(cache, pin=pin))[2] == ("minilm-l6-v2-int8-v1-2.onnx", "cache", "damaged")


def test_verifying_can_be_given_up(cache: Path) -> None:
    call = Call()
    call.stop.set()
    with pytest.raises(Cancelled):
        inventory.verify(cache, call=call)
