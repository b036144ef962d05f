"""A model that lies in eleven ways, and what of its answer may go out."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from support.agents import NEIGHBOUR, answer
from support.scripted_model import Said

DOCUMENT = """\
# Pump P-100

| Data | P-100 | P-200 |
| --- | --- | --- |
| Max. pressure | 1100 kPa | 900 kPa |
| Min. pressure | 160 kPa | 150 kPa |
| Rated flow | 25 l/min | 40 l/min |

Weight: 25 kg

Order date: 2024-05-03

Supplier: Acme GmbH

## Parts

| Part | Quantity | Price |
| --- | --- | --- |
| Fan | 2 | 10.50 € |
| Fuse | 12 | 1.20 € |
"""
SCHEMA: Mapping[str, Any] = {
    "weight": "number with unit",
    "altered_digit": "number with unit",
    "altered_quote": "number with unit",
    "other_unit": "number with unit",
    "part_of_number": "number with unit",
    "max_pressure": "number with unit",
    "rated_flow_per_model": "number with unit",
    "invented": "string",
    "of_neighbour": "string",
    "not_in_quote": "string",
    "order_date": "date",
    "stitched": "number with unit",
    "parts": [{"part": "string", "quantity": "integer", "price": "number with unit"}],
}
TABLE, LINES, PARTS = "h1-t1", "h1-c1", "h2-t1"
FAN = "Fan | 2 | 10.50 €"
Lie = tuple[Any, Any]
"""A value and its evidence."""


def quoted(locator: str, snippet: str) -> dict[str, str]:
    return {"locator": locator, "snippet": snippet}


WEIGHT = quoted(LINES, "Weight: 25 kg")
LIES: Mapping[str, Lie] = {
    "altered_digit": ("26 kg", WEIGHT),
    "altered_quote": ("26 kg", quoted(LINES, "Weight: 26 kg")),
    "other_unit": ("25 g", WEIGHT),
    "part_of_number": ("100 kPa", quoted(TABLE, "100 kPa")),
    "max_pressure": ("160 kPa", quoted(TABLE, "Min. pressure | 160 kPa")),
    "rated_flow_per_model": (
        {"P-100": "40 l/min"}, {"P-100": quoted(TABLE, "Rated flow | 25 l/min | 40 l/min")}
    ),
    "invented": ("IP65", quoted(LINES, "Protection class: IP65")),
    "of_neighbour": ("swordfish", quoted("h1-c1", NEIGHBOUR.splitlines()[2])),
    "not_in_quote": ("Acme GmbH", WEIGHT),
    "order_date": ("2024-03-05", quoted(LINES, "Order date: 2024-05-03")),
    "stitched": ("1.20 €", quoted(TABLE, "Max. pressure … 1.20 €")),
}  # fmt: skip
assert len(LIES) == 11


def lying(results: Sequence[str]) -> Said:
    """The one truth, eleven lies, and a record that takes its price from another row."""
    del results
    record = {"part": "Fan", "quantity": 2, "price": "1.20 €"}
    places = {"part": quoted(PARTS, FAN), "quantity": quoted(PARTS, FAN), "price": quoted(PARTS, "Fuse | 12 | 1.20 €")}
    data = {"weight": "25 kg", "parts": [record], **{key: lie[0] for key, lie in LIES.items()}}
    evidence = {"weight": WEIGHT, "parts": [places], **{key: lie[1] for key, lie in LIES.items()}}
    return answer(data, evidence)


def check_no_lie(data: Mapping[str, Any], evidence: Mapping[str, Any]) -> None:
    assert data["weight"] == "25kg" and evidence["weight"]["verified"]
    assert data["parts"] == [{"part": "Fan", "quantity": 2, "price": None}]
    assert not evidence["parts"][0]["price"]["verified"]
    verified = {key for key in LIES if '"verified": true' in json.dumps(evidence[key])}
    assert verified == set()
    assert {key: data[key] for key in LIES} == {**dict.fromkeys(LIES), "rated_flow_per_model": {"P-100": None}}
