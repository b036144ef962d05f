import sys
from pathlib import Path
from typing import Any

import pytest

from pincite import settings
from pincite.settings import Http
from pincite.transports.cli.checks.installation import Check, State
from pincite.transports.cli.checks.server import server_check
from support.http_stub import KEYED, OPEN, answering

EVERYWHERE = "0.0.0.0"  # noqa: S104 - the stub serves nothing of anybody's
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the addresses are those of the settings")


@pytest.fixture(autouse=True)
def _(home: Path) -> None:
    assert home.is_dir()  # none of this machine's own settings


def http(**variables: Any) -> Http:
    return settings.load(variables).http


def check(port: int, **variables: Any) -> Check:
    return server_check(http(PORT=port, **variables))


def test_nothing_listens() -> None:
    with answering(OPEN) as port:
        pass
    told = check(port)
    assert told.state is State.OK
    assert told.found == f"Nothing answers at http://127.0.0.1:{port} (Connection refused)"


def test_a_free_port_is_not_looked_for() -> None:
    assert "takes a free port" in check(0).found


def test_another_program_is_a_warning() -> None:
    with answering({}) as port:
        told = check(port)
    assert (told.state, told.found) == (State.WARNING, f"Another program answers at http://127.0.0.1:{port}")


@on_linux
def test_a_server_on_loopback_may_be_without_a_key() -> None:
    with answering(OPEN) as port:
        told = check(port)
    assert (told.state, told.fix) == (State.OK, "")
    assert told.found.endswith("pincite, without a key; reachable from this machine alone")


@on_linux
@pytest.mark.parametrize(("insecure", "state"), [(False, State.FAILURE), (True, State.WARNING)])
def test_a_server_on_the_network_without_a_key_is_a_failure_unless_somebody_insists(
    insecure: bool, state: State
) -> None:
    with answering(OPEN, EVERYWHERE) as port:
        told = check(port, PINCITE_INSECURE=insecure)
    assert told.state is state
    assert told.found.endswith(f"without a key, and listens on {EVERYWHERE}: others can read the documents")
    assert told.fix.startswith("Set MCP_API_KEY")


@on_linux
def test_a_server_on_the_network_with_a_key_is_well() -> None:
    with answering(KEYED, EVERYWHERE) as port:
        told = check(port, HOST=EVERYWHERE)
    assert told.state is State.OK
    assert told.found.endswith("pincite, with a key; reachable from other machines too")


def test_an_address_that_serve_will_refuse_is_told_beforehand() -> None:
    with answering(OPEN) as port:
        pass
    told = check(port, HOST=EVERYWHERE)
    assert told.state is State.WARNING
    assert "refuses that address without MCP_API_KEY" in told.found
    assert check(port, HOST=EVERYWHERE, MCP_API_KEY="k").state is State.OK
    assert check(port, HOST=EVERYWHERE, PINCITE_INSECURE=True).state is State.OK


def test_where_the_addresses_cannot_be_seen_the_settings_count(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(_: int) -> None:
        return None

    monkeypatch.setattr("pincite.transports.cli.checks.server.listening_addresses", unknown)
    with answering(OPEN) as port:
        assert check(port).state is State.OK
        assert check(port, HOST=EVERYWHERE).state is State.FAILURE


def test_an_address_of_ipv6_is_called_in_brackets() -> None:
    with answering(OPEN) as port:
        pass
    assert f"http://[::1]:{port}" in check(port, HOST="::").found
