"""Arguments of tools, accepted and refused."""

import pytest

from pincite.model.call import Call
from pincite.toolkit import Toolbox, validated
from support.sample_toolsets import Desk, problem


def test_null_means_the_default(toolbox: Toolbox) -> None:
    nulls = {"title": "a", "times": None, "loud": None, "manner": None, "to": None, "either": None}
    assert validated(toolbox.find("say"), nulls) == validated(toolbox.find("say"), {"title": "a"})


def test_no_arguments_at_all_are_no_arguments(toolbox: Toolbox) -> None:
    assert problem(toolbox, "say", None).message == "title parameter is required"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "title parameter is required"),
        ({"title": None}, "title parameter is required"),
        ({"title": 3}, "title should be text, not 3"),
        ({"title": "a", "times": "many"}, "times should be a whole number, not 'many'"),
        ({"title": "a", "times": 1.5}, "times should be a whole number, not 1.5"),
        ({"title": "a", "times": True}, "times should be a whole number, not True"),
        ({"title": "a", "either": False}, "either should be a whole number, not False"),
        ({"title": "a", "times": 0}, "times should be 1 to 9, not 0"),
        ({"title": "a", "times": 10}, "times should be 1 to 9, not 10"),
        ({"title": "a", "loud": "perhaps"}, "loud should be true or false, not 'perhaps'"),
        ({"title": "a", "manner": "hummed"}, "manner should be 'plain' or 'sung', not 'hummed'"),
        ({"title": "a", "to": ["b"]}, "to should be text, not ['b']"),
        ({"title": "a", "either": [1]}, "either should be a whole number, not [1]"),
        ({"titel": "a"}, "Unknown argument 'titel' for say. Did you mean 'title'?"),
        ({"zzz": 1}, "Unknown argument 'zzz' for say. Known: title, times, loud, manner, to, either."),
        ({"title": "a", "call": 1}, "Unknown argument 'call' for say. Known: title, times, loud, manner, to, either."),
        ({"title": ["x" * 200]}, "title should be text, not ['" + "x" * 57 + "…"),
    ],
)
def test_a_wrong_argument_is_refused_in_our_own_words(
    toolbox: Toolbox, arguments: dict[str, object], message: str
) -> None:
    error = problem(toolbox, "say", arguments)
    assert (error.code, error.message) == ("invalid_input", message)


def test_an_empty_text_counts_as_missing_unless_the_tool_refuses_it() -> None:
    desk = Toolbox([Desk], seconds=30)
    assert desk.call("guess", {"nick": ""}, Call()).model_dump()["said"] == "nobody"
    assert str(problem(desk, "ask", {"nick": ""})) == "nick should be 1 to 8 characters, not ''"


def test_a_range_is_named_whole_and_an_open_one_by_its_end() -> None:
    desk = Toolbox([Desk], seconds=30)
    assert str(problem(desk, "ask", {"nick": "x" * 9})) == "nick should be 1 to 8 characters, not 'xxxxxxxxx'"
    assert str(problem(desk, "ask", {"share": -1})) == "share should be greater than or equal to 0, not -1"


def test_a_tool_without_arguments_says_that_it_has_none(toolbox: Toolbox) -> None:
    assert problem(toolbox, "wait", {"x": 1}).message == "Unknown argument 'x' for wait. Known: none."


def test_a_number_written_as_text_is_a_number(toolbox: Toolbox) -> None:
    assert validated(toolbox.find("say"), {"title": "a", "times": "3"})["times"] == 3
