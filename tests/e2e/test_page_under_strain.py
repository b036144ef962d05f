"""The web page in Chromium where it is hard: keys, a server that stops, dropped files, many documents, many values."""

import csv
import importlib.util
import io
import json
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.browser import browser, check_browser, screenshot, violations
from support.http_wire import HttpServer, serving
from support.pdfs import Text, pdf
from support.ports import free_port
from support.waiting import wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Browser, FloatRect, Page

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]

WAIT_MS = 180_000
"""What the page may take on a machine that is busy with other work."""

DOCUMENTS = 10_000
ROWS, COLUMNS = 1_000, 5
LINES = (
    "Invoice number: A-2024-17",
    "Payment is due within thirty days",
    "Deliveries are made on the third day of May",
)

SCROLL = """async (element) => {
  for (let step = 1; step <= 60; step++) {
    element.scrollTop = (element.scrollHeight * step) / 60;
    await new Promise(requestAnimationFrame);
  }
}"""
"""Scrolls to the end in sixty frames."""


def environment(folder: Path, **variables: str) -> Mapping[str, str]:
    return {
        **os.environ, "PINCITE_CACHE": str(folder / "cache"), "DATA_DIR": str(folder / "data"),
        "EMBEDDING_PROVIDER": "hash", "MCP_RATE_LIMIT_RPM": "0", **variables,
    }  # fmt: skip


def folder_of(root: Path, files: Mapping[str, bytes]) -> Path:
    docs = root / "docs"
    docs.mkdir()
    for name, data in files.items():
        (docs / name).write_bytes(data)
    return docs


def letter() -> bytes:
    return pdf([Text(line, 72, 100 + 40 * number, 14, "F") for number, line in enumerate(LINES)])


@pytest.fixture(scope="module")
def chromium() -> Iterator["Browser"]:
    check_browser()
    with browser() as started:
        yield started


@pytest.fixture
def page(chromium: "Browser") -> Iterator["Page"]:
    with chromium.new_context(viewport={"width": 1280, "height": 800}) as context:
        context.set_default_timeout(WAIT_MS)
        yield context.new_page()


def wait_until_read(server: HttpServer, **headers: str) -> None:
    with server.client(**headers) as client:
        listed = "/ui/api/documents?collection=docs"
        assert wait_for(lambda: not client.get(listed).json()["freshness"]["pending"], 900, every=0.5)


def test_the_key_is_asked_for_once_and_kept_for_this_tab(chromium: "Browser", page: "Page", tmp_path: Path) -> None:
    docs = folder_of(tmp_path, {"letter.pdf": letter()})
    with HttpServer(serving(docs), environment(tmp_path, MCP_API_KEY="open sesame")) as server:
        wait_until_read(server, **{"x-api-key": "open sesame"})
        page.goto(f"{server.url}/ui/")
        page.get_by_label("Key").fill("open barley")
        page.get_by_role("button", name="Open").click()
        page.get_by_text("The server does not know this key.").wait_for()
        assert violations(page) == []
        screenshot(page, "key")
        page.get_by_label("Key").fill("open sesame")
        page.keyboard.press("Enter")
        page.get_by_role("link", name="letter.pdf").click()
        page.locator(".page img").wait_for()  # fetched with the key: an <img> cannot send it
        page.reload()
        page.locator(".page img").wait_for()
        assert page.evaluate("[localStorage.length, document.cookie]") == [0, ""]
        with chromium.new_context() as another:
            fresh = another.new_page()
            fresh.goto(f"{server.url}/ui/")
            fresh.get_by_label("Key").wait_for()


def test_the_page_goes_on_when_the_server_is_started_again(page: "Page", tmp_path: Path) -> None:
    docs = folder_of(tmp_path, {"letter.pdf": letter(), "note.md": b"# Note\n\nKeys are renewed.\n"})
    env = environment(tmp_path, PORT=str(free_port()))
    with HttpServer(serving(docs), env) as server:
        wait_until_read(server)
        page.goto(f"{server.url}/ui/")
        page.get_by_role("link", name="letter.pdf").wait_for()
    page.get_by_role("searchbox", name="Search the documents").fill("keys")
    page.get_by_text("The server does not answer.").first.wait_for()
    screenshot(page, "away")
    with HttpServer(serving(docs), env):
        page.locator("a.result", has_text="Keys are renewed.").wait_for()
        assert page.get_by_text("The server does not answer.").count() == 0


def test_a_dropped_file_goes_into_the_library(page: "Page", tmp_path: Path) -> None:
    env = environment(tmp_path, PINCITE_UPLOADS="true")
    with HttpServer(serving(None, "--toolsets", "knowledge"), env) as server:
        page.goto(f"{server.url}/ui/")
        page.get_by_text("or drop files anywhere on this page").wait_for()
        files = page.evaluate_handle(
            """() => { const carried = new DataTransfer();
            carried.items.add(new File(["# Birds\\n\\nOstriches run fast.\\n"], "birds.md"));
            carried.items.add(new File([new Uint8Array([0, 1, 2])], "odd.xyz"));
            return carried; }"""
        )
        page.dispatch_event("main", "drop", {"dataTransfer": files})
        page.get_by_role("link", name="Birds").wait_for()
        assert page.locator(".added li", has_text="odd.xyz").locator(".flag").inner_text()
        assert violations(page) == []
        screenshot(page, "dropped")
        page.get_by_role("searchbox", name="Search the documents").fill("ostriches")
        page.locator("a.result", has_text="Ostriches run fast.").first.wait_for()


def test_a_document_of_the_library_is_read_again_and_removed(page: "Page", tmp_path: Path) -> None:
    env = environment(tmp_path, PINCITE_UPLOADS="true")
    with HttpServer(serving(None, "--toolsets", "knowledge"), env) as server:
        page.goto(f"{server.url}/ui/")
        for name in ("birds", "fish"):
            page.get_by_label("Add to the library").set_input_files(
                {"name": f"{name}.md", "mimeType": "text/markdown", "buffer": f"# {name}\n\nThey move.\n".encode()}
            )
            page.get_by_role("link", name=name).wait_for()
        overview = page.get_by_role("region", name="Overview")
        assert overview.locator("dd").first.inner_text() == "2" and "markdown 2" in overview.inner_text()
        page.get_by_role("button", name="Read birds again").click()
        page.get_by_text("birds: read again.").wait_for()
        page.get_by_role("button", name="Remove fish").click()
        page.get_by_role("button", name="Keep it").click()
        page.get_by_role("button", name="Remove fish").click()
        assert violations(page) == []
        screenshot(page, "library")
        page.get_by_role("button", name="Remove it").click()
        page.get_by_text("fish: removed from the library.").wait_for()
        page.get_by_role("link", name="fish").wait_for(state="detached")
        assert [one.name for one in (tmp_path / "data" / "library").glob("*.md")] == ["birds.md"]


@pytest.mark.parametrize(
    ("toolsets", "says"),
    [
        ("documents", "No documents are served here"),
        ("extraction", "Values out of documents"),
        ("knowledge", "The library is empty"),
    ],
)
def test_the_first_view_says_what_to_do(page: "Page", tmp_path: Path, toolsets: str, says: str) -> None:
    with HttpServer(serving(None, "--toolsets", toolsets), environment(tmp_path)) as server:
        page.goto(f"{server.url}/ui/")
        page.get_by_role("heading", name=says).wait_for()
        assert violations(page) == []
        screenshot(page, f"first-{toolsets}")


def test_a_library_is_searched_by_the_clause_as_the_document_prints_it(page: "Page", tmp_path: Path) -> None:
    env = environment(tmp_path, PINCITE_UPLOADS="true")
    # Long enough to be passages of their own.
    rotate, copy = "Verify that keys rotate each year. " * 80, "Verify that keys are copied each week. " * 80
    standard = f"# V2 Keys\n\n## V2.8 Rotation\n\n{rotate}\n\n## V2.9 Copies\n\n{copy}\n".encode()
    with HttpServer(serving(None, "--toolsets", "knowledge"), env) as server:
        page.goto(f"{server.url}/ui/")
        page.get_by_label("Add to the library").set_input_files(
            {"name": "standard.md", "mimeType": "text/markdown", "buffer": standard}
        )
        page.get_by_role("link", name="V2 Keys").wait_for()
        assert "guidance" in page.get_by_role("region", name="Overview").inner_text()
        page.get_by_role("searchbox", name="Search the documents").fill("keys")
        page.locator("a.result").nth(1).wait_for()
        for spelt in ("2.8", "V2.8"):
            page.get_by_label("Clause").fill(spelt)
            page.locator("a.result", has_text="copied").first.wait_for(state="detached")
            page.locator("a.result", has_text="keys rotate").first.wait_for()
        page.wait_for_function("() => location.hash.includes('clause=V2.8')")
        page.reload()
        page.locator("a.result", has_text="keys rotate").first.wait_for()
        assert page.locator("a.result", has_text="copied").count() == 0
        assert violations(page) == []
        page.keyboard.press("Control+k")
        page.keyboard.press("Enter")
        page.get_by_text("V2 Keys, V2.8", exact=True).wait_for()  # as reports cite it


def test_one_of_several_collections_is_chosen_by_a_switch(page: "Page", tmp_path: Path) -> None:
    folders = {name: tmp_path / name for name in ("api", "handbook")}
    for name, folder in folders.items():
        folder.mkdir()
        (folder / "a.md").write_text(f"# The {name}\n\nA zebra of the {name}.\n")
    with HttpServer(serving(folders, "--toolsets", "docs,citations"), environment(tmp_path)) as server:
        page.goto(f"{server.url}/ui/")
        page.get_by_role("link", name="The api").wait_for()
        page.get_by_label("Collection").select_option("handbook")
        page.get_by_role("link", name="The handbook").wait_for()
        page.get_by_role("searchbox", name="Search the documents").fill("zebra")
        page.locator("a.result", has_text="of the handbook").wait_for()
        assert page.locator(".group").count() == 1
        page.get_by_label("Collection").select_option("")
        page.locator("a.result", has_text="of the api").wait_for()
        assert {one.split(" ")[-3] for one in page.locator(".group h2").all_inner_texts()} == {"api", "handbook"}
        page.reload()
        page.locator("a.result", has_text="of the api").wait_for()
        assert violations(page) == []


def test_of_ten_thousand_documents_those_in_view_are_drawn(page: "Page", tmp_path: Path) -> None:
    docs = folder_of(tmp_path, {f"n{number:05}.md": f"Note {number}.\n".encode() for number in range(DOCUMENTS)})
    with HttpServer(serving(docs, "--toolsets", "docs"), environment(tmp_path)) as server:
        page.goto(f"{server.url}/ui/")
        page.locator("progress").or_(page.get_by_text("10,000 documents")).first.wait_for()  # it may be indexed already
        assert violations(page) == []
        wait_until_read(server)
        page.get_by_text("10,000 documents").wait_for()
        page.locator(".windowed").evaluate(SCROLL)
        page.get_by_role("link", name=f"n{DOCUMENTS - 1:05}.md").wait_for()
        assert page.locator("a.row").count() < 60
        page.get_by_label("Filter by name").fill("n0777")
        page.get_by_text("10 documents of 10,000").wait_for()
        screenshot(page, "ten-thousand")


def test_of_five_thousand_values_those_in_view_are_drawn(page: "Page", tmp_path: Path) -> None:
    names = [f"measure_{column}" for column in range(COLUMNS)]
    table = io.StringIO()
    csv.writer(table).writerows([names, *([f"r{row}c{column}" for column in range(COLUMNS)] for row in range(ROWS))])
    schema = {"rows": [dict.fromkeys(names, "string")]}
    with HttpServer(serving(None, "--toolsets", "extraction"), environment(tmp_path)) as server:
        with server.client() as client:
            sent = client.post(
                "/tasks",
                files={"file": ("measures.csv", table.getvalue().encode())},
                data={"schema": json.dumps(schema), "engine": "rules"},
            ).json()
            task = sent["task_id"]
            state = f"/tasks/{task}"
            assert wait_for(lambda: client.get(state).json()["status"] not in {"queued", "running"}, 900, every=0.5)
            assert len(client.get(f"/tasks/{task}/result").json()["data"]["rows"]) == ROWS
        page.goto(f"{server.url}/ui/#task={task}")
        from playwright.sync_api import expect  # noqa: PLC0415 - it may not be installed

        page.get_by_role("button", name="All 5,000").wait_for()
        page.locator(".values .windowed").evaluate(SCROLL)
        page.locator(".value", has_text=f"r{ROWS - 1}c{COLUMNS - 1}").click()
        expect(page.locator("mark.selected", has_text=f"r{ROWS - 1}c{COLUMNS - 1}")).to_be_in_viewport(timeout=WAIT_MS)
        assert page.locator(".record").count() < 80
        screenshot(page, "five-thousand")


@pytest.mark.skipif(not importlib.util.find_spec("rapidocr"), reason="needs pip install 'pincite[ocr]'")
def test_the_pixels_under_a_box_hold_its_text(chromium: "Browser", tmp_path: Path) -> None:
    docs = folder_of(tmp_path, {"letter.pdf": letter()})
    with (
        HttpServer(
            serving(docs, "--toolsets", "docs,citations,documents"), environment(tmp_path, PINCITE_OCR="auto")
        ) as server,
        chromium.new_context(viewport={"width": 1280, "height": 800}) as context,
    ):
        wait_until_read(server)
        page = context.new_page()
        page.goto(f"{server.url}/ui/#collection=docs&document=letter.pdf")
        page.locator(".page img").wait_for()
        for line in LINES:
            box = page.locator("svg text", has_text=line).bounding_box()
            assert box is not None
            # The recogniser needs some ground around the letters.
            x, y, width, height = (box[side] for side in ("x", "y", "width", "height"))
            around: FloatRect = {"x": x - 10, "y": y - 8, "width": width + 20, "height": height + 16}
            end = time.monotonic() + 30
            while not (seen := recognised(server, page.screenshot(clip=around))):
                assert time.monotonic() < end  # the picture is decoded beside the page, and drawn when that is done
            assert "".join(seen.split()).casefold() == "".join(line.split()).casefold()


def recognised(server: HttpServer, picture: bytes) -> str:
    """The text in a picture, by the server's own recognition."""
    with server.client() as client:
        sent = client.post("/api/uploads", files={"file": ("box.png", picture)}).json()["document_url"]
        found = client.post("/api/extract/image", json={"document_url": sent}).json()["ocr_results"]
    return " ".join(one["text"] for one in found)
