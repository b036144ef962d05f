import pytest

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.pdf import reader
from pincite.formats.pdf.tagged import structure
from pincite.formats.pdf.tagged.structure import (
    Element,
    descendants,
    flatten,
    has_blocks,
    has_child,
    heading_kind,
    is_inline,
)
from pincite.formats.worker.read import read_document
from pincite.formats.writing.builder import build
from pincite.model.call import Call
from support.pdf_read import FORMAT, blocks, shown
from support.pdf_tagged import read
from support.tagged_pdfs import Show, Tag, lines, tag, tagged_pdf


def test_the_file_s_own_types_mean_what_its_role_map_says() -> None:
    found = read(
        [lines("Chapter", "One", y=700), lines("Heading_2", "Two", y=650), lines("Body", "text", y=600)],
        roles={"Chapter": "H1", "Body": "P"},
    )
    assert [(block.kind, block.level) for block in blocks(found)] == [("heading", 1), ("heading", 2), ("paragraph", 0)]


def test_what_an_element_says_instead_counts_only_where_it_is_the_same() -> None:
    found = read([
        tag("P", Show("Visible price 10", 72, 700), ActualText="(Other price 99)"),
        tag("P", tag("Span", Show("co", 72, 650), Show("-operate", 90, 650), ActualText="(cooperate)")),
    ])  # fmt: skip
    assert shown(found) == [("paragraph", "Visible price 10"), ("paragraph", "cooperate")]


def test_content_that_two_elements_claim_is_read_once() -> None:
    data = tagged_pdf([lines("P", "only once", y=700), lines("P", "another", y=600)])
    data = data.replace(b"/K[1]", b"/K[0]")
    found = read_document(FORMAT, Blob("a.pdf", data), ReadOptions(), Call())
    assert found.text.count("only once") == 1


def test_a_tree_that_is_too_large_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    pages: list[Tag | Show] = [lines("P", "second", y=300), lines("P", "first", y=700)]
    data = tagged_pdf(pages)
    monkeypatch.setattr(structure, "MAX_ELEMENTS", 2)
    found = build("a.pdf", "", "", reader.read(Blob("a.pdf", data), ReadOptions(), Call()))
    assert found.text.index("first") < found.text.index("second")


def test_what_is_too_deep_counts_as_untagged(monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tag("Sect", tag("Sect", tag("Sect", lines("H1", "Deep", y=700))))
    monkeypatch.setattr(structure, "MAX_DEPTH", 2)
    data = tagged_pdf([deep, lines("P", "shallow", y=650)])
    found = build("a.pdf", "", "", reader.read(Blob("a.pdf", data), ReadOptions(), Call()))
    assert "Deep" in found.text


def test_a_tree_that_holds_itself_ends() -> None:
    data = tagged_pdf([tag("Sect", lines("P", "round", y=700))])
    start = data.index(b"/S/Sect")
    own = data[data.rindex(b"\n", 0, data.rindex(b" 0 obj", 0, start)) + 1 : data.rindex(b" 0 obj", 0, start)]
    kid = data.index(b"/K[", start)
    looped = data[:kid] + b"/K[" + own + b" 0 R " + data[kid + 3 :]
    found = read_document(FORMAT, Blob("a.pdf", looped), ReadOptions(), Call())
    assert found.text.count("round") == 1


@pytest.mark.parametrize(("kind", "level"), [("H2", 2), ("Heading 3", 3), ("Title", 1), ("H", 1), ("P", 0), ("TH", 0)])
def test_the_level_of_a_heading_is_that_of_its_type(kind: str, level: int) -> None:
    assert heading_kind(kind) == level


def test_an_inline_element_with_a_block_in_it_is_a_block() -> None:
    span, code = Element("Span", (1,)), Element("Code", (Element("P", (2,)),))
    assert is_inline(span) and not is_inline(code)
    assert has_blocks(code) and not has_blocks(Element("P", (span,)))
    assert has_child(code, "P") and not has_child(code, "Span")


def test_what_is_in_an_item_replaces_its_wrappers_but_for_those_that_are_whole() -> None:
    block = Element("Div", (2,))
    item = Element("LI", (Element("LBody", (1, block)),))
    assert list(flatten(item)) == [1, 2]
    assert list(flatten(item, {id(block)})) == [1, block]
    assert list(descendants(item)) == [item.children[0], block]
