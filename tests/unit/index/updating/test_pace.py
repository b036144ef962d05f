import math

from pincite.index.updating.pace import INITIAL_SECONDS_PER_TEXT, Pace


def test_before_a_measurement_the_default_model_s_pace_is_assumed() -> None:
    assert Pace().seconds_for(4) == 4 * INITIAL_SECONDS_PER_TEXT


def test_it_follows_what_is_measured() -> None:
    pace = Pace()
    for _ in range(20):
        pace.record(32, 3.2)
    assert math.isclose(pace.seconds_for(20), 2.0, rel_tol=0.01)
    for _ in range(20):
        pace.record(32, 0.0)
    assert pace.seconds_for(10_000) < 0.01


def test_one_slow_measurement_after_many_quick_ones_counts() -> None:
    pace = Pace()
    for _ in range(20):
        pace.record(32, 0.0)
    pace.record(32, 3.2)
    assert pace.seconds_for(20) > 0.9
