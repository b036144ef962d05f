"""The pages that contract 1 is asserted on."""

from collections.abc import Mapping

WORDS = ("alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliett", "kilo", "lima")


def paragraph(number: int) -> str:
    """Some forty words that no other paragraph has in this order."""
    return " ".join(f"{WORDS[(number * 7 + i * (number % 5 + 1)) % len(WORDS)]}{number}x{i}" for i in range(20))


LONG = "\n".join(
    [
        "# Manual\n\nWhat comes before.\n",
        "## Long Section\n",
        *(f"{paragraph(n)}\n" for n in range(12)),
        "```python",
        *(f"value_{n} = compute({n})  # not a heading" for n in range(60)),
        "```\n",
        "| key | value |\n|---|---|",
        *(f"| key {n} | value {n} |" for n in range(60)),
        "\n## After\n\nWhat comes after.\n",
    ]
)

MANY = "# Many\n\nIntroduction.\n\n" + "\n".join(f"## Section {n}\n\nText of section number {n}.\n" for n in range(60))

LEVELS = "\n".join(f"{'#' * n} Level {n}\n\nText at depth {n}.\n" for n in range(1, 7))

ODD: Mapping[str, str | bytes] = {
    "odd/skipped.md": "# One\n\nfirst\n\n#### Four\n\nskipped\n\n## Two\n\nback\n",
    "odd/setext.md": "Title\n=====\n\nbody\n\nSub title\n---------\n\nmore\n",
    "odd/fence.md": (
        "# Real\n\n```sh\n# not a heading\n```\n\n~~~\n## nor this\n~~~\n\n    # nor code\n\n## Also Real\n\nend\n"
    ),
    "odd/open-fence.md": "# Open\n\n```\n# never closed\n## nor this\n",
    "odd/front.md": "---\ntitle: Front Title\ntags: [a, b]\n---\n\n# Front\n\nafter matter\n",
    "odd/html.md": "<h1>Html One</h1>\n\ntext\n\n<h2 id='x'>Html <em>Two</em></h2>\n\nmore\n",
    "odd/crlf.md": b"# Crlf\r\n\r\nline\r\n\r\n## Second\r\n\r\nline two\r\n",
    "odd/bom.md": b"\xef\xbb\xbf# Bom\n\ntext\n",
    "odd/latin.md": "# Größe\n\nStraße é\n".encode("latin-1"),
    "odd/binary.md": b"# Bytes\n\n\x81\x8d\xfe text\n",
    "odd/nothing.md": b"",
    "odd/blank.md": "\n\n   \n",
    "odd/no-heading.md": "Only a paragraph about wombats.\n",
    "odd/before.md": "Text before any heading.\n\n# Then\n\nafter\n",
    "odd/empty-heading.md": "# \n\ntext under nothing\n\n## Named\n\nx\n",
    "odd/atx-closed.md": "# Closed ##\n\n## With `code` and *stress* ##\n\nx\n",
    "odd/in-quote.md": "# Quote\n\n> ## Quoted Heading\n>\n> quoted\n\ntext\n",
    "odd/no-newline.md": "# Last\n\nno newline at the end",
}

PAGES: Mapping[str, str | bytes] = {
    "topics/caching.md": (
        "# Caching\n\nA cache keeps copies of responses, so that a second request is answered faster.\n\n"
        "## Cache Invalidation\n\nA cache entry is invalid when its page has changed; invalidation removes it.\n\n"
        "## Cache Headers\n\nThe header says how long a response may be kept in a cache.\n"
    ),
    "topics/proxies.md": (
        "# Proxies\n\nA proxy passes requests on to another server.\n\n"
        "## Reverse Proxy\n\nA reverse proxy stands before servers; it may keep a cache of responses.\n\n"
        "## Forward Proxy\n\nA forward proxy stands before clients.\n"
    ),
    "topics/balancing.md": (
        "# Load Balancing\n\nRequests are spread over several servers.\n\n"
        "## Health Checks\n\nA server that does not answer is left out until it is healthy.\n"
    ),
    "unique.md": "# Animals\n\nCommon text.\n\n## Rare\n\nThe quokka telemetry handshake happens only here.\n",
    "many.md": MANY,
    "levels.md": LEVELS,
    "long.md": LONG,
    "twice.md": "# Page\n\n## Notes\n\nfirst notes\n\n## Other\n\nother\n\n## Notes\n\nsecond notes\n",
    "suffix.md": "# A\n\n## B\n\n### Same\n\nx\n\n## C\n\n### Same\n\ny\n\n### Only\n\nz\n",
    "twins/b.md": "# Twin\n\nExactly the same marsupial text.\n",
    "twins/a.md": "# Twin\n\nExactly the same marsupial text.\n",
    "epics/one.md": "# One\n\nepic one\n",
    "epics/deep/two.md": "# Two\n\nepic two\n",
    "epics.md": "# Epics\n\nall of them\n",
    "epicsx/three.md": "# Three\n\nnot an epic\n",
    "sp ace/ü ñ#%.md": "# Names\n\nodd names\n",
    "notes.txt": "Plain text about platypus.\n",
    **ODD,
}

LEFT_OUT: Mapping[str, str | bytes] = {
    ".hidden.md": "# Hidden\n",
    "node_modules/x/readme.md": "# Module\n",
    "drafts/draft.md": "# Draft\n",
    ".pinciteignore": "drafts/\n",
    "movie.mp4": b"\0\0\0\x18ftypmp42",
}

UNREADABLE: Mapping[str, bytes] = {
    "binary.md": b"# Binary\n\n" + b"\x00\x01\x02" * 100 + b" text\n",
}
