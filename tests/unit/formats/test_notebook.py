import json
from typing import Any

import pytest

from pincite.errors import InvalidInput, Unsupported
from pincite.formats import notebook
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.notebook import read
from pincite.model.call import Call
from pincite.model.document import BlockKind, Page


def page_of(written: object) -> Page:
    _, page = read(Blob("a.ipynb", json.dumps(written).encode()), ReadOptions(), Call())
    assert isinstance(page, Page)
    return page


def of_cells(*cells: dict[str, Any], language: str = "python") -> str:
    return page_of({"cells": cells, "metadata": {"language_info": {"name": language}}, "nbformat": 4}).text


def code(*outputs: dict[str, Any], source: object = "print(1)") -> dict[str, Any]:
    return {"cell_type": "code", "source": source, "outputs": outputs}


def test_texts_are_markdown_and_code_is_in_the_language_of_the_kernel() -> None:
    page = page_of(
        {
            "cells": [
                {"cell_type": "markdown", "source": ["# Title\n", "\n", "Some *text*.\n"]},
                code(source=["a = 1\n", "a"]),
                {"cell_type": "raw", "source": "raw"},
            ],
            "metadata": {"kernelspec": {"language": "julia"}},
        }
    )
    assert page.text == "# Title\n\nSome *text*.\n\n```julia\na = 1\na\n```\n\nraw"
    assert [block.kind for block in page.blocks] == [
        BlockKind.HEADING,
        BlockKind.PARAGRAPH,
        BlockKind.CODE,
        BlockKind.PARAGRAPH,
    ]
    assert (page.blocks[0].title, page.blocks[2].language) == ("Title", "julia")


@pytest.mark.parametrize(
    ("output", "printed"),
    [
        ({"output_type": "stream", "text": ["1\n", "2\n"]}, "1\n2"),
        ({"output_type": "execute_result", "data": {"text/plain": "42", "text/html": "<b>42</b>"}}, "42"),
        ({"output_type": "error", "ename": "KeyError", "evalue": "'a'", "traceback": ["\x1b[0;31m…"]}, "KeyError: 'a'"),
        ({"output_type": "stream", "text": "\x1b[31mred\x1b[0m"}, "red"),
        ({"output_type": "pyout", "text": ["3"]}, "3"),
    ],
)
def test_what_a_cell_printed_follows_it(output: dict[str, Any], printed: str) -> None:
    assert of_cells(code(output)) == f"```python\nprint(1)\n```\n\n```\n{printed}\n```"


@pytest.mark.parametrize(
    "output",
    [
        {"output_type": "display_data", "data": {"image/png": "iVBOR", "text/plain": "<Figure size 640x480>"}},
        {"output_type": "pyout", "png": "iVBOR", "text": ["<Figure>"]},
        {"data": {"application/vnd.jupyter.widget-view+json": {}, "text/plain": "HBox(…)"}},
        {"data": "nothing"},
        {"text": 7},
    ],
)
def test_pictures_and_widgets_leave_no_text(output: dict[str, Any]) -> None:
    assert of_cells(code(output)) == "```python\nprint(1)\n```"


def test_code_that_has_a_fence_stays_whole() -> None:
    assert of_cells(code(source='s = """\n```\n"""')) == '````python\ns = """\n```\n"""\n````'


def test_a_long_output_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebook, "MAX_OUTPUT_CHARACTERS", 4)
    assert of_cells(code({"text": "123456"})).endswith("```\n1234\n…\n```")


def test_notebooks_of_the_third_version_have_sheets_and_headings() -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": ["Part"]},
        {"cell_type": "heading", "level": "x", "source": "Whole"},
        {"cell_type": "code", "input": ["1 + 1"], "language": "ruby"},
    ]
    page = page_of({"worksheets": [{"cells": cells}], "nbformat": 3})
    assert page.text == "## Part\n\n# Whole\n\n```ruby\n1 + 1\n```"


@pytest.mark.parametrize("data", [b"", b"{", b"[" * 100_000, b"\xff\xfe\x00"])
def test_what_is_no_json_is_damaged(data: bytes) -> None:
    with pytest.raises(InvalidInput, match="Save it again in Jupyter"):
        list(read(Blob("a.ipynb", data), ReadOptions(), Call()))


@pytest.mark.parametrize("written", [[], 7, None, {"a": 1}, {"worksheets": [1]}])
def test_other_json_is_refused(written: object) -> None:
    with pytest.raises(Unsupported, match="extension of its format"):
        page_of(written)


def test_a_notebook_without_cells_is_empty() -> None:
    assert page_of({"cells": []}).failures[0].reason == "it is empty"
    assert page_of({"cells": {"a": 1}}).text == ""
