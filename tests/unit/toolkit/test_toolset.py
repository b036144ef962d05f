"""Methods that are marked as tools."""

from dataclasses import replace

from pincite.errors import ErrorForm
from pincite.toolkit import Toolbox, tools_of
from support.sample_toolsets import Parlour


def test_the_tools_are_the_marked_methods_in_the_order_in_which_they_are_written(toolbox: Toolbox) -> None:
    assert [t.name for t in toolbox.tools] == ["say", "wait", "fail", "name_scope"]
    assert [t.name for t in tools_of(Parlour())] == ["say", "wait", "fail", "name_scope"]
    assert {t.toolset for t in toolbox.tools} == {"parlour"}


def test_a_tool_is_described_by_its_docstring_on_one_line(toolbox: Toolbox) -> None:
    assert toolbox.find("say").description == "Say something, as often as you like."


def test_marks_are_kept(toolbox: Toolbox) -> None:
    wait, say = toolbox.find("wait"), toolbox.find("say")
    assert (wait.semantic, wait.seconds, wait.result_chars) == (True, 0.05, 1000)
    assert (say.semantic, say.seconds, say.result_chars) == (False, None, None)
    assert (say.read_only, say.open_world, say.error_form) == (True, False, ErrorForm.MESSAGE)
    name_scope = toolbox.find("name_scope")
    assert (name_scope.read_only, name_scope.open_world) == (False, True)


def test_a_title_is_the_name_as_people_read_it(toolbox: Toolbox) -> None:
    assert toolbox.find("name_scope").title == "Name scope"
    assert replace(toolbox.find("say"), name="extract_pdf_text").title == "Extract PDF text"


def test_what_a_server_cannot_choose_by_is_no_argument() -> None:
    parlour = Parlour()
    vars(parlour)["omitted"] = frozenset({"loud"})
    say, *_ = tools_of(parlour)
    assert "loud" not in say.input_schema["properties"] and "times" in say.input_schema["properties"]
