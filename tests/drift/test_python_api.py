"""The public names of the Python API: a change of this list is a change for every program that uses it."""

import inspect

import pytest

import pincite
from pincite import errors

PUBLIC = {
    "Block",
    "Citation",
    "Document",
    "Evidence",
    "Extraction",
    "Folder",
    "IndexState",
    "Ingested",
    "Library",
    "Page",
    "Results",
    "SearchResult",
    "SearchResults",
    "Status",
    "Table",
    "Verdict",
    "VerifiedQuote",
    "__version__",
    "convert",
    "extract",
    "library",
    "open",
}


def test_the_public_names_are_these_and_every_error() -> None:
    kinds = {name for name, kind in vars(errors).items() if inspect.isclass(kind) and issubclass(kind, Exception)}
    assert set(pincite.__all__) == PUBLIC | kinds
    assert pincite.__all__ == sorted(pincite.__all__)


@pytest.mark.parametrize("name", pincite.__all__)
def test_a_public_name_is_there(name: str) -> None:
    assert hasattr(pincite, name)
    assert name in dir(pincite)


def test_another_name_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="module 'pincite' has no attribute 'Foldre'"):
        getattr(pincite, "Foldre")  # noqa: B009 - pyright knows that it is not there


@pytest.mark.parametrize(
    ("method", "signature"),
    [
        ("search", "(self, query: str, n: int = 5, file_filter: str | None = None) -> "),
        ("read", "(self, ref: str, *, context: int = 0) -> "),
        ("verify", "(self, ref: str, quote: str) -> "),
        ("status", "(self) -> "),
        ("close", "(self) -> "),
    ],
)
def test_the_methods_are_called_as_the_contract_says(method: str, signature: str) -> None:
    assert str(inspect.signature(getattr(pincite.Folder, method))).startswith(signature)
