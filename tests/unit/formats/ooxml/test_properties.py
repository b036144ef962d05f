from support.docx_read import read
from support.word import Word, part_of, with_part


def test_properties_of_the_program_and_of_a_person_are_kept() -> None:
    data = Word().add("body").saved()
    custom = b'<Properties><property name="Project"><vt xmlns="x">Apollo</vt></property><property/></Properties>'
    data = with_part(data, "docProps/custom.xml", custom)
    kind = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships/custom-properties"
    relation = b'<Relationship Id="rId77" Type="' + kind + b'" Target="docProps/custom.xml"/></Relationships>'
    relations = part_of(data, "_rels/.rels").replace(b"</Relationships>", relation)
    properties = read(with_part(data, "_rels/.rels", relations)).properties
    assert properties["Project"] == "Apollo" and "Word" in properties["application"]


def test_broken_properties_are_none() -> None:
    assert read(with_part(Word().add("text").saved(), "docProps/core.xml", b"<broken")).title is None
