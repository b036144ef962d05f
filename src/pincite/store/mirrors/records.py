"""What a library needs to be made again from a mirror: documents and chunks as strings, and back.

A chunk's text is not repeated: the text of a document is put together from its chunks and what is between them.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, replace
from typing import Any, cast

from pincite.errors import InvalidInput
from pincite.model.chunk import Chunk, text_hash
from pincite.model.document import Coverage
from pincite.model.store import UNTRUSTED, DocumentRow, NewDocument
from pincite.store.mirrors.base import MirroredChunk, MirroredDocument
from pincite.store.rows import ROW_ERRORS, chunk_place, from_text, to_chunk
from pincite.text.excerpt import excerpt

VERSION = 1
"""Of the records; others are refused."""


def encode_document(new: NewDocument) -> str:
    """Return what of a document is in none of its chunks; `state` is left out, as it means nothing elsewhere."""
    row = new.row
    return _dump(
        {
            "version": VERSION,
            "name": row.name,
            "title": row.title,
            "modified_ns": row.modified_ns,
            "fingerprint": row.fingerprint,
            "revision": row.revision,
            "coverage": asdict(row.coverage),
            "stamp": row.stamp,
            "source_key": row.source_key,
            "properties": dict(row.properties),
            "gaps": _gaps(new.text, new.chunks),
            "chunks": len(new.chunks),
            "hash": text_hash(new.text).hex(),
        }
    )


def encode_chunk(chunk: Chunk) -> str:
    """Return everything of a chunk but its text; the text too if it cannot be encoded (lone surrogates)."""
    text = chunk.text if isinstance(from_text(chunk.text), bytes) else None
    columns = [*chunk_place(chunk), from_text(chunk.context)]
    return _dump([VERSION, [_plain(value) for value in columns], text_hash(chunk.text).hex(), text])


def decode(document: MirroredDocument, embed_hash: Callable[[Chunk], bytes]) -> NewDocument:
    """Return a document as it was written to the library that was mirrored, apart from its state.

    Args:
        document: The mirror's copy.
        embed_hash: Returns the hash of what is embedded of a chunk.

    Raises:
        InvalidInput: The records are damaged, incomplete, or of another version.
    """
    try:
        return _decode(document, embed_hash)
    except ROW_ERRORS as error:
        raise InvalidInput(
            f"The mirror's copy of {excerpt(document.name)} is damaged or of another version of pincite. Ingest its "
            "file again where the library was made.",
            details=str(error),
        ) from error


def _decode(document: MirroredDocument, embed_hash: Callable[[Chunk], bytes]) -> NewDocument:
    record = json.loads(document.record)
    if record["version"] != VERSION or record["name"] != document.name:
        raise ValueError(f"a record of version {record['version']}")
    row = DocumentRow(
        str(record["name"]),
        record["title"],
        UNTRUSTED,
        int(record["modified_ns"]),
        str(record["fingerprint"]),
        str(record["revision"]),
        Coverage.from_values(record["coverage"]),
        stamp=str(record["stamp"]),
        source_key=str(record["source_key"]),
        properties={str(key): str(value) for key, value in record["properties"].items()},
    )
    chunks = sorted((_chunk(row, chunk) for chunk in document.chunks), key=lambda chunk: chunk.ordinal)
    if [chunk.ordinal for chunk in chunks] != list(range(record["chunks"])):
        raise ValueError(f"{len(chunks)} of {record['chunks']} chunks")
    text = _joined([*((start, gap) for start, gap in record["gaps"]), *((chunk.start, chunk.text) for chunk in chunks)])
    if text_hash(text).hex() != record["hash"]:
        raise ValueError("the text is not the one that was written")
    return NewDocument(row, text, chunks, [embed_hash(chunk) for chunk in chunks])


def _chunk(row: DocumentRow, mirrored: MirroredChunk) -> Chunk:
    version, columns, expected, text = json.loads(mirrored.place)
    if version != VERSION:
        raise ValueError(f"a chunk of version {version}")
    *place, context = (_restored(value) for value in columns)
    text = mirrored.text if text is None else text
    stored = to_chunk((0, 0, row.name, row.revision, 0, *place, context, bytes.fromhex(expected)), text)
    return replace(stored.chunk)


def _gaps(text: str, chunks: Iterable[Chunk]) -> list[tuple[int, str]]:
    """Return the stretches of a text that no chunk has, with where each begins."""
    gaps: list[tuple[int, str]] = []
    end = 0
    for chunk in sorted(chunks, key=lambda chunk: chunk.start):
        if chunk.start > end:
            gaps.append((end, text[end : chunk.start]))
        end = max(end, chunk.end)
    return [*gaps, (end, text[end:])] if end < len(text) else gaps


def _joined(pieces: Sequence[tuple[int, str]]) -> str:
    """Return the text of pieces that may overlap and leave nothing out."""
    parts: list[str] = []
    end = 0
    for start, piece in sorted(pieces, key=lambda item: item[0]):
        if start > end:
            raise ValueError(f"nothing has the text from {end} to {start}")
        parts.append(piece[end - start :])
        end = max(end, start + len(piece))
    return "".join(parts)


def _plain(value: Any) -> Any:
    return {"hex": value.hex()} if isinstance(value, bytes) else value


def _restored(value: Any) -> Any:
    return bytes.fromhex(cast("dict[str, str]", value)["hex"]) if isinstance(value, dict) else value


def _dump(value: object) -> str:
    # ASCII: a lone surrogate is escaped, and survives an engine that takes valid Unicode alone.
    return json.dumps(value, separators=(",", ":"))
