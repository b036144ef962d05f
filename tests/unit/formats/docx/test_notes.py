from pincite.model.document import AsideKind
from support.docx_read import read
from support.word import Word, p, styled, tbl, tc, tr
from support.word_probes import asides


def test_footnotes_stand_at_the_end_of_their_section_and_endnotes_at_the_end() -> None:
    word = Word()
    for kind in ("footnote", "endnote"):
        notes = "".join(f'<w:{kind} w:id="{n}">{p(f"{kind} {n}")}</w:{kind}>' for n in (1, 2))
        word.part(f"{kind}s", f"<w:{kind}s>{notes}</w:{kind}s>")

    def mark(kind: str, identity: int) -> str:
        return f'<w:r><w:{kind}Reference w:id="{identity}"/></w:r>'

    word.add(p("a", inside=mark("endnote", 1) + mark("footnote", 2)))
    word.add(styled("Heading1", "B"), tbl(tr(tc(p("c", inside=mark("footnote", 1) + mark("footnote", 2))), "d")))
    word.add(p("e", inside=mark("footnote", 99)))
    document = read(word)
    assert document.text.startswith("a[^i][^1]\n\n[^1]: footnote 2\n\n# B\n\n")
    assert "| c[^2][^1] | d |" in document.text
    assert document.text.endswith("e\n\n[^2]: footnote 1\n\n[^1]: footnote 2\n\n[^i]: endnote 1\n")


def test_a_text_in_the_margin_is_kept_once() -> None:
    word = Word().add("body")
    word.made.add_section()
    for section in word.made.sections:
        section.header.is_linked_to_previous = False
        section.header.paragraphs[0].text = "Same"
    assert asides(read(word), AsideKind.HEADER) == ["Same"]


def test_a_comment_without_an_author_is_its_text() -> None:
    word = Word().add("body")
    word.part("comments", f"<w:comments><w:comment>{p('Why?')}</w:comment><w:comment>{p()}</w:comment></w:comments>")
    assert asides(read(word), AsideKind.COMMENT) == ["Why?"]
