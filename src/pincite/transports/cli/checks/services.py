"""What `doctor` says of the services that the settings name: whether each answers."""

from collections.abc import Iterator
from http import HTTPStatus

from pincite.app import reach_database
from pincite.errors import PinciteError
from pincite.settings import Settings
from pincite.text.excerpt import excerpt
from pincite.transports.cli.checks.installation import Check, State
from pincite.transports.cli.clients.endpoints import answer_of

HEALTH = "/health"
"""Where a converter and a tool server say that they serve."""


def service_checks(settings: Settings) -> Iterator[Check]:
    """Yield a check of each service that is named. A webhook gets a GET, which announces nothing."""
    if settings.storage.store_url is not None:
        yield _database(settings)
    given = settings.extraction
    tools = given.tools_url.rstrip("/").removesuffix("/mcp").removesuffix("/sse")
    services = (
        ("converter", "MARKITDOWN_URL", given.converter_url, HEALTH),
        ("tool server", "MCP_TOOLS_URL", tools, HEALTH),
        ("agent", "ANTHROPIC_BASE_URL", settings.agent.base_url, ""),
        ("webhook", "PINCITE_WEBHOOK_URL", given.webhook_url or "", ""),
    )
    for name, variable, url, path in services:
        if url:
            yield _service(name, variable, url.rstrip("/"), path)


def _service(name: str, variable: str, url: str, path: str) -> Check:
    status, reason = answer_of(url, path)
    shown = f"{variable}: {excerpt(url)}{path}"
    if status is None or (path and status != HTTPStatus.OK) or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        state = f"{shown} does not answer ({reason})" if status is None else f"{shown} answers {status}"
        return Check(name, State.FAILURE, state, f"Start that service, or correct or unset {variable}.")
    return Check(name, State.OK, f"{shown} answers")


def _database(settings: Settings) -> Check:
    try:
        address = reach_database(settings)
    except PinciteError as error:
        fix = "Start the database, or correct or unset PINCITE_STORE_URL."
        return Check("database", State.FAILURE, error.message, fix)
    return Check("database", State.OK, address)
