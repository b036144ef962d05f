"""What the chunks of every section have, shown with the policy of sections."""

import pytest

from pincite.errors import Cancelled
from pincite.model.call import Call
from pincite.text.embed_text import text_to_embed
from support.cut_documents import Words, cut, cut_document, document


def test_an_empty_heading_is_left_out_of_breadcrumb_and_context() -> None:
    chunks = cut("# A\n\n##\n\ntext\n\n### C\n", 50)
    assert [part.heading_path for part in chunks] == [("A",), ("A", ""), ("A", "", "C")]
    assert [part.breadcrumb for part in chunks] == ["A", "A", "A > C"]
    assert [part.heading for part in chunks] == ["A", "", "C"]
    assert chunks[2].context == "A > C"


@pytest.mark.parametrize(
    ("text", "contexts"),
    [
        ("---\ntitle: T\n---\n# A\n\n## B\n", ["T > A", "T > A > B"]),
        ("---\ntitle: A\n---\n# A\n\n## B\n", ["A", "A > B"]),
        ("# A\n\n# B\n", ["A", "A > B"]),
        ("## B\n", ["B"]),
        ("words\n", [""]),
    ],
)
def test_the_title_stands_before_the_path_unless_it_begins_it(text: str, contexts: list[str]) -> None:
    assert [part.context for part in cut(text, 50)] == contexts


def test_front_matter_belongs_to_the_first_chunk_and_is_not_embedded() -> None:
    matter = "---\n" + "".join(f"key{n}: some words\n" for n in range(50)) + "---\n"
    first, second = cut(matter + "\nintro\n\n# A\n", 20)
    assert first.text == matter + "\nintro\n\n"
    assert text_to_embed(first) == "A.\nintro\n\n"
    assert (first.tokens, first.parts) == (2, 1)
    assert (second.embed_start, second.text) == (0, "# A\n")


def test_front_matter_alone_embeds_its_title_alone() -> None:
    (only,) = cut("---\ntitle: The guide\n---\n", 20)
    assert (text_to_embed(only), only.tokens, only.locator) == ("The guide.\n", 2, "h0-c1")


def test_front_matter_of_a_split_section_stays_with_its_first_part() -> None:
    chunks = cut("---\na: b\n---\n\n" + "one two three four.\n\n" * 5, 10)
    assert [part.embed_start for part in chunks] == [14, 0, 0]
    assert [part.parts for part in chunks] == [3, 3, 3]


def test_a_long_context_never_takes_more_than_half() -> None:
    deep = "".join(f"{'#' * level} one two three {level}\n\n" for level in range(1, 7))
    for part in cut(deep + "text\n", 16):
        assert Words().count(part.context) <= 8 and part.tokens <= 16
    assert cut(deep, 16)[5].context == "one two three 6"
    (only,) = cut("# " + "many " * 40 + "\n", 100)[:1]
    assert only.context == ("many " * 40).strip()
    assert cut("# " + "many " * 40 + "\n", 10)[0].context == ("many " * 5).strip()


def test_a_cancelled_call_stops() -> None:
    call = Call()
    call.stop.set()
    with pytest.raises(Cancelled):
        cut_document(document("# A\n"), 50, Words(), call)


def test_a_picture_in_a_data_url_takes_no_room_and_is_never_cut() -> None:
    picture = f"![logo](data:image/png;base64,{'iVBORw0KGgo+' * 20_000})"
    text = f"# Title\n\nOne two.\n\n{picture}\n\nThree four.\n\n{picture}\n\n{'many words ' * 30}\n"
    chunks = cut_document(document(text), 20, Words())
    assert "".join(found.text for found in chunks) == text
    assert sum(found.text.count(picture) for found in chunks) == 2
    assert len(chunks) < 10
    assert all("iVBOR" not in text_to_embed(found) for found in chunks)
