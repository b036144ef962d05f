"""HTTP answers: a failure in the one shape of its path, and what a client prefers to get."""

from collections.abc import Mapping
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from pincite.errors import ErrorForm, InternalError, PinciteError, RateLimited, code_of
from pincite.transports import problems
from pincite.transports.http.exchange import Refused, exchange_of


def refusal(
    error: Refused | PinciteError | HTTPException, path: str = "", form: ErrorForm = ErrorForm.MESSAGE
) -> Refused:
    """Return any failure as the answer at a path, in the error form of the tool that failed."""
    if isinstance(error, Refused):
        return error
    if isinstance(error, HTTPException):
        # Contract 4 has no code for a path that is not served; contract 3 leaves its codes open.
        is_unknown = error.status_code == HTTPStatus.NOT_FOUND and problems.is_below(path, problems.TASKS_PATH)
        is_fault = error.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR
        code = "NOT_FOUND" if is_unknown else "INTERNAL_ERROR" if is_fault else "VALIDATION_ERROR"
        message = f"{error.detail}. GET / lists what is served."
        return Refused(error.status_code, code, message, dict(error.headers or {}))
    headers = {"retry-after": f"{error.retry_after:.0f}"} if isinstance(error, RateLimited) else {}
    status = problems.status(error, form) if form is ErrorForm.CODE else problems.http_status(error, path)
    code = code_of(error, ErrorForm.CODE if form is ErrorForm.CODE else ErrorForm.MESSAGE)
    return Refused(status, code, problems.text(error), headers)


def failure(path: str, error: Refused | PinciteError | HTTPException) -> Response:
    """Return the answer to a failed request."""
    refused = refusal(error, path)
    body = problems.http_body(refused.code, refused.message, path)
    return JSONResponse(body, refused.status, refused.headers)


async def failed(request: Request, error: Exception) -> Response:
    """Answer a failure of a route (an exception handler)."""
    assert isinstance(error, PinciteError | Refused | HTTPException)  # noqa: S101 - as it is registered
    return failure(request.url.path, error)


async def crashed(request: Request, _: Exception) -> Response:
    """Answer what nobody expected (an exception handler); it is raised on, and the guard logs it."""
    rid = exchange_of(request.scope).request_id
    return failure(
        request.url.path, InternalError(f"Internal error. The server's log says why, under request id {rid}.")
    )


def prefers_html(accept: str) -> bool:
    """Return True if an Accept header prefers `text/html` to `application/json`, as a browser's does."""
    weights = dict(_weighted(part) for part in accept.split(","))
    return _weight(weights, "text/html") > _weight(weights, "application/json")


def _weighted(part: str) -> tuple[str, float]:
    kind, *parameters = (field.strip().lower() for field in part.split(";"))
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return kind, float(value)
            except ValueError:
                return kind, 0.0
    return kind, 1.0


def _weight(weights: Mapping[str, float], kind: str) -> float:
    family = kind.partition("/")[0]
    return next((weights[known] for known in (kind, f"{family}/*", "*/*") if known in weights), 0.0)
