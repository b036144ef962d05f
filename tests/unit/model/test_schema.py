from pincite.model.schema import Leaf, ListNode, ObjectNode, PerModel, dotted, empty, fields_of

ROOT = ObjectNode({"a": ObjectNode({"b": Leaf(), "c": ListNode(Leaf())}), "d": PerModel(Leaf())})


def test_a_path_is_named_with_dots_and_indexes() -> None:
    assert dotted(("a", 2, "b")) == "a[2].b"
    assert dotted((0, "b")) == "[0].b"


def test_fields_are_all_below_objects_with_lists_and_dictionaries_whole() -> None:
    assert [path for path, _ in fields_of(ROOT)] == [("a", "b"), ("a", "c"), ("d",)]


def test_nothing_found_is_null_at_every_depth_and_an_empty_list() -> None:
    assert empty(ROOT) == {"a": {"b": None, "c": []}, "d": None}
