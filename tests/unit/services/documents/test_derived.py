"""What is made of a document is made once, and never shown for another one."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from pincite.chunking.separators import lay_out
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.detect.sniff import sniff
from pincite.formats.worker.pool import readable
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import Document
from pincite.services.documents.derived import Derivation, Derived, DerivedCache
from pincite.services.documents.language import LanguageDetection
from pincite.services.documents.size import document_bytes
from pincite.services.timed_cache import CacheLimits, TimedCache
from support.pdfs import pdf, prose
from support.workbooks import grid

BOOK = grid([["Name", "Eggs"], ["ostrich", 40], ["emu", 12]], "Birds")
GERMAN = "Alle Menschen sind frei und gleich an Würde und Rechten geboren, siehe www.example.com/a."

TABLE = "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>"


def read(name: str, data: bytes) -> Document:
    blob = Blob(name, data)
    return read_document(readable(sniff(name, data)), blob, ReadOptions(), Call())


def size(derived: Derived) -> int:
    return derived.size_bytes


@pytest.fixture
def cache() -> DerivedCache:
    return TimedCache(CacheLimits(4, 10_000_000, 60.0), size)


@pytest.fixture
def derivation(cache: DerivedCache) -> Derivation:
    return Derivation(cache, LanguageDetection())


@pytest.mark.parametrize(
    ("name", "data"), [("two.pdf", pdf(prose(), prose())), ("book.xlsx", BOOK), ("a.md", GERMAN.encode())]
)
def test_a_document_is_laid_out_as_without_a_cache_and_once(derivation: Derivation, name: str, data: bytes) -> None:
    document = read(name, data)
    first, second = derivation.laid_out(document), derivation.laid_out(document)
    assert first == second == lay_out(document)
    assert first.sections is second.sections


def test_what_a_document_has_is_extracted_once(derivation: Derivation) -> None:
    document = derivation.laid_out(read("a.html", f"<p>{GERMAN}</p>{TABLE}".encode()))
    first = derivation.extracted(document)
    assert first.language.code == "de"
    assert [link.url for link in first.links] == ["www.example.com/a"]
    assert [table.metadata["rows"] for table in first.tables] == [1]
    assert derivation.extracted(document) is first


def with_another_host(document: Document) -> Document:
    return replace(document, text=document.text.replace("example", "another"))


def read_in_part(document: Document) -> Document:
    return replace(document, coverage=replace(document.coverage, limits_hit=("max_pages",)))


@pytest.mark.parametrize("change", [with_another_host, read_in_part])
def test_another_text_of_the_same_bytes_is_derived_anew(
    derivation: Derivation, change: Callable[[Document], Document]
) -> None:
    document = read("a.md", GERMAN.encode())
    derivation.extracted(derivation.laid_out(document))
    other = change(document)
    assert derivation.laid_out(other) == lay_out(other)
    host = "another" if "another" in other.text else "example"
    assert [link.url for link in derivation.extracted(derivation.laid_out(other)).links] == [f"www.{host}.com/a"]


def test_the_same_bytes_under_another_name_have_their_own_name_and_warnings(derivation: Derivation) -> None:
    document = read("book.csv", b"name,eggs\nostrich,40\n")
    named = replace(document, name="other.csv", warnings=("said",))
    tables = [derivation.extracted(derivation.laid_out(each)).tables for each in (document, named)]
    assert [table.location for (table,) in tables] == ["book.csv", "other.csv"]
    warned = derivation.laid_out(replace(named, warnings=("another",)))
    assert (warned.name, warned.warnings) == ("other.csv", ("another",))


def test_its_size_counts_the_document_and_what_it_has(derivation: Derivation, cache: DerivedCache) -> None:
    document = derivation.laid_out(read("a.md", GERMAN.encode()))
    assert cache.statistics().bytes == document_bytes(document)
    derivation.extracted(document)
    assert cache.statistics().bytes > document_bytes(document)
    assert cache.statistics().entries == 1


def test_without_room_everything_is_made_anew() -> None:
    none: DerivedCache = TimedCache(CacheLimits(4, 0, 60.0), size)
    derivation = Derivation(none, LanguageDetection())
    document = derivation.laid_out(read("book.xlsx", BOOK))
    assert [table.location for table in derivation.extracted(document).tables] == ["Birds"]
    assert none.statistics().entries == 0
