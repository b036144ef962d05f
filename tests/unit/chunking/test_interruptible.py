import pytest

from pincite.chunking.chunker import chunk
from pincite.chunking.interruptible import SLICE_CHARS, InterruptibleCounter
from pincite.chunking.policy import docs
from pincite.errors import Cancelled
from pincite.model.call import Call
from support.calls import StopAfter
from support.cut_documents import Words, document


class Counting(Words):
    """Counts what it is given to count, too."""

    def __init__(self) -> None:
        self.characters = 0

    def count(self, text: str) -> int:
        self.characters += len(text)
        return super().count(text)


BIG = {
    "one line": "# A\n\n" + "word " * 200_000,
    "one word": "# A\n\n" + "x" * 1_000_000,
    "list": "# A\n\n" + "- some words of an item\n" * 40_000,
    "code": "# A\n\n```\n" + "some words of a program\n" * 40_000 + "```\n",
    "paragraphs": "# A\n\n" + "some words of a paragraph\n\n" * 40_000,
}


@pytest.mark.parametrize("text", BIG.values(), ids=BIG)
def test_a_call_that_ends_within_a_megabyte_stops_soon(text: str) -> None:
    found, counting = document(text), Counting()
    with pytest.raises(Cancelled):
        chunk(found, docs(40), counting, Call(stop=StopAfter(5)))
    assert counting.characters < 6 * 2 * SLICE_CHARS


@pytest.mark.parametrize("text", ["word " * 50_000, "x" * 300_000, "word\t" * 13_107 + "y" * 70_000 + " z"])
def test_a_long_text_counts_as_its_parts_do(text: str) -> None:
    assert InterruptibleCounter(Words(), Call()).count(text) == pytest.approx(Words().count(text), abs=5)
    assert InterruptibleCounter(Words(), Call()).count(text[:1000]) == Words().count(text[:1000])
