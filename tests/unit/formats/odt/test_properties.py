from pincite.formats.odt.properties import properties
from pincite.formats.ooxml.package import Package
from support.archives import odt, opendocument


def test_properties_have_the_names_of_all_formats() -> None:
    meta = opendocument(
        "<office:meta><dc:title>Deed</dc:title><dc:creator>Bob</dc:creator><meta:keyword>a</meta:keyword>"
        '<meta:keyword>b</meta:keyword><meta:user-defined meta:name="Case">7</meta:user-defined></office:meta>',
        "document-meta",
    )
    styles = opendocument(
        '<style:default-style style:family="paragraph"><style:text-properties fo:language="de" fo:country="AT"/>'
        "</style:default-style>",
        "document-styles",
    )
    assert properties(Package(odt("", parts={"meta.xml": meta, "styles.xml": styles}))) == {
        "title": "Deed",
        "last modified by": "Bob",
        "author": "Bob",
        "keywords": "a, b",
        "Case": "7",
        "language": "de-AT",
    }


def test_damaged_properties_are_left_out() -> None:
    assert properties(Package(odt("", parts={"meta.xml": "<meta", "styles.xml": "x"}))) == {}
