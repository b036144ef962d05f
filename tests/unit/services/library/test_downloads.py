"""Documents that a library has from URLs."""

from pathlib import Path

import pytest

from pincite.errors import WritingFailed
from pincite.formats.base import Blob
from pincite.services.library.downloads import keep, origin_of, url_of
from pincite.services.library.ingestion import single_file

LONG = f"https://example.org/{'a' * 600}/b%20c.html?d=1&e=%C3%A4"


@pytest.mark.parametrize("url", ["http://127.0.0.1:8080/a/./b.html?q=[1]#x", LONG, "https://example.org/"])
def test_the_key_of_a_download_names_its_url(tmp_path: Path, url: str) -> None:
    file = keep(tmp_path, url, Blob("b.html", b"<h1>B</h1>"))
    [listed] = single_file(file, 1000).files
    assert (url_of(listed.key), origin_of(listed.key), file.read_bytes()) == (url, url, b"<h1>B</h1>")


def test_a_file_of_a_folder_is_found_by_its_path() -> None:
    key = "/standards/./nist/800-63.pdf"
    assert (url_of(key), origin_of(key)) == ("", "nist/800-63.pdf")


def test_a_download_is_replaced_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = "https://example.org/b.html"
    file = keep(tmp_path, url, Blob("b.html", b"before"))
    assert keep(tmp_path, url, Blob("b.html", b"after")) == file

    def full(_: Path, __: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(WritingFailed, match="cannot be stored"):
        keep(tmp_path, url, Blob("b.html", b"half"))
    assert [(path, path.read_bytes()) for path in file.parent.iterdir()] == [(file, b"after")]
