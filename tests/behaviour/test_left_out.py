"""A page that is there but not served: the error says why, and of what is hidden it says nothing."""

from pathlib import Path

import pytest

from behaviour import faces
from behaviour.conftest import Serve
from behaviour.faces import Face, Failed

PAGES = {
    "a.md": "# Alpha\n",
    "sub/b.md": "# Beta\n",
    ".gitignore": "ignored.md\ndrafts/\n",
    "ignored.md": "# Ignored\n",
    "drafts/c.md": "# Draft\n",
    "node_modules/d.md": "# Package\n",
    "archive.7z": "7z",
    "large.md": "# Large\n" + "words " * 20_000,
    "broken.docx": b"PK\x03\x04 no document",
    ".env": "SECRET=1\n",
    ".hidden/e.md": "# Hidden\n",
}
WHY = {
    "ignored.md": "It is left out: a .gitignore or .pinciteignore names it",
    "drafts/c.md": "It is left out: a .gitignore or .pinciteignore names it",
    "node_modules/d.md": "It is left out: it is in a folder that is never read, such as node_modules",
    "archive.7z": "It is left out: no reader knows its extension",
    "large.md": "It is left out: it is larger than PINCITE_MAX_FILE allows",
    "broken.docx": "broken.docx could not be read: ",
    "out.md": "It is left out: it is a link that leads out of the folder",
    "out/x.md": "It is left out: it is a link that leads out of the folder",
    "twice.md": "It is left out: it is a link to a file that is served under its own name",
    "sub": "It is a folder; name a document in it.",
}
NOTHING = [".env", ".hidden/e.md", ".hidden/f.md", "none.md", "drafts/none.md", ".git/config"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("left_out")
    folder = faces.write(root / "docs", PAGES)
    (root / "secret.md").write_text("# Secret\n")
    (folder / "out.md").symlink_to(root / "secret.md")
    (folder / "out").symlink_to(root)
    (folder / "twice.md").symlink_to(folder / "a.md")
    return folder


@pytest.fixture(scope="module", params=faces.PARAMETERS)
def face(request: pytest.FixtureRequest, folder: Path, serve_module: Serve) -> Face:
    return serve_module(request.param, folder, PINCITE_MAX_FILE="0.1/100")


def problem(face: Face, tool: str, **arguments: str) -> str:
    with pytest.raises(Failed) as caught:
        face.call(tool, **arguments)
    return str(caught.value)


def test_every_way_to_a_page_says_why_there_is_none(face: Face) -> None:
    for name, why in WHY.items():
        said = problem(face, "get_page", file_path=name)
        assert why in said and said.startswith((f"No page found at path: {name}. Use list_pages", name))
        assert why in problem(face, "get_section", file_path=name, heading_path="Alpha")
        assert why in problem(face, "open_citation", ref=f"{name}@00000000#h1")
        assert why in problem(face, "verify_quote", ref=f"{name}@00000000#h1", quote="words")


def test_nothing_is_said_of_what_is_hidden(face: Face) -> None:
    for name in NOTHING:
        assert problem(face, "get_page", file_path=name).startswith(f"No page found at path: {name}. Use list_pages")
        assert problem(face, "open_citation", ref=f"{name}@00000000#h1").startswith(f"No document '{name}' here.")


def test_the_status_names_what_could_not_be_read(face: Face) -> None:
    (failure,) = face.call("get_status")["index"]["failures"]
    assert failure["file_path"] == "broken.docx" and failure["reason"]
