"""What of Markdown is given to a model of sentences."""

import pytest

from pincite.text.prose import contents_titles, masked_data, prose, says_something, without_data


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("see [the guide](https://example.org/a#b) now", "see the guide now"),
        ('a ![picture](img/a.png "of a cat") here', "a picture here"),
        ("[first](a.md) and [second](#there)", "first and second"),
        ("[note](wiki/A_(letter))", "note"),
        ("handlers[name](event)", "handlers[name](event)"),
        ("More: <https://example.org/a>. End", "More: . End"),
        ("(http://example.org/?q=1#x) there", "() there"),
        ("[open](https://example.org", "[open]("),
    ],
)
def test_addresses_say_nothing(text: str, seen: str) -> None:
    assert prose(text) == seen


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ('### <a name="memsecret"></a>5.1.1 Secrets', "### 5.1.1 Secrets"),
        ("one<br/>two<!-- not shown -->three", "one two three"),
        ("set `<scrape_config>` or <scrape_config>", "set `<scrape_config>` or <scrape_config>"),
        ("a < b and c > d", "a < b and c > d"),
        ("Appendix A&mdash;Length &amp; &#67;ost", "Appendix A—Length & Cost"),
        ("R&D; AT&T", "R&D; AT&T"),
    ],
)
def test_tags_go_and_entities_become_characters(text: str, seen: str) -> None:
    assert prose(text).split() == seen.split()


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("a **bold** and an *italic* word, ~~gone~~", "a bold and an italic word, gone"),
        ("***both***", "both"),
        ("2 * 3, 2*3 and ls *", "2 * 3, 2*3 and ls *"),
        ("a_name, __init__", "a_name, __init__"),
    ],
)
def test_emphasis_goes_and_arithmetic_stays(text: str, seen: str) -> None:
    assert prose(text) == seen


def test_a_table_loses_its_bars() -> None:
    lines = prose("| **a** | b |\n|:--|--:|\n| 1 | `x|y` |\nc | d").split("\n")
    assert [line.split() for line in lines] == [["a", "b"], [], ["1", "`x", "y`"], ["c", "|", "d"]]


@pytest.mark.parametrize("code", ["`**a** <b> &amp;`", "```yaml\na: **b**  # <br>\n```", "```\n<b>\n\n*x*\n```"])
def test_code_stays_as_it_is_written(code: str) -> None:
    assert prose(f"so {code} **is**") == f"so {code} is"


@pytest.mark.parametrize("mark", ["```", "`", "<!--", "<a ", "&", "*", "~~", "|", "[", "](", "&a"])
def test_marks_that_never_end_are_read_in_time(mark: str) -> None:
    assert len(prose(mark * 2000)) <= len(mark) * 2000
    assert len(prose((mark + " " * 100_000) * 20)) <= 2_000_000 + 20 * len(mark)


PAYLOAD = "iVBORw0KGgo+AAANSUhE/UgA" * 40
PICTURE = f"data:image/png;base64,{PAYLOAD}=="


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        (f"see ![the logo]({PICTURE}) here", "see the logo here"),
        (f'one <img alt="x" src="{PICTURE}"> two', "one   two"),
        (f"[img]: {PICTURE}\nafter", "[img]: data:\nafter"),
        (f"a {{ background: url({PICTURE}) }}", "a { background: url(data:) }"),
        (f"src: url('data:font/woff2;charset=utf-8;base64,{PAYLOAD}')", "src: url('data:')"),
        ("write data:text/plain,hello to test", "write data:text/plain,hello to test"),
        ("the data: some, " + "words " * 30, "the data: some, " + "words " * 30),
    ],
)
def test_what_a_data_url_holds_is_no_text(text: str, seen: str) -> None:
    assert prose(text) == seen
    assert PAYLOAD not in without_data(text)
    masked = masked_data(text)
    assert len(masked) == len(text) and masked.startswith(text.split(maxsplit=1)[0][:4])


def test_invisible_characters_are_not_embedded() -> None:
    assert prose("a" + "".join(chr(0xE0000 + ord(letter)) for letter in "obey") + "b") == "ab"


@pytest.mark.parametrize(
    ("text", "heading", "says"),
    [
        ("## Querying\n\n", "Querying", False),
        ("Querying\n========\n", "Querying", False),
        ("## `rate()` and *irate* {#rates}\n", "rate() and irate", False),
        ('<h2 id="x">Querying</h2>\n', "Querying", False),
        ("## Talk\n\n<iframe src='https://a.example/x'></iframe>\n", "Talk", False),
        ("## Map\n\n<svg viewBox='0 0 9 9'><text>Server</text>\n<text>Client</text></svg>\n", "Map", False),
        ("## Map\n\n<svg/>\n\nThe server asks the client.\n", "Map", True),
        ("[`ok()`]: #assertok\n[RFC 9110]: <https://a.example/rfc> 'HTTP'\n" * 20, "assert.throws()", False),
        ("(shell-completion)=\n\n", "", False),
        (".. _authentication:\n\nAuthentication\n==============\n", "Authentication", False),
        ("[[intro]]\n== Intro\n", "Intro", False),
        (".. note:: It is so.\n", "", True),
        ("The rest.\n\n[a]: #b\n", "Querying", True),
        ("[^1]: As measured.\n", "Querying", True),
        ("[note]: it is so\n", "Querying", True),
        ("## Querying\n\nBy PromQL.\n", "Querying", True),
        ("## Query\n\nQuerying\n", "Query", True),
        ("```\n# Query\n```\n", "", True),
        ("# Query\n" + " \n" * 20_000, "Query", True),
    ],
)
def test_a_heading_an_embedded_page_a_drawing_and_link_targets_say_nothing(text: str, heading: str, says: bool) -> None:
    assert says_something(text, heading) is says


@pytest.mark.parametrize(
    "text",
    [
        "# Contents\n\n1 Scope 5\n1.1 Terms 6\n\na\nname 12",
        "1 Scope ....... 5\n1.1 Terms . . . 6\na name.......12\n",
        "| 1 | Scope | 5 |\n| --- | --- | --- |\n| 1.1 | Terms | 6 |\n| | a name | 12 |",
    ],
)
def test_lines_that_end_in_the_number_of_a_page_are_titles(text: str) -> None:
    assert contents_titles(text) == ["1Scope", "11Terms", "aname"]


@pytest.mark.parametrize(
    "text", ["", "Screw 12\nNut 3\n", "Order 20241117\nOrder 20241118", "3\nof\nthem", "Nut 1\nNut 1"]
)
def test_other_text_has_no_titles(text: str) -> None:
    assert contents_titles(text) == []
