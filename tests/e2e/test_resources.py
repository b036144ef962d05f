"""Resources over a real server: listed in pages, read whole, and changes told without being asked for."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from pincite.services.resources import PAGE_SIZE
from support.waiting import wait_for
from support.wire import ERAS, HANDSHAKE, Refused, Wire, pincite

SECONDS = 20.0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "my docs"
    (root / "deep").mkdir(parents=True)
    (root / "a.md").write_text("# Alpha\n\nA zebra.\n")
    (root / "deep" / "ß #1.md").write_text("text\n")
    return root


@pytest.fixture(params=ERAS)
def wire(request: pytest.FixtureRequest, folder: Path, tmp_path: Path) -> Iterator[Wire]:
    # On a loaded machine a call reads fewer than 400 files within the default budget.
    budget = {"PINCITE_FRESH_BUDGET": str(SECONDS)}
    env = {"PINCITE_CACHE": str(tmp_path / "cache"), "EMBEDDING_PROVIDER": "hash", "LOG_LEVEL": "WARNING", **budget}
    with Wire(pincite("serve", str(folder)), env, era=request.param) as wire:
        yield wire.open()


def listed(wire: Wire) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    cursor: str | None = None
    while True:
        page = wire.request("resources/list", {"cursor": cursor} if cursor else {})
        found += page["resources"]
        cursor = page.get("nextCursor")
        if cursor is None:
            return found


def methods(wire: Wire) -> list[str]:
    return [note["method"] for note in wire.notes]


def until(met: Callable[[], bool]) -> None:
    assert wait_for(met, SECONDS)


@pytest.mark.parametrize("era", ERAS)
def test_several_folders_are_collections_of_resources(era: str, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.md").write_text(f"# {name}\n")
    env = {"PINCITE_CACHE": str(tmp_path / "cache"), "EMBEDDING_PROVIDER": "hash", "LOG_LEVEL": "WARNING"}
    with Wire(pincite("serve", f"b={tmp_path / 'one'}", f"a={tmp_path / 'two'}"), env, era=era).open() as wire:
        assert [each["uri"] for each in listed(wire)] == ["pincite://b/a.md", "pincite://a/a.md"]
        templates = wire.request("resources/templates/list")["resourceTemplates"]
        assert [each["uriTemplate"] for each in templates] == ["pincite://b/{path}", "pincite://a/{path}"]
        (content,) = wire.request("resources/read", {"uri": "pincite://a/a.md"})["contents"]
        assert content["text"] == "# two\n"


def test_each_document_is_a_resource(wire: Wire) -> None:
    first, second = listed(wire)
    assert (first["uri"], first["name"], first["title"]) == ("pincite://my%20docs/a.md", "a.md", "Alpha")
    assert (second["uri"], second["name"]) == ("pincite://my%20docs/deep/%C3%9F%20%231.md", "deep/ß #1.md")
    assert first["mimeType"] == "text/markdown"
    assert first["annotations"]["lastModified"].endswith("Z")


def test_they_are_listed_in_pages(wire: Wire, folder: Path) -> None:
    for n in range(PAGE_SIZE):
        (folder / f"n{n:04}.md").write_text("x\n")
    first = wire.request("resources/list")
    assert len(first["resources"]) == PAGE_SIZE and first["nextCursor"]
    names = [resource["name"] for resource in listed(wire)]
    assert names == sorted(names) and len(names) == PAGE_SIZE + 2


def test_a_resource_is_read_whole_as_it_is_now(wire: Wire, folder: Path) -> None:
    uri = listed(wire)[0]["uri"]
    (folder / "a.md").write_text("# Alpha\n\nA quagga.\n")
    (content,) = wire.request("resources/read", {"uri": uri})["contents"]
    assert (content["uri"], content["text"]) == (uri, "# Alpha\n\nA quagga.\n")


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("pincite://my%20docs/b.md", "No document 'b.md' here. Nearest: a.md"),
        ("file:///etc/passwd", "Not a resource of this server"),
        ("pincite://my%20docs/..%2F..%2Fsecret.md", "No document '../../secret.md' here."),
    ],
)
def test_another_uri_is_refused_with_what_to_do(wire: Wire, uri: str, said: str) -> None:
    with pytest.raises(Refused, match=said) as refused:
        wire.request("resources/read", {"uri": uri})
    assert refused.value.data == {"uri": uri}


def test_a_template_names_every_document_whatever_stands_in_its_path(wire: Wire) -> None:
    (template,) = wire.request("resources/templates/list")["resourceTemplates"]
    assert (template["uriTemplate"], template["mimeType"]) == ("pincite://my%20docs/{path}", "text/markdown")
    uri = template["uriTemplate"].replace("{path}", quote("deep/ß #1.md", safe=""))  # as RFC 6570 expands `{path}`
    (content,) = wire.request("resources/read", {"uri": uri})["contents"]
    assert content["text"] == "text\n"


@pytest.mark.parametrize("cursor", ["é", "x", "////"])
def test_an_unknown_cursor_is_refused(wire: Wire, cursor: str) -> None:
    with pytest.raises(Refused, match="Unknown cursor"):
        wire.request("resources/list", {"cursor": cursor})


def told_of(wire: Wire, uri: str) -> None:
    """Ask to hear of changes, in the way of the client's generation."""
    if wire.era == HANDSHAKE:
        wire.request("resources/subscribe", {"uri": uri})
    else:
        wanted = {"resourcesListChanged": True, "resourceSubscriptions": [uri]}
        wire.ask("subscriptions/listen", {"notifications": wanted})
        until(lambda: "notifications/subscriptions/acknowledged" in methods(wire))


def test_a_client_hears_of_an_edit_and_of_a_new_file_without_asking(wire: Wire, folder: Path) -> None:
    uri = listed(wire)[0]["uri"]
    told_of(wire, uri)
    (folder / "a.md").write_text("# Alpha\n\nA quagga.\n")
    until(lambda: "notifications/resources/updated" in methods(wire))
    updated = next(note for note in wire.notes if note["method"] == "notifications/resources/updated")
    assert updated["params"]["uri"] == uri
    assert "notifications/resources/list_changed" not in methods(wire)
    (folder / "new.md").write_text("new\n")
    until(lambda: "notifications/resources/list_changed" in methods(wire))
    assert methods(wire).count("notifications/resources/updated") == 1


@pytest.mark.parametrize("wire", [HANDSHAKE], indirect=True)  # the later generation ends its stream instead
def test_a_client_that_wants_to_hear_no_more_does_not(wire: Wire, folder: Path) -> None:
    uri = listed(wire)[0]["uri"]
    told_of(wire, uri)
    wire.request("resources/unsubscribe", {"uri": uri})
    (folder / "a.md").unlink()
    until(lambda: "notifications/resources/list_changed" in methods(wire))
    assert "notifications/resources/updated" not in methods(wire)
