"""The documents face, by every way to it: the toolbox, MCP over stdio and HTTP in both generations, SSE, REST."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from behaviour.faces import EXACT
from pincite.app import App
from pincite.errors import PinciteError
from pincite.model.call import Call
from pincite.settings import load
from pincite.transports import problems
from support.document_server import serving_documents
from support.faulty_server import answer, faulty_server, sending
from support.http_wire import HttpServer, McpClient, Sse, StreamableHttp, call
from support.pdfs import pdf, prose
from support.wire import HANDSHAKE, STATELESS, Wire, pincite
from support.workbooks import grid

GERMAN = "Alle Menschen sind frei und gleich an Würde und Rechten geboren. "
REPORT = (
    "# Report\n\nSee www.example.com.\n\n"
    + "".join(f"## Part {n}\n\n{'Some words of prose. ' * 20}\n\n" for n in range(8))
    + "## Ostriches\n\nThe key result: ostriches grew by 12.5% in the north of the country.\n"
)
FILES: dict[str, tuple[str, bytes]] = {
    "report.md": ("text/markdown", REPORT.encode()),
    "long.txt": ("text/plain", ("Words of a long text. " * 3_000).encode()),
    "one.pdf": ("application/pdf", pdf(prose())),
    "damaged.docx": ("", b"PK\x03\x04 broken"),
    "book.xlsx": ("", grid([["Name", "Eggs"], ["ostrich", 40], ["emu", 12]], "Birds")),
}

ROUTES = {
    "process_document": ("POST", "/api/process-document"),
    "chunk_document": ("POST", "/api/chunk-document"),
    "retrieve_chunks": ("POST", "/api/retrieve-chunks"),
    "extract_pdf_text": ("POST", "/api/extract/pdf"),
    "extract_docx_text": ("POST", "/api/extract/docx"),
    "extract_pptx_text": ("POST", "/api/extract/pptx"),
    "extract_xlsx_tables": ("POST", "/api/extract/xlsx"),
    "extract_csv_tables": ("POST", "/api/extract/csv"),
    "extract_image_text": ("POST", "/api/extract/image"),
    "detect_language": ("POST", "/api/detect-language"),
    "get_system_health": ("GET", "/api/health"),
    "manage_cache": ("POST", "/api/cache"),
}
"""The contract's routes."""

STATUSES = {"VALIDATION_ERROR": 422, "PROCESSING_ERROR": 422, "DOWNLOAD_ERROR": 424}

NAMES = ("toolbox", "rest", f"stdio {STATELESS}", f"stdio {HANDSHAKE}", f"http {STATELESS}", f"http {HANDSHAKE}", "sse")
SLOW = NAMES[2:]
"""Those that share all but their protocol with a default one, which the docs face tries."""


class Failed(Exception):
    """A tool's error, as the contract has it."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        super().__init__(error["error"])
        self.body = dict(error)
        self.code = error["code"]


class InProcess:
    """The toolbox itself."""

    def __init__(self, settings: Mapping[str, str]) -> None:
        self._app = App(load(settings), None, None, ["documents", "citations"])

    def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        try:
            return self._app.toolbox.call(tool, arguments, Call()).model_dump(mode="json")
        except PinciteError as error:
            raise Failed(problems.error_and_code(error)) from None

    def close(self) -> None:
        self._app.close()


class ByMcp:
    """A server process, by an MCP client."""

    def __init__(self, settings: Mapping[str, str], name: str) -> None:
        env = {**os.environ, **settings}
        kind, _, era = name.partition(" ")
        self.server = None if kind == "stdio" else HttpServer(serve("http", "--port", "0"), env)
        self.wire = Wire(serve("stdio"), env, era=era).open() if self.server is None else None
        if self.server is not None:
            client = Sse(self.server) if kind == "sse" else StreamableHttp(self.server, era)
            self.client: McpClient = client.open()

    def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        result = self.wire.call(tool, arguments) if self.wire else call(self.client, tool, arguments)
        if result["isError"]:
            raise Failed(result["structuredContent"])
        return result["structuredContent"]

    def close(self) -> None:
        if self.wire:
            assert self.wire.end() == 0
        if self.server:
            self.client.close()
            assert self.server.end() == 0


class ByRest:
    """A server process, by the contract's routes."""

    def __init__(self, settings: Mapping[str, str]) -> None:
        self.server = HttpServer(serve("http", "--port", "0"), {**os.environ, **settings})
        self.client = self.server.client()

    def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        method, path = ROUTES[tool]
        answer = self.client.request(method, path, json=arguments if method == "POST" else None)
        assert len(answer.headers["x-request-id"]) == 12
        if answer.is_error:
            failed = Failed(answer.json())
            assert answer.status_code == STATUSES[failed.code]
            raise failed
        return answer.json()

    def close(self) -> None:
        self.client.close()
        assert self.server.end() == 0


Face = InProcess | ByMcp | ByRest


def serve(transport: str, *options: str) -> list[str]:
    return pincite("serve", "--toolsets", "documents,citations", "--transport", transport, *options)


@pytest.fixture(scope="module")
def root() -> Iterator[str]:
    with serving_documents(FILES) as url:
        yield url


@pytest.fixture(
    scope="module", params=[pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in NAMES]
)
def face(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Face]:
    folder: Path = tmp_path_factory.mktemp("data")
    settings = {
        **EXACT,
        "LOG_LEVEL": "INFO",
        "PINCITE_CACHE": str(folder / "cache"),
        "DATA_DIR": str(folder / "data"),
        "DOWNLOAD_ALLOW_PRIVATE": "1",
        "ALLOWED_ROOTS": str(folder / "root"),
    }
    (folder / "root").mkdir()
    (folder / "root" / "local report.md").write_text(REPORT)
    (folder / "secret.md").write_text("secret")
    (folder / "root" / "link.md").symlink_to(folder / "secret.md")
    if request.param == "toolbox":
        made: Face = InProcess(settings)
    else:
        made = ByRest(settings) if request.param == "rest" else ByMcp(settings, request.param)
    yield made
    made.close()


def test_a_document_is_read_cut_and_searched(face: Face, root: str) -> None:
    url = {"document_url": f"{root}report.md"}
    read = face.call("process_document", url)
    assert read["content"] == REPORT
    assert [link["url"] for link in read["urls"]] == ["www.example.com"]
    assert read["metadata"]["source"] == url["document_url"]
    chunked = face.call("chunk_document", url)
    assert chunked["chunk_count"] == len(chunked["chunks"]) > 2
    found = face.call("retrieve_chunks", {**url, "query": "how much did ostriches grow", "top_k": 3})
    best = found["results"][0]
    assert "12.5%" in best["text"]
    assert best["ref"].startswith("report.md@") and f"#{best['locator']}~" in best["ref"]
    assert found["total_chunks_indexed"] == chunked["chunk_count"]
    assert best["text"] == chunked["chunks"][best["chunk_index"]]["text"]


def test_relative_links_and_pictures_count_from_the_address_of_their_page(face: Face, data: Path) -> None:
    page = (data / "found/documents/links.html").read_bytes()
    with serving_documents({"docs/links.html": ("text/html", page)}) as root:
        read = face.call("process_document", {"document_url": f"{root}docs/links.html"})
    assert [(link["url"], link["url_type"]) for link in read["urls"]] == [
        (f"{root}docs/sub/x.html", "general"),
        (f"{root}api/root", "api_endpoint"),
        ("https://abs.example.com/api/v2", "api_endpoint"),
        ("http://cdn.example.com/lib.js", "general"),
        (f"{root}docs/img/pic.png", "image"),
        ("https://plain.example.com/download.zip", "general"),
        ("www.plain.example.org", "navigation"),
    ]


def test_the_range_of_a_table_reaches_its_last_row_and_what_is_hidden_is_named(face: Face, data: Path) -> None:
    names = ("book.xlsx", "order.xlsx")
    files = {name: ("", (data / "found/documents" / name).read_bytes()) for name in names}
    with serving_documents(files) as root:
        book, order = (face.call("process_document", {"document_url": f"{root}{name}"}) for name in names)
        extracted = face.call("extract_xlsx_tables", {"document_url": f"{root}book.xlsx"})
    for read in (book, extracted):
        assert [table["metadata"]["range"] for table in read["tables"]] == ["Orders!A4:E64", "Customers!A1:C8"]
        assert read["tables"][0]["metadata"]["rows"] == 60
    assert book["metadata"]["warnings"] == ["Left out, as it is hidden: hidden sheet Hidden."] == extracted["warnings"]
    (table,) = order["tables"]
    assert table["metadata"]["range"] == "T!A4:B124"
    for read in (book, order):
        assert (
            read["content"].index("Company report")
            < read["content"].index("Generated 2026")
            < read["content"].index("|")
        )


def test_a_table_of_markdown_is_a_table(face: Face) -> None:
    page = b"# Prices\n\n| **Name** | [Price](x.md) |\n|---|---|\n| tea | 1.5 |\n| milk | 2 |\n\nEnd.\n"
    with serving_documents({"prices.md": ("text/markdown", page)}) as root:
        (table,) = face.call("process_document", {"document_url": f"{root}prices.md"})["tables"]
    assert (table["table_type"], table["location"]) == ("document", "Prices")
    assert [(each["name"], each["type"]) for each in table["metadata"]["columns"]] == [
        ("Name", "text"),
        ("Price", "numeric"),
    ]
    assert (table["metadata"]["rows"], table["metadata"]["has_header"]) == (2, True)
    assert table["content"].splitlines()[2:] == ["| tea | 1.5 |", "| milk | 2 |"]


def test_a_local_file_is_read_under_the_allowed_roots_alone(face: Face) -> None:
    read = face.call("process_document", {"document_url": "local report.md"})
    assert (read["content"], read["metadata"]["source"]) == (REPORT, "local report.md")
    found = face.call("retrieve_chunks", {"document_url": "local report.md", "query": "ostriches grew", "top_k": 1})
    assert found["results"][0]["ref"].startswith("local%20report.md@")
    for path in ("link.md", "../secret.md", "/etc/hostname"):
        with pytest.raises(Failed) as caught:
            face.call("process_document", {"document_url": path})
        assert caught.value.code == "VALIDATION_ERROR"


@pytest.mark.parametrize("path", ["x" * 256, f"{'y' * 300}/report.md"])
def test_a_name_that_no_file_can_have_is_a_fault_of_the_argument(face: Face, path: str) -> None:
    with pytest.raises(Failed, match="there is no such file") as caught:
        face.call("process_document", {"document_url": path})
    assert caught.value.code == "VALIDATION_ERROR"


def test_rest_has_the_codes_of_the_contract_alone_and_the_log_has_the_same(face: Face, root: str) -> None:
    if not isinstance(face, ByRest):
        pytest.skip("codes of MCP are those of its tools")
    failures: list[tuple[str, str, dict[str, str], int, str]] = [
        ("GET", "/api/nothing", {}, 404, "VALIDATION_ERROR"),
        ("GET", "/api/process-document", {}, 405, "VALIDATION_ERROR"),
        ("POST", "/api/tools/nothing", {}, 404, "VALIDATION_ERROR"),
        ("POST", "/api/uploads", {}, 422, "VALIDATION_ERROR"),
        ("POST", "/api/tools/open_citation", {"ref": "a.md@00000000#h1"}, 422, "VALIDATION_ERROR"),
        ("POST", "/api/process-document", {"document_url": f"{root}none.md"}, 424, "DOWNLOAD_ERROR"),
        ("POST", "/api/extract/docx", {"document_url": f"{root}one.pdf"}, 422, "PROCESSING_ERROR"),
        ("POST", "/api/tools/search_docs", {"query": "eggs"}, 404, "VALIDATION_ERROR"),
    ]
    for method, path, arguments, status, code in failures:
        answer = face.client.request(method, path, json=arguments if method == "POST" else None)
        assert (answer.status_code, answer.json()["code"]) == (status, code), path
        assert answer.json().keys() == {"error", "code"}
    for tool, code in (
        ("open_citation", "VALIDATION_ERROR"),
        ("process_document", "DOWNLOAD_ERROR"),
        ("extract_docx_text", "PROCESSING_ERROR"),
    ):
        assert face.server.logged("tool.known_error", tool=tool, code=code)


def test_an_upload_is_read_by_rest_and_mcp_alike(face: Face) -> None:
    server = None if isinstance(face, InProcess) else face.server
    if server is None:
        pytest.skip("there is no port to upload to")
    with server.client() as client:
        sent = client.post("/api/uploads", files={"file": ("sent.md", REPORT.encode())}).json()
        head = "--x\r\ncontent-disposition: form-data; name=file; filename*=UTF-8''%c3%bc.md\r\n\r\n"
        form = {"content-type": "multipart/form-data; boundary=x"}
        encoded = client.post("/api/uploads", content=f"{head}{REPORT}\r\n--x--\r\n".encode(), headers=form).json()
    for stored in (sent, encoded):
        read = face.call("process_document", {"document_url": stored["document_url"]})
        assert (read["content"], read["metadata"]["source"]) == (REPORT, stored["document_url"])
    assert encoded["name"] == "ü.md"


def test_a_download_has_the_name_that_its_server_encodes(face: Face) -> None:
    behave = sending(answer(b"a,b\n1,2\n", content_disposition="attachment; filename*=UTF-8''%e2%82%ac.csv"))
    with faulty_server(behave) as server:
        extracted = face.call("extract_csv_tables", {"document_url": server.url("/export?id=5")})
    assert extracted["table_count"] == 1


def test_a_file_of_another_type_is_refused_before_it_is_read(face: Face) -> None:
    def documents_read() -> int:
        return face.call("manage_cache", {"action": "stats"})["document"]["entries"]

    face.call("manage_cache", {"action": "clear"})
    with serving_documents({"scan.pdf": ("", pdf(prose()))}) as root:
        with pytest.raises(Failed) as caught:
            face.call("extract_csv_tables", {"document_url": f"{root}scan.pdf"})
        assert (caught.value.code, documents_read()) == ("PROCESSING_ERROR", 0)
        face.call("extract_pdf_text", {"document_url": f"{root}scan.pdf"})
        assert documents_read() == 1


def test_each_type_has_its_tool(face: Face, root: str) -> None:
    text = face.call("extract_pdf_text", {"document_url": f"{root}one.pdf"})
    assert text["text"].startswith("--- Page 1 ---") and text["char_count"] == len(text["text"])
    tables = face.call("extract_xlsx_tables", {"document_url": f"{root}book.xlsx"})
    assert (tables["table_count"], tables["tables"][0]["location"]) == (1, "Birds")


def test_what_is_cut_is_announced_and_continued(face: Face, root: str) -> None:
    url = {"document_url": f"{root}long.txt"}
    first = face.call("process_document", url)
    assert (len(first["content"]), first["content_length"], first["truncated"]) == (50_000, 66_000, True)
    rest = face.call("process_document", {**url, "cursor": first["next_cursor"]})
    assert first["content"] + rest["content"] == FILES["long.txt"][1].decode()
    assert "truncated" not in rest


def test_a_damaged_file_is_answered_with_warnings(face: Face, root: str) -> None:
    answer = face.call("process_document", {"document_url": f"{root}damaged.docx"})
    assert (answer["content"], answer["metadata"]["doc_type"]) == ("", "docx")
    assert answer["metadata"]["warnings"]


def test_the_server_tells_languages_its_health_and_its_caches(face: Face) -> None:
    assert face.call("detect_language", {"text": GERMAN})["language_code"] == "de"
    assert face.call("get_system_health", {})["status"] == "healthy"
    assert set(face.call("manage_cache", {"action": "stats"})) == {"download", "document", "retriever"}
    assert set(face.call("manage_cache", {"action": "clear"})["cleared"]) == {"download", "document", "retriever"}


@pytest.mark.parametrize(
    ("tool", "file", "more", "code"),
    [
        ("process_document", None, {"document_url": "ftp://example.com"}, "VALIDATION_ERROR"),
        ("process_document", None, {}, "VALIDATION_ERROR"),
        ("retrieve_chunks", "report.md", {"query": ""}, "VALIDATION_ERROR"),
        ("manage_cache", None, {"action": "burn"}, "VALIDATION_ERROR"),
        ("process_document", "missing.pdf", {}, "DOWNLOAD_ERROR"),
        ("extract_pdf_text", "report.md", {}, "PROCESSING_ERROR"),
    ],
)
def test_a_failure_is_a_message_and_a_code(
    face: Face, root: str, tool: str, file: str | None, more: dict[str, Any], code: str
) -> None:
    arguments = {**({"document_url": root + file} if file else {}), **more}
    with pytest.raises(Failed) as caught:
        face.call(tool, arguments)
    assert caught.value.body.keys() == {"error", "code"}
    assert caught.value.code == code
    assert "/tmp" not in caught.value.body["error"] and "Traceback" not in caught.value.body["error"]  # noqa: S108
