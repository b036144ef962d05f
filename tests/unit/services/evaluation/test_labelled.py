"""Folders of documents with their expected values, as they are read."""

from pathlib import Path

import pytest

from pincite.errors import InvalidInput
from pincite.services.evaluation.labelled import is_labelled, read

SCHEMA = '{"total": "number", "seller": {"name": "string"}, "lines": [{"price": "number"}]}'


def folder(path: Path, **files: str) -> Path:
    for name, text in {"schema.json": SCHEMA, **files}.items():
        (path / name).write_text(text, encoding="utf-8")
    return path


def test_each_document_has_its_values_beside_it(tmp_path: Path) -> None:
    made = folder(tmp_path, **{"b.md": "", "b.json": '{"total": null}', "a[1].md": "", "a[1].json": '{"total": 5}'})
    found = read(made)
    assert is_labelled(made)
    assert found.name == tmp_path.name
    assert [(one.file.name, one.expected) for one in found.documents] == [
        ("a[1].md", {"total": 5}),
        ("b.md", {"total": None}),
    ]


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({}, "has no expected values"),
        ({"a.json": "{}"}, "there is none"),
        ({"a.json": "{}", "a.md": "", "a.pdf": ""}, r"there is a\.md, a\.pdf"),
        ({"a.json": "{", "a.md": ""}, "is not JSON"),
        ({"a.json": "[" * 100_000, "a.md": ""}, "is not JSON"),
        ({"a.json": "[]", "a.md": ""}, "must be a JSON object"),
        ({"a.json": '{"totl": 5}', "a.md": ""}, "'totl'.*nearest is 'total'"),
        ({"a.json": '{"seller": {"nam": "x"}}', "a.md": ""}, r"'seller\.nam'"),
        ({"a.json": '{"lines": [{"rice": 1}]}', "a.md": ""}, r"'lines\[\]\.rice'"),
        ({"a.json": '{"total": [5]}', "a.md": ""}, "'total'"),
    ],
)
def test_what_cannot_be_compared_is_named(tmp_path: Path, files: dict[str, str], problem: str) -> None:
    with pytest.raises(InvalidInput, match=problem):
        read(folder(tmp_path, **files))


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    folder(tmp_path, **{"a.md": ""})
    (tmp_path / "a.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidInput, match=r"a\.json cannot be read"):
        read(tmp_path)


def test_another_folder_is_none(tmp_path: Path) -> None:
    assert not is_labelled(tmp_path)
