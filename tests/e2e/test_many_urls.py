"""Ten thousand documents of as many URLs take no more memory than some hundred do, and bounded room on the disk."""

import os
from contextlib import closing
from pathlib import Path

import pytest

from pincite.app import App
from pincite.model.call import Call
from pincite.model.sizes import MEGABYTE
from pincite.settings import load
from support.document_server import serving_documents
from support.memory import megabytes

URLS = 10_000
WARM = 1_000
RETRIEVED = 20
"""Of this number of documents one is searched, too: each has an index file of its own."""

GROWTH_MEGABYTES = 30
"""What an allocator keeps between calls; the documents themselves are 100 MB."""

INDEX_MEGABYTES = 50


class Pages(dict[str, tuple[str, bytes]]):
    """A page of 10 kB under every path."""

    def get(self, path: str, default: object = None) -> tuple[str, bytes]:  # type: ignore[override]
        """The page of a path."""
        del default
        return "text/markdown", f"# Page {path}\n\n{'A zebra eats grass. ' * 500}\n".encode()


@pytest.mark.long
@pytest.mark.timeout(3_600)
def test_ten_thousand_urls_leave_memory_and_disk_flat(tmp_path: Path) -> None:
    settings = load(
        {
            "EMBEDDING_PROVIDER": "hash",
            "PINCITE_CACHE": tmp_path / "cache",
            "DATA_DIR": tmp_path / "data",
            "PINCITE_INDEX_CACHE": INDEX_MEGABYTES,
            "DOWNLOAD_ALLOW_PRIVATE": True,
        }
    )

    with serving_documents(Pages()) as root, closing(App(settings, None, None, ["documents"])) as app:
        warm = 0.0
        for number in range(URLS):
            url = {"document_url": f"{root}{number}.md"}
            read = app.toolbox.call("process_document", url, Call()).model_dump()
            assert f"Page {number}.md" in read["content"]
            if number % RETRIEVED == 0:
                assert app.toolbox.call("retrieve_chunks", {**url, "query": "zebra"}, Call()).model_dump()["results"]
            if number == WARM:
                warm = megabytes(os.getpid())
        assert megabytes(os.getpid()) - warm < GROWTH_MEGABYTES
        statistics = app.caches.statistics()
        assert (statistics["download"].entries, statistics["document"].entries) == (50, 50)
        assert statistics["retriever"].entries <= 20
    indexes = sum(file.stat().st_size for file in (tmp_path / "data" / "cache").iterdir())
    assert indexes < 2 * INDEX_MEGABYTES * MEGABYTE
