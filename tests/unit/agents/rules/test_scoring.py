"""Scores of labels: the bound that spares most labels their score never hides one."""

from pincite.agents.rules.scoring import WeightedLabels, make_field, score
from pincite.model.call import Call
from pincite.model.schema import Leaf
from pincite.text.tables.grids import grids
from pincite.text.terms.label_index import collect
from support.extraction import material

_TEXT = """# Invoice of Beispiel GmbH

Invoice no.: 4711
Invoice date: 3 May 2024
Date / Revision: 4 May 2024
VAT 20 %: 20.00
Total: 120.00
Delivery address of the buyer: Ringstr. 1, 50667 Musterstadt
The total amount of the order is due on 5 June 2024.

| Item | Quantity | Unit price | Total |
| --- | --- | --- | --- |
| Bolt | 2 | 5.00 | 10.00 |
"""
_FIELDS = {
    "invoice_number": "",
    "document_date": "date of issue",
    "vat_rate": "tax in per cent",
    "total": "total with tax",
    "delivery_address": "where the goods go",
    "unit_price": "price of one",
    "due_date": "date, to be paid until",
    "name": "",
}


def test_no_label_has_a_higher_score_than_the_most_that_its_terms_allow() -> None:
    document = material(_TEXT)
    weighted = WeightedLabels(collect(document, list(grids(document.document)), call=Call()))
    compared = 0
    for key, description in _FIELDS.items():
        field = make_field((key,), Leaf(description=description), _FIELDS)
        for most, pair in weighted.near(field):
            assert score(field, pair, weighted.weights) <= most + 1e-9, (key, pair.label)
            compared += 1
    assert compared > 2 * len(_FIELDS)
