"""Evidence as W3C Web Annotations."""

from pincite.model.document import Box
from pincite.services.citations.annotations import annotation


def test_a_value_is_an_annotation_of_its_words_and_its_place_on_the_page() -> None:
    found = annotation(
        "https://example.com/a.pdf", "total", 120.5, "Total: 120.50", page=3, boxes=[Box(72, 100, 102.5, 112)]
    )
    assert found["@context"] == "http://www.w3.org/ns/anno.jsonld"
    assert [(body["purpose"], body["value"]) for body in found["body"]] == [
        ("tagging", "total"),
        ("describing", "120.5"),
    ]
    assert found["target"] == {
        "source": "https://example.com/a.pdf",
        "selector": [
            {"type": "TextQuoteSelector", "exact": "Total: 120.50"},
            {
                "type": "FragmentSelector",
                "conformsTo": "http://tools.ietf.org/rfc/rfc3778",
                "value": "page=3&viewrect=72,100,30.5,12",
            },
        ],
    }


def test_without_a_box_the_page_is_named_and_without_a_page_the_words_alone() -> None:
    with_page = annotation("a.pdf", "x", "y", "y", page=2)["target"]["selector"]
    assert [selector.get("value") for selector in with_page] == [None, "page=2"]
    assert annotation("a.md", "x", "y", "y")["target"]["selector"] == [{"type": "TextQuoteSelector", "exact": "y"}]
