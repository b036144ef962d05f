from lxml import etree

from pincite.formats.odt.names import count, prefixed, q, value


def test_names_have_the_prefixes_of_the_standard_whatever_the_file_calls_them() -> None:
    element = etree.fromstring(
        b'<x:p xmlns:x="urn:oasis:names:tc:opendocument:xmlns:text:1.0" x:name="a" x:c="70000"/>'
    )
    assert (element.tag, prefixed(element)) == (q("text:p"), "text:p")
    assert (value(element, "text:name"), value(element, "text:id")) == ("a", "")
    assert (count(element, "text:c", 1, 10), count(element, "text:id", 3, 10)) == (10, 3)
    assert prefixed(etree.fromstring(b"<p/>")) == ""
