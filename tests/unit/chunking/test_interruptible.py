import pytest

from pincite.chunking.interruptible import SLICE_CHARS, InterruptibleCounter
from pincite.errors import Cancelled
from pincite.model.call import Call
from support.calls import StopAfter
from support.cut_documents import Counting, Words


def test_a_call_that_ends_within_a_long_text_stops_there() -> None:
    counting = Counting()
    with pytest.raises(Cancelled):
        InterruptibleCounter(counting, Call(stop=StopAfter(2))).count("word " * 200_000)
    assert 0 < counting.characters < 3 * 2 * SLICE_CHARS


@pytest.mark.parametrize("text", ["word " * 50_000, "x" * 300_000, "word\t" * 13_107 + "y" * 70_000 + " z"])
def test_a_long_text_counts_as_its_parts_do(text: str) -> None:
    assert InterruptibleCounter(Words(), Call()).count(text) == pytest.approx(Words().count(text), abs=5)
    assert InterruptibleCounter(Words(), Call()).count(text[:1000]) == Words().count(text[:1000])
