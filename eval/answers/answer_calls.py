"""The calls that `eval/answers/answers.py` records: every tool, the resources, and what a server refuses.

Each function is a generator that yields requests and is sent the responses, since a call may depend on an answer (a
cursor, a reference). The same seed over the same documents and answers makes the same calls.
"""

import random
import re
from collections.abc import Sequence
from typing import Any, TypeVar

from recording import FOLDER, JSON, Calls

from pincite.services.evaluation.datasets import Question
from pincite.services.evaluation.misspelling import misspelt

T = TypeVar("T")

MAX_QUESTIONS = 40
MAX_MISSPELT = 10
MAX_PAGES = 200
"""Pages of a folder that are read whole."""
MAX_WHOLE_CHARS = 300_000
"""A longer page is read up to the greatest bound, to keep the recording small."""
MAX_PARTS = 4
"""Continuations of one answer by its cursor."""
TOP_K = (5, 1, 3, 10, 20)
PHRASE_WORDS = (4, 8, 15, 80)
PHRASE_PATTERNS = ("{}", '"{}"', "where does it say “{}” and why?")
MIN_QUOTE_WORDS = 12
"""Of a chunk from which quotes are taken."""

ODD_QUERIES = (
    "zxqvwk jjjqqx",
    "who wrote the works of Shakespeare",
    "how long do I boil an egg",
    "the of and to a",
    "?",
    "e",
    '"no page has these words side by side"',
    '""',
    '"unclosed phrase of words',
    "scrape_interval --web.config.file NIST-800 <br> `code`",
    "Wie lautet die Rechnungsnummer?",
    "フロー 数据 مرحبا",
    "🙂",
    "café naïve ﬁle",
    "word " * 2000,
)
"""Nothing known, foreign questions, function words alone, marks, identifiers, other scripts, more than is searched."""

METHODS = ("ping", "tools/list", "resources/templates/list", "prompts/list", "completion/complete", "no/such/method")


def all_calls(questions: Sequence[Question], chance: random.Random) -> Calls[None]:
    """Everything that is asked of one folder.

    Args:
        questions: Over its documents; where there are none its headings are asked for.
        chance: Makes the choices.
    """
    yield from surface()
    pages = yield from listing(chance)
    asked = list(questions) or headings_of(pages)
    hits = yield from searches(asked, pages, chance)
    chunks = yield from reading(pages, chance)
    yield from citing([hit["ref"] for hit in hits], chunks, chance)
    yield from resources(chance)
    yield from refused(pages[0]["file_path"])
    status = yield from call("get_status")
    for failure in status["index"].get("failures", []):
        yield from call("get_page", file_path=failure["file_path"])


def some_calls(questions: Sequence[Question], chance: random.Random) -> Calls[None]:
    """A few calls of every kind."""
    yield from surface()
    pages = (yield from call("list_pages")).get("pages", [])
    for question in sample(chance, list(questions) or headings_of(pages), MAX_MISSPELT):
        answer = yield from call("search_docs", query=question.text)
        for hit in answer.get("results", [])[:1]:
            yield from call("open_citation", ref=hit["ref"])
            yield from call("verify_quote", ref=hit["ref"], quote=hit["content"][:100])
    for page in sample(chance, pages, MAX_MISSPELT):
        yield from in_parts("get_page", file_path=page["file_path"], max_tokens=1000)
    yield from resources(chance)
    yield from refused(pages[0]["file_path"])
    yield from call("get_status")


def request(method: str, **params: Any) -> Calls[JSON]:
    """Send a request; its result, empty where it failed."""
    response = yield {"method": method, "params": params}
    return response.get("result", {})


def call(tool: str, **arguments: Any) -> Calls[JSON]:
    """Call a tool; its answer, empty where it failed."""
    result = yield from request("tools/call", name=tool, arguments=arguments)
    return result.get("structuredContent") or {}


def in_parts(tool: str, **arguments: Any) -> Calls[None]:
    """Call a tool and go on with its cursor."""
    answer = yield from call(tool, **arguments)
    for _ in range(MAX_PARTS):
        if cursor := answer.get("next_cursor"):
            answer = yield from call(tool, **arguments, cursor=cursor)


def surface() -> Calls[None]:
    """What the server offers."""
    for method in METHODS:
        yield from request(method)


def listing(chance: random.Random) -> Calls[list[JSON]]:
    """List the pages in every way; all of them."""
    pages: list[JSON] = (yield from call("list_pages")).get("pages", [])
    first = pages[0]["file_path"]
    folders = sorted({page["file_path"].rpartition("/")[0] for page in pages} - {""})
    within = [*sample(chance, folders, 6), first, f"./{first}", f"{FOLDER}/{first}", "nowhere", "/", "..", ""]
    for prefix in within:
        yield from call("list_pages", prefix=prefix)
    for bound in (1, 50, 300, 2000, 50_000):
        yield from in_parts("list_pages", max_tokens=bound)
    return pages


def searches(questions: Sequence[Question], pages: Sequence[JSON], chance: random.Random) -> Calls[list[JSON]]:
    """Search by questions, slips, phrases, filters, bounds and oddities; what was found."""
    hits: list[JSON] = []
    asked = sample(chance, questions, MAX_QUESTIONS)
    for number, question in enumerate(asked):
        top_k = TOP_K[number % len(TOP_K)]
        answer = yield from call("search_docs", query=question.text, top_k=top_k, explain=number % 3 == 0)
        hits += answer.get("results", [])
    for question in asked[:MAX_MISSPELT]:
        yield from call("search_docs", query=misspelt(question, words=2).text, explain=True)
    for heading in sample(chance, headings_of(pages), MAX_MISSPELT):
        yield from call("search_docs", query=heading.text)
    for hit in sample(chance, hits, MAX_MISSPELT):
        words = hit["content"].split()
        for length, pattern in zip(PHRASE_WORDS, chance.choices(PHRASE_PATTERNS, k=len(PHRASE_WORDS)), strict=True):
            if len(words) >= length:
                first = chance.randrange(len(words) - length + 1)
                yield from call("search_docs", query=pattern.format(" ".join(words[first : first + length])))
    yield from filtered(asked[0].text, pages, chance)
    for bound, question in zip((1, 60, 300, 1000, 4000, 50_000), asked, strict=False):
        yield from in_parts("search_docs", query=question.text, top_k=20, max_tokens=bound)
    for query in ODD_QUERIES:
        yield from call("search_docs", query=query)
    return hits


def filtered(query: str, pages: Sequence[JSON], chance: random.Random) -> Calls[None]:
    """One question with many filters."""
    names = [page["file_path"] for page in pages]
    folders = sorted({name.partition("/")[0] for name in names if "/" in name})
    endings = sorted({name.rpartition(".")[2] for name in names})
    chosen = [f"{folder}/**" for folder in sample(chance, folders, 4)] + [f"**/*.{ending}" for ending in endings]
    globs = ("*", "**", "**/*.{md,pdf}", "[a-m]*/**", f"{FOLDER}/**", "none/**")
    for pattern in (*chosen, *sample(chance, names, 2), *globs):
        yield from call("search_docs", query=query, file_filter=pattern)
    for pattern in ("[", "{a,", "..", "", "!*.md"):
        yield from call("search_docs", query=query, file_filter=pattern, top_k=2)


def reading(pages: Sequence[JSON], chance: random.Random) -> Calls[list[JSON]]:
    """Read pages and sections; the chunks of the pages, each with its `file_path`."""
    chunks: list[JSON] = []
    chosen = sample(chance, pages, MAX_PAGES)
    for page in chosen:
        bound = {"max_tokens": 20_000} if page["total_chars"] > MAX_WHOLE_CHARS else {}
        answer = yield from call("get_page", file_path=page["file_path"], **bound)
        chunks += [{**chunk, "file_path": page["file_path"]} for chunk in answer.get("chunks", [])]
    for page, bound in zip(chosen, (1, 30, 250, 1000, 5000), strict=False):
        yield from in_parts("get_page", file_path=page["file_path"], max_tokens=bound)
    name: str = chosen[0]["file_path"]
    for path in (f"./{name}", f"/{name}", f"{FOLDER}/{name}", name.upper(), name[:-1], name.replace("/", "\\")):
        yield from call("get_page", file_path=path, max_tokens=200)
    for chunk in sample(chance, [chunk for chunk in chunks if chunk["heading_path"]], 30):
        path, heading = chunk["file_path"], chunk["heading_path"]
        yield from call("get_section", file_path=path, heading_path=heading)
        yield from call("get_section", file_path=path, heading_path=heading.rpartition(" > ")[2], match="suffix")
    for chunk, bound in zip(sample(chance, chunks, 4), (1, 40, 200, 1000), strict=False):
        path, heading = chunk["file_path"], chunk["heading_path"]
        yield from in_parts("get_section", file_path=path, heading_path=heading, max_tokens=bound)
        yield from call("get_section", file_path=path, heading_path=heading[1:])
        yield from call("get_section", file_path=path, heading_path=heading.lower(), match="suffix")
    return chunks


def citing(found: Sequence[str], chunks: Sequence[JSON], chance: random.Random) -> Calls[None]:
    """Open references and check quotes."""
    refs = [*sample(chance, found, 15), *(chunk["ref"] for chunk in sample(chance, chunks, 15))]
    for number, ref in enumerate(refs):
        yield from call("open_citation", ref=ref, context=(0, 0, 1, 3, 99, -1)[number % 6])
    for ref, bound in zip(refs, (1, 40, 200, 1000), strict=False):
        yield from in_parts("open_citation", ref=ref, context=2, max_tokens=bound)
    for ref in sample(chance, refs, 3):
        document, _, rest = ref.partition("@")
        for other in (
            f"{ref}:0-40",
            f"{ref}:7-7",
            f"{ref}:3-99999999",
            f"{document}@00000000{rest[8:]}",
            f"{document}@{rest[:8]}#h9999",
            ref.partition("-c")[0],
            f"no/such.md@{rest}",
            document,
        ):
            yield from call("open_citation", ref=other)
    for chunk in sample(chance, [c for c in chunks if len(c["content"].split()) >= MIN_QUOTE_WORDS], 15):
        yield from quoting(chunk, chunks, chance)


def quoting(chunk: JSON, chunks: Sequence[JSON], chance: random.Random) -> Calls[None]:
    """Check quotes of every verdict against one chunk, and open where they stand."""
    words = chunk["content"].split()
    beside = [other["content"] for other in chunks if other["file_path"] == chunk["file_path"]]
    exact = some_words(chunk["content"], chance)
    quotes = [
        exact,
        " ".join(exact.split()).replace('"', "“").replace("'", "’"),
        exact[0].swapcase() + exact[1:],
        exact.upper(),
        exact[1:-1],
        some_words(chance.choice(beside), chance),
        f"{' '.join(words[:4])} … {' '.join(words[-4:])}",
        f"{' '.join(words[:3])} invented {' '.join(words[3:6])}",
        "".join(beside)[:2000],
    ]
    for quote in quotes:
        answer = yield from call("verify_quote", ref=chunk["ref"], quote=quote)
        if answer.get("at"):
            yield from call("open_citation", ref=answer["at"])


def some_words(text: str, chance: random.Random) -> str:
    """Words of a text with what is between them."""
    found = list(re.finditer(r"\S+", text))
    first = chance.randrange(max(1, len(found) - MIN_QUOTE_WORDS))
    last = min(first + MIN_QUOTE_WORDS, len(found)) - 1
    return text[found[first].start() : found[last].end()] if found else text


def resources(chance: random.Random) -> Calls[None]:
    """List and read resources."""
    listed = yield from request("resources/list")
    while cursor := listed.get("nextCursor"):
        listed = yield from request("resources/list", cursor=cursor)
    uris = [resource["uri"] for resource in listed.get("resources", [])]
    for uri in sample(chance, uris, 15):
        yield from request("resources/read", uri=uri)
    for uri in (uris[0] + "x", uris[0].upper(), "pincite://other/a.md", "file:///etc/passwd", "no uri", ""):
        yield from request("resources/read", uri=uri)
    yield from request("resources/list", cursor="no cursor")
    yield from request("resources/templates/list", cursor="no cursor")
    yield from request("resources/read")


def refused(page: str) -> Calls[None]:
    """Calls that the server answers with an error, or that it bends into a valid one."""
    mistakes: list[tuple[str, JSON]] = [
        ("serch_docs", {"query": "a"}),
        ("no_such_tool_at_all", {}),
        ("", {}),
        ("search_docs", {}),
        ("search_docs", {"query": ""}),
        ("search_docs", {"query": "   "}),
        ("search_docs", {"query": None}),
        ("search_docs", {"query": 7}),
        ("search_docs", {"query": ["a", "b"]}),
        ("search_docs", {"qery": "a"}),
        ("search_docs", {"query": "a", "top_k": "many"}),
        ("search_docs", {"query": "configuration", "top_k": "2"}),
        ("search_docs", {"query": "configuration", "top_k": 0}),
        ("search_docs", {"query": "configuration", "top_k": -3}),
        ("search_docs", {"query": "configuration", "top_k": 2.5}),
        ("search_docs", {"query": "configuration", "explain": "yes", "top_k": 1}),
        ("search_docs", {"query": "configuration", "explain": "perhaps"}),
        ("search_docs", {"query": "configuration", "max_tokens": 0}),
        ("search_docs", {"query": "configuration", "max_tokens": -1}),
        ("search_docs", {"query": "configuration", "cursor": "no cursor"}),
        ("search_docs", {"query": "configuration", "file_filter": None, "cursor": "", "top_k": 1}),
        ("search_docs", {"query": "x" * 100_001}),
        ("get_page", {}),
        ("get_page", {"file_path": ""}),
        ("get_page", {"file_path": "."}),
        ("get_page", {"file_path": "../outside.md"}),
        ("get_page", {"file_path": "/etc/passwd"}),
        ("get_page", {"file_path": "a\0b"}),
        ("get_page", {"file_path": "no/such/page.md"}),
        ("get_page", {"file_path": page, "cursor": "W10"}),
        ("get_page", {"file_path": page, "max_token": 10}),
        ("get_section", {"file_path": page}),
        ("get_section", {"file_path": page, "heading_path": "No Such Heading"}),
        ("get_section", {"file_path": page, "heading_path": ""}),
        ("get_section", {"file_path": page, "heading_path": "a", "match": "fuzzy"}),
        ("get_section", {"file_path": "no.md", "heading_path": "a"}),
        ("list_pages", {"prefix": 3}),
        ("list_pages", {"max_tokens": 0}),
        ("get_status", {"verbose": True}),
        ("open_citation", {}),
        ("open_citation", {"ref": "no reference"}),
        ("open_citation", {"ref": f"{page}@00000000#h0", "context": "x"}),
        ("verify_quote", {"ref": f"{page}@00000000#h0"}),
        ("verify_quote", {"ref": f"{page}@00000000#h0", "quote": "a" * 20_001}),
        ("verify_quote", {"ref": f"{page}@00000000#h0", "quote": ""}),
        ("verify_quote", {"ref": "no reference", "quote": "a"}),
    ]
    for tool, arguments in mistakes:
        yield from call(tool, **arguments)
    yield from request("tools/call")
    yield from request("tools/call", name="get_status")
    yield from request("tools/call", name="search_docs", arguments="query")
    yield from request("tools/call", name="search_docs", arguments=None)


def headings_of(pages: Sequence[JSON]) -> list[Question]:
    """The headings of pages, as questions."""
    return [Question(heading, ()) for page in pages for heading in page["headings"] if heading]


def sample(chance: random.Random, values: Sequence[T], most: int) -> list[T]:
    """Up to so many values."""
    return chance.sample(values, min(most, len(values)))
