"""The caches of a server are counted and emptied together."""

from pincite.model.call import Call
from pincite.services.documents.derived import Derivation
from pincite.services.documents.language import LanguageDetection
from pincite.services.documents.size import document_bytes
from pincite.services.timed_cache import CacheStatistics
from support.faulty_server import answer, faulty_server, sending
from support.serving import MakeApp


def test_what_is_kept_is_counted_by_its_layer_and_emptied(make_app: MakeApp) -> None:
    app = make_app(DOWNLOAD_ALLOW_PRIVATE=True)
    with faulty_server(sending(answer(b"# A\n\nText."))) as server:
        app.downloads.fetch(server.url("/a.md"), Call())
        download = app.downloads.fetch(server.url("/a.md"), Call())
        app.reading.read(download.blob, Call())
        document = app.reading.read(download.blob, Call())
    statistics = app.caches.statistics()
    assert statistics["download"] == CacheStatistics(hits=1, misses=1, entries=1, bytes=10)
    assert statistics["document"] == CacheStatistics(1, 1, 1, document_bytes(document))
    assert statistics["retriever"] == CacheStatistics(0, 0, 0, 0)
    assert (app.caches.download.clear(), app.caches.document.clear(), app.retrievers.clear()) == (1, 1, 0)


def test_what_is_made_of_a_document_belongs_to_its_layer(make_app: MakeApp) -> None:
    app = make_app(DOWNLOAD_ALLOW_PRIVATE=True)
    with faulty_server(sending(answer(b"# A\n\nText."))) as server:
        blob = app.downloads.fetch(server.url("/a.md"), Call()).blob
    document = app.reading.read(blob, Call())
    Derivation(app.caches.derived, LanguageDetection()).laid_out(document)
    assert app.caches.statistics()["document"].bytes == 2 * document_bytes(document)
    assert app.caches.clear_documents() == 1
    assert app.caches.statistics()["document"].bytes == 0


def test_the_limits_are_those_of_the_settings(make_app: MakeApp) -> None:
    app = make_app(DOWNLOAD_ALLOW_PRIVATE=True, PINCITE_CACHE_SECONDS="0", PINCITE_DOCUMENT_CACHE="0.0001")
    with faulty_server(sending(answer(b"# A\n\nText."))) as server:
        assert not any(app.downloads.fetch(server.url(), Call()).is_cached for _ in range(2))
        app.reading.read(app.downloads.fetch(server.url(), Call()).blob, Call())
    assert app.caches.statistics()["document"].entries == 0
