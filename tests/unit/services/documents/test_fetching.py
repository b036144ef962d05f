"""What a caller names a document by: a URL, an upload, a local file."""

import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from pincite.errors import InvalidInput
from pincite.formats.base import Blob
from pincite.model.call import Call
from pincite.model.status import Freshness
from pincite.services.documents.fetching import DocumentFetcher, Fetched
from pincite.services.documents.uploads import DocumentUploads, UploadLimits
from pincite.services.local_files import LocalFiles
from pincite.sources.url.locations import parse


@dataclass
class Downloads:
    """Downloads, of which only the check of the URL is real."""

    def fetch(self, url: str, call: Call, *, argument: str = "document_url") -> Fetched:
        call.check()
        return Fetched(str(parse(url, argument)), "downloaded", Blob("a", b"from the web"), "", 0.0, is_cached=False)


@pytest.fixture
def uploads(tmp_path: Path) -> DocumentUploads:
    return DocumentUploads(tmp_path / "uploads", UploadLimits(100, 100))


@pytest.fixture
def fetcher(tmp_path: Path, uploads: DocumentUploads) -> DocumentFetcher:
    (tmp_path / "root" / "sub").mkdir(parents=True)
    (tmp_path / "root" / "sub" / "annual report.txt").write_bytes(b"local words")
    (tmp_path / "secret.txt").write_bytes(b"secret")
    return DocumentFetcher(Downloads(), LocalFiles([tmp_path / "root"], 100), uploads)


def test_a_url_is_downloaded(fetcher: DocumentFetcher) -> None:
    assert fetcher.fetch("https://example.com/a", Call()).blob.data == b"from the web"


@pytest.mark.parametrize("written", ["sub/annual report.txt", "./sub/../sub/annual report.txt"])
def test_a_local_file_is_named_by_its_path_in_its_root(fetcher: DocumentFetcher, written: str) -> None:
    before = time.time()
    held = fetcher.fetch(written, Call())
    assert (held.url, held.name) == ("sub/annual report.txt", "annual report.txt")
    assert (held.blob.data, held.media_type) == (b"local words", "")
    fresh = held.freshness()
    assert before <= fresh.checked_at <= time.time() and not fresh.stale


def test_an_absolute_path_is_told_relative(fetcher: DocumentFetcher, tmp_path: Path) -> None:
    held = fetcher.fetch(str(tmp_path / "root" / "sub" / "annual report.txt"), Call())
    assert held.url == "sub/annual report.txt"


def test_an_upload_is_named_by_its_id(fetcher: DocumentFetcher, uploads: DocumentUploads) -> None:
    upload = uploads.begin()
    upload.write(b"sent words")
    kept = uploads.keep_upload(upload, "sent.txt")
    held = fetcher.fetch(kept.url, Call())
    assert (held.url, held.name, held.blob.data) == (kept.url, "sent.txt", b"sent words")


def test_the_freshness_of_its_index_counts(fetcher: DocumentFetcher) -> None:
    held = fetcher.fetch("sub/annual report.txt", Call())
    fresh = held.freshness(Freshness(7, 1.0, 2, stale=True, reason="a document waits"))
    assert (fresh.generation, fresh.pending, fresh.stale, fresh.reason) == (7, 2, True, "a document waits")
    assert fresh.checked_at > 1.0


@pytest.mark.parametrize(
    "written",
    [
        "../secret.txt",
        "/etc/passwd",
        "sub",
        "none.pdf",
        "not a url",
        "example.com/report.pdf",
        "",
        "x" * 3000,
        "file:///etc/passwd",
        "FILE:/etc/passwd",
        "data:text/plain,x",
        "ftp://example.com/a",
        "http://example.com/a b",
        "a\0b",
        "a\nb",
    ],
)
def test_what_names_no_document_is_an_invalid_argument_that_says_what_one_is(
    fetcher: DocumentFetcher, tmp_path: Path, written: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        fetcher.fetch(written, Call(), argument="image_url")
    assert str(tmp_path) not in caught.value.message
    assert "image_url" in caught.value.message or "No regular file" in caught.value.message


def test_a_page_of_another_machine_may_name_urls_alone(fetcher: DocumentFetcher) -> None:
    foreign = Call(is_foreign=True)
    for written in ("sub/annual report.txt", "upload:00000000000000000000000000"):
        with pytest.raises(InvalidInput, match="pages of other machines"):
            fetcher.fetch(written, foreign)
    assert fetcher.fetch("https://example.com/a", foreign).name == "downloaded"
