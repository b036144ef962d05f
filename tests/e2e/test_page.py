"""The web page in Debian's Chromium, on a real server: every flow, by mouse and by keyboard."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote

import openpyxl
import pytest

from support.browser import browser, check_browser, screenshot, violations
from support.http_wire import HttpServer, serving
from support.pdfs import Text, pdf
from support.waiting import wait_for
from support.wire import pincite

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Request

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

SECONDS = 12_000
PAGES = 1_000
SCHEMA = {"invoice_number": "string", "total": "number", "iban": "string"}
BESIDE = """[...document.querySelectorAll('#app *:not(.pages *):not(.row *):not(.crop *):not(.skip)')]
    .map((element) => [element.getBoundingClientRect(), element.outerHTML.slice(0, 99)])
    .filter(([box]) => box.width && (box.right > innerWidth + 1 || box.left < -1))
    .map(([, markup]) => markup)"""
"""The elements that do not fit into the width of the window."""
IN_VIEW = """() => {
    const [mark, column] = [':is(.mark.selected rect, mark.selected)', '.pages']
        .map((name) => document.querySelector(name)?.getBoundingClientRect());
    return mark?.width && mark.top >= column.top && mark.bottom <= column.bottom;
}"""
"""Whether the mark is in view."""
BROKEN = """[...document.querySelectorAll('.printed-values :is(td, th):nth-child(odd)')].filter((cell) => {
    const text = document.createRange();
    text.selectNodeContents(cell);
    return text.getClientRects().length > 1;
}).map((cell) => cell.textContent)"""
"""The fields, statuses and page numbers that are broken over lines on paper."""

HOSTILE = "# <img src=x onerror=alert(1)>\n\n<script>window.attacked = 1</script> The attacker's passage.\n"


PAYLOADS = (
    "<script>{0}</script>",
    "<img src=x onerror={0}>",
    "<svg onload={0}></svg>",
    "[a](javascript:{0})",
    '![a](x" onerror="{0})',
    "<a href='javascript:{0}'>a</a>",
    "<iframe srcdoc='<script>{0}</script>'></iframe>",
    "<details open ontoggle={0}>a</details>",
    "<math><mtext></table><style><img src onerror={0}></style>",
    "<form action=javascript:{0}><button>a</button></form>",
)
AROUND = (
    "{0}", "# {0}", "- {0}", "> {0}", "| a | {0} |\n| --- | --- |\n| {0} | b |", "```\n{0}\n```", "**{0}**", "`{0}`",
    "*{0}", "[{0}](x)",
)  # fmt: skip


def payloads() -> str:
    """A hundred scripts: each in each of ten places of Markdown."""
    scripts = [around.format(payload.format("window.attacked=1")) for around in AROUND for payload in PAYLOADS]
    return "\n\n".join(f"Payload {number}\n\n{script}" for number, script in enumerate(scripts))


def invoice() -> bytes:
    lines = ["Invoice number: A-2024-17", "Total: 117.81 EUR"]
    return pdf([Text(line, 72, 100 + 30 * number, 12, "F") for number, line in enumerate(lines)])


def long_pdf() -> bytes:
    # At another height on each page: what is always in one place is a running head.
    return pdf(
        *(
            [Text(f"Paragraph {number} speaks of subject {number}.", 72, 90 + number * 37 % 500, 11, "F")]
            for number in range(1, PAGES + 1)
        )
    )


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    root = tmp_path_factory.mktemp("page")
    docs = root / "docs"
    docs.mkdir()
    (docs / "long.pdf").write_bytes(long_pdf())
    (docs / "invoice.pdf").write_bytes(invoice())
    (docs / "hostile.md").write_text(HOSTILE, "utf-8")
    (docs / "payloads.md").write_text(payloads(), "utf-8")
    (docs / "guide.md").write_text(
        "---\nsort_rank: 1\n---\n\n# Guide\n\n***Never*** share [the\nkeys](https://example.org/a).\n\n"
        + "Filler text.\n\n" * 3000
        + "A long line of filler text, which is broken in a narrow window and whole in a wide one.\n\n" * 20
        + "## Keys\n\nKeys \U0001d518 are renewed each year.\n",
        "utf-8",
    )
    (docs / "types.html").write_text(
        "<html><body><h1>Types</h1><p>Dates have <b>eight</b> bytes.</p>"
        "<table><tr><th>Name</th><th>Size</th></tr><tr><td>date</td><td>4</td></tr></table></body></html>"
    )
    (docs / "locked.pdf").write_bytes(b"%PDF-1.4 damaged")
    env = {
        **os.environ, "PINCITE_CACHE": str(root / "cache"), "DATA_DIR": str(root / "data"),
        "EMBEDDING_PROVIDER": "hash", "MCP_RATE_LIMIT_RPM": "0", "PINCITE_READER_TIMEOUT": "200",
    }  # fmt: skip
    with HttpServer(serving(docs, "--toolsets", "docs,citations,extraction"), env) as started:
        with started.client() as client:
            listed = "/ui/api/documents?collection=docs"
            assert wait_for(lambda: not client.get(listed).json()["freshness"]["pending"], 200, every=0.5)
        yield started


@pytest.fixture(scope="module")
def chromium() -> Iterator["Browser"]:
    check_browser()
    with browser() as started:
        yield started


@pytest.fixture
def page(chromium: "Browser", server: HttpServer) -> Iterator["Page"]:
    """A page that may load nothing from elsewhere and must log no error."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(SECONDS)
    opened = context.new_page()
    problems: list[str] = []
    opened.on("pageerror", lambda error: problems.append(str(error)))

    def note(request: "Request") -> None:
        if not request.url.startswith((server.url, "blob:")):
            problems.append(request.url)

    opened.on("request", note)
    yield opened
    attacked = opened.evaluate("window.attacked")
    context.close()
    assert not problems
    assert attacked is None


def uncovered(page: "Page") -> list[str]:
    """The violations while a menu is open, which covers parts of what is below it."""
    return [violation for violation in violations(page) if not violation.startswith("target-size")]


def ref_of(server: HttpServer, query: str) -> str:
    with server.client() as client:
        return client.get("/ui/api/search", params={"q": query}).json()["passages"][0]["ref"]


def task_of(server: HttpServer, data: bytes, name: str = "invoice.pdf", schema: object = SCHEMA) -> str:
    with server.client() as client:
        task = client.post("/tasks", files={"file": (name, data)}, data={"schema": json.dumps(schema)}).json()[
            "task_id"
        ]
        assert wait_for(lambda: client.get(f"/tasks/{task}").json()["status"] not in {"queued", "running"})
    return task


def downloaded(page: "Page", form: str, to: Path) -> None:
    page.locator("summary", has_text="Download").click()
    with page.expect_download() as got:
        page.get_by_role("button", name=form).click()
    got.value.save_as(to)


def test_documents_are_listed_with_what_was_not_read(page: "Page", server: HttpServer) -> None:
    page.goto(f"{server.url}/ui/")
    page.get_by_role("link", name="long.pdf").wait_for()
    assert "1,000 pages" in page.get_by_role("link", name="long.pdf").inner_text()
    assert page.get_by_text("Not read:").count() == 1
    overview = page.get_by_role("region", name="Overview")
    assert "English" in overview.inner_text() and "under 2,000" in overview.inner_text()
    assert violations(page) == []
    screenshot(page, "documents")


def test_a_search_as_one_types_opens_the_page_with_the_passage_marked(page: "Page", server: HttpServer) -> None:
    page.goto(f"{server.url}/ui/")
    page.get_by_role("searchbox", name="Search the documents").wait_for()
    page.keyboard.press("/")
    page.keyboard.type("invoice number")
    result = page.locator(".group", has_text="invoice.pdf").locator("a.result").first
    result.wait_for()
    assert result.locator("mark").first.inner_text().lower() == "invoice"
    result.locator(".crop image").wait_for()
    assert violations(page) == []
    page.locator('.results[aria-busy="false"]').wait_for()
    page.keyboard.press("Control+k")
    page.keyboard.press("Enter")  # opens the best hit
    page.locator(".page img").first.wait_for()
    box, line = (page.locator(name).first.bounding_box() for name in (".mark.cited rect", "svg text"))
    assert box and line
    assert abs(box["x"] - line["x"]) < 5 and abs(box["y"] - line["y"]) < 12
    assert violations(page) == []
    screenshot(page, "citation")


def test_one_document_is_searched_from_its_page_and_left_by_the_menu(page: "Page", server: HttpServer) -> None:
    page.goto(f"{server.url}/ui/#collection=docs&document=guide.md")
    page.get_by_role("link", name="Search this document").click()
    page.get_by_role("searchbox").fill("invoice keys renewed")
    page.locator("a.result").first.wait_for()
    assert {*page.locator(".group h2 a").all_inner_texts()} == {"Guide"}
    assert violations(page) == []
    page.get_by_role("button", name="In guide.md").click()
    page.locator(".group", has_text="invoice.pdf").locator("a.result").first.wait_for()
    page.get_by_role("link", name="Documents").click()
    page.get_by_role("link", name="long.pdf").wait_for()
    assert page.get_by_role("searchbox", name="Search the documents").input_value() == ""


def test_hits_are_gone_through_by_key_and_the_way_back_is_to_the_hit(page: "Page", server: HttpServer) -> None:
    page.goto(f"{server.url}/ui/#q=paragraph+subject&in=long.pdf&collection=docs")
    page.locator("a.result").nth(1).wait_for()
    page.get_by_role("searchbox", name="Search the documents").press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.get_by_text("2 of 12").wait_for()
    page.keyboard.press("n")
    page.get_by_text("3 of 12").wait_for()
    page.keyboard.press("p")
    page.get_by_text("2 of 12").wait_for()
    page.locator(".mark.cited").first.wait_for()
    assert violations(page) == []
    page.reload()
    page.get_by_text("2 of 12").wait_for()
    page.keyboard.press("Escape")
    page.locator("a.result").nth(1).wait_for()
    search = page.get_by_role("searchbox", name="Search the documents")
    assert (search.input_value(), search.get_attribute("placeholder")) == ("paragraph subject", "Search long.pdf")
    page.go_back()
    page.get_by_role("link", name="Results").click()
    page.locator("a.result").first.wait_for()
    page.locator("a.result").nth(11).click()
    page.get_by_text("12 of 12").wait_for()
    page.get_by_role("link", name="Results").click()
    page.locator("a.result:focus").wait_for()


def test_the_keys_are_listed_and_single_ones_can_be_turned_off(page: "Page", server: HttpServer) -> None:
    page.goto(f"{server.url}/ui/#collection=docs&document=guide.md")
    page.locator(".line.h1").wait_for()
    outline, keys = page.get_by_role("navigation", name="Outline"), page.get_by_role("dialog", name="Keys")
    page.keyboard.press("?")
    keys.get_by_text("accept the value, reject it, correct it").wait_for()
    assert violations(page) == []
    screenshot(page, "keys")
    keys.get_by_label("Single letters and signs are keys").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("o")
    assert outline.count() == 0
    page.get_by_role("button", name="Keys", exact=True).click()
    keys.get_by_label("Single letters and signs are keys").check()
    page.keyboard.press("o")  # none while the list is open
    keys.get_by_role("button", name="Close").click()
    assert outline.count() == 0
    page.keyboard.press("o")
    outline.wait_for()


def test_a_passage_is_copied_as_reports_cite_it(page: "Page", server: HttpServer) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{server.url}/ui/#ref={quote(ref_of(server, 'invoice number'))}&q=invoice+number")
    copied: dict[str, str] = {}
    for name in ("Copy the citation", "Markdown", "BibTeX", "Copy the link"):
        page.get_by_role("button", name=name).click()
        page.get_by_role("button", name="Copied").wait_for()
        copied[name] = page.evaluate("navigator.clipboard.readText()")
        page.get_by_role("button", name=name).wait_for()
    assert copied["Copy the citation"] == "invoice.pdf, p. 1"
    assert copied["Markdown"] == f"[invoice.pdf, p. 1]({copied['Copy the link']})"
    assert "title = {{invoice.pdf}}" in copied["BibTeX"] and "note = {p. 1}" in copied["BibTeX"]
    assert "q=" not in copied["Copy the link"]
    page.goto("about:blank")
    page.goto(copied["Copy the link"])
    page.locator(".mark.cited").first.wait_for()


def test_a_quote_is_checked_beside_the_passage(page: "Page", server: HttpServer) -> None:
    page.goto(f"{server.url}/ui/#ref={quote(ref_of(server, 'invoice number'))}")
    box = page.get_by_label("Check a quote")
    for said, verdict in {
        "Invoice number: A-2024-17": "Exact",
        "Invoice number: A-2024-18": "not in the document",
    }.items():
        box.fill(said)
        box.press("Tab")
        page.keyboard.press("Enter")
        page.locator(".verdict", has_text=verdict).wait_for()
    assert violations(page) == []


def test_a_document_is_read_by_its_outline_by_words_by_pages_and_enlarged(page: "Page", server: HttpServer) -> None:
    page.goto(f"{server.url}/ui/#collection=docs&document=guide.md")
    page.locator(".line.h1").wait_for()
    assert page.locator(".line.h1").inner_text() == "Guide"
    assert page.locator(".line.code").first.inner_text() == "sort_rank: 1"
    assert page.locator(".strong.em").all_inner_texts() == ["Never"]
    assert page.locator(".link").all_inner_texts() == ["the", "keys"]
    assert "Never share the keys." in page.locator(".block.prose").first.inner_text()
    page.get_by_role("button", name="As read").click()
    assert page.locator(".line.h1").inner_text() == "# Guide"
    page.keyboard.press("o")
    page.get_by_role("navigation", name="Outline").get_by_role("button", name="Keys").click()
    page.locator("mark.found.selected", has_text="Keys").wait_for()
    assert violations(page) == []
    page.keyboard.press("f")
    page.keyboard.type("KEYS \U0001d518 are")
    page.keyboard.press("Enter")
    page.get_by_text("1 of 1", exact=True).wait_for()
    assert page.locator("mark.found.selected").first.inner_text() == "Keys \U0001d518 are"
    page.set_viewport_size({"width": 400, "height": 800})
    page.wait_for_function(IN_VIEW)
    page.goto(f"{server.url}/ui/#collection=docs&document=types.html")
    page.locator(".cell", has_text="date").wait_for()
    assert page.locator(".line.head .cell").all_inner_texts() == ["Name", "Size"]
    assert "Dates have eight bytes." in page.locator(".block.prose").first.inner_text()
    page.goto(f"{server.url}/ui/#collection=docs&document=long.pdf&page=500")
    page.locator('[data-page="500"] img').wait_for()
    number = page.get_by_label("Page", exact=True)
    page.locator(".pages").press("ArrowRight")
    page.locator('[data-page="501"] img').wait_for()
    page.wait_for_function("() => document.querySelector('[name=page]').value === '501'")
    number.fill("7")
    number.press("Enter")
    page.locator('[data-page="7"] img').wait_for()
    before = page.locator('[data-page="7"]').bounding_box()
    page.get_by_role("button", name="Larger").click()
    page.get_by_text("125 %").wait_for()
    after = page.locator('[data-page="7"]').bounding_box()
    assert before and after and abs(after["width"] / before["width"] - 1.25) < 0.01
    page.keyboard.press("Control+f")
    page.keyboard.type("subject 99")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Next place").click()
    page.locator(".mark.found.selected").wait_for()
    assert page.locator(".mark.found.selected").locator("xpath=ancestor::section").get_attribute("data-page") == "990"
    mark = page.locator(".mark.found.selected rect")
    words, line = mark.bounding_box(), page.locator('[data-page="990"] svg text').bounding_box()
    assert words and line and words["width"] < line["width"] / 2, "the words are marked, not their line"
    for width in (1280, 400):  # what is marked stays in view, and the page is the one that the box names
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function(IN_VIEW)
        assert number.input_value() == "990"


def test_a_reference_is_copied_where_browsers_have_no_clipboard_for_pages(page: "Page", server: HttpServer) -> None:
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    ref = ref_of(server, "invoice number")
    page.goto(f"{server.url}/ui/#ref={quote(ref)}")
    page.get_by_role("button", name="Copy the reference").click()
    page.get_by_role("button", name="Copied").wait_for()
    page.goto(f"{server.url}/ui/#q=")
    page.get_by_role("searchbox", name="Search the documents").press("Control+V")
    assert page.get_by_role("searchbox", name="Search the documents").input_value() == ref


def test_the_text_of_a_page_can_be_selected(page: "Page", server: HttpServer) -> None:
    page.goto(f"{server.url}/ui/#ref={quote(ref_of(server, 'invoice number'))}")
    page.locator("svg text").first.wait_for()
    chosen = page.evaluate(
        "() => { const text = document.querySelector('svg text'); getSelection().selectAllChildren(text); "
        "return getSelection().toString().trim(); }"
    )
    assert chosen == "Invoice number: A-2024-17"


def test_a_citation_in_a_text_is_marked_to_the_letter(page: "Page", server: HttpServer) -> None:
    ref = ref_of(server, "keys renewed year")
    page.goto(f"{server.url}/ui/#ref={quote(ref)}")
    page.locator("mark.selected:visible").first.wait_for()
    assert "".join(page.locator("mark.selected").all_inner_texts()).endswith("Keys \U0001d518 are renewed each year.")
    assert page.locator("mark.selected").last.is_visible()
    assert violations(page) == []


def test_of_a_thousand_pages_only_those_that_are_seen_are_rendered(page: "Page", server: HttpServer) -> None:
    pictures: list[str] = []

    def note(request: "Request") -> None:
        if "/api/picture" in request.url:
            pictures.append(request.url)

    page.on("request", note)
    with server.client() as client:
        place = client.get("/ui/api/search", params={"q": "paragraph 700 subject 700"}).json()["passages"][0]
    assert 600 < place["pages"][0] <= 700
    page.goto(f"{server.url}/ui/#ref={quote(place['ref'])}")
    page.locator(f'[data-page="{place["pages"][0]}"] img').wait_for()
    assert page.locator(".page").count() == PAGES
    for _ in range(20):
        page.locator(".pages").evaluate("element => { element.scrollTop += 20000; }")
        page.wait_for_timeout(20)
    page.locator(".pages").evaluate("element => { element.scrollTop = element.scrollHeight; }")
    page.locator(f'[data-page="{PAGES}"] img').wait_for()
    assert page.locator(".page img").count() < 12
    assert len(pictures) < 200  # a slow machine settles on more of those that are scrolled past


def test_values_and_marks_lead_to_each_other(page: "Page", server: HttpServer) -> None:
    page.goto(f"{server.url}/ui/#task={task_of(server, invoice())}")
    page.locator(".value", has_text="A-2024-17").click()
    mark = page.locator(".mark.selected")
    mark.wait_for()
    assert mark.get_attribute("aria-label") == "invoice_number: A-2024-17, verified"
    assert page.locator(".value.absent").inner_text().split()[-1] == "absent"
    page.keyboard.press("ArrowDown")
    page.locator('.value.selected[data-id="total"]:focus').wait_for()  # its focus follows a frame later
    page.locator('.mark[data-mark="invoice_number"]').focus()
    page.keyboard.press("Enter")
    page.locator('.value.selected[data-id="invoice_number"]').wait_for()
    assert "Invoice number" in page.locator(".detail").inner_text()
    assert violations(page) == []
    screenshot(page, "evidence")


def test_a_click_on_the_text_of_a_mark_chooses_its_value_and_a_drag_selects_the_text(
    page: "Page", server: HttpServer
) -> None:
    page.goto(f"{server.url}/ui/#task={task_of(server, invoice())}")
    page.locator(".page svg text").nth(1).wait_for()
    mark = page.locator('.mark[data-mark="total"] rect').bounding_box()
    assert mark
    middle = mark["x"] + mark["width"] / 2, mark["y"] + mark["height"] / 2
    assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).tagName", middle) == "text"
    page.mouse.click(*middle)
    page.locator('.value.selected[data-id="total"]:focus').wait_for()
    after = page.locator('.mark[data-mark="total"] rect').bounding_box()
    assert after and abs(after["y"] - mark["y"]) < 2, "the page stays under the pointer"
    line = page.locator(".page svg text", has_text="Invoice number").bounding_box()
    assert line
    page.mouse.move(line["x"] + 2, line["y"] + line["height"] / 2)
    page.mouse.down()
    page.mouse.move(line["x"] + line["width"] - 2, line["y"] + line["height"] / 2, steps=4)
    page.mouse.up()
    assert "number" in page.evaluate("getSelection().toString()")
    page.locator('.value.selected[data-id="total"]').wait_for()


def test_a_result_is_reviewed_by_keys_from_its_opening_to_the_export(
    page: "Page", server: HttpServer, tmp_path: Path
) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{server.url}/ui/#task={task_of(server, invoice())}")
    page.locator('.value.selected[data-id="invoice_number"]:focus').wait_for()
    page.keyboard.press("ArrowDown")
    page.locator('.value.selected[data-id="total"]:focus').wait_for()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("a")
    page.locator('.value.selected[data-id="total"]:focus').wait_for()
    page.keyboard.press("x")
    page.locator('.value.selected[data-id="iban"]:focus').wait_for()
    page.keyboard.press("e")
    page.locator(".correct input:focus").wait_for()
    page.keyboard.type("NL91 0417 1643 00")
    page.keyboard.press("Enter")
    page.locator('.value.selected[data-id="iban"]:focus', has_text="corrected").wait_for()
    page.keyboard.press("e")
    page.locator(".correct input:focus").wait_for()
    page.keyboard.press("Escape")
    page.locator('.value.selected[data-id="iban"]:focus').wait_for()
    page.keyboard.press("ArrowUp")
    page.locator('.value.selected[data-id="total"]:focus').wait_for()
    # What goes on is what the page shows, not what was extracted.
    values = {"invoice_number": "A-2024-17", "total": None, "iban": "NL91 0417 1643 00"}
    page.get_by_role("button", name="Copy the values").click()
    page.get_by_role("button", name="Copied").wait_for()
    assert json.loads(page.evaluate("navigator.clipboard.readText()")) == values
    page.locator("summary", has_text="Download").click()
    assert page.locator(".menu button b").first.inner_text() == "Corrected values (JSON)"
    assert uncovered(page) == []
    screenshot(page, "exports")
    page.keyboard.press("Escape")
    downloaded(page, "Corrected values (JSON)", tmp_path / "values.json")
    assert json.loads((tmp_path / "values.json").read_text()) == values
    downloaded(page, "Evidence (JSON)", tmp_path / "evidence.json")
    evidence = json.loads((tmp_path / "evidence.json").read_text())
    assert evidence["data"]["total"] == 117.81 and evidence["corrections"]["iban"]["verdict"] == "corrected"


def test_the_place_of_a_value_can_be_read_on_a_phone(page: "Page", server: HttpServer) -> None:
    page.set_viewport_size({"width": 400, "height": 800})
    page.goto(f"{server.url}/ui/#task={task_of(server, invoice())}&value=total")
    mark = page.locator(".mark.selected rect")
    mark.wait_for()
    box, pages = mark.bounding_box(), page.locator(".pages").bounding_box()
    assert box and pages
    assert box["height"] >= 11  # of letters of 12 points
    assert pages["x"] <= box["x"] and box["x"] + box["width"] <= pages["x"] + pages["width"]


def test_a_value_is_corrected_and_a_hit_is_read_on_a_phone(page: "Page", server: HttpServer) -> None:
    page.set_viewport_size({"width": 400, "height": 800})
    page.goto(f"{server.url}/ui/#task={task_of(server, invoice())}")
    page.locator(".page svg text").nth(1).wait_for()
    width = page.locator(".page").first.bounding_box()
    page.locator('.value[data-id="iban"]').click()
    page.get_by_role("group", name="iban").wait_for()
    page.keyboard.press("e")
    parts = (
        page.get_by_label("The right value"),
        page.get_by_text("Type it, or"),
        page.get_by_role("button", name="Save"),
    )
    for part in parts:
        box = part.bounding_box()
        assert box and box["y"] + box["height"] <= 800 and box["x"] + box["width"] <= 400
    line = page.locator(".page svg text", has_text="Invoice number").bounding_box()
    assert line
    page.mouse.click(line["x"] + 20, line["y"] + line["height"] / 2)
    page.get_by_text("The marked place is its evidence.").wait_for()
    assert violations(page) == []
    screenshot(page, "phone-correcting")
    page.get_by_role("button", name="Save").click()
    page.locator('.value[data-id="iban"]', has_text="corrected").wait_for()
    after = page.locator(".page").first.bounding_box()
    assert width and after and width["width"] == after["width"], "the page keeps its size"
    page.goto(f"{server.url}/ui/#ref={quote(ref_of(server, 'invoice number'))}")
    page.locator(".mark.cited rect").first.wait_for()
    assert page.locator(".pages").evaluate("element => element.scrollWidth <= element.clientWidth")
    screenshot(page, "phone-hit")


def test_what_a_person_put_in_is_said_to_be_theirs_and_not_called_wrong(page: "Page", server: HttpServer) -> None:
    page.goto(f"{server.url}/ui/#task={task_of(server, invoice())}")
    right = page.get_by_label("The right value")
    page.locator('.value[data-id="iban"]').click()
    page.locator(".review").wait_for()
    page.keyboard.press("e")
    right.fill("NL91 0417 1643 00")
    right.press("Enter")
    page.locator('.value.corrected[data-id="iban"]', has_text="corrected").wait_for()
    assert "A person put this in." in page.locator(".detail").inner_text()
    assert re.findall(r"\w+ \d", page.locator(".legend").inner_text()) == ["All 3", "verified 2", "corrected 1"]
    assert page.get_by_role("group", name="iban").get_by_role("button").all_inner_texts() == ["Correct again", "Undo"]
    assert violations(page) == []
    page.locator('.value[data-id="total"]').click()
    page.get_by_role("button", name="Correct", exact=True).click()
    right.fill("hello")
    right.press("Enter")
    page.get_by_text("total takes a number, as 1234.5: “hello” is none.").wait_for()


def test_values_are_corrected_by_typing_and_picking_and_kept_with_the_task(
    page: "Page", server: HttpServer, tmp_path: Path
) -> None:
    task = task_of(server, invoice())
    page.goto(f"{server.url}/ui/#task={task}")
    right = page.get_by_label("The right value")
    page.locator('.value[data-id="iban"]').click()
    page.get_by_role("group", name="iban").get_by_role("button", name="Correct").click()
    right.fill("NL91 0417 1643 00")
    right.press("Enter")
    page.locator('.value.corrected[data-id="iban"]').wait_for()
    # Picked by a click on its line: the value alone, as the label is told apart, and marked before it is saved.
    page.locator('.value[data-id="total"]').click()
    page.get_by_role("button", name="Correct", exact=True).click()
    line = page.locator(".page svg text", has_text="Total").bounding_box()
    assert line
    page.mouse.click(line["x"] + 20, line["y"] + line["height"] / 2)
    page.wait_for_function("() => document.querySelector('.correct input').value === '117.81 EUR'")
    marked = page.locator(".mark.picked rect").bounding_box()
    assert marked and abs(marked["x"] - line["x"]) < 3 and abs(marked["y"] - line["y"]) < 9
    page.get_by_text("The marked place is its evidence.").wait_for()
    assert "The document" not in page.locator(".detail").inner_text(), "nothing is said of the value before"
    assert violations(page) == []
    screenshot(page, "correcting")
    right.press("Enter")
    page.locator('.value.verified[data-id="total"]', has_text="corrected").wait_for()
    page.locator(".mark.picked").wait_for(state="detached")
    # Drawn around: the last word of the line.
    page.locator('.value[data-id="invoice_number"]').click()
    page.get_by_role("group", name="invoice_number").wait_for()
    page.keyboard.press("e")
    line = page.locator(".page svg text", has_text="Invoice number").bounding_box()
    assert line
    page.mouse.move(line["x"] + line["width"] * 0.62, line["y"] - 3)
    page.mouse.down()
    page.mouse.move(line["x"] + line["width"] + 4, line["y"] + line["height"] + 3, steps=4)
    page.mouse.up()
    page.wait_for_function("() => document.querySelector('.correct input').value === 'A-2024-17'")
    right.press("Enter")
    page.locator('.value.verified[data-id="invoice_number"]', has_text="corrected").wait_for()
    with server.client() as client:
        result = client.get(f"/tasks/{task}/result").json()
    assert result["data"]["iban"] is None, "what the engine said stays"
    said = result["corrections"]
    assert {name: (one["value"], one["evidence"]["verified"]) for name, one in said.items()} == {
        "iban": ("NL91 0417 1643 00", False),
        "total": (117.81, True),
        "invoice_number": ("A-2024-17", True),
    }
    page.reload()
    page.locator('.value.corrected[data-id="iban"]', has_text="corrected").click()
    page.get_by_role("button", name="Undo").click()
    page.locator('.value.absent[data-id="iban"]').wait_for()
    downloaded(page, "expected.json", tmp_path / "invoice.json")
    assert json.loads((tmp_path / "invoice.json").read_text()) == {"invoice_number": "A-2024-17", "total": 117.81}
    (tmp_path / "schema.json").write_text(json.dumps(SCHEMA))
    (tmp_path / "invoice.pdf").write_bytes(invoice())
    evaluated = subprocess.run(
        pincite("eval", str(tmp_path), "--json"), capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert evaluated.returncode == 0, evaluated.stderr


def correct_by_key(page: "Page", address: str, value: str) -> None:
    """Open a task's result at a value, and its correction."""
    page.goto(f"{address}&value={quote(value)}")
    page.locator(f'.value.selected[data-id="{value}"]:focus').wait_for()
    page.keyboard.press("e")
    page.locator(".correct input:focus").wait_for()


def test_a_place_is_picked_by_keys_alone(page: "Page", server: HttpServer) -> None:
    task = task_of(server, invoice())
    correct_by_key(page, f"{server.url}/ui/#task={task}", "iban")

    def picked(key: str, value: str) -> None:
        page.keyboard.press(key)
        page.wait_for_function("value => document.querySelector('.correct input').value === value", arg=value)

    picked("ArrowDown", "A-2024-17")  # of a value that was not found, from the first line of the page in view
    picked("PageDown", "117.81 EUR")  # the last line of the last page
    page.keyboard.press("ArrowDown")  # after the last line there is none
    picked("ArrowUp", "A-2024-17")
    mark = page.locator(".mark.picked rect").bounding_box()
    line = page.locator(".page svg text", has_text="Invoice number").bounding_box()
    assert mark and line and abs(mark["x"] - line["x"]) < 3 and abs(mark["y"] - line["y"]) < 9
    page.get_by_text("The marked place is its evidence.").wait_for()
    picked("Shift+ArrowDown", "A-2024-17 Total: 117.81 EUR")
    assert page.locator(".mark.picked rect").count() == 2
    assert violations(page) == []
    page.keyboard.press("Enter")
    page.locator('.value[data-id="iban"]:focus', has_text="corrected").wait_for()
    with server.client() as client:
        said = client.get(f"/tasks/{task}/result").json()["corrections"]["iban"]
    assert said["value"] == "A-2024-17 Total: 117.81 EUR" and "Invoice number" in said["evidence"]["snippet"]


def test_a_place_in_a_text_is_picked_by_keys_alone(page: "Page", server: HttpServer) -> None:
    items = b"Order \xf0\x9d\x94\x98 9\n\nItem,Amount\nScrew,1.50\nNut,2.50\n"
    task = task_of(server, items, "keys.csv", {"lines": [{"item": "string", "amount": "number"}]})
    correct_by_key(page, f"{server.url}/ui/#task={task}", "lines[0].amount")
    page.keyboard.press("ArrowDown")
    page.locator("mark.picked", has_text="Nut").wait_for()
    page.keyboard.press("ArrowDown")
    page.locator("mark.picked", has_text="2.50").wait_for()
    page.wait_for_function("() => document.querySelector('.correct input').value === '2.50'")
    assert violations(page) == []
    page.keyboard.press("Enter")
    page.locator('.value.verified[data-id="lines[0].amount"]', has_text="2.5").wait_for()


def test_values_are_reviewed_by_keys_alone(page: "Page", server: HttpServer) -> None:
    task = task_of(server, invoice())
    page.goto(f"{server.url}/ui/#task={task}")
    page.locator(".value").first.focus()
    page.keyboard.press("Enter")
    page.locator(".review").wait_for()
    page.keyboard.press("a")
    page.get_by_role("group", name="total").wait_for()
    page.keyboard.press("x")
    page.get_by_role("group", name="iban").wait_for()
    page.locator('.value[data-id="total"]').click()
    page.get_by_role("group", name="total").get_by_role("button", name="Undo").click()
    page.locator('.value[data-id="iban"]').click()
    page.keyboard.press("a")
    page.locator('.value.none[data-id="iban"]', has_text="none, accepted").wait_for()
    assert re.findall(r"\w+ \d", page.locator(".legend").inner_text()) == ["All 3", "verified 2", "accepted 1"]
    page.locator('.value[data-id="iban"]').click()
    page.keyboard.press("x")
    page.get_by_role("group", name="total").wait_for()  # the next one that nothing is said of
    page.keyboard.press("x")
    page.locator('.value[data-id="iban"]', has_text="rejected").wait_for()
    page.locator('.value[data-id="total"]', has_text="rejected").wait_for()
    with server.client() as client:
        said = client.get(f"/tasks/{task}/result").json()["corrections"]
        assert {name: one["verdict"] for name, one in said.items()} == {
            "invoice_number": "accepted",
            "total": "rejected",
            "iban": "rejected",
        }
        body = {"task": task, "path": ["total"], "verdict": "accepted"}
        assert client.post("/ui/api/review", json=body).status_code == 403, "a page of this server alone may"
        here = {"origin": server.url}
        wrong: list[dict[str, object]] = [{"path": ["nothing"]}, {"verdict": "verified"}, {"path": []}]
        for one in wrong:
            assert client.post("/ui/api/review", json={**body, **one}, headers=here).status_code == 422
    assert violations(page) == []


def test_items_of_a_list_are_the_rows_of_a_table(page: "Page", server: HttpServer, tmp_path: Path) -> None:
    items = b"Order 7\n\nItem,Amount\n" + b"".join(b"Screw %d,%d.50\n" % (number, number) for number in range(1, 6))
    schema = {"lines": [{"item": "string", "amount": "number"}]}
    task = task_of(server, items, "order.csv", schema)
    page.goto(f"{server.url}/ui/#task={task}")
    page.locator(".record").nth(5).wait_for()
    assert page.locator(".record.columns").inner_text().split("\n") == ["#", "item", "amount"]
    second = page.locator(".record", has_text="Screw 2")
    assert second.locator(".value-text").all_inner_texts() == ["Screw 2", "2.5"]
    page.get_by_role("button", name="verified 10").click()
    assert page.locator(".value-name").all_inner_texts()[1:3] == ["lines[0].amount", "lines[1].item"]
    page.locator('.value.selected[data-id="lines[0].item"]').wait_for()
    page.get_by_role("button", name="All 10").click()
    second.locator(".value").nth(1).click()
    page.locator(".review").wait_for()
    page.keyboard.press("a")
    page.locator('.value.selected[data-id="lines[2].item"]').wait_for()
    downloaded(page, "CSV", tmp_path / "order.csv")
    assert (tmp_path / "order.csv").read_text("utf-8-sig").splitlines()[:3] == [
        "file,lines.item,lines.amount",
        "order.csv,Screw 1,1.5",
        "order.csv,Screw 2,2.5",
    ]
    assert violations(page) == []
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")  # as the button, the menu and Ctrl+P of the browser do
    page.locator(".printed-values tbody tr").nth(9).wait_for()
    assert page.locator(".pages, .bar, .menu").locator("visible=true").count() == 0
    assert b"/Type /Page" in page.pdf()
    page.set_viewport_size({"width": 735, "height": 1040})  # as wide as A4
    assert page.evaluate(BROKEN) == []
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.locator(".printed-values").wait_for(state="detached")


def test_rows_of_a_list_are_added_and_removed_and_kept_with_the_task(
    page: "Page", server: HttpServer, tmp_path: Path
) -> None:
    items = b"Order 8\n\nItem,Amount\nScrew,1.50\nPage,1.00\nNut,2.50\n"
    task = task_of(server, items, "added.csv", {"lines": [{"item": "string", "amount": "number"}], "notes": ["string"]})
    page.goto(f"{server.url}/ui/#task={task}")
    page.get_by_role("button", name="Row 2 of lines").press("Enter")
    page.get_by_role("button", name="Remove this row").wait_for()
    page.keyboard.press("x")
    page.get_by_role("button", name="Row 2 of lines, removed").wait_for()
    page.get_by_role("button", name="Add a row to lines").click()
    page.get_by_role("group", name="lines[3].item").wait_for()
    page.keyboard.press("e")
    page.get_by_label("The right value").fill("Nut")
    page.keyboard.press("Enter")
    page.locator('.value.verified[data-id="lines[3].item"]', has_text="Nut").wait_for()
    page.locator('.value[data-id="notes"]').click()
    page.get_by_role("group", name="notes").wait_for()
    page.keyboard.press("e")
    page.get_by_label("The right values").fill("Screw; Bolt")
    page.keyboard.press("Enter")
    page.locator('.value.corrected[data-id="notes"]', has_text="Screw, Bolt").wait_for()
    assert violations(page) == []
    screenshot(page, "rows")
    page.reload()
    page.get_by_role("button", name="Row 2 of lines, removed").wait_for()
    downloaded(page, "expected.json", tmp_path / "added.json")
    lines: list[dict[str, object]] = [{"item": "Screw", "amount": 1.5}, {"item": "Nut", "amount": 2.5}, {"item": "Nut"}]
    assert json.loads((tmp_path / "added.json").read_text()) == {"lines": lines, "notes": ["Screw", "Bolt"]}
    downloaded(page, "Corrected values", tmp_path / "values.json")
    lines[-1]["amount"] = None
    assert json.loads((tmp_path / "values.json").read_text()) == {"lines": lines, "notes": ["Screw", "Bolt"]}
    with server.client() as client:
        result = client.get(f"/tasks/{task}/result").json()
        assert len(result["data"]["lines"]) == 3, "what the engine said stays"
        assert {name: one["verdict"] for name, one in result["corrections"].items()} == {
            "lines[1]": "removed", "lines[3]": "added", "lines[3].item": "corrected", "notes": "corrected",
        }  # fmt: skip
    page.get_by_role("button", name="Row 4 of lines, added").click()
    page.get_by_role("button", name="Remove this row").click()
    page.get_by_role("button", name="Row 4 of lines, added").wait_for(state="detached")
    page.get_by_role("button", name="Row 2 of lines, removed").click()
    page.get_by_role("button", name="Undo").click()
    page.locator('.value[data-id="lines[1].item"]').wait_for()


def test_several_files_have_one_table_of_results(page: "Page", server: HttpServer, tmp_path: Path) -> None:
    schema = {"number": "string: order number", "lines": [{"item": "string", "amount": "number"}]}
    for number in (1, 2, 3):
        items = f"| Item | Amount |\n| --- | --- |\n| Screw | {number}.50 |\n| Nut | 1 |\n"
        text = f"Order number: PURCHASE-2026-11-00{number}\n\n{items}"
        (tmp_path / f"order-{number}.md").write_text(text)
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 damaged")
    page.goto(f"{server.url}/ui/#tasks=all")
    page.get_by_label("Fields").fill(json.dumps(schema))
    page.get_by_label("Choose documents").set_input_files(sorted(tmp_path.iterdir()))
    page.get_by_text("4 documents").wait_for()
    page.get_by_role("button", name="Extract").click()
    page.get_by_role("link", name="Table of all like order-3.md").click()
    page.locator(".record", has_text="order-3.md").locator("a", has_text="PURCHASE-2026-11-003").wait_for()
    page.locator(".record", has_text="broken.pdf").get_by_text("failed").wait_for()
    assert page.locator(".record.columns").inner_text().split("\n") == ["Document", "number", "lines"]
    assert page.locator(".record", has_text="order-2.md").inner_text().split("\n")[-2:] == ["2 rows", "✓"]
    cut = "[...document.querySelectorAll('.value-text')].filter((one) => one.scrollWidth > one.clientWidth).length"
    page.set_viewport_size({"width": 640, "height": 800})
    assert page.evaluate(cut) == 0
    assert violations(page) == []
    screenshot(page, "table")
    downloaded(page, "XLSX", tmp_path / "results.xlsx")
    sheet = list(openpyxl.load_workbook(tmp_path / "results.xlsx").active.values)  # type: ignore[union-attr]
    assert sheet[0] == ("file", "number", "lines.item", "lines.amount")
    assert (
        sheet[1:3]
        == [("order-1.md", "PURCHASE-2026-11-001", "Screw", 1.5), ("order-1.md", "PURCHASE-2026-11-001", "Nut", 1)]
        and len(sheet) == 7
    )
    page.locator(".record", has_text="order-2.md").locator("a", has_text="PURCHASE-2026-11-002").click()
    page.locator('.value.selected[data-id="number"]').wait_for()


def test_a_task_is_run_again_with_another_schema_or_engine(page: "Page", server: HttpServer) -> None:
    task = task_of(server, invoice(), "again.pdf")
    page.goto(f"{server.url}/ui/#task={task}")
    page.get_by_role("link", name="Run again.pdf again").click()
    page.get_by_text(re.compile("again.pdf, [0-9]+ kB")).wait_for()
    assert page.get_by_label("Fields").input_value() == json.dumps(SCHEMA, indent=2)
    page.get_by_label("Fields").fill('{"invoice": "string: invoice number"}')
    page.get_by_label("Engine").select_option("rules")
    page.get_by_role("button", name="Extract").click()
    page.locator('.value.verified[data-id="invoice"]', has_text="A-2024-17").wait_for()
    with server.client() as client:
        assert client.get(f"/tasks/{task}/result").json()["data"]["total"] == 117.81, "the task before stays"


def test_a_task_is_sent_followed_opened_and_deleted(page: "Page", server: HttpServer, tmp_path: Path) -> None:
    (tmp_path / "sent.pdf").write_bytes(invoice())
    page.goto(f"{server.url}/ui/#tasks=all")
    page.get_by_label("Fields").fill('{"total": ')
    page.get_by_text("This is not JSON yet").wait_for()
    page.get_by_label("Fields").fill("invoice number, total: number")
    page.get_by_text("2 fields: invoice number (string), total (number)").wait_for()
    page.get_by_label("Fields").fill('{"total": "nunber"}')
    page.get_by_text('Did you mean "number"?').wait_for()
    page.get_by_label("Fields").fill('{"$schema": "x", "type": "array"}')
    page.get_by_text("The root of the schema must be an object").wait_for()
    assert page.get_by_role("button", name="Extract").is_disabled()
    page.get_by_label("Fields").fill(json.dumps(SCHEMA))
    page.get_by_text("3 fields: invoice_number (string), total (number), iban (string)").wait_for()
    page.get_by_label("Choose documents").set_input_files(tmp_path / "sent.pdf")
    assert violations(page) == []
    page.set_viewport_size({"width": 1280, "height": 500})
    page.get_by_role("button", name="Extract").click()
    page.locator(".value", has_text="117.81").wait_for()  # the only one opens as soon as it is done
    page.go_back()
    page.locator("textarea").wait_for()
    assert json.loads(page.get_by_label("Fields").input_value()) == SCHEMA
    page.reload()
    page.get_by_text("3 fields: invoice_number").wait_for()
    assert json.loads(page.get_by_label("Fields").input_value()) == SCHEMA, "what was written stays"
    (tmp_path / "unreadable.pdf").write_bytes(b"%PDF-1.4 damaged")
    page.get_by_label("Choose documents").set_input_files([tmp_path / "sent.pdf", tmp_path / "unreadable.pdf"])
    page.get_by_role("button", name="Extract").click()
    row = page.locator("li:focus", has_text="unreadable.pdf")
    row.wait_for()
    box = row.bounding_box()
    assert box and 0 <= box["y"] < 500, "the new task is in view"
    assert page.locator(".added li").count() == 0, "that it was sent is no longer said"
    row.locator("[role=alert]").wait_for()
    page.get_by_role("button", name="Delete sent.pdf").first.click()
    page.get_by_role("button", name="Delete it for good").click()
    page.get_by_role("link", name="sent.pdf", exact=True).nth(1).wait_for(state="detached")


def test_served_documents_are_chosen_for_a_task_by_name(page: "Page", server: HttpServer) -> None:
    page.goto(f"{server.url}/ui/#tasks=all")
    name = page.get_by_label("or a document that is served here")
    name.fill("voic")
    page.locator("#served option[value='invoice.pdf']:only-child").wait_for(state="attached")
    name.fill("invoice.pdf")  # as choosing it in the list does
    page.get_by_text(re.compile(r"invoice.pdf, \d+ kB")).wait_for()
    assert name.input_value() == ""
    page.get_by_label("Choose documents").focus()
    name.fill("guide.md")
    page.get_by_text(re.compile(r"invoice.pdf, \d+ kB · guide.md")).wait_for()
    assert violations(page) == []
    page.get_by_role("button", name="Clear").click()
    page.get_by_text("or drop them here.").wait_for()
    for typed, answer in {"nowhere": "No document here has “nowhere” in its name.", "i": "Which one? "}.items():
        name.fill(typed)
        name.press("Enter")
        page.get_by_text(answer).wait_for()
    name.fill("invoice")
    name.press("Enter")  # adds it, and sends nothing
    page.get_by_text(re.compile(r"invoice.pdf, \d+ kB")).wait_for()
    page.get_by_label("Fields").fill(json.dumps(SCHEMA))
    page.get_by_role("button", name="Extract").click()
    page.locator('.value.verified[data-id="total"]', has_text="117.81").wait_for()


def test_values_are_taken_from_a_served_document_that_is_open(page: "Page", server: HttpServer) -> None:
    page.goto(f"{server.url}/ui/#collection=docs&document=invoice.pdf")
    page.get_by_role("link", name="Get values from it").click()
    page.get_by_text(re.compile(r"invoice.pdf, \d+ kB")).wait_for()
    page.get_by_label("Fields").fill(json.dumps(SCHEMA))
    page.get_by_role("button", name="Extract").click()
    page.locator('.value.verified[data-id="total"]', has_text="117.81").wait_for()
    page.go_back()
    page.locator(".task", has_text="invoice.pdf").first.get_by_text("2 of 3 values found").wait_for()
    assert page.get_by_role("button", name="Extract").is_disabled(), "the document is not chosen again"
    with server.client() as client:
        address = "/ui/api/file?collection=docs&name="
        assert client.get(f"{address}invoice.pdf").content == invoice()
        assert client.get(f"{address}invoice.pdf").headers["content-type"] == "application/octet-stream"
        assert client.get(f"{address}../data/tasks.db").status_code == 404
        assert client.get(f"{address}invoice.pdf", headers={"origin": "https://example.org"}).status_code == 403


def test_a_failed_task_says_why(page: "Page", server: HttpServer) -> None:
    task_of(server, b"%PDF-1.4 damaged", "damaged.pdf")
    page.goto(f"{server.url}/ui/#tasks=all")
    page.locator(".task", has_text="damaged.pdf").locator("[role=alert]").wait_for()
    assert "damaged" in page.locator(".task", has_text="damaged.pdf").locator("[role=alert]").inner_text()
    assert violations(page) == []


def test_markup_in_a_document_is_text(page: "Page", server: HttpServer) -> None:
    page.goto(f"{server.url}/ui/#ref={quote(ref_of(server, 'attacker passage'))}")
    page.locator("mark.selected:visible").first.wait_for()
    assert "<script>window.attacked = 1</script>" in page.locator(".sheet").inner_text()
    assert page.locator("#content img, #content script").count() == 0
    page.goto(f"{server.url}/ui/#q=zxqvbn")
    page.get_by_text("No passage has “zxqvbn”").wait_for()
    page.goto(f"{server.url}/ui/#q=attacker")
    page.locator("a.result").first.wait_for()


def test_no_script_of_a_document_runs_as_rendered_or_as_read(page: "Page", server: HttpServer) -> None:
    page.goto(f"{server.url}/ui/#collection=docs&document=payloads.md")
    page.get_by_text("Payload 99").wait_for()
    for _ in range(2):
        assert (
            page.locator(
                "#content :is(script, iframe, object, embed, a[href^='javascript'], [onerror], [onload])"
            ).count()
            == 0
        )
        assert page.locator(".sheet img, .sheet svg, .sheet style, .sheet form, .sheet a").count() == 0
        page.get_by_role("button", name="As read").click()
    page.goto(f"{server.url}/ui/#q=payload")
    page.locator("a.result").first.wait_for()
    assert page.locator(".results :is(script, img, iframe, svg)").count() == 0


def test_the_page_survives_that_the_server_goes_away(page: "Page", server: HttpServer) -> None:
    page.goto(f"{server.url}/ui/")
    page.get_by_role("link", name="long.pdf").wait_for()
    page.context.set_offline(True)
    page.get_by_role("searchbox", name="Search the documents").fill("invoice")
    page.get_by_text("The server does not answer.").first.wait_for()
    page.context.set_offline(False)
    page.locator(".group", has_text="invoice.pdf").locator("a.result").first.wait_for()
    assert page.get_by_text("The server does not answer.").count() == 0


@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_readable_in_both_themes_on_a_phone_and_a_desk(
    chromium: "Browser", server: HttpServer, scheme: Literal["light", "dark"], width: int
) -> None:
    task, ref = task_of(server, invoice()), ref_of(server, "invoice number")
    context = chromium.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    for name, address in {
        "list": "",
        "result": "#q=invoice",
        "ref": f"#ref={quote(ref)}",
        "task": f"#task={task}",
        "tasks": "#tasks=all",
    }.items():
        page.goto("about:blank")
        page.goto(f"{server.url}/ui/{address}")
        page.locator(
            {"list": "a.row", "result": "a.result", "ref": ".page svg text", "task": ".value", "tasks": "textarea"}[
                name
            ]
        ).first.wait_for()
        if name == "task":
            page.locator(".menu summary").click()
            page.get_by_role("button", name="expected.json").wait_for()
        assert page.evaluate(BESIDE) == []
        if name == "task":
            assert uncovered(page) == []
            page.keyboard.press("Escape")
        assert violations(page) == [], name
        screenshot(page, f"{width}-{scheme}-{name}")
    context.close()


def test_every_endpoint_of_the_api_can_be_tried_on_its_page(page: "Page", server: HttpServer) -> None:
    page.goto(f"{server.url}/docs")
    operation = page.locator("details", has=page.get_by_text("POST /api/tools/search_docs", exact=True))
    operation.locator("summary").click()
    operation.get_by_label("Arguments, as JSON").fill('{"query": "renewed each year"}')
    operation.get_by_role("button", name="Send").click()
    operation.get_by_text("200 OK").wait_for()
    assert "guide.md" in operation.locator(".answer").inner_text()
    page.get_by_text("GET /api/citations", exact=True).click()
    assert not violations(page)


def test_the_page_of_the_api_asks_for_the_key(chromium: "Browser", tmp_path: Path) -> None:
    env = {**os.environ, "PINCITE_CACHE": str(tmp_path), "MCP_API_KEY": "a-key", "EMBEDDING_PROVIDER": "hash"}
    (tmp_path / "docs").mkdir()
    with HttpServer(serving(tmp_path / "docs"), env) as keyed:
        page = chromium.new_page()
        page.goto(f"{keyed.url}/docs")
        page.get_by_label("Key").fill("a-key")
        page.get_by_role("button", name="Open").click()
        page.get_by_text("POST /api/tools/get_status", exact=True).click()
        page.locator("details[open]").get_by_role("button", name="Send").click()
        page.get_by_text("200 OK").wait_for()
        page.close()
