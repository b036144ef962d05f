"""pincite: the document server for AI agents. `pincite.open(folder)` is its Python API."""

import os

from pincite.errors import (
    Ambiguous,
    AuthError,
    Cancelled,
    ConfigError,
    ConnectionFailed,
    IndexLost,
    InternalError,
    InvalidInput,
    NotFound,
    PinciteError,
    RateLimited,
    ReadingFailed,
    TimeoutExceeded,
    Unsupported,
    WritingFailed,
)
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
from pincite.version import __version__

# ONNX Runtime collects events when it is imported and uploads them later, unless this is set before. Every process of
# ours imports this module first, and the processes that it starts inherit it: docs/decisions/0006.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

__all__ = [
    "Ambiguous",
    "AuthError",
    "Cancelled",
    "Citation",
    "ConfigError",
    "ConnectionFailed",
    "Folder",
    "IndexLost",
    "IndexState",
    "InternalError",
    "InvalidInput",
    "NotFound",
    "PinciteError",
    "RateLimited",
    "ReadingFailed",
    "SearchResult",
    "SearchResults",
    "Status",
    "TimeoutExceeded",
    "Unsupported",
    "Verdict",
    "VerifiedQuote",
    "WritingFailed",
    "__version__",
    "open",
]
