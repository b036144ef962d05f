"""The wheel of data that carries the model to a machine without network: built, installed, found, used."""

import importlib.util
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from pincite.embedding import inventory, offline, weights
from pincite.embedding.weights import Pin
from pincite.model.call import Call
from support.tiny_model import pin_of, safetensors, tiny_weights, wheel_of

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "model_wheel.py"
BLOB = safetensors(tiny_weights())


@pytest.fixture(scope="session")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("model_wheel", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def pin(tmp_path: Path) -> Pin:
    return pin_of(BLOB, wheel_of(BLOB, tmp_path / "index"))


def install(wheel: Path, target: Path) -> None:
    """As a person without network does."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--disable-pip-version-check"]
    subprocess.run([*command, "--target", str(target), str(wheel)], check=True)


def test_the_same_weights_give_the_same_bytes(script: ModuleType, pin: Pin, tmp_path: Path) -> None:
    one, two = (script.build(pin, BLOB, tmp_path / name).read_bytes() for name in ("one", "two"))
    assert one == two
    assert [path.name for path in (tmp_path / "one").iterdir()] == ["pincite_model_minilm-1.0.0-py3-none-any.whl"]


def test_it_carries_data_its_licence_and_no_code(script: ModuleType, pin: Pin, tmp_path: Path) -> None:
    with zipfile.ZipFile(script.build(pin, BLOB, tmp_path)) as archive:
        names = archive.namelist()
        info = "pincite_model_minilm-1.0.0.dist-info"
        assert b"Apache License" in archive.read(f"{info}/licenses/LICENSE")
        assert pin.sha256.encode() in archive.read(f"{info}/licenses/NOTICE")
    assert [name for name in names if name.endswith((".py", ".pth", ".so"))] == []


def test_an_installed_wheel_comes_after_the_configured_folder_and_before_the_cache(
    script: ModuleType, pin: Pin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    install(script.build(pin, BLOB, tmp_path), tmp_path / "site")
    assert weights.find(pin, None, cache) is None
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site"), *sys.path])
    carried = tmp_path / "site" / "pincite_model_minilm" / "model.safetensors"
    offline.install(carried, pin, cache, Call())
    assert weights.find(pin, None, cache) == weights.Weights(carried, BLOB)
    listed = [file.source for file in inventory.models(cache, tmp_path, pin)[0].files]
    assert listed[:4] == ["package", "configured folder", "data package", "cache"]
    carried.write_bytes(BLOB[:-1] + b"\0")
    assert weights.find(pin, None, cache) == weights.Weights(cache / "model.safetensors", BLOB)


def test_the_wheel_is_taken_by_models_from_too(script: ModuleType, pin: Pin, tmp_path: Path) -> None:
    assert offline.install(script.build(pin, BLOB, tmp_path), pin, tmp_path / "cache", Call()).blob == BLOB


def test_without_the_weights_nothing_is_built(tmp_path: Path) -> None:
    env = {**os.environ, "PINCITE_CACHE": str(tmp_path / "cache")}
    ran = subprocess.run([sys.executable, SCRIPT, tmp_path / "out"], env=env, capture_output=True, check=False)
    assert ran.returncode == 2 and ran.stderr.startswith(b"error: The embedding model is not on this machine")
    assert not (tmp_path / "out").exists()


def test_help_builds_nothing(tmp_path: Path) -> None:
    ran = subprocess.run([sys.executable, SCRIPT, "--help"], cwd=tmp_path, capture_output=True, check=True)
    assert b"folder" in ran.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_the_real_wheel_serves_a_machine_with_an_empty_cache_and_no_network(model_cache: Path, tmp_path: Path) -> None:
    env = {**os.environ, "PINCITE_CACHE": str(model_cache.parent)}
    subprocess.run([sys.executable, SCRIPT, tmp_path], env=env, check=True, capture_output=True)
    install(next(tmp_path.glob("*.whl")), tmp_path / "site")
    searched = os.pathsep.join(filter(None, (str(tmp_path / "site"), os.environ.get("PYTHONPATH"))))
    bare = {
        **os.environ,
        "PYTHONPATH": searched,
        "PINCITE_CACHE": str(tmp_path / "cache"),
        "PINCITE_MODEL_GRACE": "inf",
    }
    bare |= {"PINCITE_FETCH_MODEL": "false", "EMBEDDING_PROVIDER": "local"}
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("# A\n\nThe dog sleeps.\n")
    (docs / "b.md").write_text("# B\n\nA ship at sea.\n")
    command = [sys.executable, "-m", "pincite"]
    asked = [*command, "search", "a sailing vessel on the ocean", "--top-k", "1", "--docs", str(docs), "--json"]
    found = subprocess.run(asked, env=bare, capture_output=True, check=True, text=True)
    # Nothing but the model relates a vessel to a ship.
    assert '"b.md"' in found.stdout and '"search_type": "semantic"' in found.stdout
    listed = subprocess.run([*command, "models"], env=bare, capture_output=True, check=True, text=True)
    assert "present  model.safetensors (data package" in listed.stdout
    assert [path.suffix for path in (tmp_path / "cache" / "models").glob("*.safetensors")] == []
