"""What people write today: PyPDF or markitdown, RecursiveCharacterTextSplitter, MiniLM, FAISS, through LangChain.

    python langchain_rag.py ask MODEL_FOLDER READER < {"url": …, "queries": […]}
    python langchain_rag.py convert FILE…

Runs in an environment of its own (`bench/peers/install.py`) and prints one JSON object.
"""
# ruff: noqa: PLC0415 - each part imports what it alone needs
# pyright: basic, reportMissingImports=false

import argparse
import io
import json
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

Reader = Callable[[bytes], list[tuple[int, str]]]
"""Returns the texts of a PDF with their pages; 0 for a reader that does not know them."""

CHUNK, OVERLAP = 1500, 300
"""The sizes of contract 4 for PDF."""

HITS = 5


def ask(model_folder: str, reader: str) -> dict[str, object]:
    """Load the model, then time one document from its URL to the answers."""
    from fastembed import TextEmbedding
    from langchain_community.vectorstores import FAISS
    from langchain_core.documents import Document
    from langchain_core.embeddings import Embeddings
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    class MiniLM(Embeddings):
        """As `FastEmbedEmbeddings` of langchain_community, with the weights of a folder."""

        def __init__(self) -> None:
            self.model = TextEmbedding("sentence-transformers/all-MiniLM-L6-v2", specific_model_path=model_folder)

        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [vector.tolist() for vector in self.model.embed(texts)]

        def embed_query(self, text: str) -> list[float]:
            return next(iter(self.model.query_embed(text))).tolist()

    read = _pypdf() if reader == "pypdf" else _markitdown()
    embeddings = MiniLM()
    embeddings.embed_query("warm")
    given = json.load(sys.stdin)
    took: dict[str, float] = {}
    last = start = time.perf_counter()

    def mark(stage: str) -> None:
        nonlocal last
        now = time.perf_counter()
        took[stage], last = now - last, now

    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(given["url"]) as answer:
        data = answer.read()
    mark("download")
    documents = [Document(text, metadata={"page": page}) for page, text in read(data)]
    mark("read")
    chunks = RecursiveCharacterTextSplitter(chunk_size=CHUNK, chunk_overlap=OVERLAP).split_documents(documents)
    mark("chunk")
    vectors = embeddings.embed_documents([chunk.page_content for chunk in chunks])
    mark("embed")
    pairs = list(zip((chunk.page_content for chunk in chunks), vectors, strict=True))
    index = FAISS.from_embeddings(pairs, embeddings, metadatas=[chunk.metadata for chunk in chunks])
    for query in given["queries"]:
        index.similarity_search(query, HITS)
    mark("search")
    return {"took": took, "total": time.perf_counter() - start, "chunks": len(chunks)}


def _pypdf() -> Reader:
    """Import before anything is timed, as a server would have."""
    from langchain_community.document_loaders import PyPDFLoader

    def read(data: bytes) -> list[tuple[int, str]]:
        with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
            file.write(data)
            file.flush()
            return [(page.metadata["page"] + 1, page.page_content) for page in PyPDFLoader(file.name).load()]

    return read


def _markitdown() -> Reader:
    from markitdown import MarkItDown

    converter = MarkItDown()
    return lambda data: [(0, converter.convert_stream(io.BytesIO(data), file_extension=".pdf").text_content)]


def convert(files: list[str]) -> dict[str, object]:
    """Convert files by markitdown: seconds and text of each, or why not."""
    from markitdown import MarkItDown

    converter = MarkItDown()
    converted: dict[str, object] = {}
    for file in files:
        start = time.perf_counter()
        try:
            text, problem = converter.convert(file).text_content, ""
        except Exception as error:  # noqa: BLE001 - whatever a peer raises is its answer
            text, problem = "", type(error).__name__
        converted[Path(file).name] = {"seconds": time.perf_counter() - start, "text": text, "problem": problem}
    return converted


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=("ask", "convert"))
    parser.add_argument("arguments", nargs="*")
    chosen = parser.parse_args()
    print(json.dumps(ask(*chosen.arguments) if chosen.part == "ask" else convert(chosen.arguments)))
