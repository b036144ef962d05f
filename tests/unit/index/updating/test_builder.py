"""From bytes to the document that is written, and what of it is recorded if it cannot be read."""

from contextlib import closing
from dataclasses import asdict

import pytest

from pincite.chunking.sections import SectionPolicy
from pincite.embedding.wordpiece import WordPiece
from pincite.errors import Cancelled, TimeoutExceeded
from pincite.formats.base import ReadOptions
from pincite.formats.worker.pool import ReaderPool
from pincite.formats.worker.processes import ReaderLimits
from pincite.index.stamps import Stamps
from pincite.index.updating.builder import Describe, Description, DocumentBuilder, describe_by_title
from pincite.model.call import Call
from pincite.model.document import Document
from pincite.model.store import UNTRUSTED, NewDocument
from pincite.registry import FORMATS
from pincite.sources.base import SourceDocument
from support.pdfs import Filled, pdf, prose

PAGE = b"# Keys\n\nHow keys work.\n\n## Rotation\n\nRotate each week.\n"


def build(
    name: str,
    data: bytes,
    call: Call | None = None,
    max_blocks: int = 100,
    describe: Describe = describe_by_title,
) -> NewDocument:
    options = ReadOptions(max_blocks=max_blocks)
    policy, tokenizer = SectionPolicy(64), WordPiece()
    stamps = Stamps(frozenset(row.identity for row in FORMATS), "p/1", asdict(options), lambda: "here", lambda: 0.0)
    source = SourceDocument(data, (1, 2), 3, is_settled=name != "new.md")
    with closing(ReaderPool(options, ReaderLimits())) as pool:
        builder = DocumentBuilder(pool.read, policy, tokenizer, stamps, describe)
        return builder.build(name, source, call or Call(), f"files/{name}")


def test_a_document_is_its_text_its_chunks_and_a_hash_for_each() -> None:
    new = build("keys.md", PAGE)
    assert new.text == PAGE.decode()
    assert [chunk.locator for chunk in new.chunks] == ["h1-c1", "h2-c1"]
    assert len(set(new.embed_hashes)) == 2
    assert (new.row.name, new.row.source_key, new.row.state, new.row.modified_ns) == (
        "keys.md",
        "files/keys.md",
        (1, 2),
        3,
    )
    assert new.row.failure == "" and new.row.coverage.complete


def test_a_state_that_may_not_last_is_not_trusted() -> None:
    assert build("new.md", PAGE).row.state == UNTRUSTED


def test_the_revision_depends_on_the_limits_that_cut_the_document_alone() -> None:
    whole = build("keys.md", PAGE)
    assert build("other.md", PAGE, max_blocks=50).row.revision == whole.row.revision
    cut = build("keys.md", PAGE, max_blocks=1)
    assert "max_blocks=1" in cut.row.stamp and cut.row.revision != whole.row.revision
    assert not cut.row.coverage.complete


def test_a_scan_is_stamped_with_the_engine_that_may_read_it() -> None:
    found = build("a.pdf", pdf(prose(), [Filled(0, 0, 612, 792, picture=True)]))
    assert found.row.coverage.needs_ocr == 1 and "ocr=" in found.row.stamp


def test_what_nothing_reads_has_the_reason_and_no_text() -> None:
    new = build("data.bin", b"\0\1\2\3")
    assert new.row.failure and (new.text, new.chunks) == ("", ())
    assert new.row.stamp.startswith("none p/1 environment=")


def test_a_bug_of_a_reader_is_the_document_s_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> Document:
        raise ZeroDivisionError

    monkeypatch.setattr(ReaderPool, "read", broken)
    assert build("keys.md", PAGE).row.failure == "its reader failed (ZeroDivisionError); the log says more"


def test_a_failure_that_repeats_has_the_same_revision(monkeypatch: pytest.MonkeyPatch) -> None:
    before = build("data.bin", b"\0\1\2\3")

    def later(*_: object) -> str:
        return "another stamp"

    monkeypatch.setattr(Stamps, "of_failure", later)
    again = build("data.bin", b"\0\1\2\3")
    assert (again.row.stamp, again.row.revision) == ("another stamp", before.row.revision)


@pytest.mark.parametrize("name", ["keys.md", "data.bin"])
def test_a_call_that_ended_leaves_no_failure_behind(name: str) -> None:
    cancelled = Call()
    cancelled.stop.set()
    with pytest.raises(Cancelled):
        build(name, PAGE if name == "keys.md" else b"\0\1", cancelled)
    with pytest.raises(TimeoutExceeded):
        build(name, PAGE if name == "keys.md" else b"\0\1", Call(deadline=0.0))


def test_a_document_is_described_as_its_collection_wishes() -> None:
    def describe(document: Document, source_key: str) -> Description:
        return Description(f"{document.title} in {source_key}", {"type": "policy"})

    row = build("keys.md", PAGE, describe=describe).row
    assert (row.title, row.properties) == ("Keys in files/keys.md", {"type": "policy"})
    new = build("keys.md", PAGE, describe=lambda document, _: Description(document.title, context="ACME: Keys"))
    assert new.row.title == "Keys" and {chunk.context.split(" > ")[0] for chunk in new.chunks} == {"ACME: Keys"}
    plain = build("keys.md", PAGE).row
    assert (plain.title, plain.properties) == ("Keys", {})
