"""Failures as HTTP answers, and what a client prefers."""

import json

import pytest
from starlette.exceptions import HTTPException

from pincite.errors import InvalidInput, NotFound, PinciteError, RateLimited
from pincite.transports.http.answers import failure, prefers_html
from pincite.transports.http.exchange import Refused


@pytest.mark.parametrize(
    ("error", "status", "body"),
    [
        (NotFound("There is no a.md."), 404, {"error": "There is no a.md.", "code": "NOT_FOUND"}),
        (InvalidInput("x", suggestion="Write y."), 422, {"error": "x Write y.", "code": "VALIDATION_ERROR"}),
        (
            Refused(401, "AUTH_ERROR", "Authentication required"),
            401,
            {"error": "Authentication required", "code": "AUTH_ERROR"},
        ),
        (HTTPException(404), 404, {"error": "Not Found. GET / lists what is served.", "code": "VALIDATION_ERROR"}),
        (
            HTTPException(405),
            405,
            {"error": "Method Not Allowed. GET / lists what is served.", "code": "VALIDATION_ERROR"},
        ),
    ],
)
def test_a_failure_has_status_and_code(error: Refused | PinciteError, status: int, body: dict[str, str]) -> None:
    answer = failure("/api/x", error)
    assert (answer.status_code, json.loads(bytes(answer.body))) == (status, body)


def test_too_many_requests_say_when_to_come_again() -> None:
    assert failure("/api", RateLimited("Rate limit exceeded", retry_after=7)).headers["retry-after"] == "7"


def test_a_failed_task_has_a_detail() -> None:
    assert json.loads(bytes(failure("/tasks/7", NotFound("x")).body)) == {"detail": "x", "code": "NOT_FOUND"}


@pytest.mark.parametrize(
    ("accept", "html"),
    [
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", True),
        ("text/html", True),
        ("text/*, application/json;q=0.5", True),
        ("*/*", False),
        ("", False),
        ("application/json", False),
        ("application/json, text/html", False),
        ("text/html;q=0.1, */*", False),
        ("text/html;q=nonsense, */*;q=0.1", False),
    ],
)
def test_a_browser_prefers_html(accept: str, html: bool) -> None:
    assert prefers_html(accept) is html
