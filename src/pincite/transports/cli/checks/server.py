"""What `doctor` says of the server over HTTP: whether one listens where the settings say, and who can reach it."""

from pincite.settings import Http
from pincite.text.names.hosts import is_loopback
from pincite.transports.cli.checks.installation import Check, State
from pincite.transports.cli.clients.endpoints import Listener, listening_addresses, probe

NAME = "http"
EVERY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - recognised, not listened on
"""Addresses that stand for all of a machine's, and where to call them."""

_PROTECT = "Set MCP_API_KEY and start the server again, or let it listen on 127.0.0.1."


def server_check(http: Http) -> Check:
    """Check what listens at HOST and PORT, and whether others can read the documents without a key."""
    if http.port == 0:
        return Check(NAME, State.OK, "PORT is 0: each server over HTTP takes a free port")
    host = EVERY_ADDRESS.get(http.host, http.host)
    url = f"http://{f'[{host}]' if ':' in host else host}:{http.port}"
    probed = probe(url)
    if probed.listener is Listener.NOTHING:
        return _nothing(http, url, probed.reason)
    if probed.listener is Listener.OTHER:
        fix = "Choose another PORT for pincite serve --transport http, or stop that program."
        return Check(NAME, State.WARNING, f"Another program answers at {url}", fix)
    if probed.listener is Listener.OPEN and (addresses := _reachable_addresses(http)):
        # Somebody who set PINCITE_INSECURE knows; a container whose port is published on loopback needs it.
        state = State.WARNING if http.insecure else State.FAILURE
        shown = ", ".join(sorted(addresses))
        message = f"pincite answers at {url} without a key, and listens on {shown}: others can read the documents"
        return Check(NAME, state, message, _PROTECT)
    reach = "from other machines too" if _reachable_addresses(http) else "from this machine alone"
    return Check(NAME, State.OK, f"{url}: {probed.listener.value}; reachable {reach}")


def _nothing(http: Http, url: str, reason: str) -> Check:
    state = f"Nothing answers at {url} ({reason})"
    if http.is_exposed:
        refusal = "pincite serve --transport http refuses that address without MCP_API_KEY"
        return Check(NAME, State.WARNING, f"{state}; {refusal}", "Set MCP_API_KEY, or unset HOST.")
    return Check(NAME, State.OK, state)


def _reachable_addresses(http: Http) -> set[str]:
    """Return the addresses other than loopback on which the port is listened to; HOST where that cannot be seen."""
    seen = listening_addresses(http.port)
    return {address for address in (seen or {http.host}) if not is_loopback(address)}
