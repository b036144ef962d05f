"""The promises of a result, over generated documents, schemas and answers."""

import os
from collections.abc import Iterator, Mapping
from typing import Any, cast

from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.agents.rules.engine import build
from pincite.evidence.claims import ClaimVerifier
from pincite.evidence.values import find_value
from pincite.model.call import Call
from pincite.model.extraction import NOT_FOUND, Answer, Citation, Material
from pincite.model.schema import Path, Schema
from pincite.services.extraction.grounding import ground
from pincite.services.extraction.schemas import read_schema
from pincite.services.extraction.validation import validate_and_normalize
from support.extraction import material

EXAMPLES = int(os.environ.get("EXTRACTION_EXAMPLES", "25"))

NAMES = ["weight", "max_voltage", "min_voltage", "supplier_name", "issue_date", "total", "models"]
LABELS = ["Weight", "Max. voltage", "Min. voltage", "Supplier name", "Date", "Total", "Note", "Gewicht"]
VALUES = ["25 kg", "1100 V", "160 V", "Acme GmbH", "03.05.2024", "1.234,50 €", "yes", "5", "200 ~ 850 V", "-"]

LEAVES = st.sampled_from(["string", "number", "number with unit", "date", "boolean", "integer", "anything"])
NODES = st.recursive(
    LEAVES | st.just(["string"]) | st.just({"<model>": "number with unit"}),
    lambda inner: st.dictionaries(st.sampled_from(NAMES), inner, min_size=1, max_size=4),
    max_leaves=8,
)
SCHEMAS = st.dictionaries(st.sampled_from(NAMES), NODES, min_size=1, max_size=5)
LINES = st.tuples(st.sampled_from(LABELS), st.sampled_from(VALUES))
DOCUMENTS = st.tuples(st.lists(LINES, max_size=8), st.lists(LINES, max_size=6)).map(
    lambda parts: (
        "# Sheet\n\n" + "\n\n".join(f"{label}: {value}" for label, value in parts[0])
        + "\n\n| Data | A-1 | A-2 |\n|---|---|---|\n" + "\n".join(f"| {a} | {b} | {b} |" for a, b in parts[1]) + "\n"
    )
)  # fmt: skip


def records(data: Any, evidence: Any) -> Iterator[tuple[Any, Mapping[str, Any]]]:
    """Every leaf with its record: those of a list of plain values one by one."""
    if isinstance(evidence, Mapping) and "locator" in evidence and "status" in evidence:
        record = cast("Mapping[str, Any]", evidence)
        yield from zip(data, record["items"], strict=True) if "items" in record else ((data, record),)
    elif isinstance(evidence, Mapping):
        for key, tree in cast("Mapping[str, Any]", evidence).items():
            yield from records(data[key], tree)
    else:
        for value, tree in zip(data, evidence, strict=True):
            yield from records(value, tree)


def check(prepared: Material, schema: Schema, answer: Answer) -> None:
    result = ground(answer, schema, ClaimVerifier(prepared), Call(), file_name="a.md")
    # 1: every key is there, at every depth.
    again = validate_and_normalize(result.data, schema, Call())
    assert again.ok
    assert again.normalized == result.data  # 6: normalised already
    chunks = {chunk.locator: chunk for chunk in prepared.chunks}
    for value, record in records(result.data, result.evidence):
        if value in (None, []):
            assert (record["locator"], record["snippet"], record["warning"]) == (None, None, NOT_FOUND)
            assert not record["verified"]
            continue
        chunk = chunks[record["locator"]]
        assert record["verified"]
        assert record["snippet"] in chunk.text
        assert chunk.text[record["char_start"] : record["char_end"]] == record["raw"]
        if record["status"] == "verified":
            assert find_value(value, record["raw"])


@settings(max_examples=EXAMPLES, deadline=None)
@given(DOCUMENTS, SCHEMAS)
def test_what_the_rules_find_is_in_the_document(text: str, skeleton: dict[str, Any]) -> None:
    prepared, schema = material(text), read_schema(skeleton)
    check(prepared, schema, build().extract(prepared, schema, Call()))


@settings(max_examples=EXAMPLES, deadline=None)
@given(DOCUMENTS, st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(VALUES), LINES), max_size=6))
def test_whatever_an_engine_answers_only_what_is_in_the_document_is_verified(
    text: str, claims: list[tuple[str, str, tuple[str, str]]]
) -> None:
    schema = read_schema(dict.fromkeys(NAMES, "string"))
    data = {name: value for name, value, _ in claims}
    citations: dict[Path, Citation] = {
        (name,): Citation("h1-c1", f"{label}: {value}") for name, _, (label, value) in claims
    }
    check(material(text), schema, Answer(data, citations))
