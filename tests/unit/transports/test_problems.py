"""The one error table."""

import json

import pytest

from pincite.errors import (
    AuthError,
    Cancelled,
    ConfigError,
    ConnectionFailed,
    DownloadFailed,
    ErrorForm,
    InternalError,
    InvalidInput,
    ModelUnavailable,
    ModelUnreachable,
    NotFound,
    PinciteError,
    ProcessingFailed,
    RateLimited,
    TimeoutExceeded,
    Unsupported,
    WritingFailed,
)
from pincite.transports import problems


def every_class(base: type[PinciteError]) -> list[type[PinciteError]]:
    """The kinds of failure that callers see; a module may have kinds of its own, which it takes care of."""
    kinds = [base, *(c for child in base.__subclasses__() for c in every_class(child))]
    return [kind for kind in kinds if kind.__module__ == "pincite.errors"]


def test_every_error_has_its_row_and_every_row_its_error() -> None:
    codes = {c.code for c in every_class(PinciteError)}
    assert codes == problems.STATUSES.keys() >= problems.EXITS.keys()


@pytest.mark.parametrize(
    ("error", "status", "exit_code"),
    [
        (InvalidInput("x"), 422, 2),
        (NotFound("x"), 404, 2),
        (AuthError("x"), 401, 3),
        (ConfigError("x"), 500, 3),
        (ConnectionFailed("x"), 503, 2),
        (RateLimited("x"), 429, 2),
        (InternalError("x"), 500, 2),
        (Cancelled("x"), 499, 130),
        (KeyError("x"), 500, 2),
    ],
)
def test_an_error_is_told_as_the_table_says(error: Exception, status: int, exit_code: int) -> None:
    assert (problems.status(error), problems.exit_code(error)) == (status, exit_code)


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (InvalidInput("x"), 422, "VALIDATION_ERROR"),
        (ProcessingFailed("x"), 422, "PROCESSING_ERROR"),
        (DownloadFailed("x"), 424, "DOWNLOAD_ERROR"),
        (TimeoutExceeded("x"), 504, "TIMEOUT"),
        (InternalError("x"), 500, "INTERNAL_ERROR"),
        (Unsupported("x"), 422, "PROCESSING_ERROR"),
        (ConnectionFailed("x"), 422, "PROCESSING_ERROR"),
        (NotFound("x"), 422, "VALIDATION_ERROR"),
        (ConfigError("x"), 500, "INTERNAL_ERROR"),
        (ModelUnavailable("x"), 503, "MODEL_LOAD_ERROR"),
        (ModelUnreachable("x"), 503, "MODEL_LOAD_ERROR"),
    ],
)
def test_an_error_with_a_code_has_one_of_contract_4(error: PinciteError, status: int, code: str) -> None:
    assert problems.status(error, ErrorForm.CODE) == status
    assert problems.structured(error, ErrorForm.CODE) == {"error": "x", "code": code}
    assert json.loads(problems.in_form(error, ErrorForm.CODE)) == {"error": "x", "code": code}


def test_every_form_of_errors_has_its_text() -> None:
    assert problems.OBJECTS.keys() == set(ErrorForm) - {ErrorForm.MESSAGE}
    assert problems.in_form(NotFound("There is no a.md."), ErrorForm.MESSAGE) == "There is no a.md."


def test_an_error_as_an_object_has_the_five_fields_of_contract_2() -> None:
    error = NotFound("There is no a.md.", details="sqlite cannot open /srv/private/library.db at 10.0.0.7:5432, busy")
    assert problems.structured(error, ErrorForm.OBJECT) == {
        "error": {
            "code": "not_found",
            "message": "There is no a.md.",
            "details": "sqlite cannot open library.db at , busy",
            "recoverable": True,
            "suggestion": "Check the name, and call again; the message names the nearest ones.",
        }
    }
    assert json.loads(problems.in_form(error, ErrorForm.OBJECT)) == problems.structured(error, ErrorForm.OBJECT)
    assert problems.structured(error, ErrorForm.MESSAGE) is None


@pytest.mark.parametrize("recoverable", [None, True, False])
def test_an_object_has_one_of_the_eight_codes_of_contract_2_and_asks_for_another_call_only_if_one_may_help(
    recoverable: bool | None,
) -> None:
    eight = {"config_error", "connection_error", "timeout_error", "auth_error", "not_found", "invalid_input"}
    for kind in every_class(PinciteError):
        error = kind("x") if recoverable is None else kind("x", recoverable=recoverable)
        body = problems.error_object(error)["error"]
        assert body["code"] in eight | {"rate_limited", "internal_error"}
        assert body["recoverable"] is (kind.recoverable if recoverable is None else recoverable)
        assert ("again" in body["suggestion"]) is body["recoverable"], body
    assert problems.error_object(NotFound("x", suggestion="Do y."))["error"]["suggestion"] == "Do y."


def test_an_interrupted_command_exits_with_130() -> None:
    assert problems.exit_code(KeyboardInterrupt()) == 130


def test_the_text_is_the_message_and_the_next_action() -> None:
    assert problems.text(NotFound("There is no a.md.", suggestion="Use list_pages.")) == (
        "There is no a.md. Use list_pages."
    )
    assert problems.text(NotFound("There is no a.md.", details="/secret")) == "There is no a.md."


def test_a_name_that_is_no_utf_8_is_shown_with_a_replacement() -> None:
    assert problems.text(NotFound("no b\udc80.md")) == "no b\ufffd.md"


def test_a_failed_request_has_one_shape_and_tasks_have_their_own() -> None:
    assert problems.http_body("NOT_FOUND", "none", "/api/x") == {"error": "none", "code": "NOT_FOUND"}
    assert problems.http_body("NOT_FOUND", "none", "/tasks/7") == {"detail": "none", "code": "NOT_FOUND"}
    assert problems.http_body("NOT_FOUND", "none", "/tasksx") == {"error": "none", "code": "NOT_FOUND"}


def test_a_full_disk_is_no_fault_of_the_server() -> None:
    full = WritingFailed("The disk is full.")
    assert [problems.http_status(full, path) for path in ("/tasks", "/api/uploads")] == [507, 507]
