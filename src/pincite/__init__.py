"""pincite: the document server for AI agents. Its Python API is `open`, `library`, `convert` and `extract`.

Enters: files, URLs and questions of people, scripts and agents.
Leaves: cited passages, checked quotes and values with evidence, over MCP, REST, the command line and the Python API.
First: `registry`.
Free: the Python API calls `app`; layers import downwards only (the contracts of import-linter in `pyproject.toml`), and
    `__all__` is held by a drift test.
Modules: agents/, app/, chunking/, documents, embedding/, errors, evidence/, folder, formats/, frameworks, index/,
    knowledge, model/, ranking/, registry, runtime/, services/, settings/, sources/, store/, text/, toolkit/, tools/,
    transports/, version.
"""

import os
from typing import TYPE_CHECKING

from pincite.errors import (
    AgentFailed,
    Ambiguous,
    AuthError,
    Cancelled,
    ConfigError,
    ConnectionFailed,
    DownloadFailed,
    IndexLost,
    InternalError,
    InvalidInput,
    ModelUnavailable,
    ModelUnreachable,
    NotFound,
    PinciteError,
    ProcessingFailed,
    RateLimited,
    ReadingFailed,
    TimeoutExceeded,
    Unsupported,
    WritingFailed,
)
from pincite.version import __version__

if TYPE_CHECKING:
    from pincite.documents import Block, Document, Evidence, Extraction, Page, Table, convert, extract
    from pincite.folder import (
        Citation,
        Folder,
        IndexState,
        SearchResult,
        SearchResults,
        Status,
        Verdict,
        VerifiedQuote,
        open,  # noqa: A004 - as in `pincite.open(folder)`
    )
    from pincite.knowledge import Ingested, Library, Results, library

# ONNX Runtime collects events when it is imported and uploads them later, unless this is set before. Every process of
# ours imports this module first, and the processes that it starts inherit it: docs/decisions/0006.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

__all__ = [
    "AgentFailed",
    "Ambiguous",
    "AuthError",
    "Block",
    "Cancelled",
    "Citation",
    "ConfigError",
    "ConnectionFailed",
    "Document",
    "DownloadFailed",
    "Evidence",
    "Extraction",
    "Folder",
    "IndexLost",
    "IndexState",
    "Ingested",
    "InternalError",
    "InvalidInput",
    "Library",
    "ModelUnavailable",
    "ModelUnreachable",
    "NotFound",
    "Page",
    "PinciteError",
    "ProcessingFailed",
    "RateLimited",
    "ReadingFailed",
    "Results",
    "SearchResult",
    "SearchResults",
    "Status",
    "Table",
    "TimeoutExceeded",
    "Unsupported",
    "Verdict",
    "VerifiedQuote",
    "WritingFailed",
    "__version__",
    "convert",
    "extract",
    "library",
    "open",
]


def __getattr__(name: str) -> object:
    """Import the Python API with its first use: every process of pincite imports this module, few use the API."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from pincite import documents, folder, knowledge  # noqa: PLC0415 - not before it is used

    return next(vars(module)[name] for module in (folder, documents, knowledge) if name in vars(module))


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
