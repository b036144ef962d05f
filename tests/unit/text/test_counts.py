import pytest

from pincite.text.counts import counted


@pytest.mark.parametrize(
    ("count", "sentence"), [(0, "0 chunks"), (1, "1 chunk"), (2, "2 chunks"), (12_345, "12,345 chunks")]
)
def test_only_one_thing_is_in_the_singular(count: int, sentence: str) -> None:
    assert counted(count, "chunk") == sentence
