"""Ten real pages of documentation, beside what a person found in them (`html/truth.jsonl` of the data set)."""

import importlib
import json
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from pincite.model.document import Document
from support.html_pages import blocks, read

html: Any = importlib.import_module("lxml.html")  # has no types
LEFT_OUT = (
    "|".join(
        f".//{tag}" for tag in ("script", "style", "svg", "nav", "noscript", "template", "button", "footer", "form")
    )
    + "".join(
        f'|.//*[contains(concat(" ", @class, " "), " {name} ")]'
        for name in ("headerlink", "navheader", "navfooter", "mw-editsection", "navbox")
    )
    + '|.//*[@role="navigation"]|.//comment()'
)
"""What is in a container and is no content, by XPath."""


@pytest.mark.data
def test_real_pages_give_what_a_person_found_in_them(data: Path) -> None:
    found, wanted, recalls, precisions = Counter[str](), Counter[str](), list[float](), list[float]()
    for line in (data / "html" / "truth.jsonl").read_text("utf-8").splitlines():
        truth = json.loads(line)
        file = (data / "html" / truth["file"]).resolve()
        document, container = read(file.read_bytes()), content_of(file, truth["container"])
        parts = held(document)
        for kind, texts in expected(truth, container).items():
            found[kind] += sum(text in parts[kind] for text in texts)
            wanted[kind] += len(texts)
        # With spaces: without, the words of cells without white space between them would be one.
        said, holds = Counter(words(unlinked(document.text))), Counter(words(" ".join(container.itertext())))
        common = (said & holds).total()
        recalls.append(common / max(1, holds.total()))
        precisions.append(common / max(1, said.total()))
    assert wanted - found == Counter(rows=1), "one row of 249 holds a date that the page hides"
    assert (wanted["headings"], wanted["code"], wanted["terms"], wanted["rows"]) == (164, 113, 152, 249)
    assert sum(precisions) / len(precisions) >= 0.98
    assert min(recalls) >= 0.95


def content_of(file: Path, path: str) -> Any:
    """The element that holds a page's content, without what in it is none."""
    tree = html.document_fromstring(file.read_bytes(), parser=html.HTMLParser(encoding="utf-8"))
    element = tree.xpath(path)[0] if path else tree.find("body")
    for left_out in element.xpath(LEFT_OUT):
        if left_out.getparent() is not None:
            left_out.drop_tree()
    return element


def expected(truth: dict[str, Any], container: Any) -> dict[str, list[str]]:
    return {
        "headings": [squeezed(text) for text in truth["headings"]],
        "code": [text.strip("\n").rstrip() for text in truth["code"]],
        "terms": [squeezed(text) for text in truth["terms"]],
        "rows": [squeezed("".join(row)) for row in truth["rows"]],
        "anchors": list(dict.fromkeys(container.xpath(".//@id") + container.xpath(".//a/@name"))),
    }


def held(document: Document) -> dict[str, set[str]]:
    found = blocks(document)
    tables = [block.table for block in found if block.table]
    texts = (document.text[block.start : block.end] for block in found if block.kind == "code")
    return {
        "headings": {squeezed(block.title) for block in found if block.level},
        "code": {re.sub(r"^`+.*\n|\n`+$", "", text) for text in texts},
        "terms": squeezed_all(re.findall(r"\*\*(.+)\*\*", document.text)),
        "rows": squeezed_all(
            "".join(cell.text for cell in table.cells if cell.row == row)
            for table in tables
            for row in range(table.rows)
        ),
        "anchors": {name for block in found for name in block.anchors},
    }


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def squeezed_all(texts: Iterable[str]) -> set[str]:
    """Texts of Markdown as a page shows them, without its pictures."""
    return {squeezed(unlinked(re.sub(r"!\[[^\[\]]*\](?:\([^()]*\))?", "", text))) for text in texts}


def squeezed(text: str) -> str:
    """A text without white space, marks of emphasis and characters without width."""
    return re.sub(r"[\s\u200b\u00ad*`_^~\\¶]", "", text)


def unlinked(markdown: str) -> str:
    """Markdown with the texts of its links alone."""
    markdown = re.sub(r"!?\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\((?:[^()\s]|\([^()]*\))*(?: \"[^\"]*\")?\)", r"\1", markdown)
    return re.sub(r"\[\^([^\]]+)\]", r"[\1]", re.sub(r"!\[([^\]]*)\]", r"\1", markdown))
