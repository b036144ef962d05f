"""Whatever is changed inside a Word document: it is read, or refused with an error of pincite's own."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pincite.errors import PinciteError
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.registry import FORMATS
from support.word import part_of, with_part
from support.word_probes import PROBES

DOCX = next(row for row in FORMATS if row.name == "docx")
FILES = {probe.name: probe.make().saved() for probe in PROBES}
PARTS = ("word/document.xml", "word/styles.xml", "word/numbering.xml", "word/_rels/document.xml.rels")
SHARDS = (
    b"",
    b"<",
    b">",
    b"</w:p>",
    b"<w:p>",
    b'w:val="2000000000"',
    b"\xff",
    b"&x;",
    b"<w:tbl>",
    b'"-1"',
    b"w:fldChar",
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_a_document_that_was_changed_is_read_or_refused(data: st.DataObject) -> None:
    file = FILES[data.draw(st.sampled_from(sorted(FILES)))]
    name = data.draw(st.sampled_from(PARTS))
    part = part_of(file, name)
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(part)))
        end = min(len(part), start + data.draw(st.integers(0, 40)))
        part = part[:start] + data.draw(st.sampled_from(SHARDS)) + part[end:]
    try:
        document = read_document(DOCX, Blob("a.docx", with_part(file, name, part)), ReadOptions(), Call())
    except PinciteError:
        return
    position = 0
    for section in document.sections:
        assert section.start == position
        position = section.end
        for block in section.blocks:
            assert block.title in " ".join(document.text[block.start : block.end].split())
    assert position == len(document.text)
