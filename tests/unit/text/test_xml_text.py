from xml.etree import ElementTree as ET

from pincite.text.xml_text import allowed, escaped

EVERY = "".join(map(chr, (*range(0x300), 0xD7FF, 0xD800, 0xDFFF, 0xE000, 0xFFFD, 0xFFFE, 0xFFFF, 0x10000, 0x10FFFF)))


def test_what_is_escaped_is_read_by_a_parser_as_it_was() -> None:
    read = ET.fromstring(f'<a b="{escaped(EVERY)}">{escaped(EVERY)}</a>')  # noqa: S314 - written here
    # A parser reads every line end as one, and in attributes every white space as a space (XML 1.0, 2.11 and 3.3.3).
    assert read.text == allowed(EVERY).replace("\r", "\n")
    assert (read.get("b") or "").split() == allowed(EVERY).split()


def test_what_xml_forbids_is_left_out_or_replaced() -> None:
    assert (allowed("a\x0bb\ud800\uffff\t"), allowed("a\x0b", "?")) == ("ab\t", "a?")
