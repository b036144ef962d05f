"""Contract 1: a page has one title, one path in any canonically equivalent spelling, and its text in any encoding."""

import shutil
from pathlib import Path
from unicodedata import normalize

import pytest

from behaviour import faces
from behaviour.conftest import Serve
from behaviour.faces import Face, Failed

TITLES = {
    "both.md": "# The heading\n\nThe page that names itself twice: xyzboth.\n",
    "guide/_index.md": '+++\ntitle = "The guide"\n+++\n',
    "guide/before.md": "---\ntitle: Before\nkeywords: xyzmatter\n---\n\n## First steps\n\nWords of the steps.\n",
    "guide/plain.md": "no title, xyzplain\n",
}
TITLES["both.md"] = "---\ntitle: The matter\n---\n\n" + TITLES["both.md"]


@pytest.fixture(scope="module", params=faces.PARAMETERS)
def titled(request: pytest.FixtureRequest, serve_module: Serve, tmp_path_factory: pytest.TempPathFactory) -> Face:
    """Pages with all kinds of titles."""
    face = serve_module(request.param, faces.write(tmp_path_factory.mktemp("titled"), TITLES))
    faces.settled(face)
    return face


@pytest.fixture(scope="module")
def found(data: Path, serve_module: Serve, tmp_path_factory: pytest.TempPathFactory) -> Face:
    """The folder of small inputs that once failed; a copy, as a server notes the state of files."""
    folder = shutil.copytree(data / "found/folder", tmp_path_factory.mktemp("found") / "folder")
    face = serve_module("toolbox", folder)
    faces.settled(face)
    return face


def hits(face: Face, query: str) -> list[tuple[str, str]]:
    results = face.call("search_docs", query=query, top_k=20)["results"]
    return [(hit["metadata"]["file_path"], hit["metadata"]["title"]) for hit in results]


def test_the_title_is_the_first_h1_else_the_front_matters_else_the_file_name_everywhere(titled: Face) -> None:
    titles = {
        "both.md": "The heading",
        "guide/_index.md": "The guide",
        "guide/before.md": "Before",
        "guide/plain.md": "plain.md",
    }
    assert {page["file_path"]: page["title"] for page in titled.call("list_pages")["pages"]} == titles
    assert {name: titled.call("get_page", file_path=name)["title"] for name in titles} == titles
    for query in ("xyzboth", "xyzmatter", "xyzplain"):
        for hit in titled.call("search_docs", query=query)["results"]:
            assert hit["metadata"]["title"] == titles[hit["metadata"]["file_path"]]
            assert titled.call("open_citation", ref=hit["ref"])["source"]["title"] == hit["metadata"]["title"]


def test_no_hit_is_the_front_matter_alone(titled: Face) -> None:
    for query in ("the guide", "Before", "xyzmatter"):
        results = titled.call("search_docs", query=query, top_k=20)["results"]
        assert "guide/_index.md" not in [hit["metadata"]["file_path"] for hit in results]
        assert all(hit["content"].rstrip()[-3:] not in ("---", "+++") for hit in results)
    # Its words lead to the section that it stands before, whose chunk it belongs to.
    (first, *_) = titled.call("search_docs", query="xyzmatter")["results"]
    assert (first["metadata"]["heading_path"], first["content"].startswith("---\ntitle: Before")) == (
        "First steps",
        True,
    )


def test_no_hit_is_a_part_of_the_table_of_contents(serve_module: Serve, tmp_path: Path) -> None:
    names = ["Xyzkeys", "Xyzdoors", "Xyzlocks", "Xyzwindows"]
    entries = "\n".join(f"{number} {name} {number + 4}" for number, name in enumerate(names, 1))
    sections = "".join(f"## {number} {name}\n\nWords of it.\n\n" for number, name in enumerate(names, 1))
    pages = {"standard.md": f"# Standard\n\n{entries}\n\n{sections}", "prices.md": f"# Prices\n\n{entries}\n"}
    pages["notice.md"] = f"# Notice\n\n{'The mark Xyzkeys is ours. ' * 9}\n\n{entries}\n\n{sections}"
    face = serve_module("toolbox", faces.write(tmp_path, pages))
    faces.settled(face)
    results = face.call("search_docs", query="xyzkeys", top_k=20)["results"]
    shown = [(hit["metadata"]["file_path"], hit["metadata"]["heading_path"]) for hit in results]
    assert ("standard.md", "Standard > 1 Xyzkeys") in shown
    assert ("standard.md", "Standard") not in shown
    assert ("prices.md", "Prices") in shown, "numbers of a list without such headings are its own"
    assert ("notice.md", "Notice") in shown, "what is said before the contents is found"


def test_titles_of_hugo_pages_are_those_of_their_front_matter(found: Face) -> None:
    pages = {page["file_path"]: page["title"] for page in found.call("list_pages")["pages"]}
    assert (pages["hugo.md"], pages["toml.md"]) == ("Rotate the keys", "Toml title")
    assert ("hugo.md", "Rotate the keys") in hits(found, "xyzfront step")
    assert hits(found, "xyztoml")[0] == ("toml.md", "Toml title")


def test_a_path_in_either_normal_form_finds_the_file_and_is_printed_as_the_disk_has_it(found: Face) -> None:
    (name,) = [page["file_path"] for page in found.call("list_pages")["pages"] if "nfd" in page["file_path"]]
    assert name == normalize("NFD", name) != normalize("NFC", name)
    (hit,) = found.call("search_docs", query="xyznfd", top_k=1)["results"]
    for form in ("NFC", "NFD"):
        spelled = normalize(form, name)
        assert found.call("get_page", file_path=spelled)["file_path"] == name
        assert found.call("get_section", file_path=spelled, heading_path="NFD name")["metadata"]["file_path"] == name
        assert [page["file_path"] for page in found.call("list_pages", prefix=spelled)["pages"]] == [name]
        answer = found.call("search_docs", query="xyznfd", file_filter=normalize(form, "été*.md"))
        assert [each["metadata"]["file_path"] for each in answer["results"]] == [name]
        opened = found.call("open_citation", ref=normalize(form, hit["ref"]))
        assert (opened["source"]["path"], opened["current"]) == (name, True)


@pytest.fixture(scope="module")
def alike(serve_module: Serve, tmp_path_factory: pytest.TempPathFactory) -> Face:
    """Two files whose names look alike."""
    pages = {normalize(form, "café/é.md"): f"# {form}\n" for form in ("NFC", "NFD")}
    folder = faces.write(tmp_path_factory.mktemp("alike"), pages)
    if len(list(folder.iterdir())) == 1:
        pytest.skip("this file system takes the two for one name")
    return serve_module("toolbox", folder)


def test_of_two_names_that_look_alike_the_exact_one_comes_first(alike: Face) -> None:
    for form in ("NFC", "NFD"):
        name = normalize(form, "café/é.md")
        page = alike.call("get_page", file_path=name)
        assert (page["file_path"], page["title"]) == (name, form)


def test_a_spelling_between_two_names_is_an_error_that_names_both(alike: Face) -> None:
    mixed = normalize("NFC", "café/") + normalize("NFD", "é.md")
    with pytest.raises(Failed) as caught:
        alike.call("get_page", file_path=mixed)
    assert all(normalize(form, "café/é.md") in str(caught.value) for form in ("NFC", "NFD"))


@pytest.mark.parametrize(
    ("name", "words", "encoding"),
    [
        ("gbk.txt", "本规定适用于采购。", "gb18030"),
        ("sjis.md", "支払い期限", "cp932"),
        ("cp1252.md", "xyzcp “quoted” € price", "cp1252"),
    ],
)
def test_a_text_in_an_old_encoding_is_decoded_and_a_note_names_the_encoding(
    found: Face, name: str, words: str, encoding: str
) -> None:
    page = found.call("get_page", file_path=name)
    assert words in "".join(chunk["content"] for chunk in page["chunks"])
    assert page["incomplete"].endswith(f"so {encoding} is a guess.")
    results = found.call("search_docs", query=words)["results"]
    hit = next(hit for hit in results if hit["metadata"]["file_path"] == name)
    assert encoding in hit["incomplete"]
    assert found.call("verify_quote", ref=hit["ref"], quote=words)["verdict"] == "exact"
