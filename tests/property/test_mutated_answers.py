"""Answers of a model, mutated at random: whatever is called verified is in the document all the same."""

import copy
import json
import random
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

import pytest

from pincite.agents.claude.answers import MalformedAnswerError, read_answer
from pincite.evidence.claims import ClaimVerifier
from pincite.model.call import Call
from pincite.model.extraction import NOT_FOUND, Answer
from pincite.services.extraction.grounding import ground
from pincite.services.extraction.schemas import read_schema
from pincite.services.extraction.validation import validate_and_normalize
from support.extraction import SHEET, material

SCHEMA = read_schema(
    {
        "original_file": "string",
        "general": {"weight": "number with unit", "protection_class": "string", "supplier": "string"},
        "certificates": ["string"],
        "max_dc_voltage_per_model": "number with unit",
        "nominal_ac_power_per_model": "number with unit",
        "spare_parts": [{"part": "string", "quantity": "integer", "price": "number with unit"}],
    }
)
WEIGHT = {"locator": "h2-c1", "snippet": "Weight: 25 kg"}
CERTIFICATES = {"locator": "h2-c1", "snippet": "Certificates: IEC 62109, EN 50549, VDE 4105"}
VOLTAGE = {"locator": "h1-t1", "snippet": "Max. DC voltage | 1100 V | 1100 V"}
POWER = {"locator": "h1-t1", "snippet": "Nominal AC power | 5 kW | 8 kW"}
FAN = {"locator": "h3-t1", "snippet": "Fan | 2 | 10.50 €"}
RIGHT: dict[str, Any] = {
    "data": {
        "general": {"weight": "25 kg", "protection_class": "IP65", "supplier": None},
        "certificates": ["IEC 62109", "EN 50549", "VDE 4105"],
        "max_dc_voltage_per_model": {"SS-5K": "1100 V", "SS-8K": "1100 V"},
        "nominal_ac_power_per_model": {"SS-5K": "5 kW", "SS-8K": "8 kW"},
        "spare_parts": [{"part": "Fan", "quantity": 2, "price": "10.50 €"}],
    },
    "evidence": {
        "general": {"weight": WEIGHT, "protection_class": {"locator": "h2-c1", "snippet": "Protection class: IP65"}},
        "certificates": CERTIFICATES,
        "max_dc_voltage_per_model": {"SS-5K": VOLTAGE, "SS-8K": VOLTAGE},
        "nominal_ac_power_per_model": {"SS-5K": POWER, "SS-8K": POWER},
        "spare_parts": [{"part": FAN, "quantity": FAN, "price": FAN}],
    },
}
ODD: list[Any] = [
    None, True, 0, -1, 1e308, 2**70, "", " ", "-", "…", "x" * 30_000, "٢٥", "25\x00kg", "\ud800", "\uff12\uff15kg",
    [], {}, [[]], {"locator": "h1-c1", "snippet": "SunStar"}, "h2-c1", "h99-c9", "../../etc/passwd", "SS-5K", "Weight",
    "1100", "160 V", "8 kW", "12", "10.50", "1.20 €", "2 | 10.50", "Fuse | 12 | 1.20 €", "Weight: 25 kg … Fuse",
    "IEC 62109", "Min. DC voltage | 160 V | 160 V",
    "| --- | --- |", "**25** kg", "# General data", "Protection class: IP65",
]  # fmt: skip
"""Values, locators and snippets that are no value, or another one's."""


def places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every container in an answer with each of its keys."""
    keys: list[Any] = list(cast("dict[str, Any]", node)) if isinstance(node, dict) else []
    keys = list(range(len(cast("list[Any]", node)))) if isinstance(node, list) else keys
    for key in keys:
        yield node, key
        yield from places(node[key])


def digit(value: Any, chance: random.Random) -> Any:
    """The value with one digit changed."""
    found = list(re.finditer("[0-9]", value)) if isinstance(value, str) else []
    if not found:
        return chance.choice(ODD)
    place = chance.choice(found).start()
    return value[:place] + str((int(value[place]) + chance.randint(1, 9)) % 10) + value[place + 1 :]


def cut(value: Any, chance: random.Random) -> Any:
    """A part of the value."""
    if not isinstance(value, str):
        return chance.choice(ODD)
    start = chance.randint(0, len(value))
    return value[start : chance.randint(start, len(value))]


def joined(value: Any, chance: random.Random) -> Any:
    """The value with another text in front or after it."""
    return f"{chance.choice(ODD)}{value}{chance.choice(ODD)}" if isinstance(value, str) else [value, value]


def other(value: Any, chance: random.Random) -> Any:
    del value
    return copy.deepcopy(chance.choice(ODD))


CHANGES: list[Callable[[Any, random.Random], Any]] = [digit, digit, cut, joined, other]


def mutated(chance: random.Random) -> dict[str, Any]:
    """The right answer with one to five changes: a value, a key, a place, or two of them exchanged."""
    answer = copy.deepcopy(RIGHT)
    for _ in range(chance.randint(1, 5)):
        found = list(places(answer))
        if not found:
            break
        container, key = chance.choice(found)
        kind = chance.randrange(8)
        if kind == 0:
            del container[key]
        elif kind == 1:
            elsewhere, there = chance.choice(list(places(answer)))
            container[key], elsewhere[there] = copy.deepcopy(elsewhere[there]), copy.deepcopy(container[key])
        elif kind == 2 and isinstance(container, dict):
            container[chance.choice(["SS-9K", "weight", "items", "locator", "general", ""])] = container[key]
        else:
            container[key] = chance.choice(CHANGES)(container[key], chance)
    return answer


def leaves(data: Any, evidence: Any) -> Iterator[tuple[Any, Mapping[str, Any]]]:
    """Every value with its record."""
    record: Mapping[str, Any] = cast("Mapping[str, Any]", evidence) if isinstance(evidence, Mapping) else {}
    if isinstance(record.get("status"), str):
        yield from zip(data, record["items"], strict=True) if "items" in record else ((data, record),)
    elif isinstance(evidence, Mapping):
        for key, tree in record.items():
            yield from leaves(data[key], tree)
    else:
        for value, tree in zip(data, evidence, strict=True):
            yield from leaves(value, tree)


def violation(value: Any, record: Mapping[str, Any], chunks: Mapping[str, str]) -> str:
    """What a leaf breaks of the promises, told without the verifier's own code; empty for nothing."""
    if value in (None, []):
        empty = (record["locator"], record["snippet"], record["verified"], record["warning"])
        return "" if empty == (None, None, False, NOT_FOUND) else "a null with evidence"
    if record.get("rule") == "upload file name":
        return "" if value == "a.md" else "another file name"
    text = chunks.get(str(record["locator"]), "")
    if not record["verified"]:
        return "a value that is not verified"
    if record["snippet"] not in text or text[record["char_start"] : record["char_end"]] != record["raw"]:
        return "words that are not in the document"
    # The value's letters and digits are those that are printed, or its numbers are the same: 10.5 is 10.50.
    said, printed = (unicodedata.normalize("NFKC", str(one)).lower() for one in (value, record["raw"]))
    is_same = re.sub(r"[^0-9a-z]", "", said) == re.sub(r"[^0-9a-z]", "", printed) or numbers(said) == numbers(printed)
    return "" if is_same else f"the document says {record['raw']!r}"


def numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"\d+(?:\.\d+)?", text)]


@pytest.mark.parametrize("count", [100, pytest.param(10_000, marks=(pytest.mark.long, pytest.mark.timeout(1800)))])
def test_a_mutated_answer_breaks_no_promise(count: int) -> None:
    prepared = material(SHEET)
    verifier = ClaimVerifier(prepared)
    chunks = {chunk.locator: chunk.text for chunk in prepared.chunks}
    chance = random.Random(count)  # noqa: S311 - it is to repeat
    violations: list[tuple[Any, Any, str]] = []
    refused = kept = 0
    for _ in range(count):
        answer = mutated(chance)
        try:
            data, citations = read_answer(json.dumps(answer), SCHEMA)
        except MalformedAnswerError:
            continue
        result = ground(Answer(data, citations), SCHEMA, verifier, Call(), file_name="a.md")
        assert validate_and_normalize(result.data, SCHEMA, Call()).normalized == result.data
        found = [(value, record, violation(value, record, chunks)) for value, record in leaves(*_trees(result))]
        violations += [one for one in found if one[2]]
        refused += sum("candidates" in record for _, record, _ in found)
        kept += sum(value not in (None, []) for value, _, _ in found)
    assert violations == []
    assert min(refused, kept) > count // 2


def _trees(result: Any) -> tuple[Any, Any]:
    return result.data, result.evidence
