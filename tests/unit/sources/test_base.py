import pytest

from pincite.sources.base import FileState, is_racy

NOW = 1_700_000_000_123_456_789
MS = 1_000_000


@pytest.mark.parametrize(
    ("mtime", "ctime", "expected"),
    [
        (NOW - 9 * MS, NOW - 9 * MS, True),
        (NOW - 11 * MS, NOW - 11 * MS, False),
        (NOW - 10**15, NOW - 9 * MS, True),  # an older time was put on a file just written
        (NOW + 10**15, NOW - 11 * MS, False),  # a time in the future says nothing for ever
        (NOW - 10**15, NOW - 11 * MS, False),
        (1_700_000_000_000_000_000, 1_699_999_999_000_000_000, True),  # whole seconds: a coarse clock
        (1_699_999_998_000_000_000, 1_699_999_998_000_000_000, False),
    ],
)
def test_a_state_within_the_grain_of_the_look_cannot_be_trusted(mtime: int, ctime: int, expected: bool) -> None:
    assert is_racy(FileState(1, mtime, ctime, 1), NOW) is expected


def test_the_grain_is_a_parameter() -> None:
    state = FileState(1, NOW - 50 * MS, NOW - 50 * MS, 1)
    assert not is_racy(state, NOW)
    assert is_racy(state, NOW, grain_ns=100 * MS)
