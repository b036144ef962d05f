from contextlib import closing
from pathlib import Path

import pytest

from pincite.app import App
from pincite.errors import ConfigError, InvalidInput, NotFound
from pincite.formats.base import Blob
from pincite.model.call import Call
from pincite.settings import load
from pincite.toolkit import Scope
from support.document_server import serving_documents
from support.serving import MakeApp


def test_a_restricted_toolbox_serves_the_named_tools_over_the_named_collections(
    folder: Path, make_app: MakeApp
) -> None:
    (folder / "a.md").write_text("# Alpha\n")
    toolbox = make_app().toolbox
    only = toolbox.only(["get_page"], Scope(frozenset({"docs"})))
    assert [tool.name for tool in only.tools] == ["get_page"]
    assert only.call("get_page", {"file_path": "a.md"}, Call()).model_dump()["title"] == "Alpha"
    nothing = toolbox.only(["get_page"], Scope(frozenset()))
    with pytest.raises(NotFound, match="No collection 'docs' here"):
        nothing.call("get_page", {"file_path": "a.md"}, Call())


def test_a_restricted_toolbox_was_started_with_its_server(folder: Path, make_app: MakeApp) -> None:
    assert folder.is_dir()
    parts = make_app().parts
    restricted = parts.within(Scope(frozenset()))
    assert (restricted.started, restricted.git_seconds) == (parts.started, parts.git_seconds)
    assert restricted.tokens is parts.tokens


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        App(load({"PINCITE_CACHE": tmp_path / "cache"}), tmp_path / "nowhere")


@pytest.mark.parametrize(("megabytes", "kept"), [(1, 1), (0, 0)])
def test_documents_are_kept_in_the_cache_as_far_as_the_setting_allows(
    tmp_path: Path, megabytes: float, kept: int
) -> None:
    app = App(load({"PINCITE_CACHE": tmp_path / "cache", "PINCITE_READING_CACHE": megabytes}), tmp_path)
    assert app.reading is app.reading
    assert app.reading.read(Blob("a.csv", b"a,b\n1,2\n"), Call()).name == "a.csv"
    assert len(list((tmp_path / "cache" / "documents").glob("*"))) == kept
    app.close()


def test_an_application_without_a_folder_has_no_documents_of_one(tmp_path: Path) -> None:
    app = App(load({"PINCITE_CACHE": tmp_path}), None, toolsets=["citations"])
    app.begin()
    assert app.resources.document_page(Call()) == ([], None)
    assert app.resources.templates == []
    assert app.resources.revisions(Call(), None).by_uri == {}
    with pytest.raises(InvalidInput, match="It has none"):
        app.resources.document_text(Call(), "pincite://docs/a.md")
    with pytest.raises(ConfigError, match="No folder is served"):
        app.collection()
    with pytest.raises(NotFound, match="No folder is served"):
        app.parts.folder_views(app.toolbox.find("verify_quote"), Call())
    app.close()


def test_a_tool_that_needs_no_index_opens_none(folder: Path, tmp_path: Path) -> None:
    (folder / "a.md").write_text("# Alpha\n")
    values = {"PINCITE_CACHE": tmp_path / "cache", "DATA_DIR": tmp_path / "data", "EMBEDDING_PROVIDER": "hash"}
    app = App(load({**values, "DOWNLOAD_ALLOW_PRIVATE": "1"}), folder, None, ["docs", "documents", "extraction"])

    def indexes() -> list[str]:
        return sorted(path.name for path in tmp_path.rglob("*.db"))

    with closing(app), serving_documents({"b.md": ("text/markdown", b"# Beta\n"), "c.csv": ("", b"a,b\n1,2\n")}) as url:
        for name, arguments in (
            ("json_validate_and_normalize", {"schema": {"a": 1}, "data": {"a": 2}}),
            ("detect_language", {"text": "Alle Menschen sind frei und gleich geboren."}),
            ("process_document", {"document_url": f"{url}b.md"}),
            ("extract_csv_tables", {"document_url": f"{url}c.csv"}),
            ("get_system_health", {}),
            ("manage_cache", {"action": "stats"}),
        ):
            app.toolbox.call(name, arguments, Call())
            assert indexes() == [], name
        app.toolbox.call("get_page", {"file_path": "a.md"}, Call())
        assert len(indexes()) == 1
