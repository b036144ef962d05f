"""What stands in a block's boxes is its text, tagged or not."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from support.scorers import scorer
from support.tagged_pdfs import Show, Tag, lines, row, tag, tagged_pdf

WORDS = st.text("abcdefgjklmnpqrstuvxyABGHQ0123456789,.()-äß", min_size=1, max_size=9)
LINE = st.lists(WORDS, min_size=1, max_size=7).map(" ".join)
TEXTS = st.lists(LINE, min_size=1, max_size=4)
PART = st.one_of(
    st.tuples(st.sampled_from(["P", "H1", "H3", "BlockQuote", "Note", "Code"]), TEXTS),
    st.tuples(st.just("L"), TEXTS),
    st.tuples(st.just("Table"), st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=4)),
)


def laid_out(parts: list[tuple[str, list[str] | list[tuple[str, str, str]]]], leading: float) -> list[Tag | Show]:
    """Parts below each other; lines so tight that what fonts reserve for them overlaps."""
    made: list[Tag | Show] = []
    y = 740.0
    for kind, content in parts:
        if kind == "L":
            items = [Show(str(text), 90, y - leading * n) for n, text in enumerate(content)]
            made.append(tag("L", *(tag("LI", tag("LBody", item)) for item in items)))
        elif kind == "Table":
            made.append(tag("Table", *(row(*cells, y=y - leading * n, step=150) for n, cells in enumerate(content))))
        else:
            made.append(lines(kind, *map(str, content), y=y, step=leading))
        y -= leading * len(content) + 20
    return made


@pytest.mark.parametrize("tagged", [True, False])
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    pages=st.lists(st.lists(PART, min_size=1, max_size=6), min_size=1, max_size=2),
    leading=st.floats(13.5, 20).map(lambda size: round(size, 1)),
)
def test_what_stands_in_a_block_s_boxes_is_its_text(
    pages: list[list[tuple[str, list[str]]]], leading: float, tagged: bool, tmp_path: Path
) -> None:
    # A word that a page's end breaks is a word of the first page, whose block has no box for its end.
    assume(not any("-" in str(part[1][-1]) for page in pages[:-1] for part in page))
    data = tagged_pdf(*(laid_out(page, leading) for page in pages))  # type: ignore[arg-type]  # lists are invariant
    file = tmp_path / "a.pdf"
    file.write_bytes(data if tagged else data.replace(b"/StructTreeRoot", b"/XtructTreeRoot"))
    found = scorer("reading/boxes").score(file)
    assert found.boxed == found.blocks
    assert not found.misses
