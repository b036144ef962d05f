import pytest

from pincite.evidence.quotes import Verdict, verify
from pincite.evidence.search import prepare
from support.quotes_cut import TEXT


@pytest.mark.parametrize(("place", "expected"), [("twelve", 0), ("something else", 1)])
def test_the_nearest_occurrence_counts(place: str, expected: int) -> None:
    start = TEXT.index(place)
    found = verify("One limit here.", prepare(TEXT), (start, start + len(place)))
    assert found.verdict is Verdict.MOVED
    assert found.spans[0][0] == (TEXT.index("One"), TEXT.rindex("One"))[expected]


def test_the_occurrence_in_the_place_counts_first() -> None:
    start = TEXT.rindex("One")
    found = verify("One limit here.", prepare(TEXT), (start, len(TEXT)))
    assert found.spans == ((start, start + 15),)
