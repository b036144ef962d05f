"""What the documents face makes of a read document, made once: its laid out text, its language, tables and links."""

import re
from dataclasses import dataclass, replace

from pincite.chunking.profiles import document_type
from pincite.chunking.separators import lay_out
from pincite.model.document import Coverage, Document
from pincite.services.documents.language import Language, LanguageDetection
from pincite.services.documents.links import Link, links
from pincite.services.documents.pictures import Picture, pictures
from pincite.services.documents.size import CHARACTER_BYTES, document_bytes
from pincite.services.documents.tables import ExtractedTable, tables
from pincite.services.timed_cache import TimedCache

ITEM_BYTES = 500
"""Size in memory of a table, picture or link without its text."""

_WITH_RELATIVE_LINKS = ("html", "md")
"""Types whose text is Markdown as its author linked it."""

_SEPARATORS = re.compile(r"^(?:--- Page \d+ ---|=== .* ===|---)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Extracted:
    """What a document has besides its text.

    Attributes:
        language: The language of the text, without the lines between pages, slides and sheets.
        tables: The tables, as far as they are shown without `max_tokens`.
        pictures: The pictures.
        links: The links.
        base: The address that relative ones count from.
    """

    language: Language
    tables: tuple[ExtractedTable, ...]
    pictures: tuple[Picture, ...]
    links: tuple[Link, ...]
    base: str = ""

    @property
    def size_bytes(self) -> int:
        """An estimate of the memory that it takes."""
        texts = [
            *(table.content for table in self.tables),
            *(picture.caption + picture.text for picture in self.pictures),
            *(link.url + link.context for link in self.links),
        ]
        return CHARACTER_BYTES * sum(map(len, texts)) + ITEM_BYTES * len(texts)


@dataclass(frozen=True, slots=True)
class Derived:
    """What was made of a document.

    Attributes:
        text_hash: `hash` of the text that was read.
        coverage: How far it was read.
        document: The document, laid out.
        extracted: What it has besides its text; None if nobody needed that yet.
    """

    text_hash: int
    coverage: Coverage
    document: Document
    extracted: Extracted | None = None

    @property
    def size_bytes(self) -> int:
        """An estimate of the memory that it takes."""
        return document_bytes(self.document) + (self.extracted.size_bytes if self.extracted else 0)


DerivedCache = TimedCache[str, Derived]


class Derivation:
    """Lays documents out and extracts what they have, once for each. Thread-safe.

    Args:
        cache: Where the results are kept.
        language: Recognises languages.
    """

    def __init__(self, cache: DerivedCache, language: LanguageDetection) -> None:
        self._cache = cache
        self._language = language

    def laid_out(self, document: Document) -> Document:
        """Return a document with lines between its pages, slides and sheets; see `separators.lay_out`."""
        made = self._of(document).document
        return replace(made, name=document.name, warnings=document.warnings)

    def extracted(self, document: Document, address: str = "") -> Extracted:
        """Return what a document has besides its text.

        Args:
            document: Laid out.
            address: Its URL; relative links count from it if it is one of the web.
        """
        has_relative = document_type(document.media_type) in _WITH_RELATIVE_LINKS and address.startswith("http")
        base = address if has_relative else ""
        known = self._cache.get(_key(document))
        is_same = known is not None and known.document.text == document.text
        if known is not None and known.extracted is not None and is_same and known.extracted.base == base:
            return known.extracted
        extracted = Extracted(
            self._language.detect(_SEPARATORS.sub("", document.text)),
            tuple(tables(document)),
            tuple(pictures(document)),
            tuple(links(document, base)),
            base,
        )
        if known is not None and is_same:
            self._cache.put(_key(document), replace(known, extracted=extracted))
        return extracted

    def _of(self, document: Document) -> Derived:
        key = _key(document)
        known = self._cache.get(key)
        if known and (known.text_hash, known.coverage) == (hash(document.text), document.coverage):
            return known
        made = Derived(hash(document.text), document.coverage, lay_out(document))
        self._cache.put(key, made)
        return made


def _key(document: Document) -> str:
    """Return the key of a document: its bytes, the reader that its type has, and its name, which tables show."""
    return f"{document.fingerprint} {document.media_type} {document.name}"
