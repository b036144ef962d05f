import pytest

from pincite import errors
from pincite.errors import ConfigError, NotFound, PinciteError, RateLimited


def test_a_message_that_repeats_others_is_cut() -> None:
    assert NotFound("x" * 5000).message == "x" * (PinciteError.max_chars - 1) + "…"
    assert len(ConfigError("x" * 5000).message) == 5000


def test_a_failure_carries_what_helps() -> None:
    error = NotFound("No page.", details="looked in a.db", suggestion="List the pages.")
    assert (str(error), error.details, error.suggestion) == ("No page.", "looked in a.db", "List the pages.")
    assert (error.code, error.recoverable) == ("not_found", True)
    assert RateLimited("Later.", retry_after=3).retry_after == 3


@pytest.mark.parametrize(
    "kind", [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]
)
def test_every_failure_has_a_code(kind: type[PinciteError]) -> None:
    assert issubclass(kind, PinciteError)
    assert kind.code.replace("_", "").isalpha()
