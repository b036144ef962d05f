"""A server of each engine that mirrors a library."""

from contextlib import ExitStack
from pathlib import Path

import pytest

ENGINES = ("qdrant", pytest.param("chromadb", marks=pytest.mark.slow))
"""Parameters of a fixture."""


def mirror_server(engine: str, stack: ExitStack, folder: Path) -> str:
    """Start a server that ends with the stack; return its address. Skip the test if the engine's extra is missing."""
    if engine == "qdrant":
        pytest.importorskip("qdrant_client", reason="needs pincite[qdrant]")
        from support.qdrant_server import qdrant_server  # noqa: PLC0415 - needs the extra

        return stack.enter_context(qdrant_server()).url
    pytest.importorskip("chromadb", reason="needs pincite[chromadb]: make chromadb")
    from support.chroma_server import chroma_server  # noqa: PLC0415 - needs the extra

    return stack.enter_context(chroma_server(folder / "chroma"))


def url_setting(engine: str) -> str:
    """Return the variable that names the server."""
    return "QDRANT_URL" if engine == "qdrant" else "PINCITE_CHROMADB_URL"
