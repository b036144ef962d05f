"""Twenty questions to the user guide, and the passages that MCP answers them with."""

import os
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

from support.http_wire import HttpServer, StreamableHttp, call, serving
from support.wire import STATELESS

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guide"
QUESTIONS = (
    "how do I connect VS Code", "when is an index stale", "what is a reference", "how do I check a quote",
    "which formats are read", "where is the index stored", "how do I run it in Docker", "what does a score mean",
    "which settings are there", "how do I use PostgreSQL", "does it work offline", "how do I extract values",
    "what is skipped", "how do I measure quality", "which languages work", "what does the key protect",
    "how do I cite a clause", "what are exit codes", "how do uploads work", "what is relevance",
)  # fmt: skip
PASSAGES = 3


def answered_over_mcp(settings: Mapping[str, object]) -> Iterator[tuple[str, list[str]]]:
    """Each question with the references of the best passages, from a server with these settings."""
    env = {**os.environ, **{name: str(value) for name, value in settings.items()}, "PINCITE_MODEL_GRACE": "inf"}
    env |= {"MCP_RATE_LIMIT_RPM": "0"}
    with HttpServer(serving(GUIDE), env) as server, closing(StreamableHttp(server, STATELESS).open()) as mcp:
        for question in QUESTIONS:
            answer = call(mcp, "search_docs", {"query": question, "top_k": PASSAGES})["structuredContent"]
            yield question, [hit["ref"] for hit in answer["results"]]
