"""Documents as reference managers read them: CSL-JSON and BibTeX."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

from pincite.model.store import StoredDocument
from pincite.services.library.downloads import url_of
from pincite.services.library.ingestion import DOCUMENT_TYPE, path_of

_TYPES = {"standard": "standard", "specification": "standard", "handbook": "book", "guide": "book", "report": "report"}
"""Types of CSL 1.0.2 by the library's document types; any other is a `document`."""

_ENTRIES = {"report": "techreport", "book": "book"}
"""Entry types of BibTeX by CSL types; any other is `misc`."""

_YEAR = re.compile(r"\d{4}")
_SPECIAL = str.maketrans(
    {**{sign: f"\\{sign}" for sign in "&%$#_{}"}, "\\": r"\textbackslash{}", "~": r"\textasciitilde{}"}
    | {"^": r"\textasciicircum{}"}
)


def csl_item(document: StoredDocument) -> Mapping[str, Any]:
    """Return a document as an item of CSL-JSON, with what its front matter says of its author and date."""
    properties = {name.lower(): " ".join(value.split()) for name, value in document.properties.items()}
    item: dict[str, Any] = {
        "id": document.name,
        "type": _TYPES.get(properties.get(DOCUMENT_TYPE, ""), "document"),
        "title": document.label,
        "note": f"{path_of(document.source_key)}, SHA-256 {document.fingerprint}",
    }
    if url := url_of(document.source_key):
        item["URL"] = url
    if author := properties.get("author", ""):
        item["author"] = [{"literal": author}]
    if issued := properties.get("date", "") or properties.get("issued", ""):
        item["issued"] = {"raw": issued}
    return item


def bibtex(items: Iterable[Mapping[str, Any]]) -> str:
    """Return items of CSL-JSON as BibTeX; ids that read the same as a key get a number."""
    keys: dict[str, int] = {}
    return "\n".join(_entry(item, _distinct(_key(item["id"]), keys)) for item in items)


def _entry(item: Mapping[str, Any], key: str) -> str:
    issued = str(item.get("issued", {}).get("raw", ""))
    year = _YEAR.search(issued)
    fields = {
        # Braces keep the case of a title, and an organisation from being read as first and last name.
        "title": f"{{{_escaped(item['title'])}}}",
        "author": "".join(f"{{{_escaped(author['literal'])}}}" for author in item.get("author", ())),
        "year": year[0] if year else "",
        "url": _escaped(item.get("URL", "")),
        "note": _escaped(item["note"]),
    }
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@{_ENTRIES.get(item['type'], 'misc')}{{{key},\n{lines}}}\n"


def _escaped(text: str) -> str:
    return text.translate(_SPECIAL)


def _key(name: str) -> str:
    """Return a document's id in the characters that every BibTeX takes in a key."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9:./+-]+", "-", plain).strip("-") or "document"


def _distinct(key: str, keys: dict[str, int]) -> str:
    keys[key] = keys.get(key, 0) + 1
    return key if keys[key] == 1 else f"{key}-{keys[key]}"
