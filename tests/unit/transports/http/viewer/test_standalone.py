"""The evidence as one file."""

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.pool import ReaderPool
from pincite.formats.worker.processes import ReaderLimits
from pincite.model.call import Call
from pincite.services.reading.reading import Reading
from pincite.services.viewer.address import document_to_show, locator_starts
from pincite.services.viewer.pages import Pages
from pincite.transports.http.viewer.standalone import bundle, evidence_payload, standalone
from support.pdfs import Text, pdf

PAYLOAD: dict[str, Any] = {"result": {"data": {"a": "</script><script>alert(1)</script>"}, "evidence": {}}, "sizes": []}


def scripts(page: str) -> list[str]:
    return re.findall(r"<script>(.*?)</script>", page, re.DOTALL)


def test_the_only_script_that_may_run_is_its_own() -> None:
    page = standalone("<b>&", PAYLOAD)
    assert scripts(page) == [bundle()]
    digest = base64.b64encode(hashlib.sha256(bundle().encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in page and "default-src 'none'" in page
    assert "<title>&lt;b&gt;&amp;</title>" in page


def test_the_data_come_back_as_they_were() -> None:
    page = standalone("a", PAYLOAD)
    block = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert block and json.loads(block[1]) == {"title": "a", **PAYLOAD}


def test_the_bundle_has_no_import_left_and_nothing_of_elsewhere() -> None:
    made = bundle()
    assert not re.search(r"^\s*(import|export)\b", made, re.MULTILINE)
    assert "</script" not in made and "https://" not in made


@pytest.fixture
def reading() -> Iterator[Reading]:
    pool = ReaderPool(ReadOptions(), ReaderLimits())
    yield Reading(pool)
    pool.close()


def payload_of(reading: Reading, blob: Blob, evidence: dict[str, Any]) -> dict[str, Any]:
    document = reading.read(blob, Call())
    result = {"data": {}, "evidence": evidence}
    shown, starts = document_to_show(blob, document), locator_starts(document, Call())
    return evidence_payload(result, shown, starts, Pages(lambda: reading), Call())


def test_only_pages_with_values_are_in_it(reading: Reading) -> None:
    data = pdf([Text("First page", 72, 72, 10, "F")], [Text("Total 12 EUR", 72, 72, 10, "F")])
    box = {"page": 2, "x0": 1.0, "y0": 2.0, "x1": 3.0, "y1": 4.0}
    evidence = {"lines": [{"total": {"locator": "h0-c1", "snippet": "12", "boxes": [box]}}]}
    payload = payload_of(reading, Blob("a.pdf", data), evidence)
    assert (payload["sizes"], list(payload["pictures"]), payload["parts"]) == ([(612.0, 792.0)] * 2, [2], [])
    assert [line["text"] for line in payload["lines"][2]] == ["Total 12 EUR"]
    assert payload["pictures"][2].startswith("data:image/png;base64,")


def test_a_document_without_pages_has_its_text_and_where_each_locator_begins(reading: Reading) -> None:
    payload = payload_of(reading, Blob("a.md", b"# Head\n\nFirst.\n\n## Next\n\nTotal 12 EUR\n"), {})
    text = "".join(part["text"] for part in payload["parts"])
    assert text[payload["locators"]["h2-c1"] :].startswith(("## Next", "Total"))
    assert (payload["sizes"], payload["pictures"], payload["lines"]) == ([], {}, {})
