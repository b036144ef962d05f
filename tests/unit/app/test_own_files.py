from pathlib import Path

import pytest

from pincite.app.caches import build_caches
from pincite.app.documents import build_downloads, build_fetcher, build_uploads
from pincite.app.extraction import build_extraction_parts
from pincite.errors import InvalidInput, NotFound
from pincite.model.call import Call
from pincite.settings import Settings, load

OWN = ["tasks.db", "tasks.db-wal", "library.db", "cache/aliases/a.json", "capabilities/a.json", "converter/tasks.db"]


def settings(data: Path, **given: object) -> Settings:
    for name in (*OWN, "mine.txt", "uploads/1/original.txt", "other.db"):
        (data / name).parent.mkdir(parents=True, exist_ok=True)
        (data / name).write_bytes(b"text")
    return load({"DATA_DIR": data, "DB_PATH": data / "other.db", **given})


@pytest.mark.parametrize("name", [*OWN, "other.db"])
@pytest.mark.parametrize("is_named", [False, True])
def test_no_extraction_tool_opens_pincites_own_files(tmp_path: Path, name: str, is_named: bool) -> None:
    roots = {"ALLOWED_ROOTS": str(tmp_path)} if is_named else {}
    files = build_extraction_parts(settings(tmp_path, **roots), [tmp_path]).files
    with pytest.raises(NotFound):
        files.read_blob(name)
    assert files.read_blob("mine.txt").data == files.read_blob("uploads/1/original.txt").data == b"text"


@pytest.mark.parametrize("name", OWN)
def test_no_tool_that_reads_a_local_path_opens_them(tmp_path: Path, name: str) -> None:
    given = settings(tmp_path, ALLOWED_ROOTS=str(tmp_path))
    fetcher = build_fetcher(given, [tmp_path], build_downloads(given, build_caches(given)), build_uploads(given))
    with pytest.raises(InvalidInput, match="no such file"):
        fetcher.fetch(str(tmp_path / name), Call())
    assert fetcher.fetch(str(tmp_path / "mine.txt"), Call())
