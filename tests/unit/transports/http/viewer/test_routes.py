"""The web page over a real socket: its files, its routes, and who may use them."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import httpx2
import pytest

from pincite.app import App
from pincite.settings import load
from pincite.transports.http.viewer.routes import CONTENT_POLICY
from pincite.transports.served import ServedApp
from support.pdfs import Text, pdf
from support.task_server import serving_here

STATIC = Path(__file__).parents[5] / "src/pincite/transports/http/viewer/static"


def app_of(folder: Path, toolsets: Sequence[str] = (), **settings: object) -> App:
    usual = {
        "PORT": "0",
        "EMBEDDING_PROVIDER": "hash",
        "MCP_RATE_LIMIT_RPM": "0",
        "PINCITE_FRESH_BUDGET": "60",
        "PINCITE_CACHE": folder / "cache",
    }
    docs = folder / "docs"
    docs.mkdir()
    (docs / "terms.pdf").write_bytes(pdf([Text("Invoices are paid within thirty days.", 72, 120, 10, "F")]))
    (docs / "guide.md").write_text("# Guide\n\n<script>alert(1)</script> A password has twelve characters.\n", "utf-8")
    return App(load({**usual, "DATA_DIR": folder / "data", **settings}), docs, toolsets=toolsets)


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving_here(cast("ServedApp", app_of(tmp_path_factory.mktemp("shown")))) as served:
        yield served


@pytest.fixture
def client(url: str) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=url, timeout=60, trust_env=False) as made:
        yield made


def asked(client: httpx2.Client, route: str, **query: str | int) -> dict[str, Any]:
    answer = client.get(f"/ui/api/{route}", params=query)
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    return answer.json()


def test_several_folders_are_listed_and_searched_as_collections(tmp_path: Path) -> None:
    for name in ("api", "handbook"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.md").write_text(f"# The {name}\n\nA zebra of the {name}.\n")
    settings = {
        "PORT": "0",
        "EMBEDDING_PROVIDER": "hash",
        "PINCITE_FRESH_BUDGET": "60",
        "PINCITE_CACHE": tmp_path / "c",
    }
    app = App(load(settings), {name: tmp_path / name for name in ("api", "handbook")})
    with (
        serving_here(cast("ServedApp", app)) as url,
        httpx2.Client(base_url=url, timeout=60, trust_env=False) as client,
    ):
        assert asked(client, "server")["collections"] == ["api", "handbook"]
        assert asked(client, "documents", collection="handbook")["documents"][0]["label"] == "The handbook"
        passages = asked(client, "search", q="zebra")["passages"]
        assert {passage["collection"] for passage in passages} == {"api", "handbook"}
        for passage in passages:
            assert asked(client, "citation", ref=passage["ref"])["place"]["collection"] == passage["collection"]


class TestFiles:
    def test_the_page_is_served_with_a_policy_that_lets_nothing_else_run(self, client: httpx2.Client) -> None:
        page = client.get("/ui/")
        assert page.status_code == 200 and page.headers["content-type"].startswith("text/html")
        assert page.headers["content-security-policy"] == CONTENT_POLICY
        assert "unsafe" not in CONTENT_POLICY and page.headers["referrer-policy"] == "no-referrer"
        assert client.get("/ui", follow_redirects=False).headers["location"] == "/ui/"

    def test_every_file_of_the_bundle_is_served(self, client: httpx2.Client) -> None:
        names = [path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file()]
        assert "app.js" in names
        assert {client.get(f"/ui/{name}").status_code for name in names} == {200}

    @pytest.mark.parametrize("path", ["../routes.py", "%2e%2e/routes.py", "nothing.js", "vendor/../../answers.py"])
    def test_nothing_else_is(self, client: httpx2.Client, path: str) -> None:
        assert client.get(f"/ui/{path}").status_code == 404

    def test_the_whole_bundle_is_small(self, client: httpx2.Client) -> None:
        names = [path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file()]
        answers = [client.get(f"/ui/{name}", headers={"accept-encoding": "gzip"}) for name in names]
        assert sum(answer.num_bytes_downloaded for answer in answers) < 67_500
        assert sum(len(answer.content) for answer in answers) < 250_000

    def test_nothing_is_loaded_from_elsewhere(self) -> None:
        for path in STATIC.rglob("*"):
            if path.is_file() and "vendor" not in path.parts:
                text = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
                assert "http://" not in text and "https://" not in text, path.name


class TestRoutes:
    def test_the_server_says_what_it_serves(self, client: httpx2.Client) -> None:
        server = asked(client, "server")
        assert (server["collections"], server["library"], server["tasks"]) == (["docs"], None, False)

    def test_documents_are_listed(self, client: httpx2.Client) -> None:
        found = asked(client, "documents", collection="docs", count=1, first=1)
        assert [one["name"] for one in found["documents"]] == ["terms.pdf"]
        assert (found["total"], found["documents"][0]["pages"]) == (2, 1)

    def test_a_search_leads_to_a_citation_and_its_page(self, client: httpx2.Client) -> None:
        best = asked(client, "search", q="invoices paid")["passages"][0]
        place = asked(client, "citation", ref=best["ref"])["place"]
        where = {"collection": place["collection"], "name": place["document"]}
        document = asked(client, "document", **where)
        assert document["unread_pictures"] == 0
        assert document["sizes"] == [[612.0, 792.0]]
        lines = asked(client, "lines", **where, page=1)["lines"]
        assert [line["text"] for line in lines] == ["Invoices are paid within thirty days."]
        picture = client.get("/ui/api/picture", params={**where, "page": 1})
        assert picture.headers["content-type"] == "image/png" and picture.content.startswith(b"\x89PNG")

    def test_a_text_is_sent_as_json_never_as_a_page(self, client: httpx2.Client) -> None:
        for query in ({"part": 0}, {"at": 5}):
            answer = client.get("/ui/api/text", params={"collection": "docs", "name": "guide.md", **query})
            assert answer.headers["content-type"] == "application/json"
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert "<script>" in answer.json()["text"]

    def test_an_opened_citation_links_to_its_place(self, client: httpx2.Client, url: str) -> None:
        ref = asked(client, "search", q="invoices paid")["passages"][0]["ref"]
        opened = client.get("/api/citations", params={"ref": ref}).json()
        assert opened["link"] == f"{url}/ui/#ref={ref.replace('#', '%23')}"

    @pytest.mark.parametrize(
        ("path", "status"),
        [
            ("search?q=", 422),
            (f"search?q={'x' * 2001}", 422),
            ("search?q=a&collection=none", 404),
            ("documents?collection=none", 404),
            ("documents?collection=docs&first=-1", 422),
            ("document?collection=docs&name=../x", 404),
            ("document?task=01ARZ3NDEKTSV4RRFFQ69G5FAV", 404),
            ("counts?tasks=01ARZ3NDEKTSV4RRFFQ69G5FAV", 404),
            ("lines?collection=docs&name=terms.pdf&page=x", 422),
            ("picture?collection=docs&name=terms.pdf&page=2", 404),
            ("picture?collection=docs&name=guide.md&page=1", 415),
            ("text?collection=docs&name=guide.md&part=9", 404),
            ("citation?ref=nonsense", 422),
            ("value?task=01ARZ3NDEKTSV4RRFFQ69G5FAV&share=left", 422),
            ("file?collection=docs&name=../x", 404),
            ("nothing", 404),
        ],
    )
    def test_what_cannot_be_answered_says_why(self, client: httpx2.Client, path: str, status: int) -> None:
        answer = client.get(f"/ui/api/{path}")
        assert (answer.status_code, set(answer.json())) == (status, {"error", "code"})

    def test_a_schema_is_checked_while_it_is_written(self, client: httpx2.Client) -> None:
        answer = client.post("/ui/api/schema", content='{"total": "number", "paid": "bolean"}')
        assert answer.status_code == 200
        checked = answer.json()
        assert checked["fields"] == [{"path": "total", "type": "number"}, {"path": "paid", "type": "any"}]
        assert checked["count"] == 2 and "boolean" in checked["warnings"][0]
        refused = client.post("/ui/api/schema", content="{}")
        assert (refused.status_code, set(refused.json())) == (422, {"error", "code"})

    def test_a_page_of_another_origin_may_read_nothing(self, client: httpx2.Client) -> None:
        foreign = {"origin": "https://a.example"}
        assert client.get("/ui/api/server", headers=foreign).status_code == 403
        assert client.post("/ui/api/schema", content="{}", headers=foreign).status_code == 403


def test_with_a_key_the_page_is_open_and_what_it_shows_is_not(tmp_path: Path) -> None:
    app = cast("ServedApp", app_of(tmp_path, MCP_API_KEY="secret"))
    with serving_here(app) as url, httpx2.Client(base_url=url, timeout=60, trust_env=False) as client:
        assert client.get("/ui/").status_code == client.get("/ui/app.js").status_code == 200
        assert client.get("/ui/api/server").status_code == 401
        assert client.post("/ui/").status_code == 401
        assert client.get("/ui/api/server", headers={"x-api-key": "secret"}).status_code == 200


def test_files_are_added_from_the_page_of_this_server_alone(tmp_path: Path) -> None:
    app = cast("ServedApp", app_of(tmp_path, ["knowledge"], PINCITE_UPLOADS="true"))
    files = {"file": ("notes.md", b"# Notes\n\nKeys are renewed.\n")}
    with serving_here(app) as url, httpx2.Client(base_url=url, timeout=60, trust_env=False) as client:
        assert client.post("/ui/api/library", files=files).status_code == 403
        assert client.post("/ui/api/library", files=files, headers={"origin": "https://a.example"}).status_code == 403
        added = client.post("/ui/api/library", files=files, headers={"origin": url})
        assert (added.status_code, added.json()["name"], added.json()["outcome"]) == (200, "notes", "added")
        unknown = {"file": ("notes.exe", b"MZ")}
        assert client.post("/ui/api/library", files=unknown, headers={"origin": url}).status_code == 415


def test_uploads_are_off_unless_they_are_set(client: httpx2.Client, url: str) -> None:
    answer = client.post("/ui/api/library", files={"file": ("a.md", b"a")}, headers={"origin": url})
    assert (answer.status_code, "PINCITE_UPLOADS" in answer.json()["error"]) == (403, True)
