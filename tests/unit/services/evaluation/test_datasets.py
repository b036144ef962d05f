"""Questions with the places that answer them."""

from pathlib import Path

import pytest

from pincite.errors import InvalidInput
from pincite.services.evaluation.datasets import Gold, from_beir, from_tsv, write_beir_corpus


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


def test_a_file_that_cannot_be_read_is_refused_by_name(tmp_path: Path) -> None:
    latin = tmp_path / "latin.tsv"
    latin.write_bytes(b"caf\xe9\ta.md\n")
    for path in (latin, tmp_path / "gone.tsv"):
        with pytest.raises(InvalidInput, match=rf"{path.name} cannot be read"):
            from_tsv(path)
