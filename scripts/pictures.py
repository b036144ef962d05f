"""`make pictures`: every view of the web page in both themes, at 400 and 1280 pixels, over real documents.

The documents are those of the shared data (`PINCITE_DATA`). With `--readme` the two pictures of the README are made
instead, from OWASP ASVS 4.0.3 and an invoice of the ZUGFeRD corpus: NOTICE names their licences.
"""

import argparse
import contextlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.browser import browser  # noqa: E402 - found by the line above
from support.http_wire import HttpServer, serving  # noqa: E402
from support.waiting import wait_for  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

DATA = Path(os.environ.get("PINCITE_DATA", ROOT.parent / "shared" / "data"))
FILES = (
    "asvs-4.0.3/asvs-4.0.3-en.pdf",
    "docs-prometheus",
    "html/pg-datetime.html",
    "nist-800-63-3",
)
STANDARD = "standards/csaf-cvrf-1.2/csaf-cvrf-v1.2.html"
ASVS = "asvs-4.0.3-en.pdf"
QUERY = "passwords at least 12 characters"
INVOICE = "invoices/facturx/fx-EN16931_Elektron.pdf"
SCHEMA = {
    "invoice_number": "string: Rechnungsnummer",
    "invoice_date": "date: Rechnungsdatum",
    "seller": {"name": "string", "vat_id": "string: USt-IdNr."},
    "total": "number: Bruttosumme",
    "currency": "string: Währung",
    "lines": [{"description": "string", "quantity": "number", "amount": "number"}],
}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
WIDTHS = {1280: 800, 400: 800}
SETTLED_MS = 600
DECODED = "Promise.all([...document.images].map((one) => one.decode().catch(() => null)))"
README = {"citation": "citation.jpg", "evidence": "evidence.jpg"}
README_SIZE: "ViewportSize" = {"width": 1120, "height": 660}
README_QUALITY = 80  # keeps each below 150 kB


class View(NamedTuple):
    """A view of the page: its name, its address, what shows that it is there, what is chosen then, screen or paper."""

    name: str
    address: str
    shown: str
    chosen: str = ""
    media: Literal["screen", "print"] = "screen"


def main() -> int:
    """Make the pictures.

    Returns:
        The exit code.
    """
    parser = argparse.ArgumentParser(description="Make pictures of every view of the web page.")
    parser.add_argument("out", type=Path, help="folder for the pictures")
    parser.add_argument("--only", default="", help="views whose name has these letters")
    parser.add_argument("--readme", action="store_true", help="only the README's pictures")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    with browser() as started, tempfile.TemporaryDirectory() as work:
        for server, views in _served(Path(work)):
            for view in views:
                if given.readme:
                    _readme_picture(started, server, view, given.out)
                elif given.only in view.name:
                    _pictures(started, server, view, given.out)
    return 0


def _served(work: Path) -> Iterator[tuple[HttpServer, list[View]]]:
    docs = work / "docs"
    docs.mkdir()
    for name in FILES:
        source = DATA / name
        if source.is_dir():
            shutil.copytree(source, docs / source.name)
        elif source.is_file():
            shutil.copy(source, docs)
    env = {**os.environ, "DATA_DIR": str(work / "data"), "MCP_RATE_LIMIT_RPM": "0"}
    for name, toolsets, more in (
        ("nothing", "documents", {}),
        ("extraction", "extraction", {}),
        ("empty", "knowledge", {"PINCITE_UPLOADS": "true"}),
        ("key", "extraction", {"MCP_API_KEY": "a-key"}),
    ):
        with HttpServer(serving(None, "--toolsets", toolsets), {**env, **more}) as server:
            yield server, [View(f"first-{name}", "", "main")]
    index = ("--db", str(work / "index.db"))
    toolsets, uploads = "docs,citations,extraction,knowledge", {"PINCITE_UPLOADS": "true"}
    with HttpServer(serving(docs, "--toolsets", toolsets, *index), {**env, **uploads}) as server:
        yield server, [View("first-indexing", "", "progress")]
        with server.client() as client:
            search = {"q": QUERY, "collection": "docs", "document": ASVS}

            def found() -> Any:
                return client.get("/ui/api/search", params=search).json()

            wait_for(lambda: not any(one["stale"] for one in found()["freshness"]), 900, every=1)
            added = {"file": (Path(STANDARD).name, (DATA / STANDARD).read_bytes())}
            client.post("/ui/api/library", files=added, headers={"origin": server.url}, timeout=300).raise_for_status()
            ref = found()["passages"][0]["ref"]
            files = {"file": (Path(INVOICE).name, (DATA / INVOICE).read_bytes())}
            task = client.post("/tasks", files=files, data={"schema": json.dumps(SCHEMA)}).json()["task_id"]
            wait_for(lambda: client.get(f"/tasks/{task}").json()["status"] not in {"queued", "running"}, 200)
        yield (
            server,
            [
                View("library", "", "a.row"),
                View("collection", "#collection=library", "a.row"),
                View("filters", "#q=vulnerability+status&collection=library&kind=requirement", "a.result"),
                View("search", f"#q={quote(QUERY)}", ".crop image"),
                View("citation", f"#ref={quote(ref)}&q={quote(QUERY)}", ".page img"),
                View("outline", f"#document={ASVS}", ".page img", "button:text('Outline')"),
                View("reader", "#document=docs-prometheus/docs/concepts/data_model.md", ".line"),
                View("evidence", f"#task={task}", ".page img", ".value.verified"),
                View("items", f"#task={task}", ".record .value", ".record .value"),
                View("correcting", f"#task={task}&value=total", ".review", "button:text('Correct')"),
                View("download", f"#task={task}", ".page img", ".menu summary"),
                View("print", f"#task={task}", ".page img", media="print"),
                View("tasks", "#tasks=all", "textarea"),
                View("again", f"#tasks=all&again={task}", "textarea"),
                View("table", f"#table={task}", ".record a"),
            ],
        )


def _pictures(started: "Browser", server: HttpServer, view: View, out: Path) -> None:
    for theme in THEMES:
        for width, height in WIDTHS.items():
            with _shown(started, server, view, {"width": width, "height": height}, theme) as page:
                page.screenshot(path=out / f"{view.name}-{theme}-{width}.png")
    print(view.name, flush=True)


def _readme_picture(started: "Browser", server: HttpServer, view: View, out: Path) -> None:
    if view.name in README:
        with _shown(started, server, view, README_SIZE, "light") as page:
            page.screenshot(path=out / README[view.name], type="jpeg", quality=README_QUALITY)
        print(README[view.name], flush=True)


@contextlib.contextmanager
def _shown(
    started: "Browser", server: HttpServer, view: View, size: "ViewportSize", theme: Literal["light", "dark"]
) -> Generator["Page"]:
    with started.new_context(viewport=size, color_scheme=theme) as context:
        page = context.new_page()
        page.goto(f"{server.url}/ui/{view.address}")
        # A view that does not come is a picture of what is there instead.
        with contextlib.suppress(Exception):
            page.locator(view.shown).first.wait_for(timeout=20_000)
            if view.chosen:
                page.locator(view.chosen).first.click()
            page.wait_for_load_state("networkidle", timeout=10_000)
        page.emulate_media(media=view.media)
        if view.media == "print":
            page.evaluate("dispatchEvent(new Event('beforeprint'))")
        page.evaluate(DECODED)
        page.wait_for_timeout(SETTLED_MS)
        yield page


if __name__ == "__main__":
    sys.exit(main())
