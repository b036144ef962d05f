"""What an ingestion adds: which files, under which ids, and what it warns of."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from pincite.errors import InvalidInput, NotFound
from pincite.index.titles import TITLES
from pincite.model.call import Call
from pincite.model.document import Coverage
from pincite.model.store import StoredDocument
from pincite.registry import SOURCES, find, load
from pincite.services.library.ingestion import (
    Plan,
    Selection,
    SourceFiles,
    describe,
    folder_files,
    own_id,
    path_of,
    plan,
    same_contents,
    single_file,
)
from pincite.sources.base import Source, SourceDocument
from support.cut_documents import document

MAX_BYTES = 10_000


def write(root: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def source_of(root: Path) -> Source:
    return load(find(SOURCES, "folder"))(
        root=root,
        extensions={".md": True, ".pdf": False},
        max_text_bytes=MAX_BYTES,
        max_other_bytes=MAX_BYTES,
        max_files=99,
    )


def files_of(root: Path, selection: Selection | None = None) -> SourceFiles:
    return folder_files(root, source_of(root), selection or Selection(), Call())


def stored(name: str, key: str, fingerprint: str = "f") -> StoredDocument:
    return StoredDocument(1, name, key, None, None, 0, "00000000", fingerprint, 1, 1, Coverage(), "")


def names(planned: Plan) -> dict[str, str]:
    return {addition.name: path_of(addition.source_key) for addition in planned.additions}


def test_the_id_is_that_of_the_front_matter_else_the_file_name_without_extension(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "iso.md": "---\ndocument_id: ISO  12207\n---\n# A\n",
            "sub/nist.800.pdf": "x",
            "long.md": f"---\ndocument_id: {'x' * 300}\n---\n",
            "empty.md": "---\ndocument_id:\n---\n",
        },
    )
    assert names(plan([files_of(tmp_path)], [])) == {
        "empty": "empty.md",
        "ISO 12207": "iso.md",
        "long": "long.md",
        "nist.800": "sub/nist.800.pdf",
    }


def test_a_file_that_cannot_be_read_has_the_id_of_its_name() -> None:
    def gone() -> SourceDocument:
        raise NotFound("gone")

    assert own_id("a/b.md", gone) == "b"


def test_files_that_would_share_an_id_have_their_paths_and_a_warning(tmp_path: Path) -> None:
    write(tmp_path, {"a/guide.md": "x", "b/guide.pdf": "x", "other.md": "x"})
    planned = plan([files_of(tmp_path)], [])
    assert names(planned) == {"a/guide.md": "a/guide.md", "b/guide.pdf": "b/guide.pdf", "other": "other.md"}
    assert planned.warnings == ["Files would share an id and have their paths as ids: guide (2 files)."]


def test_of_many_shared_ids_a_few_are_named_once(tmp_path: Path) -> None:
    write(tmp_path, {f"{folder}/{name}.md": "x" for folder in "ab" for name in "rstuvwx"})
    (warning,) = plan([files_of(tmp_path)], []).warnings
    assert warning.endswith("ids: r (2 files), s (2 files), t (2 files), u (2 files), v (2 files), 2 more.")


def test_an_id_is_shared_with_a_file_that_was_ingested_before(tmp_path: Path) -> None:
    write(tmp_path, {"old/guide.md": "x", "old/other.md": "x", "new/guide.md": "x"})
    old = stored("guide", f"{tmp_path}/./old/guide.md")
    planned = plan([files_of(tmp_path / "new")], [old])
    assert names(planned) == {"guide.md": "guide.md"} and len(planned.warnings) == 1
    (tmp_path / "old/guide.md").unlink()
    assert names(plan([files_of(tmp_path / "new")], [old])) == {"guide": "guide.md"}


@pytest.mark.parametrize("id_", ["guide", "guide.md", "a/guide.md"])
def test_a_document_keeps_its_id_whatever_other_documents_come_and_go(tmp_path: Path, id_: str) -> None:
    write(tmp_path, {"a/guide.md": "x", "b/guide.md": "x"})
    known = [stored(id_, f"{tmp_path}/a/./guide.md"), stored("b/guide.md", f"{tmp_path}/./b/guide.md")]
    for sources in ([single_file(tmp_path / "a/guide.md", MAX_BYTES)], [files_of(tmp_path)]):
        assert [name for name in names(plan(sources, known)) if name != "b/guide.md"] == [id_]
    assert sorted(names(plan([files_of(tmp_path)], known[:1]))) == sorted([id_, "b/guide.md"])
    (tmp_path / "b/guide.md").unlink()
    assert list(names(plan([files_of(tmp_path)], known))) == [id_]


def test_an_id_is_that_which_the_front_matter_names_now(tmp_path: Path) -> None:
    write(tmp_path, {"guide.md": "---\ndocument_id: G-1\n---\n# A\n"})
    for id_ in ("guide", "guide.md", "G-0"):
        assert list(names(plan([files_of(tmp_path)], [stored(id_, f"{tmp_path}/./guide.md")]))) == ["G-1"]


def test_the_same_path_in_two_folders_has_the_name_of_its_folder(tmp_path: Path) -> None:
    write(tmp_path, {"a/guide.md": "x", "a/in/guide.md": "x", "b/guide.md": "x"})
    planned = plan([files_of(tmp_path / "a"), files_of(tmp_path / "b")], [])
    assert [addition.name for addition in planned.additions] == ["a/guide.md", "in/guide.md", "b/guide.md"]
    (warning,) = planned.warnings
    assert warning.endswith("guide (3 files).") and str(tmp_path) not in warning
    known = [stored("a/guide.md", f"{tmp_path}/a/./guide.md"), stored("in/guide.md", f"{tmp_path}/a/./in/guide.md")]
    assert list(names(plan([files_of(tmp_path / "b")], known))) == ["b/guide.md"]


def test_a_file_of_two_sources_is_added_once(tmp_path: Path) -> None:
    write(tmp_path, {"a/x.md": "x", "y.md": "y"})
    planned = plan([files_of(tmp_path), single_file(tmp_path / "a/x.md", MAX_BYTES)], [])
    assert sorted(names(planned)) == ["x", "y"]


def test_documents_of_the_source_whose_files_are_gone_have_vanished(tmp_path: Path) -> None:
    write(tmp_path, {"in/kept.md": "x", "moved.md": "x"})
    known = [
        stored("gone", f"{tmp_path}/./gone.md"),
        stored("kept", f"{tmp_path}/./in/kept.md"),
        stored("moved", f"{tmp_path}/./was/moved.md"),
        stored("elsewhere", "/elsewhere/./x.md"),
    ]
    planned = plan([files_of(tmp_path, Selection(recursive=False))], known)
    assert planned.vanished == {"gone": f"{tmp_path}/./gone.md"}
    assert list(names(planned)) == ["moved"]
    assert [*planned.left_out.values()].count("not matched by the pattern") == 1


@pytest.mark.parametrize(
    ("selection", "chosen"),
    [
        (Selection(), ["A.PDF", "b.md", "sub/c.md"]),
        (Selection(recursive=False), ["A.PDF", "b.md"]),
        (Selection(patterns=("*.pdf",)), ["A.PDF"]),
        (Selection(patterns=("c.*", "b.*")), ["b.md", "sub/c.md"]),
    ],
)
def test_a_selection_goes_by_file_names_and_folders(selection: Selection, chosen: list[str]) -> None:
    assert [path for path in ("A.PDF", "b.md", "sub/c.md") if selection.has(path)] == chosen


def test_a_single_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot be read"):
        single_file(tmp_path / "none.md", MAX_BYTES)


def test_what_is_read_has_a_state_that_later_changes_show_in(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "x"})
    (file,) = single_file(tmp_path / "a.md", MAX_BYTES).files
    found = file.read()
    assert found.data == b"x" and found.is_settled
    (tmp_path / "a.md").write_text("x" * (MAX_BYTES + 1))
    with pytest.raises(NotFound, match="too large"):
        file.read()
    (tmp_path / "a.md").unlink()
    with pytest.raises(NotFound, match="cannot be read"):
        file.read()


def test_the_same_content_in_two_documents_is_told_of_what_was_added() -> None:
    known = [stored("a", "a", "f1"), stored("b", "b", "f1"), stored("c", "c", "f2"), stored("d", "d", "f2")]
    texts = {"a": "one\r\ntwo", "b": "one \ntwo\n", "c": "three", "d": "three"}
    (warning,) = same_contents(known, ["b"], lambda document: texts[document.name])
    assert warning == "The same content is in 2 documents: a, b."
    assert list(same_contents(known, [], lambda document: texts[document.name])) == []


def test_a_title_that_tells_nothing_is_found_under_the_documents_id() -> None:
    form = replace(document("# COMMISSION\n\ntext\n"), name="ACME-2023")
    assert describe(form, "/reports//2023/form.md").context == "ACME 2023: COMMISSION"
    assert describe(form, "/reports//2023/form.md").title == "COMMISSION"


def test_a_property_that_names_the_form_of_a_report_may_be_passed_over() -> None:
    text = "---\ntitle: {title}\n---\n# COMMISSION\n\nFor the fiscal year ended May 1, 2023\n"
    documents = [document(text.format(title=title)) for title in ("COMMISSION", "A")]
    titles = [describe(each, "/in//a.md").properties[TITLES] for each in documents]
    assert titles == ["COMMISSION\na.md", ""]
