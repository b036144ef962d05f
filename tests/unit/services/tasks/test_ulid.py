import time

from pincite.model.task import ID
from pincite.services.tasks.ulid import encode, new_ulid


def test_identifiers_sort_in_the_order_in_which_they_were_made() -> None:
    made = [new_ulid() for _ in range(1000)]
    assert made == sorted(set(made))
    assert all(ID.fullmatch(one) for one in made)


def test_the_first_ten_characters_are_the_time_in_milliseconds() -> None:
    before = time.time_ns() // 1_000_000
    head = new_ulid()[:10]
    after = time.time_ns() // 1_000_000
    assert encode(before << 80)[:10] <= head <= encode((after + 1) << 80)[:10]


def test_the_example_of_the_specification() -> None:
    assert encode(1469918176385 << 80) == "01ARYZ6S41" + "0" * 16
    assert encode(2**128 - 1) == "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"
