"""`pincite key`: a key that is shown once, and the line by which a server knows it."""

import json
from pathlib import Path

import pytest

from pincite.services.access_keys import AccessKey, digest, read_keys
from unit.transports.cli.conftest import Pincite


def test_the_printed_line_is_that_of_the_printed_key(pincite: Pincite, tmp_path: Path) -> None:
    ran = pincite("key", "alice", "--sees", "api, library", "--rate", "5")
    (_, secret), (_, line) = (row.split(maxsplit=1) for row in ran.out.splitlines())
    (tmp_path / "keys").write_text(f"{line}\n", "utf-8")
    assert read_keys(tmp_path / "keys") == [AccessKey("alice", digest(secret), 5, frozenset({"api", "library"}))]
    assert secret not in line


def test_without_options_it_sees_everything_sixty_times_a_minute(pincite: Pincite) -> None:
    made = json.loads(pincite("key", "bob", "--json").out)
    assert made["line"] == f"bob sha256:{digest(made['key'])} 60 *"


@pytest.mark.parametrize("arguments", [["a b"], ["alice", "--sees", " , "]])
def test_what_no_line_could_hold_is_refused(pincite: Pincite, arguments: list[str]) -> None:
    ran = pincite("key", *arguments)
    assert ran.code == 2 and not ran.out
