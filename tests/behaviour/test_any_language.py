"""Contracts 0 and 1: words of any language are found, and nothing false is said of what was not."""

import re
import shutil
from pathlib import Path

import pytest

from behaviour import faces
from behaviour.conftest import Serve
from behaviour.faces import Face

GERMAN = {
    "prozess.md": "# Prozesse\n\nBeende den Prozess und starte das Programm der Gruppe.\n",
    "datei.md": "# Dateien\n\nBenenne die Datei um und lösche das Verzeichnis.\n",
    "buero.md": "# Orte\n\nDas Büro in der Straße und die Größe der Prüfung.\n",
}


@pytest.fixture(scope="module", params=faces.PARAMETERS)
def german(request: pytest.FixtureRequest, serve_module: Serve, tmp_path_factory: pytest.TempPathFactory) -> Face:
    """A folder of German pages."""
    face = serve_module(request.param, faces.write(tmp_path_factory.mktemp("german"), GERMAN))
    faces.settled(face)
    return face


@pytest.fixture(scope="module")
def cjk(data: Path, serve_module: Serve, tmp_path_factory: pytest.TempPathFactory) -> Face:
    """Chinese and Japanese pages that differ in a word each."""
    folder = shutil.copytree(data / "found/cjk", tmp_path_factory.mktemp("cjk") / "folder")
    face = serve_module("toolbox", folder)
    faces.settled(face)
    return face


def found(face: Face, query: str) -> list[str]:
    return [hit["metadata"]["file_path"] for hit in face.call("search_docs", query=query)["results"]]


@pytest.mark.parametrize("quoted", ["{}", '"{}"'])
def test_each_chinese_and_japanese_word_finds_its_page_first_and_nothing_false_is_said(
    data: Path, cjk: Face, quoted: str
) -> None:
    lists = re.findall(r"`(\w\w)00`.`\w\w\d\d`: (.*)\.", (data / "found/README.md").read_text("utf-8"))
    words = {f"{code}{n:02}.md": word for code, line in lists for n, word in enumerate(line.split())}
    assert len(words) == 50
    for name, word in words.items():
        answer = cjk.call("search_docs", query=quoted.format(word))
        assert answer["results"][0]["metadata"]["file_path"] == name
        assert "did_you_mean" not in answer
        assert not re.search("No pa|may not cover", answer.get("note") or "")


def test_a_correct_query_of_another_language_is_searched_as_it_is(german: Face) -> None:
    for query, page in {"Prozess beenden": "prozess.md", "Datei umbenennen": "datei.md"}.items():
        answer = german.call("search_docs", query=query)
        assert "did_you_mean" not in answer
        assert answer["results"][0]["metadata"]["file_path"] == page


@pytest.mark.parametrize("query", ["Büro", "Buero", "Buro", "Strasse", "GRÖSSE", "Groesse", "pruefung"])
def test_umlauts_are_found_however_they_are_written(german: Face, query: str) -> None:
    assert found(german, query)[0] == "buero.md"


@pytest.mark.parametrize(("query", "page"), [("Prozesse", "prozess.md"), ("Verzeichnisse", "datei.md")])
def test_a_word_finds_its_other_forms(german: Face, query: str, page: str) -> None:
    assert found(german, query)[0] == page


def test_the_status_names_a_model_for_documents_in_another_language(german: Face) -> None:
    (warning,) = german.call("get_status")["index"]["warnings"]
    assert warning == (
        "100% of the passages or more are German: EMBEDDING_MODEL=paraphrase-multilingual-MiniLM-L12-v2 finds them by "
        "meaning."
    )
