"""What comes first of much that changed, and who reads it."""

import threading

from pincite.index.updating.priority import Claims, NewDocuments

LISTED = 3


def test_what_a_listing_found_new_is_backlog_until_it_changes_again() -> None:
    new_documents = NewDocuments(frozenset({"new1.md", "new2.md"}), LISTED)
    changed = {"new2.md": LISTED, "new1.md": LISTED, "known.md": LISTED, "event.md": LISTED + 1}
    assert new_documents.urgent(changed) == ["event.md", "known.md"]
    assert list(NewDocuments.rest(changed, 2)) == ["new1.md", "new2.md"]
    del changed["new1.md"]
    changed["new1.md"] = LISTED + 2
    assert new_documents.urgent(changed) == ["new1.md", "event.md", "known.md"]


def test_without_a_backlog_everything_is_urgent() -> None:
    assert NewDocuments().urgent({"a.md": 1, "b.md": 2}) == ["b.md", "a.md"]


def test_a_document_is_read_by_one_thread_at_a_time() -> None:
    claims = Claims()
    with claims.take(["a.md", "b.md"]) as first, claims.take(["b.md", "c.md"]) as second:
        assert (first, second) == (["a.md", "b.md"], ["c.md"])
        assert claims.free(["a.md", "b.md", "d.md"]) == ["d.md"]
        assert not claims.wait(["a.md"], 0)
    assert claims.free(["a.md", "b.md", "c.md"]) == ["a.md", "b.md", "c.md"]


def test_a_thread_that_waits_hears_of_the_end_of_the_reading() -> None:
    claims = Claims()
    release = threading.Event()
    taken = threading.Event()

    def read() -> None:
        with claims.take(["a.md"]):
            taken.set()
            release.wait()

    reader = threading.Thread(target=read)
    reader.start()
    taken.wait()
    threading.Timer(0.05, release.set).start()
    assert claims.wait(["a.md"], threading.TIMEOUT_MAX)
    reader.join()
