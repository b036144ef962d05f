import pytest

from pincite.agents.claude.failures import of_status
from pincite.errors import AgentFailed, AuthError, ConnectionFailed, PinciteError, RateLimited


@pytest.mark.parametrize(
    ("status", "error", "again"),
    [
        (200, ConnectionFailed, True),
        (400, AgentFailed, False),
        (401, AuthError, False),
        (403, AuthError, False),
        (404, AgentFailed, False),
        (408, ConnectionFailed, True),
        (429, RateLimited, True),
        (500, ConnectionFailed, True),
        (529, ConnectionFailed, True),
    ],
)
def test_a_status_says_whether_another_attempt_may_help(status: int, error: type[PinciteError], *, again: bool) -> None:
    found = of_status(status, "x" * 1000)
    assert type(found) is error and found.recoverable is again and len(found.message) <= 500
