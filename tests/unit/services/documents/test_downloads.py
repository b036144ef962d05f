"""Downloads are retried, kept, compared and shared as contract 4 says, over real sockets."""

import logging
import socket
import ssl
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from email.utils import formatdate
from typing import Any

import pytest

from pincite.errors import Cancelled, DownloadFailed, InvalidInput, TimeoutExceeded
from pincite.model.call import Call
from pincite.model.status import Freshness
from pincite.services.documents.downloads import Download, DownloadOptions, Downloads
from pincite.services.documents.fetching import NOT_COMPARED
from pincite.services.timed_cache import CacheLimits, TimedCache
from pincite.sources.url.transfer import TransferLimits
from support.faulty_server import Asked, Behaviour, FaultyServer, answer, faulty_server, in_turn, sending
from support.waiting import wait_for

LIMITS = TransferLimits(max_bytes=1000, idle_seconds=5.0, allow_private=True)
KEPT = CacheLimits(entries=3, total_bytes=3000, seconds=60.0)
CONTEXT = ssl.create_default_context()
BUSY, GONE, FOUND = sending(answer(status=503)), sending(answer(status=404)), sending(answer(b"found"))


class Clock:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def downloads(
    delays: tuple[float, ...] = (0.0, 0.0, 0.0),
    seconds: float = 60.0,
    clock: Callable[[], float] = time.monotonic,
) -> Downloads:
    cache = TimedCache[str, Download](KEPT, lambda download: len(download.blob.data), clock=clock)
    return Downloads(DownloadOptions(LIMITS, seconds, delays), cache, context=lambda: CONTEXT)


def test_a_download_has_its_names_its_type_and_its_time() -> None:
    headers: dict[str, Any] = {
        "content_type": "text/csv; charset=utf-8",
        "content_disposition": 'attachment; filename="../x.csv"',
    }
    with faulty_server(sending(answer(b"a,b", **headers))) as server:
        before = time.time()
        got = downloads().fetch(server.url("/export?id=7#top", host="user:secret@127.0.0.1"), Call())
        assert (got.name, got.blob.name, got.blob.data) == ("export", "x.csv", b"a,b")
        assert got.media_type == "text/csv; charset=utf-8"
        assert got.url == server.url("/export?id=7")
        assert before <= got.checked_at <= time.time()
        assert (got.is_cached, got.freshness().reason) == (False, "")


def test_an_answer_from_the_cache_says_that_it_was_not_compared() -> None:
    with faulty_server(FOUND) as server:
        service = downloads()
        first = service.fetch(server.url(), Call())
        second = service.fetch(server.url() + "#page=2", Call())
        assert len(server.asked) == 1
    assert (second.is_cached, second.freshness().reason) == (True, NOT_COMPARED)
    assert (second.blob, second.checked_at) == (first.blob, first.checked_at)


def test_the_freshness_of_an_answer_is_that_of_its_download_and_its_index() -> None:
    with faulty_server(FOUND) as server:
        service = downloads()
        new, kept = service.fetch(server.url(), Call()), service.fetch(server.url(), Call())
    assert new.freshness() == Freshness(0, new.checked_at)
    assert kept.freshness() == Freshness(0, new.checked_at, stale=True, reason=NOT_COMPARED)
    half = Freshness(3, time.time(), 1, stale=True, reason="One waits.")
    assert new.freshness(half) == Freshness(3, new.checked_at, 1, stale=True, reason="One waits.")
    assert kept.freshness(half).reason == f"{NOT_COMPARED} One waits."


@pytest.mark.parametrize(
    ("path", "media_type", "name"),
    [
        ("/readme", "text/markdown; charset=utf-8", "readme.md"),
        ("/notes.md", "text/markdown", "notes.md"),
        ("/data.txt", "text/csv", "data.txt.csv"),
        ("/page.php", "Text/HTML", "page.php.html"),
        ("/notes.md", "text/plain", "notes.md"),
        ("/any", "application/octet-stream", "any"),
        ("/any.bin", "application/pdf", "any.bin"),
    ],
)
def test_a_declared_text_format_counts_before_the_extension(path: str, media_type: str, name: str) -> None:
    with faulty_server(sending(answer(b"a text", content_type=media_type))) as server:
        got = downloads().fetch(server.url(path), Call())
    assert (got.blob.name, got.name) == (name, path[1:])


def test_the_content_counts_before_what_its_server_declares() -> None:
    with faulty_server(sending(answer(b"%PDF-1.7\n", content_type="text/html"))) as server:
        assert downloads().fetch(server.url("/report.pdf"), Call()).blob.name == "report.pdf"


@pytest.mark.parametrize("fault", [BUSY, sending(answer(status=429)), sending(b"")], ids=["503", "429", "closes"])
def test_what_may_be_better_later_is_tried_four_times(fault: Behaviour) -> None:
    with faulty_server(in_turn(fault, fault, fault, FOUND)) as server:
        assert downloads().fetch(server.url(), Call()).blob.data == b"found"
        assert len(server.asked) == 4
    with faulty_server(fault) as server:
        with pytest.raises(DownloadFailed, match="It was tried 4 times"):
            downloads().fetch(server.url(), Call())
        assert len(server.asked) == 4


def test_another_answer_fails_at_once_and_is_not_kept() -> None:
    with faulty_server(in_turn(GONE, FOUND)) as server:
        service = downloads()
        with pytest.raises(DownloadFailed, match="status 404 Not Found"):
            service.fetch(server.url(), Call())
        assert len(server.asked) == 1
        assert service.fetch(server.url(), Call()).blob.data == b"found"


def test_a_url_that_is_none_is_refused_under_the_name_of_its_argument() -> None:
    with pytest.raises(InvalidInput, match="image_url must be an http or https URL"):
        downloads().fetch("file:///etc/passwd", Call(), argument="image_url")


def waits(caplog: pytest.LogCaptureFixture) -> list[float]:
    return [vars(record)["wait"] for record in caplog.records if record.msg == "download.retry"]


def test_the_waits_are_those_of_the_schedule_or_longer_where_the_server_asks(caplog: pytest.LogCaptureFixture) -> None:
    def busy(after: str) -> Behaviour:
        return sending(answer(status=503, retry_after=after))

    with faulty_server(in_turn(busy("0"), busy("nonsense"), busy("0.04"), FOUND)) as server:
        downloads((0.01, 0.02, 0.03)).fetch(server.url(), Call())
    assert waits(caplog) == [0.01, 0.02, 0.04]
    caplog.clear()
    past = formatdate(time.time() - 100, usegmt=True)
    with faulty_server(in_turn(busy(past), busy("1"), FOUND)) as server:
        stop = Call()
        threading.Timer(0.1, stop.stop.set).start()
        with pytest.raises(Cancelled):
            downloads().fetch(server.url(), stop)
    assert waits(caplog) == [0.0, 1.0]


@pytest.mark.parametrize(
    "after", ["31", "9" * 400, formatdate(time.time() + 3600, usegmt=True)], ids=["seconds", "endless", "a date"]
)
def test_a_server_that_asks_for_a_long_pause_is_not_called_again(after: str) -> None:
    with faulty_server(sending(answer(status=429, retry_after=after))) as server:
        with pytest.raises(DownloadFailed, match="Try again later"):
            downloads().fetch(server.url(), Call())
        assert len(server.asked) == 1


def trickle(server: FaultyServer) -> Behaviour:
    def behave(_: Asked, connection: socket.socket) -> None:
        connection.sendall(answer(content_length="100"))
        while not server.ended.wait(0.005):
            connection.sendall(b".")

    return behave


def test_a_server_that_trickles_is_given_up_after_the_time_of_a_download() -> None:
    with faulty_server(FOUND) as server:
        server.behave = trickle(server)
        with pytest.raises(DownloadFailed, match=r"took longer than 0\.1 s"):
            downloads(seconds=0.1).fetch(server.url(), Call())
        with pytest.raises(TimeoutExceeded):
            downloads().fetch(server.url(), Call(deadline=time.monotonic() + 0.1))


def test_no_retry_begins_that_its_time_does_not_allow() -> None:
    with faulty_server(BUSY) as server:
        with pytest.raises(DownloadFailed, match="Try again later"):
            downloads((10.0,), seconds=5.0).fetch(server.url(), Call())
        assert len(server.asked) == 1


VERSIONED: dict[str, Any] = {"etag": '"v1"', "last_modified": "Sat, 21 Nov 2026 10:00:00 GMT"}


def test_a_download_whose_time_is_over_is_transferred_again_only_if_it_changed() -> None:
    clock = Clock()
    turns = in_turn(
        sending(answer(b"one", **VERSIONED)),
        sending(answer(status=304)),
        sending(answer(b"two", etag='"v2"')),
    )
    with faulty_server(turns) as server:
        service = downloads(clock=clock)
        first = service.fetch(server.url(), Call())
        clock.now = 60.0
        second = service.fetch(server.url(), Call())
        assert (second.blob, second.is_cached) == (first.blob, False)
        assert second.checked_at > first.checked_at
        assert service.fetch(server.url(), Call()).is_cached
        clock.now = 120.0
        assert service.fetch(server.url(), Call()).blob.data == b"two"
        conditions = [(a.headers.get("if-none-match"), a.headers.get("if-modified-since")) for a in server.asked]
    assert conditions == [(None, None), ('"v1"', VERSIONED["last_modified"]), ('"v1"', VERSIONED["last_modified"])]


def test_what_its_server_wants_nobody_to_keep_is_not_kept() -> None:
    with faulty_server(sending(answer(b"private", cache_control="private, No-Store"))) as server:
        service = downloads()
        assert not any(service.fetch(server.url(), Call()).is_cached for _ in range(2))
        assert len(server.asked) == 2


def test_documents_of_other_credentials_are_kept_apart() -> None:
    with faulty_server(FOUND) as server:
        service = downloads()
        service.fetch(server.url(host="user:pass@127.0.0.1"), Call())
        assert not service.fetch(server.url(), Call()).is_cached


def held(server: FaultyServer, release: threading.Event, then: Behaviour) -> Behaviour:
    def behave(asked: Asked, connection: socket.socket) -> None:
        while not release.is_set() and not server.ended.is_set():
            release.wait(0.01)
        then(asked, connection)

    return behave


def test_one_download_serves_all_that_want_it_at_the_same_time() -> None:
    release = threading.Event()
    with faulty_server(FOUND) as server, ThreadPoolExecutor(8) as pool:
        server.behave = held(server, release, FOUND)
        service = downloads()
        fetched = [pool.submit(service.fetch, server.url(), Call()) for _ in range(8)]
        assert wait_for(lambda: service.waiting == 7)
        release.set()
        assert {future.result().blob.data for future in fetched} == {b"found"}
        assert len(server.asked) == 1


def test_a_shared_download_that_fails_fails_for_all() -> None:
    release = threading.Event()
    with faulty_server(GONE) as server, ThreadPoolExecutor(3) as pool:
        server.behave = held(server, release, GONE)
        service = downloads()
        fetched = [pool.submit(service.fetch, server.url(), Call()) for _ in range(3)]
        assert wait_for(lambda: service.waiting == 2)
        release.set()
        assert all("status 404" in str(future.exception()) for future in fetched)
        assert len(server.asked) == 1


def test_a_call_that_is_cancelled_leaves_its_download_to_those_that_wait() -> None:
    release = threading.Event()
    leader, follower, impatient = Call(), Call(), Call()
    with faulty_server(FOUND) as server, ThreadPoolExecutor(3) as pool:
        server.behave = in_turn(held(server, release, FOUND), FOUND)
        service = downloads()
        led = pool.submit(service.fetch, server.url(), leader)
        assert wait_for(lambda: server.asked)
        followed = pool.submit(service.fetch, server.url(), follower)
        gone = pool.submit(service.fetch, server.url(), impatient)
        impatient.stop.set()
        assert isinstance(gone.exception(), Cancelled)
        leader.stop.set()
        assert isinstance(led.exception(), Cancelled)
        assert followed.result().blob.data == b"found"
        release.set()


def test_logs_have_the_events_without_credentials_and_queries(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    with faulty_server(in_turn(BUSY, FOUND, GONE)) as server:
        service, call = downloads(), Call()
        for path in ("/a?token=secret", "/b"):
            try:
                service.fetch(server.url(path, host="user:secret@127.0.0.1"), call)
            except DownloadFailed:
                continue
    events = [record for record in caplog.records if record.name == "pincite.download"]
    assert [event.msg for event in events] == ["download.retry", "download.success", "download.failed"]
    shown = [vars(event)["url"] for event in events]
    assert shown == [server.url("/a?…"), server.url("/a?…"), server.url("/b")]
    assert {vars(event)["rid"] for event in events} == {call.request_id}
    assert (vars(events[0])["code"], vars(events[0])["attempt"], vars(events[1])["bytes"]) == ("503", 1, 5)
    assert "secret" not in caplog.text


def test_a_page_of_another_machine_reaches_public_addresses_only_and_no_copy_of_what_others_reached() -> None:
    with faulty_server(FOUND) as server:
        service = downloads()
        assert service.fetch(server.url("/a"), Call()).blob.data == b"found"
        with pytest.raises(DownloadFailed, match="not on a public address"):
            service.fetch(server.url("/a"), Call(is_foreign=True))
        assert service.fetch(server.url("/a"), Call()).is_cached
