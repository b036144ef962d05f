"""`/metrics` of a server over HTTP."""

import importlib.util

import pytest

from unit.transports.http.conftest import Start, start_parlour

INSTALLED = importlib.util.find_spec("prometheus_client") is not None
needs_client = pytest.mark.skipif(not INSTALLED, reason="no prometheus-client: pip install 'pincite[metrics]'")

pytest_plugins = ["unit.transports.http.conftest"]


@needs_client
def test_calls_are_counted_by_tool_and_by_how_they_ended(start: Start) -> None:
    with start(PINCITE_METRICS="true").client() as client:
        client.post("/api/tools/say", json={"words": "a"})
        client.post("/api/tools/say", json={"words": "b"})
        client.post("/api/tools/fail", json={"how": "known"})
        answer = client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=")
    lines = answer.text.splitlines()
    assert 'pincite_tool_calls_total{code="OK",tool="say"} 2.0' in lines
    assert 'pincite_tool_calls_total{code="NOT_FOUND",tool="fail"} 1.0' in lines
    assert 'pincite_tool_seconds_count{tool="say"} 2.0' in lines
    assert "pincite_open_tool_calls 0.0" in lines
    assert any(line.startswith("process_resident_memory_bytes ") for line in lines)


@needs_client
def test_metrics_need_the_key(start: Start) -> None:
    with start(PINCITE_METRICS="true", MCP_API_KEY="k").client() as client:
        assert client.get("/metrics").status_code == 401
        assert client.get("/metrics", headers={"authorization": "Bearer k"}).status_code == 200


def test_there_are_none_unless_they_are_asked_for(start: Start) -> None:
    with start().client() as client:
        assert client.get("/metrics").status_code == 404


@pytest.mark.skipif(INSTALLED, reason="prometheus-client is installed")
def test_without_the_extra_the_server_says_how_to_install_it() -> None:
    with pytest.raises(AssertionError, match=r"pip install 'pincite\[metrics\]'"):
        start_parlour("http", PINCITE_METRICS="true")
