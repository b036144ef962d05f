"""The evidence of one document as one HTML file that loads nothing."""

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from importlib import resources
from typing import Any, cast

from pincite.model.call import Call
from pincite.services.viewer.address import ShownDocument
from pincite.services.viewer.pages import Pages
from pincite.services.viewer.texts import part

MAX_PICTURES = 60
"""Pages with values whose pictures are in the file: some 30 MB; further pages have their text and marks alone."""

_MODULES = (
    "vendor/preact-htm.js",
    "api.js",
    "parts.js",
    "pages.js",
    "text.js",
    "tree.js",
    "review.js",
    "evidence.js",
    "standalone.js",
)
"""The scripts of the file, each after those that it imports."""

_IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./([^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:const|function|class) (\w+))", re.MULTILINE)
_EXPORT_LIST = re.compile(r"export\{([^}]*)\};?\s*$")


def standalone(title: str, payload: Mapping[str, Any]) -> str:
    """Return the page.

    Args:
        title: Shown as its heading.
        payload: See `evidence_payload`.
    """
    script, style = bundle(), _static("style.css")
    policy = (
        f"default-src 'none'; script-src '{_source_hash(script)}'; style-src '{_source_hash(style)}'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    # No text of a document can end the block: `<` is written as an escape, which JSON reads as the same letter.
    data = json.dumps({"title": title, **payload}, ensure_ascii=False).replace("<", "\\u003c")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{html.escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f'<div id="app"></div>\n<script type="application/json" id="data">{data}</script>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def evidence_payload(
    result: Mapping[str, Any], document: ShownDocument, locators: Mapping[str, int], pages: Pages, call: Call
) -> dict[str, Any]:
    """Return what the page shows: the result, and the pages that have a value, or the text of a document without pages.

    Args:
        result: The result of an extraction, as JSON.
        document: Its document.
        locators: Where the text of each locator begins.
        pages: Renders its pages.
        call: Checked for cancellation.

    Raises:
        PinciteError: A page cannot be rendered.
    """
    sizes = pages.sizes(document, call)
    shown = sorted(set(_pages_of(result.get("evidence"))))[:MAX_PICTURES] if sizes else []
    text = document.text()
    return {
        "result": result,
        "sizes": list(sizes),
        "pictures": {page: _data_url(pages.picture(document, page, call)) for page in shown},
        "lines": {page: [asdict(line) for line in pages.lines(document, page)] for page in shown},
        "parts": [] if sizes else _parts(text),
        "locators": {} if sizes else dict(locators),
    }


def bundle() -> str:
    """Return the scripts as one: each module is a function that returns what it exports."""
    return "\n".join(_wrapped(name) for name in _MODULES)


def _wrapped(name: str) -> str:
    source = _static(name)
    exported = _EXPORT.findall(source)
    pairs = [f"{name}" for name in exported]
    if listed := _EXPORT_LIST.search(source):
        pairs += [f"{inner}: {outer}" for outer, inner in (pair.split(" as ") for pair in listed[1].split(","))]
        source = source[: listed.start()]
    source = _EXPORT.sub("", source)
    source = _IMPORT.sub(lambda match: f"const {match[1]} = {_variable(match[2])};", source)
    return f"const {_variable(name)} = (() => {{\n{source}\nreturn {{ {', '.join(pairs)} }};\n}})();"


def _variable(name: str) -> str:
    return "module_" + re.sub(r"\W", "_", name)


def _static(name: str) -> str:
    return resources.files("pincite.transports.http.viewer").joinpath("static", *name.split("/")).read_text("utf-8")


def _source_hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _data_url(png: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(png).decode()


def _parts(text: str) -> list[dict[str, Any]]:
    return [asdict(part(text, number)) for number in range(part(text, 0).count)]


def _pages_of(node: object) -> Iterator[int]:
    """Yield the pages of all boxes in a tree of evidence."""
    if isinstance(node, list):
        for branch in cast("list[object]", node):
            yield from _pages_of(branch)
    elif isinstance(node, Mapping):
        tree = cast("Mapping[str, object]", node)
        if {"x0", "page"} <= tree.keys() and isinstance(page := tree["page"], int):
            yield page
        else:
            for branch in tree.values():
                yield from _pages_of(branch)
