"""Questions with the places that answer them."""

from pathlib import Path

import pytest

from pincite.errors import InvalidInput
from pincite.services.evaluation.datasets import (
    Gold,
    Question,
    by_document,
    from_beir,
    from_tsv,
    read,
    within,
    write_beir_corpus,
)


def test_a_tsv_names_pages_and_headings(tmp_path: Path) -> None:
    file = tmp_path / "q.tsv"
    file.write_text('reload "now"\ta.md|b.md\tReloading\nwhere\tc.md\n\nnobody knows\n')
    quoted, where, unknown = from_tsv(file)
    assert quoted.text == 'reload "now"'
    assert quoted.golds == (Gold("a.md", "Reloading"), Gold("b.md", "Reloading"))
    assert where.golds == (Gold("c.md"),)
    assert unknown.golds == ()


def test_a_tsv_with_too_many_columns_names_the_line(tmp_path: Path) -> None:
    file = tmp_path / "q.tsv"
    file.write_text("one\ta.md\ntwo\ta.md\th\tmore\n")
    with pytest.raises(InvalidInput, match=r"q\.tsv, line 2"):
        from_tsv(file)


def beir(folder: Path) -> Path:
    (folder / "qrels").mkdir()
    (folder / "corpus.jsonl").write_text(
        '{"_id": "a/1", "title": "Wings", "text": "lift"}\n{"_id": "2", "text": "drag"}\n'
    )
    (folder / "queries.jsonl").write_text('{"_id": "q", "text": "what lifts"}\n')
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq\ta/1\t3\nq\t2\t0\n")
    return folder


def test_a_beir_folder_becomes_files_and_graded_questions(tmp_path: Path) -> None:
    folder, target = beir(tmp_path), tmp_path / "out"
    target.mkdir()
    write_beir_corpus(folder, target)
    assert {p.name: p.read_text() for p in target.iterdir()} == {"a%2F1.md": "# Wings\n\nlift\n", "2.md": "drag\n"}
    (question,) = from_beir(folder)
    assert question.text == "what lifts"
    assert question.golds == (Gold("a%2F1.md", grade=3.0),)


def test_a_folder_of_another_layout_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="BEIR"):
        from_beir(tmp_path)
    with pytest.raises(InvalidInput, match="BEIR"):
        write_beir_corpus(tmp_path, tmp_path)


def test_a_file_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="There is no file or folder"):
        read(tmp_path / "none.tsv")


def test_a_file_that_cannot_be_read_is_refused_by_name(tmp_path: Path) -> None:
    latin = tmp_path / "latin.tsv"
    latin.write_bytes(b"caf\xe9\ta.md\n")
    for path in (latin, tmp_path / "gone.tsv"):
        with pytest.raises(InvalidInput, match=rf"{path.name} cannot be read"):
            from_tsv(path)


@pytest.mark.parametrize(
    ("required", "heading", "named"),
    [
        ("5.1", "5.1 Keys", True),
        ("5.1", "5.1. Keys", True),
        ("5.1", "5.1.2 Rotation", True),
        ("5.1", "5.10 Locks", False),
        ("5.1", "15.1 Locks", False),
        ("5.1", "Changes since 5.1", False),
        ("A.2", "A.2 Length", True),
        ("A.2", "A.20 Width", False),
        ("Minors", "Considerations for Minors", True),
        ("Minor", "Considerations for Minors", False),
        ("The `keys` file", "The keys file", True),
        ("(draft)", "Keys (draft)", True),
    ],
)
def test_a_heading_is_named_by_its_words_or_its_number(required: str, heading: str, named: bool) -> None:
    assert within(("Title", heading), required) is named


def test_a_part_of_a_section_is_within_it() -> None:
    assert within(("Title", "Keys", "Rotation"), "Keys")
    assert not within((), "Keys")


def test_where_documents_are_ranked_each_counts_once_by_its_best_grade() -> None:
    golds = (Gold("a.md", "x", 1), Gold("a.md", "y", 3), Gold("b.md", "x", 2))
    (question,) = by_document([Question("q", golds, one_is_enough=True)])
    assert set(question.golds) == {Gold("a.md", grade=3), Gold("b.md", grade=2)}
    assert question.one_is_enough


def test_a_file_or_a_folder_is_a_dataset(tmp_path: Path) -> None:
    file = tmp_path / "q.tsv"
    file.write_text("where\ta.md\tHere\n")
    found = read(file)
    assert (found.name, found.names_headings) == ("q", True)
    assert read(beir(tmp_path)).names_headings is False


def test_a_dataset_without_an_answer_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "q.tsv"
    file.write_text("where\n")
    with pytest.raises(InvalidInput, match="no question that names a page"):
        read(file)
