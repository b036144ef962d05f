"""Contract 1, points 4 to 6: another model, two processes, sudden death, the first answer while much is unread."""

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from behaviour import corpus, faces
from behaviour.conftest import Serve
from behaviour.faces import Stdio
from support import office
from support.waiting import pause
from support.wire import ERAS, STATELESS

NAMES = (
    pytest.param("toolbox"),
    pytest.param(f"stdio {STATELESS}"),
    pytest.param(f"http {STATELESS}", marks=pytest.mark.slow),
)
"""In process and a process of each kind: which protocol brings the question has no part in indexing again."""

MANY = 1500
HANGS = 300.0
"""After so many seconds nothing more is awaited."""


def page(i: int) -> str:
    return f"# Page {i}\n\n{corpus.paragraph(i)}\n\n## More {i}\n\nunique{i}\n"


def pages(n: int) -> dict[str, str]:
    return {f"part{i % 10}/page{i:05}.md": page(i) for i in range(n)}


def files(answer: dict[str, Any]) -> list[str]:
    return [hit["metadata"]["file_path"] for hit in answer["results"]]


@pytest.mark.parametrize("name", NAMES)
def test_another_chunking_policy_indexes_again_by_itself(name: str, serve: Serve, tmp_path: Path) -> None:
    folder = faces.write(tmp_path / "docs", {"long.md": corpus.LONG, "unique.md": "# U\n\nquokka\n"})
    first = serve(name, folder)
    before = faces.settled(first)["index"]["total_chunks"]
    second = serve(name, folder, PINCITE_CHUNK_TOKENS="64")
    after = faces.settled(second)["index"]["total_chunks"]
    assert after > before
    long = second.call("get_page", file_path="long.md")
    assert "".join(chunk["content"] for chunk in long["chunks"]) == corpus.LONG
    assert files(second.call("search_docs", query="quokka", top_k=1)) == ["unique.md"]


@pytest.mark.parametrize("name", NAMES)
def test_the_fix_that_a_failure_names_lets_the_file_be_read(name: str, serve: Serve, tmp_path: Path) -> None:
    folder = faces.write(tmp_path / "docs", {"keys.docx": office.docx("The quokka keys. " * 2000), "a.md": "# A\n"})
    first = serve(name, folder, PINCITE_ZIP_PART="0.02")
    faces.settled(first)
    assert "keys.docx" not in files(first.call("search_docs", query="quokka"))
    (failure,) = first.call("get_status")["index"]["failures"]
    assert failure["file_path"] == "keys.docx" and "(PINCITE_ZIP_PART)" in failure["reason"]
    second = serve(name, folder, PINCITE_ZIP_PART="1")
    faces.settled(second)
    assert files(second.call("search_docs", query="quokka", top_k=1)) == ["keys.docx"]
    assert not second.call("get_status")["index"].get("failures")


@pytest.mark.parametrize("name", NAMES)
def test_another_model_embeds_again_by_itself(name: str, serve: Serve, tmp_path: Path, model_cache: Path) -> None:
    folder = faces.write(tmp_path / "docs", {"a.md": "# A\n\nThe dog sleeps.\n", "b.md": "# B\n\nA ship at sea.\n"})
    first = serve(name, folder)
    assert faces.settled(first)["embedding"]["model"] == "hash"
    first.call("search_docs", query="vessel")
    (tmp_path / "cache/models").symlink_to(model_cache)
    second = serve(name, folder, EMBEDDING_PROVIDER="local", PINCITE_FETCH_MODEL="false")
    answer = second.call("search_docs", query="a sailing vessel on the ocean", top_k=1)
    assert files(answer) == ["b.md"]
    assert answer["results"][0]["similarity"] > 0.3
    assert second.call("get_status")["embedding"]["model"] == "all-MiniLM-L6-v2"


def test_two_processes_serve_one_folder(serve: Serve, tmp_path: Path) -> None:
    folder = faces.write(tmp_path / "docs", {"a.md": "# A\n\nstart\n"})
    one, two = (serve(f"stdio {era}", folder) for era in ERAS)
    for n in range(15):
        faces.write(folder, {f"page{n}.md": f"# Page\n\nshared{n}\n", "a.md": f"# A\n\nround{n}\n"})
        for face in (one, two) if n % 2 else (two, one):
            assert files(face.call("search_docs", query=f"shared{n}", top_k=1)) == [f"page{n}.md"]
            assert files(face.call("search_docs", query=f"round{n}", top_k=1)) == ["a.md"]
    assert one.call("get_status")["index"]["total_pages"] == two.call("get_status")["index"]["total_pages"] == 16


def test_two_processes_index_one_folder_at_once(serve: Serve, tmp_path: Path) -> None:
    folder = faces.write(tmp_path / "docs", pages(200))
    both = [serve(f"stdio {era}", folder) for era in ERAS]
    answers: list[list[str]] = [[], []]

    def ask(which: int) -> None:
        for n in range(0, 200, 20):
            answers[which] += files(both[which].call("search_docs", query=f"unique{n}", top_k=1))

    threads = [threading.Thread(target=ask, args=(which,)) for which in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = [f"part{n % 10}/page{n:05}.md" for n in range(0, 200, 20)]
    assert answers == [expected, expected]
    assert {faces.settled(face)["index"]["total_pages"] for face in both} == {200}


@pytest.mark.parametrize("delay", [0.0, pytest.param(0.3, marks=pytest.mark.slow)])
def test_a_killed_server_leaves_an_index_that_heals(serve: Serve, tmp_path: Path, delay: float) -> None:
    folder = faces.write(tmp_path / "docs", pages(300))
    killed = faces.serve(f"stdio {STATELESS}", folder, tmp_path / "cache", PINCITE_FRESH_BUDGET="0.1")
    assert isinstance(killed, Stdio)
    killed.call("search_docs", query="unique7")
    pause(delay, "it is killed at some moment")
    os.kill(killed.wire.process.pid, signal.SIGKILL)
    assert killed.wire.wait() == -signal.SIGKILL
    faces.write(folder, {"part7/page00007.md": "# Page 7\n\nrewritten7\n"})
    (folder / "part8/page00008.md").unlink()
    healed = serve(f"stdio {STATELESS}", folder)
    assert files(healed.call("search_docs", query="rewritten7", top_k=1)) == ["part7/page00007.md"]
    assert files(healed.call("search_docs", query="unique299", top_k=1)) == ["part9/page00299.md"]
    status = faces.settled(healed)
    assert status["index"]["total_pages"] == 299
    assert status["index"]["total_chunks"] == 298 * 2 + 1


@pytest.mark.parametrize("era", ERAS)
def test_the_first_answer_comes_while_much_is_still_unread_and_progress_is_told(
    serve: Serve, tmp_path: Path, era: str
) -> None:
    folder = faces.write(tmp_path / "docs", pages(MANY))
    face = serve(f"stdio {era}", folder, PINCITE_FRESH_BUDGET="0.3", PINCITE_MODEL_GRACE="0")
    assert isinstance(face, Stdio)
    wire = face.wire
    begun = time.monotonic()
    answer: dict[str, Any] = {"results": []}
    while not answer["results"]:  # a busy machine reads nothing in so little time
        wire.notes.clear()
        answer = wire.call("search_docs", {"query": "Page more"}, token="t")["structuredContent"]  # noqa: S106 - a progress token
        # A page that is read meanwhile waits for its vectors, too.
        assert answer["index"]["stale"] and (answer["results"] or answer["index"]["pending"] >= MANY)
    assert answer["index"]["stale"] and answer["index"]["pending"] > 0 and answer["index"]["reason"]
    notes = [note["params"] for note in wire.notes if note["method"] == "notifications/progress"]
    assert notes
    assert [n["progress"] for n in notes] == sorted({n["progress"] for n in notes})
    indexing = face.call("get_status")["index"]["indexing"]
    # A page that is read meanwhile waits for its vectors, too.
    assert indexing is None or 0 <= indexing["done"] < indexing["total"] <= 2 * MANY
    while answer["index"]["stale"]:
        assert time.monotonic() - begun < HANGS, answer["index"]
        answer = face.call("search_docs", query="unique1234", top_k=1)
    assert files(answer) == ["part4/page01234.md"]
    assert answer["index"]["pending"] == 0 and answer["search_type"] == "hybrid"


@pytest.mark.parametrize("era", ERAS)
def test_the_end_of_the_input_ends_a_server_that_is_indexing(tmp_path: Path, era: str) -> None:
    folder = faces.write(tmp_path / "docs", pages(600))
    face = faces.serve(f"stdio {era}", folder, tmp_path / "cache", PINCITE_FRESH_BUDGET="0.1")
    assert isinstance(face, Stdio)
    assert face.call("get_status")["index"]["indexing"] is not None
    assert face.wire.end() == 0
    assert "Traceback" not in "".join(face.wire.log)


@pytest.mark.parametrize("delay", [0.0, 0.15, 0.3])
def test_the_end_of_the_input_ends_a_server_that_loads_its_model(
    tmp_path: Path, model_cache: Path, delay: float
) -> None:
    folder = faces.write(tmp_path / "docs", {"a.md": "# A\n\ntext\n"})
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache/models").symlink_to(model_cache)
    local = {"EMBEDDING_PROVIDER": "local", "PINCITE_FETCH_MODEL": "false", "PINCITE_MODEL_GRACE": "0"}
    face = faces.serve(f"stdio {STATELESS}", folder, tmp_path / "cache", **local)
    assert isinstance(face, Stdio)
    face.call("search_docs", query="text")
    pause(delay, "it is killed at some moment")
    assert face.wire.end() == 0
    assert "Traceback" not in "".join(face.wire.log)


def test_an_index_that_is_complete_stays_untouched_by_the_next_start(tmp_path: Path) -> None:
    folder = faces.write(tmp_path / "docs", pages(50))
    generations: list[int] = []
    for _ in range(2):
        face = faces.serve(f"stdio {STATELESS}", folder, tmp_path / "cache")
        generations.append(faces.settled(face)["index"]["generation"])
        face.close()
    assert generations[0] == generations[1]
