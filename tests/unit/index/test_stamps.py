"""What of an index is read again after an upgrade, a new limit or a new package, and what is not."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from pincite.app import App
from pincite.app import collections as opening
from pincite.errors import ConnectionFailed, InvalidInput, ReadingFailed, Unsupported
from pincite.formats.base import Blob
from pincite.formats.detect import sniff
from pincite.formats.detect.sniff import Sniffed
from pincite.formats.worker.pool import ReaderPool
from pincite.index.stamps import RETRY_SECONDS, Stamps
from pincite.model.call import Call
from pincite.model.document import Document
from pincite.registry import FORMATS, Format
from pincite.tools.answers.docs import StatusAnswer
from pincite.tools.citations import OpenedCitation
from support.serving import MakeApp, ask, files

MARKDOWN = next(row for row in FORMATS if row.name == "markdown")
TEXT = next(row for row in FORMATS if row.name == "text")


def stamps(
    *,
    readers: tuple[str, ...] = ("pdf/3",),
    policy: str = "p/1",
    environment: str = "here",
    hour: int = 7,
    **limits: int,
) -> Stamps:
    limits = {"max_pages": 10, "max_blocks": 20} | limits
    return Stamps(frozenset(readers), policy, limits, lambda: environment, lambda: hour * RETRY_SECONDS + 5.0)


class TestAStamp:
    def test_names_reader_policy_and_the_limits_that_were_hit(self) -> None:
        assert stamps().of("pdf/3") == "pdf/3 p/1"
        assert stamps(policy="a policy").of("pdf/3", ["max_pages", "max_depth"]) == "pdf/3 a_policy max_pages=10"

    def test_of_a_document_with_pictures_of_text_names_the_engine_that_recognised_it(self) -> None:
        before = Stamps(frozenset({"pdf/3"}), "p/1", {"ocr": ""}, lambda: "")
        after = Stamps(frozenset({"pdf/3"}), "p/1", {"ocr": "engine-1"}, lambda: "")
        unread, read, plain = before.of("pdf/3", ["ocr"]), after.of("pdf/3", ["ocr"]), before.of("pdf/3")
        assert after.outdated([unread, read, plain]) == [unread]
        assert before.outdated([unread, read, plain]) == [read]

    @pytest.mark.parametrize(
        ("change", "outdated"),
        [
            ({}, ""),
            ({"readers": ("pdf/4",)}, "whole cut failed crashed damaged"),
            ({"policy": "p/2"}, "whole cut failed crashed damaged none"),
            ({"max_pages": 11}, "cut"),
            ({"max_blocks": 11}, ""),
            ({"environment": "with an extra"}, "failed crashed none"),
            ({"hour": 8}, "crashed"),
            ({"readers": ("pdf/3", "epub/1")}, ""),
        ],
    )
    def test_is_outdated_by_what_it_depends_on_and_nothing_else(self, change: dict[str, int], outdated: str) -> None:
        before = stamps()
        made = {
            "whole": before.of("pdf/3"),
            "cut": before.of("pdf/3", ["max_pages"]),
            "failed": before.of_failure("pdf/3", Unsupported("no extra")),
            "crashed": before.of_failure("pdf/3", ReadingFailed("crashed")),
            "damaged": before.of_failure("pdf/3", InvalidInput("damaged")),
            "none": before.of_failure("none", Unsupported("binary")),
        }
        found = stamps(**change).outdated(made.values())  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        assert [name for name, stamp in made.items() if stamp in found] == outdated.split()

    def test_of_a_document_without_some_of_its_attachments_names_their_limits(self) -> None:
        before, after = (Stamps(frozenset({"m/1"}), "p/1", {"attachments": {"count": n}}, lambda: "") for n in (1, 2))
        cut, whole = before.of("m/1", ["attachments"]), before.of("m/1")
        assert before.outdated([cut, whole]) == []
        assert after.outdated([cut, whole]) == [cut]

    def test_of_a_document_whose_attachment_ended_its_process_is_outdated_as_that_of_a_crash(self) -> None:
        stamp = stamps().of("pdf/3", ["reader_process"])
        assert stamps().outdated([stamp]) == []
        assert stamps(environment="with more time").outdated([stamp]) == [stamp]
        assert stamps(hour=8).outdated([stamp]) == [stamp]

    @pytest.mark.parametrize("stamp", ["", "pdf/3", "x", "pdf/3 p/1 max_pages", "  "])
    def test_that_nothing_wrote_is_outdated(self, stamp: str) -> None:
        assert stamps().outdated([stamp]) == [stamp]


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are read."""
    names: list[str] = []
    really = ReaderPool.read

    def read(self: ReaderPool, sniffed: Sniffed, blob: Blob, call: Call) -> Document:
        names.append(blob.name)
        return really(self, sniffed, blob, call)

    monkeypatch.setattr(ReaderPool, "read", read)
    return names


Upgrade = Callable[[Format], None]


@pytest.fixture
def upgrade(monkeypatch: pytest.MonkeyPatch) -> Upgrade:
    """Raises the version of one reader."""

    def raise_version(old: Format) -> None:
        table = tuple(replace(row, version=row.version + 1) if row == old else row for row in FORMATS)
        for module in (opening, sniff):
            monkeypatch.setattr(module, "FORMATS", table)

    return raise_version


def indexed(app: App, query: str = "zebra") -> list[str]:
    """The files found, once nothing is left to do; the app is closed."""
    found = files(ask(app, query))
    app.close()
    return found


def open_ref(app: App, ref: str) -> OpenedCitation:
    answer = app.toolbox.call("open_citation", {"ref": ref}, Call())
    assert isinstance(answer, OpenedCitation)
    return answer


def rereading(app: App) -> int | None:
    """What the status says of documents to be read again; they are found, and nothing is stale."""
    answer = app.toolbox.call("get_status", {}, Call())
    assert isinstance(answer, StatusAnswer) and answer.index is not None
    assert (answer.index.stale, answer.index.total_pages, answer.index.indexing) == (False, 2, None)
    app.close()
    return answer.index.rereading


@pytest.fixture
def two_formats(folder: Path) -> Path:
    (folder / "a.md").write_text("# A\n\nzebra\n")
    (folder / "b.txt").write_text("a zebra, too\n")
    return folder


@pytest.mark.usefixtures("no_background", "two_formats")
class TestAStart:
    def test_reads_nothing_again(self, make_app: MakeApp, read: list[str]) -> None:
        assert sorted(indexed(make_app())) == ["a.md", "b.txt"]
        read.clear()
        assert sorted(indexed(make_app())) == ["a.md", "b.txt"]
        assert read == []

    def test_of_a_new_reader_reads_its_format_alone(self, make_app: MakeApp, read: list[str], upgrade: Upgrade) -> None:
        app = make_app()
        refs = {result.metadata.file_path: result.ref for result in ask(app, "zebra").results}
        app.close()
        read.clear()
        upgrade(MARKDOWN)
        app = make_app()
        again = {result.metadata.file_path: result.ref for result in ask(app, "zebra").results}
        assert read == ["a.md"]
        assert again["b.txt"] == refs["b.txt"] and again["a.md"] != refs["a.md"]
        assert app.toolbox.call("open_citation", {"ref": refs["a.md"]}, Call())

    def test_says_how_many_documents_it_will_read_again(self, make_app: MakeApp, upgrade: Upgrade) -> None:
        indexed(make_app())
        assert rereading(make_app()) is None
        upgrade(MARKDOWN)
        assert rereading(make_app(PINCITE_FRESH_BUDGET=0)) == 1
        assert rereading(make_app(PINCITE_FRESH_BUDGET=0, PINCITE_CHUNK_TOKENS=64)) == 2
        assert rereading(make_app()) is None

    def test_with_another_chunk_size_opens_the_references_of_before(self, make_app: MakeApp, folder: Path) -> None:
        (folder / "long.md").write_text("# Long\n\n" + "".join(f"Sentence {n} of the text.\n\n" for n in range(90)))
        app = make_app()
        (result, *_) = ask(app, "sentence 70").results
        chunk = result.ref.partition("~")[0]  # a reference of before there were marks
        section = chunk.partition("-")[0]
        before = {ref: open_ref(app, ref).content for ref in (chunk, section, f"{chunk}:20-200")}
        app.close()
        for tokens in (64, 400):
            app = make_app(PINCITE_CHUNK_TOKENS=tokens)
            assert ask(app, "sentence").results
            for ref, content in before.items():
                again = open_ref(app, ref)
                assert (again.content, again.current) == (content, False)
                assert open_ref(app, again.newer_ref or "").content == content
            app.close()

    def test_with_another_policy_keeps_what_it_cannot_read_yet(
        self, make_app: MakeApp, read: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert sorted(indexed(make_app())) == ["a.md", "b.txt"]
        read.clear()
        with monkeypatch.context() as patch:
            patch.setattr(ReaderPool, "read", _unreachable)
            assert sorted(indexed(make_app(PINCITE_CHUNK_TOKENS=64, PINCITE_FRESH_BUDGET=0.2))) == ["a.md", "b.txt"]
        assert sorted(indexed(make_app(PINCITE_CHUNK_TOKENS=64))) == ["a.md", "b.txt"]
        assert sorted(read) == ["a.md", "b.txt"]
        read.clear()
        indexed(make_app(PINCITE_CHUNK_TOKENS=64))
        assert read == []

    def test_with_a_raised_limit_reads_what_that_limit_had_cut(
        self, make_app: MakeApp, read: list[str], folder: Path
    ) -> None:
        (folder / "long.md").write_text("".join(f"paragraph {n}\n\n" for n in range(30)) + "the quokka\n")
        app = make_app(PINCITE_MAX_BLOCKS=20)
        indexed(app)
        read.clear()
        app = make_app(PINCITE_MAX_BLOCKS=100)
        (result, *_) = ask(app, "quokka").results
        assert read == ["long.md"] and result.incomplete is None


def test_two_servers_of_other_settings_answer_and_write_side_by_side(folder: Path, make_app: MakeApp) -> None:
    (folder / "a.md").write_text("# A\n\n" + "zebra words of a paragraph.\n\n" * 60)
    small, large = make_app(PINCITE_CHUNK_TOKENS=64), make_app()
    for number in range(3):
        for app in (small, large):
            (folder / "b.md").write_text(f"# B\n\nedited{number}{id(app)}x\n")
            answer = ask(app, f"edited{number}{id(app)}x")
            assert files(answer)[0] == "b.md" and answer.index is not None and not answer.index.stale


def _unreachable(self: ReaderPool, sniffed: Sniffed, blob: Blob, call: Call) -> Document:
    raise ConnectionFailed(f"no process for {blob.name} {sniffed.problem} {call.request_id} {self.options.max_pages}")
