"""The bytes of a file are hashed once, by whatever face they arrive."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pincite.app import App
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker import frames
from pincite.index.collection import Spec
from pincite.index.updating.ingestion import Addition
from pincite.model.call import Call
from pincite.registry import FORMATS, SOURCES, find, load
from pincite.settings import load as load_settings
from support.document_server import serving_documents
from support.pdfs import pdf, prose
from support.serving import MakeApp, shelf

PAGE = "\ufeff# Keys\n\nKeys shall be rotated.\n".encode()  # with a mark that no text has: chunks are hashed, too
TABLE = b"Name,Eggs\nostrich,40\nemu,12\n"
REPORT = pdf(prose(), prose())
FILES = {"keys.md": PAGE, "birds.csv": TABLE, "report.pdf": REPORT}


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> Counter[bytes]:
    """How often the SHA-256 of some bytes was computed."""
    counts: Counter[bytes] = Counter()
    sha256: Callable[..., Any] = hashlib.sha256

    def counting(data: bytes = b"", **options: Any) -> Any:
        counts[bytes(data)] += 1
        return sha256(data, **options)

    monkeypatch.setattr(hashlib, "sha256", counting)
    return counts


def written(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    for name, data in FILES.items():
        (folder / name).write_bytes(data)
    return folder


def of_files(hashed: Counter[bytes]) -> dict[str, int]:
    return {name: hashed[data] for name, data in FILES.items()}


ONCE = dict.fromkeys(FILES, 1)


def test_of_a_folder(folder: Path, make_app: MakeApp, hashed: Counter[bytes]) -> None:
    written(folder)
    app = make_app(PINCITE_FRESH_BUDGET="inf")
    assert len(app.toolbox.call("list_pages", {}, Call()).model_dump()["pages"]) == 3
    assert of_files(hashed) == ONCE
    changed = PAGE + b"\nOnce a year.\n"
    (folder / "keys.md").write_bytes(changed)
    assert "Once" in str(app.toolbox.call("get_page", {"file_path": "keys.md"}, Call()).model_dump())
    assert (hashed[changed], of_files(hashed)) == (1, ONCE)


def test_of_a_library(
    folder: Path, tmp_path: Path, make_app: MakeApp, hashed: Counter[bytes], subtests: pytest.Subtests
) -> None:
    files = written(tmp_path / "standards")
    source = load(find(SOURCES, "folder"))(
        root=files,
        extensions={".md": True, ".csv": False, ".pdf": False},
        max_text_bytes=10**6,
        max_other_bytes=10**6,
        max_files=9,
    )
    assert folder.is_dir()
    location = tmp_path / "library.db"
    library = shelf(make_app(PINCITE_FRESH_BUDGET="inf")).open(
        Spec("standards", "library", files, "library standards", location)
    )

    def add() -> list[str]:
        report = library.add((Addition(name, str(files / name), partial(source.read, name)) for name in FILES), Call())
        return [*report.added, *report.replaced]

    with subtests.test("what is added"):
        assert (add(), of_files(hashed)) == (list(FILES), ONCE)
    with subtests.test("what was written again with the same bytes"):
        hashed.clear()
        written(files)
        assert (add(), of_files(hashed)) == ([], ONCE)
    with subtests.test("what changed"):
        hashed.clear()
        changed = PAGE + b"\nOnce a year.\n"
        (files / "keys.md").write_bytes(changed)
        assert (add(), hashed[changed], hashed[PAGE]) == (["keys.md"], 1, 0)


@pytest.fixture
def without_folder(tmp_path: Path) -> Iterator[Callable[..., App]]:
    """Apps that serve toolsets without a folder; closed at the end."""
    apps: list[App] = []

    def make(*toolsets: str) -> App:
        values = {
            "DATA_DIR": str(tmp_path / "data"),
            "PINCITE_CACHE": str(tmp_path / "cache"),
            "EMBEDDING_PROVIDER": "hash",
            "PINCITE_MODEL_GRACE": "inf",
            "PINCITE_FRESH_BUDGET": "inf",
            "DOWNLOAD_ALLOW_PRIVATE": "1",
        }
        apps.append(App(load_settings(values), None, toolsets=list(toolsets)))
        return apps[-1]

    yield make
    for app in apps:
        app.close()


def test_of_a_download(without_folder: Callable[..., App], hashed: Counter[bytes]) -> None:
    toolbox = without_folder("documents").toolbox
    with serving_documents({name: ("", data) for name, data in FILES.items()}) as root:
        for name in FILES:
            for tool, arguments in (
                ("process_document", {}),
                ("retrieve_chunks", {"query": "ostrich"}),
                ("retrieve_chunks", {"query": "keys"}),
            ):
                toolbox.call(tool, {"document_url": root + name, **arguments}, Call())
    assert of_files(hashed) == ONCE


def test_of_a_file_to_extract_from(without_folder: Callable[..., App], tmp_path: Path, hashed: Counter[bytes]) -> None:
    written(tmp_path / "data")
    toolbox = without_folder("extraction").toolbox
    for name in FILES:
        toolbox.call("doc_index_build", {"file_path": name}, Call())
    assert of_files(hashed) == ONCE


def test_a_reader_process_receives_the_hash_with_the_bytes(hashed: Counter[bytes]) -> None:
    job = frames.Job(FORMATS[0], Blob("a.md", PAGE), ReadOptions(), 1.0)
    assert PAGE not in hashed and job.key and hashed[PAGE] == 1
    packed = frames.pack(job)
    received = frames.unpack_job(packed[8:])
    assert (received.key, hashed[PAGE]) == (job.key, 1)


def test_the_same_bytes_under_another_name_keep_it(hashed: Counter[bytes]) -> None:
    blob = Blob("a.md", PAGE)
    again = Blob("b.md", PAGE, blob.fingerprint)
    assert (again.fingerprint, hashed[PAGE]) == (blob.fingerprint, 1)
    assert Blob("a.md", PAGE) == Blob("a.md", PAGE, blob.fingerprint)
