import pytest

from pincite.model.schema import Leaf, LeafType, ListNode, PerModel
from pincite.services.extraction.skeleton import leaf, read_skeleton


@pytest.mark.parametrize(
    ("description", "type_"),
    [
        ("number with unit", LeafType.QUANTITY),
        ("number (range) with unit", LeafType.QUANTITY),
        ("integer", LeafType.INTEGER),
        ("number", LeafType.NUMBER),
        ("boolean", LeafType.BOOLEAN),
        ("true/false", LeafType.BOOLEAN),
        ("date of the invoice", LeafType.DATE),
        ("string", LeafType.STRING),
        ("the name of the supplier", LeafType.ANY),
        ("numbering scheme", LeafType.ANY),
        ("", LeafType.ANY),
        (None, LeafType.ANY),
        (True, LeafType.BOOLEAN),
        (3, LeafType.INTEGER),
        (3.5, LeafType.NUMBER),
    ],
)
def test_a_leaf_has_the_type_that_its_first_words_state(description: object, type_: LeafType) -> None:
    found = leaf(description)
    assert found.type is type_
    assert not found.is_typed
    assert found.description == (description if isinstance(description, str) else "")


@pytest.mark.parametrize(
    "field",
    [
        {"power_per_model": "number with unit"},
        {"power": "number with unit, per model"},
        {"power": {"<model>": "number with unit"}},
        {"power_per_model": {"<model name>": "number with unit"}},
    ],
)
def test_what_is_per_model(field: dict[str, object]) -> None:
    (node,) = read_skeleton(field).root.fields.values()
    assert isinstance(node, PerModel)
    assert isinstance(node.value, Leaf)
    assert node.value.type is LeafType.QUANTITY
    assert node.description == node.value.description


def test_an_object_with_one_ordinary_key_is_no_dictionary() -> None:
    assert not isinstance(read_skeleton({"a": {"model": "string"}}).root.fields["a"], PerModel)


@pytest.mark.parametrize("described", [["list"], [], ["string"], "list", "list of strings", "Array of dates"])
def test_lists(described: object) -> None:
    node = read_skeleton({"a": described}).root.fields["a"]
    assert isinstance(node, ListNode)
    assert isinstance(node.item, Leaf)
