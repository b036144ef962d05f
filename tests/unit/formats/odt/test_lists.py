from lxml import etree

from pincite.formats.odt.lists import Counters, Lists
from pincite.formats.ooxml.package import Element
from support.archives import opendocument

STYLES = """
<text:list-style style:name="L">
<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>
<text:list-level-style-number text:level="2" style:num-format="1" text:display-levels="2" style:num-suffix=")"/>
<text:list-level-style-number text:level="3" style:num-format="a" style:num-prefix="(" style:num-suffix=")"
 text:start-value="3"/>
<text:list-level-style-bullet text:level="4" text:bullet-char="x"/>
</text:list-style>
<text:outline-style>
<text:outline-level-style text:level="1" style:num-format="I"/>
<text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/>
<text:outline-level-style text:level="3" style:num-format=""/>
</text:outline-style>
"""


def lists() -> Lists:
    return Lists([etree.fromstring(opendocument(STYLES).encode())])


def list_element(attribute: str = "") -> Element:
    return next(iter(etree.fromstring(opendocument(f"<text:list {attribute}/>").encode())))


def test_items_are_numbered_by_level() -> None:
    known, counters = lists(), Counters()
    levels = [0, 0, 1, 1, 2, 2, 3, 0, 1]
    labels = [known.label("L", counters, level) for level in levels]
    assert labels == ["1.", "2.", "2.1)", "2.2)", "(c)", "(d)", "", "3.", "3.1)"]
    assert known.label("L", counters, 0, "9") == "9."
    assert known.label("unknown", Counters(), 0) == ""


def test_a_list_is_new_unless_it_continues_another() -> None:
    known = lists()
    first = known.begin(list_element("xml:id='one'"), "L")
    assert [known.label("L", first, 0) for _ in range(2)] == ["1.", "2."]
    assert known.label("L", known.begin(list_element(), "L"), 0) == "1."
    assert known.label("L", known.begin(list_element("text:continue-numbering='true'"), "L"), 0) == "2."
    assert known.label("L", known.begin(list_element("text:continue-list='one'"), "L"), 0) == "3."


def test_headings_have_the_numbers_of_the_outline() -> None:
    known = lists()
    assert [known.heading_label(level) for level in (0, 1, 1, 2, 0, 1)] == ["I", "I.1", "I.2", "", "II", "II.1"]
    assert known.heading_label(0, "7") == "VII"
    assert known.heading_label(99) == ""


def test_a_level_that_was_passed_over_is_counted() -> None:
    """As Writer does, which these labels are from."""
    known, counters = lists(), Counters()
    assert [known.label("L", counters, level) for level in (1, 1, 0, 2, 1, 0)] == [
        "1.1)",
        "1.2)",
        "2.",
        "(c)",
        "2.2)",
        "3.",
    ]
    assert [known.heading_label(level) for level in (1, 1, 0)] == ["I.1", "I.2", "II"]
