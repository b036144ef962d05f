from support.docx_read import read
from support.word import Word, p, picture, styled, tbl, tc, tr
from support.word_probes import cells


def test_pictures_stand_after_their_paragraph_with_their_caption() -> None:
    word = Word().add(p("text ", inside=picture("A cat")), styled("Caption", "Figure 1: Cats"))
    document = read(word.add(p("", inside=picture("")), styled("Caption", "Figure 2")))
    assert document.text == "text\n\n![Figure 1: Cats – A cat]\n\n![Figure 2]\n"


def test_old_pictures_and_word_art_are_read() -> None:
    old = '<w:r><w:pict><v:shape alt="Old"><v:textpath string="WORDS"/><v:imagedata/></v:shape></w:pict></w:r>'
    choices = "<mc:Choice/><mc:Fallback><w:pict><v:shape alt='Fall'/></w:pict></mc:Fallback>"
    fallback = f"<mc:AlternateContent>{choices}</mc:AlternateContent>"
    assert read(Word().add(p("", inside=f"{old}<w:r>{fallback}</w:r>"))).text == "WORDS\n\n![Old]\n\n![Fall]\n"


def test_a_picture_in_a_cell_is_named_there() -> None:
    assert cells(read(Word().add(tbl(tr(tc(p("see ", inside=picture("A cat")))), tr("x")))))[0][2] == "see\n![A cat]"


def test_charts_and_diagrams_are_read() -> None:
    word = Word()
    cache = "<c:strCache><c:pt idx='0'><c:v>{}</c:v></c:pt></c:strCache>"
    inside = ((kind, cache.format(text)) for kind, text in (("tx", "Sales"), ("cat", "2024"), ("val", "7")))
    series = f"<c:ser>{''.join(f'<c:{kind}>{values}</c:{kind}>' for kind, values in inside)}</c:ser>"
    full = word.part(
        "chart", f"<c:chartSpace><c:chart><c:plotArea>{series}</c:plotArea></c:chart></c:chartSpace>", "c1"
    )
    title = "<c:title><c:tx><a:t>Trend</a:t></c:tx></c:title>"
    bare = word.part("chart", f"<c:chartSpace><c:chart>{title}</c:chart></c:chartSpace>", "c2")
    point = "<dgm:pt modelId='1'><dgm:t><a:p><a:r><a:t>Step</a:t></a:r></a:p></dgm:t></dgm:pt>"
    data = word.part("diagramData", f"<dgm:dataModel><dgm:ptLst>{point}</dgm:ptLst></dgm:dataModel>")
    broken = word.part("chart", "<c:chartSpace>", "c3")
    shown = "".join(picture("", f'<c:chart r:id="{identity}"/>') for identity in (full, bare, broken, "rId99"))
    document = read(word.add(p("", inside=shown + picture("", f'<dgm:relIds r:dm="{data}"/>'))))
    assert "|  | Sales |\n| --- | --- |\n| 2024 | 7 |" in document.text
    assert "![Trend]" in document.text and "- Step" in document.text
    assert ["c3.xml" in failure.reason for failure in document.coverage.failed] == [True]
