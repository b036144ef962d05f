"""Shared by the suites of the engine `claude`: a document at a desk, and the two runners."""

import os
from collections.abc import Iterator

import pytest

from support.agents import Bench, bench


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    with bench(tmp_path_factory.mktemp("data")) as made:
        yield made


@pytest.fixture(params=["api", "chat", pytest.param("sdk", marks=pytest.mark.slow)])
def runner(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    for name in [name for name in os.environ if name.startswith(("ANTHROPIC_", "CLAUDE"))]:
        monkeypatch.delenv(name)
    return request.param
