"""The reference datasheet against any server: `E2E_BASE_URL=http://… pytest -m slow` with this file.

Without the variable a server is started here, and the variable points to it. With a key, `-m live` runs it with a real
model.
"""

import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from support.datasheet import SECONDS, by_the_client, check
from support.http_wire import HttpServer
from support.wire import pincite

BASE_URL = "E2E_BASE_URL"
KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
COMMAND = pincite("serve", "--toolsets", "extraction", "--transport", "http")

pytestmark = [
    pytest.mark.timeout(SECONDS + 60),
    pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed"),
]


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "DATA_DIR": str(folder / "data"), "PINCITE_CACHE": str(folder / "cache")}


@pytest.fixture
def base_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The variable names a server: that of the caller, or one of rules that is started here."""
    if os.environ.get(BASE_URL):
        yield
        return
    env: Mapping[str, str] = {name: value for name, value in environment(tmp_path).items() if name not in KEYS}
    with HttpServer(COMMAND, {**env, "EMBEDDING_PROVIDER": "hash"}) as server:
        monkeypatch.setenv(BASE_URL, server.url)
        yield


@pytest.mark.slow
def test_the_datasheet_against_any_server(base_url: None) -> None:
    del base_url
    print(check(by_the_client(os.environ[BASE_URL])))  # noqa: T201 - the contract wants the counts printed


@pytest.mark.live
@pytest.mark.skipif(not any(map(os.environ.get, KEYS)), reason=f"set {' or '.join(KEYS)} to ask a real model")
def test_the_datasheet_with_a_real_model(tmp_path: Path) -> None:
    with HttpServer(COMMAND, environment(tmp_path)) as server:
        result = by_the_client(server.url)
    print(check(result), result["usage"])  # noqa: T201 - as above
    assert result["engine"] == "claude"
