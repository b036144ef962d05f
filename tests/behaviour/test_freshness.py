"""Contract 1, points 2 and 3: the very next call answers from what is on disk, watched or compared."""

import os
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from behaviour import faces
from behaviour.faces import Face, Failed

SCAN = {"inotify": {}, "scan": {"PINCITE_WATCH": "false"}}


@dataclass(frozen=True)
class Live:
    """A served folder that tests change, each below a folder of its own."""

    face: Face
    folder: Path

    def write(self, name: str, text: str) -> Path:
        page = self.folder / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text, encoding="utf-8")
        return page

    def found(self, query: str, file_filter: str = "**") -> list[str]:
        """Files whose chunks hold every word of the query, among those found now."""
        answer = self.face.call("search_docs", query=query, file_filter=file_filter, top_k=20)
        assert (answer["index"]["stale"], answer["index"]["pending"]) == (False, 0), answer["index"]
        hits = [h for h in answer["results"] if all(word in h["content"] for word in query.split())]
        return [hit["metadata"]["file_path"] for hit in hits]

    def page(self, name: str) -> str:
        return "".join(chunk["content"] for chunk in self.face.call("get_page", file_path=name)["chunks"])

    def listed(self, prefix: str) -> list[str]:
        return [page["file_path"] for page in self.face.call("list_pages", prefix=prefix)["pages"]]

    def missing(self, name: str) -> bool:
        try:
            self.page(name)
        except Failed as error:
            return "No page found" in str(error)
        return False


@pytest.fixture(scope="module", params=SCAN)
def method(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module", params=faces.PARAMETERS)
def live(request: pytest.FixtureRequest, method: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    name = request.param
    folder = faces.write(tmp_path_factory.mktemp("live"), {"first.md": "# First\n\nthe first page\n"})
    face = faces.serve(name, folder, tmp_path_factory.mktemp("cache"), **SCAN[method])
    assert faces.settled(face)["index"]["freshness"]["method"] in {method, "scan"}
    yield Live(face, folder)
    face.close()


def test_an_edit_is_in_the_next_answer(live: Live) -> None:
    for n in range(20):
        live.write("edit/page.md", f"# Edit\n\nedited number{n}\n")
        assert live.page("edit/page.md") == f"# Edit\n\nedited number{n}\n"
        assert live.found(f"number{n}", "edit/**") == ["edit/page.md"]
        assert not n or live.found(f"number{n - 1}", "edit/**") == []


def test_an_edit_of_the_same_length_is_in_the_next_answer(live: Live) -> None:
    for word in ("aaaa", "bbbb", "cccc", "dddd", "aaaa"):
        live.write("same/page.md", f"# Same\n\n{word}\n")
        assert live.page("same/page.md") == f"# Same\n\n{word}\n"


def test_an_added_file_is_in_the_next_answer(live: Live) -> None:
    for n in range(5):
        live.write(f"added/deep{n}/page.md", f"# Added\n\naddition{n}\n")
        assert live.found(f"addition{n}") == [f"added/deep{n}/page.md"]
        assert live.listed("added")[-1] == f"added/deep{n}/page.md"


def test_a_deleted_file_is_in_no_answer(live: Live) -> None:
    page = live.write("deleted/page.md", "# Deleted\n\nephemeral\n")
    assert live.found("ephemeral") == ["deleted/page.md"]
    page.unlink()
    assert live.found("ephemeral") == []
    assert live.missing("deleted/page.md")
    assert live.listed("deleted") == []


def test_a_deleted_folder_is_in_no_answer(live: Live) -> None:
    for n in range(5):
        live.write(f"gone/sub/page{n}.md", f"# Gone\n\nvanishing{n}\n")
    assert len(live.listed("gone")) == 5
    shutil.rmtree(live.folder / "gone")
    assert live.listed("gone") == []
    assert live.found("vanishing3") == []


def test_a_renamed_file_is_found_under_its_new_name_only(live: Live) -> None:
    page = live.write("renamed/old.md", "# Renamed\n\nnomadic\n")
    assert live.found("nomadic") == ["renamed/old.md"]
    page.rename(page.with_name("new.md"))
    assert live.found("nomadic") == ["renamed/new.md"]
    assert live.missing("renamed/old.md")


def test_a_renamed_folder_takes_its_pages_along(live: Live) -> None:
    live.write("before/page.md", "# Moved\n\nmigratory\n")
    assert live.found("migratory") == ["before/page.md"]
    (live.folder / "before").rename(live.folder / "behind")
    assert live.found("migratory") == ["behind/page.md"]
    live.write("behind/page.md", "# Moved\n\nsettled\n")
    assert live.found("settled") == ["behind/page.md"]


def test_a_file_that_replaces_another_is_in_the_next_answer(live: Live) -> None:
    page = live.write("replaced/page.md", "# Replaced\n\noriginal\n")
    assert live.found("original", "replaced/**") == ["replaced/page.md"]
    other = live.write("replaced/page.tmp", "# Replaced\n\nsubstitute\n")
    other.replace(page)
    assert live.found("substitute") == ["replaced/page.md"]
    assert live.found("original", "replaced/**") == []


def test_an_older_file_restored_with_its_older_time_is_in_the_next_answer(live: Live) -> None:
    page = live.write("restored/page.md", "# Restored\n\nancient words\n")
    os.utime(page, (1_000_000_000, 1_000_000_000))
    assert live.found("ancient words") == ["restored/page.md"]
    copy = page.with_suffix(".bak")
    shutil.copy2(page, copy)
    live.write("restored/page.md", "# Restored\n\nmodernist words\n")
    assert live.found("modernist words") == ["restored/page.md"]
    copy.replace(page)
    assert live.found("ancient words") == ["restored/page.md"]
    answer = live.face.call("get_page", file_path="restored/page.md")
    assert answer["last_modified"].startswith("2001-09-09T01:46:40")


def test_another_text_with_the_old_time_is_in_the_next_answer(live: Live) -> None:
    page = live.write("timed/page.md", "# Timed\n\nword one\n")
    before = page.stat()
    assert live.page("timed/page.md").endswith("word one\n")
    live.write("timed/page.md", "# Timed\n\nword two\n")
    os.utime(page, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert live.page("timed/page.md").endswith("word two\n")


def test_a_file_that_comes_to_be_ignored_is_in_no_answer(live: Live) -> None:
    live.write("ignored/page.md", "# Ignored\n\nshunned\n")
    assert live.found("shunned") == ["ignored/page.md"]
    live.write("ignored/.pinciteignore", "page.md\n")
    assert live.found("shunned") == []
    (live.folder / "ignored/.pinciteignore").unlink()
    assert live.found("shunned") == ["ignored/page.md"]


def test_a_page_that_loses_its_text_loses_its_chunks(live: Live) -> None:
    live.write("emptied/page.md", "# Emptied\n\nsubstance\n")
    assert live.found("substance") == ["emptied/page.md"]
    live.write("emptied/page.md", "")
    assert live.found("substance") == []
    assert live.listed("emptied") == ["emptied/page.md"]


def test_the_status_counts_the_change(live: Live) -> None:
    before = live.face.call("get_status")["index"]
    live.write("counted/page.md", "# Counted\n\n## One\n\na\n\n## Two\n\nb\n")
    after = live.face.call("get_status")["index"]
    assert after["total_pages"] == before["total_pages"] + 1
    assert after["total_chunks"] == before["total_chunks"] + 3
    assert after["generation"] > before["generation"]


def test_a_ref_names_the_revision_that_was_read(live: Live) -> None:
    refs: list[str] = []
    for text in ("one", "two", "one"):
        live.write("revised/page.md", f"# Revised\n\n{text}\n")
        refs.append(live.face.call("get_page", file_path="revised/page.md")["chunks"][0]["ref"])
    assert refs[0] == refs[2] != refs[1]


def test_a_call_during_changes_answers_from_one_state_of_each_page(live: Live) -> None:
    stop = threading.Event()
    live.write("torn/page.md", _pair(0))

    def rewrite() -> None:
        n = 0
        while not stop.is_set():
            n += 1
            text = _pair(n)
            temporary = live.folder / "torn/page.swap"
            temporary.write_text(text)
            temporary.replace(live.folder / "torn/page.md")

    writer = threading.Thread(target=rewrite)
    writer.start()
    try:
        for _ in range(40):
            numbers = [_number(chunk) for chunk in _chunks(live)]
            assert len(set(numbers)) <= 1, numbers
    finally:
        stop.set()
        writer.join()


def test_a_page_that_never_stops_growing_is_answered_with_what_it_had_when_the_call_came(live: Live) -> None:
    page = live.write("log/page.md", "# Log\n\nline 0\n")
    stop, written = threading.Event(), [0]

    def append() -> None:
        with page.open("a", encoding="utf-8") as log:
            while not stop.wait(0.01):
                log.write(f"line {written[0] + 1}\n")
                log.flush()
                written[0] += 1

    writer = threading.Thread(target=append)
    writer.start()
    try:
        for _ in range(20):
            before = written[0]
            text = live.page("log/page.md")
            assert f"line {before}\n" in text and text.endswith("\n"), (before, text[-40:])
            assert live.found(f"line {before}", "log/**") == ["log/page.md"]
    finally:
        stop.set()
        writer.join()


def _pair(n: int) -> str:
    return f"# Torn\n\nleft {n}\n\n## Other\n\nright {n}\n"


def _chunks(live: Live) -> list[dict[str, Any]]:
    return live.face.call("get_page", file_path="torn/page.md")["chunks"]


def _number(chunk: dict[str, Any]) -> str:
    return chunk["content"].split()[-1]
