"""Contract 1, the five tools: parameters, shapes, errors. One body, every face."""

import re
from pathlib import Path
from typing import Any

import pytest

from behaviour import corpus
from behaviour.faces import Face, Failed

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")

NO_PAGE = "No page found at path: {}. Use list_pages to discover available pages."
NO_SECTION = "No section found at heading: {} in {}. Use get_page to see available sections."

FAULTS: list[tuple[str, dict[str, Any], str]] = [
    ("search_docs", {}, "query parameter is required"),
    ("search_docs", {"query": None}, "query parameter is required"),
    ("search_docs", {"query": ""}, "query parameter is required"),
    ("search_docs", {"query": " \n\t"}, "query parameter is required"),
    ("search_docs", {"query": "x", "limit": 3}, "Unknown argument 'limit' for search_docs."),
    ("search_docs", {"query": "x", "topk": 3}, "Did you mean 'top_k'?"),
    ("search_docs", {"query": "x", "top_k": "many"}, "top_k should be a whole number, not 'many'"),
    ("search_docs", {"query": ["x"]}, "query should be text, not ['x']"),
    ("get_page", {}, "file_path parameter is required"),
    ("get_page", {"file_path": ""}, "file_path parameter is required"),
    ("get_page", {"file_path": "topics/cachin.md"}, f"{NO_PAGE.format('topics/cachin.md')} Nearest: topics/caching.md"),
    ("get_page", {"file_path": "binary.md"}, "binary.md could not be read: "),
    ("get_page", {"file_path": "zzz"}, NO_PAGE.format("zzz")),
    ("get_page", {"file_path": "topics"}, "No page found at path: topics. Use list_pages"),
    ("get_page", {"file_path": "../secret.md"}, "file_path leaves the folder."),
    ("get_page", {"file_path": "a/../../secret.md"}, "file_path leaves the folder."),
    ("get_page", {"file_path": "/etc/passwd"}, "No page found at path: etc/passwd."),
    ("get_page", {"file_path": "drafts/draft.md"}, "No page found at path: drafts/draft.md."),
    ("get_page", {"file_path": "a\0b"}, "file_path contains a NUL character."),
    ("get_section", {"file_path": "unique.md"}, "heading_path parameter is required"),
    ("get_section", {"heading_path": "x"}, "file_path parameter is required"),
    ("get_section", {"file_path": "nowhere.md", "heading_path": "x"}, "No page found at path: nowhere.md."),
    ("get_section", {"file_path": "../x.md", "heading_path": "x"}, "file_path leaves the folder."),
    (
        "get_section",
        {"file_path": "unique.md", "heading_path": "Rare"},
        f"{NO_SECTION.format('Rare', 'unique.md')} Nearest: Animals > Rare",
    ),
    ("get_section", {"file_path": "suffix.md", "heading_path": "Same"}, "Nearest: A > B > Same; A > C > Same"),
    (
        "get_section",
        {"file_path": "suffix.md", "heading_path": "Same", "match": "suffix"},
        "Nearest: A > B > Same; A > C > Same",
    ),
    (
        "get_section",
        {"file_path": "suffix.md", "heading_path": "ame", "match": "suffix"},
        "No section found at heading: ame in suffix.md.",
    ),
    (
        "get_section",
        {"file_path": "unique.md", "heading_path": "Animals", "match": "prefix"},
        "match should be 'exact' or 'suffix', not 'prefix'",
    ),
    ("list_pages", {"folder": "x"}, "Unknown argument 'folder' for list_pages."),
    ("get_status", {"verbose": True}, "Unknown argument 'verbose' for get_status."),
]


@pytest.mark.parametrize(("tool", "arguments", "message"), FAULTS)
def test_a_fault_names_the_next_action(docs: Face, tool: str, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(Failed) as caught:
        docs.call(tool, **arguments)
    assert message in str(caught.value)


@pytest.mark.parametrize(("tool", "arguments", "message"), FAULTS)
def test_no_fault_tells_where_the_folder_lies(
    docs: Face, corpus_folder: Path, tool: str, arguments: dict[str, Any], message: str
) -> None:
    del message
    with pytest.raises(Failed) as caught:
        docs.call(tool, **arguments)
    assert str(corpus_folder) not in str(caught.value)


def sections(page: dict[str, Any]) -> list[tuple[str, int]]:
    return [(chunk["heading_path"], chunk["heading_level"]) for chunk in page["chunks"]]


def text_of(page: dict[str, Any]) -> str:
    return "".join(chunk["content"] for chunk in page["chunks"])


class TestSearch:
    def test_a_result_holds_what_is_needed_to_cite_it(self, docs: Face) -> None:
        answer = docs.call("search_docs", query="quokka telemetry handshake", top_k=1)
        (hit,) = answer["results"]
        assert hit["content"] == "## Rare\n\nThe quokka telemetry handshake happens only here.\n"
        assert 0 < hit["score"] <= 1
        assert re.fullmatch(r"unique\.md@[0-9a-f]{8}#h2-c1~[0-9a-z]{11}", hit["ref"])
        assert TIME.fullmatch(hit["metadata"].pop("last_modified"))
        assert hit["metadata"] == {
            "file_path": "unique.md",
            "title": "Animals",
            "heading_path": "Animals > Rare",
            "heading_level": 2,
            "char_count": len(hit["content"]),
        }
        assert answer["total_chunks"] > 100 and answer["query_ms"] >= 0

    @pytest.mark.parametrize(("top_k", "expected"), [(0, 1), (-5, 1), (1, 1), (7, 7), (20, 20), (21, 20), (10**9, 20)])
    def test_top_k_is_clamped(self, docs: Face, top_k: int, expected: int) -> None:
        assert len(docs.call("search_docs", query="text section number", top_k=top_k)["results"]) == expected

    def test_top_k_is_five_unless_it_is_said(self, docs: Face) -> None:
        assert len(docs.call("search_docs", query="text section number")["results"]) == 5
        assert len(docs.call("search_docs", query="text section number", top_k=None)["results"]) == 5

    @pytest.mark.parametrize("query", ["cache", "text section number", "proxy server requests", "zzzzqq", "é ß 日本"])
    def test_the_score_never_rises_and_lies_between_0_and_1(self, docs: Face, query: str) -> None:
        scores = [hit["score"] for hit in docs.call("search_docs", query=query, top_k=20)["results"]]
        assert scores == sorted(scores, reverse=True)
        assert all(0 <= score <= 1 for score in scores)

    def test_ties_are_by_path_then_document_order(self, docs: Face) -> None:
        results = docs.call("search_docs", query="marsupial", top_k=2)["results"]
        assert [hit["metadata"]["file_path"] for hit in results] == ["twins/a.md", "twins/b.md"]
        assert results[0]["score"] == results[1]["score"]

    def test_an_answer_repeats_exactly(self, docs: Face) -> None:
        first, second = (docs.call("search_docs", query="cache of responses", top_k=20)["results"] for _ in range(2))
        assert first == second

    @pytest.mark.parametrize(
        ("file_filter", "files"),
        [
            ("topics/*.md", {"topics/caching.md", "topics/proxies.md", "topics/balancing.md"}),
            ("topics/c*", {"topics/caching.md"}),
            ("topics/?aching.md", {"topics/caching.md"}),
            ("topics/[cp]*.md", {"topics/caching.md", "topics/proxies.md"}),
            ("topics/{caching,balancing}.md", {"topics/caching.md", "topics/balancing.md"}),
            ("**/caching.md", {"topics/caching.md"}),
            ("epics/**", {"epics/one.md", "epics/deep/two.md"}),
            ("epics/*", {"epics/one.md"}),
            ("caching.md", set[str]()),
            ("Topics/*", set[str]()),
            ("topics/[", set[str]()),
            ("topics/{a", set[str]()),
            ("**/ü ñ#%.md", {"sp ace/ü ñ#%.md"}),
            ("*.txt", {"notes.txt"}),
        ],
    )
    def test_the_filter_is_a_glob_over_the_whole_path(self, docs: Face, file_filter: str, files: set[str]) -> None:
        pages = docs.call("list_pages")["pages"]
        answer = docs.call("search_docs", query="a the of", file_filter=file_filter, top_k=20)
        assert {hit["metadata"]["file_path"] for hit in answer["results"]} <= files
        assert answer["total_chunks"] == sum(p["chunk_count"] for p in pages if p["file_path"] in files)

    def test_a_filter_that_matches_nothing_is_no_failure(self, docs: Face) -> None:
        answer = docs.call("search_docs", query="cache", file_filter="nowhere/**")
        assert (answer["results"], answer["total_chunks"]) == ([], 0)

    def test_the_total_is_that_of_the_index(self, docs: Face) -> None:
        total = docs.call("get_status")["index"]["total_chunks"]
        assert docs.call("search_docs", query="cache")["total_chunks"] == total

    @pytest.mark.parametrize("query", ['"', "a AND", "NEAR(", "col:x", "*", "'; DROP TABLE", "-", "x" * 50_000, "a\0b"])
    def test_no_query_breaks_it(self, docs: Face, query: str) -> None:
        assert docs.call("search_docs", query=query)["total_chunks"] > 0

    def test_a_heading_path_that_was_found_can_be_read(self, docs: Face) -> None:
        for hit in docs.call("search_docs", query="cache proxy server requests value", top_k=20)["results"]:
            where = hit["metadata"]
            section = docs.call("get_section", file_path=where["file_path"], heading_path=where["heading_path"])
            assert hit["content"] in section["content"]

    def test_overlapping_topics_come_in_the_right_order(self, docs: Face) -> None:
        results = docs.call("search_docs", query="cache invalidation", file_filter="topics/**", top_k=4)["results"]
        order = [hit["metadata"]["heading_path"] for hit in results]
        assert order[0] == "Caching > Cache Invalidation"
        assert order.index("Caching > Cache Headers") < 4
        assert "Load Balancing" not in order
        results = docs.call("search_docs", query="reverse proxy before servers", file_filter="topics/**")["results"]
        order = [hit["metadata"]["heading_path"] for hit in results]
        assert order[0] == "Proxies > Reverse Proxy"
        assert order.index("Proxies > Reverse Proxy") < order.index("Proxies > Forward Proxy")

    def test_a_part_of_a_split_section_says_which_it_is(self, docs: Face) -> None:
        answer = docs.call("search_docs", query="value_42 compute", file_filter="long.md")
        where = answer["results"][0]["metadata"]
        assert where["heading_path"] == "Manual > Long Section"
        assert 1 <= where["part"]["index"] <= where["part"]["of"] and where["part"]["of"] > 1

    def test_rows_apart_from_the_header_of_their_table_come_with_it(self, docs: Face) -> None:
        first = docs.call("search_docs", query="key 59 value 59", file_filter="long.md")["results"][0]
        assert "| key | value |" not in first["content"] and "| key 59 | value 59 |" in first["content"]
        assert first["metadata"]["table_header"] == "| key | value |"


class TestPage:
    @pytest.mark.parametrize("name", [n for n in corpus.PAGES if n not in corpus.ODD])
    def test_the_chunks_of_a_page_are_the_page(self, docs: Face, name: str) -> None:
        page = docs.call("get_page", file_path=name)
        written = corpus.PAGES[name]
        assert isinstance(written, str)
        assert text_of(page) == written
        assert [chunk["ordinal"] for chunk in page["chunks"]] == list(range(len(page["chunks"])))
        assert all(chunk["char_count"] == len(chunk["content"]) for chunk in page["chunks"])
        assert page["total_chars"] == len(written)
        assert page["file_path"] == name and TIME.fullmatch(page["last_modified"])

    @pytest.mark.parametrize("name", list(corpus.ODD))
    def test_an_odd_page_holds_every_line_once(self, docs: Face, name: str) -> None:
        page = docs.call("get_page", file_path=name)
        written = corpus.ODD[name]
        data = written.encode() if isinstance(written, str) else written
        if name not in {"odd/latin.md", "odd/binary.md"}:
            whole = text_of(page).splitlines()
            assert [line for line in data.decode("utf-8-sig").splitlines() if line.strip()] == [
                line.removeprefix("\ufeff") for line in whole if line.strip()
            ]

    @pytest.mark.parametrize(
        ("name", "title"),
        [
            ("unique.md", "Animals"),
            ("odd/no-heading.md", "no-heading.md"),
            ("odd/setext.md", "Title"),
            ("odd/nothing.md", "nothing.md"),
        ],
    )
    def test_the_title_is_the_first_h1_or_the_file_name(self, docs: Face, name: str, title: str) -> None:
        assert docs.call("get_page", file_path=name)["title"] == title

    @pytest.mark.parametrize("asked", ["./unique.md", "/unique.md", "topics/../unique.md", ".//unique.md"])
    def test_a_path_may_be_written_in_other_ways(self, docs: Face, asked: str) -> None:
        assert docs.call("get_page", file_path=asked)["file_path"] == "unique.md"

    def test_an_absolute_path_inside_the_folder_is_made_relative(self, docs: Face, corpus_folder: Path) -> None:
        assert docs.call("get_page", file_path=str(corpus_folder / "epics/one.md"))["file_path"] == "epics/one.md"
        section = docs.call("get_section", file_path=str(corpus_folder / "unique.md"), heading_path="Animals")
        assert section["metadata"]["file_path"] == "unique.md"

    def test_a_page_of_many_sections_is_whole(self, docs: Face) -> None:
        page = docs.call("get_page", file_path="many.md")
        assert len(page["chunks"]) == 61
        assert [path for path, _ in sections(page)][1:] == [f"Many > Section {n}" for n in range(60)]


class TestSection:
    def test_a_section_is_its_own_text_with_its_heading_line(self, docs: Face) -> None:
        section = docs.call("get_section", file_path="topics/caching.md", heading_path="Caching")
        assert section["content"] == (
            "# Caching\n\nA cache keeps copies of responses, so that a second request is answered faster.\n\n"
        )
        assert TIME.fullmatch(section["metadata"].pop("last_modified"))
        assert section["metadata"] == {
            "file_path": "topics/caching.md",
            "heading_path": "Caching",
            "heading_level": 1,
            "char_count": len(section["content"]),
        }
        assert re.fullmatch(r"topics/caching\.md@[0-9a-f]{8}#h1~[0-9a-z]{11}", section["ref"])

    def test_a_split_section_comes_back_whole(self, docs: Face) -> None:
        page = docs.call("get_page", file_path="long.md")
        parts = [c for c in page["chunks"] if c["heading_path"] == "Manual > Long Section"]
        assert [c["part"] for c in parts] == [{"index": i + 1, "of": len(parts)} for i in range(len(parts))]
        assert len(parts) > 3
        section = docs.call("get_section", file_path="long.md", heading_path="Manual > Long Section")
        assert section["content"] == corpus.LONG[corpus.LONG.index("## Long") : corpus.LONG.index("## After")]

    @pytest.mark.parametrize("level", range(1, 7))
    def test_six_levels(self, docs: Face, level: int) -> None:
        path = " > ".join(f"Level {n}" for n in range(1, level + 1))
        section = docs.call("get_section", file_path="levels.md", heading_path=path)
        assert section["metadata"]["heading_level"] == level
        assert f"Text at depth {level}." in section["content"]

    def test_two_sections_of_one_breadcrumb_are_both_served_in_order(self, docs: Face) -> None:
        section = docs.call("get_section", file_path="twice.md", heading_path="Page > Notes")
        assert section["content"] == "## Notes\n\nfirst notes\n\n## Notes\n\nsecond notes\n"
        assert section["refs"][0] == section["ref"]
        locators = [ref.partition("#")[2].partition("~")[0] for ref in section["refs"]]
        assert locators == ["h2", "h4"]
        assert "refs" not in docs.call("get_section", file_path="twice.md", heading_path="Page")

    @pytest.mark.parametrize(
        ("asked", "found"),
        [("Only", "A > C > Only"), ("C > Only", "A > C > Only"), ("B > Same", "A > B > Same"), ("A > C", "A > C")],
    )
    def test_a_unique_suffix_is_served_where_it_is_asked_for(self, docs: Face, asked: str, found: str) -> None:
        section = docs.call("get_section", file_path="suffix.md", heading_path=asked, match="suffix")
        assert section["metadata"]["heading_path"] == found

    def test_the_text_before_the_first_heading_has_an_empty_path(self, docs: Face) -> None:
        page = docs.call("get_page", file_path="odd/before.md")
        assert sections(page) == [("", 0), ("Then", 1)]
        section = docs.call("get_section", file_path="odd/before.md", heading_path="")
        assert section["content"] == "Text before any heading.\n\n"


class TestOddMarkdown:
    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("odd/skipped.md", [("One", 1), ("One > Four", 4), ("One > Two", 2)]),
            ("odd/setext.md", [("Title", 1), ("Title > Sub title", 2)]),
            ("odd/fence.md", [("Real", 1), ("Real > Also Real", 2)]),
            ("odd/open-fence.md", [("Open", 1)]),
            ("odd/front.md", [("Front", 1)]),
            ("odd/html.md", [("Html One", 1), ("Html One > Html Two", 2)]),
            ("odd/crlf.md", [("Crlf", 1), ("Crlf > Second", 2)]),
            ("odd/bom.md", [("Bom", 1)]),
            ("odd/no-heading.md", [("", 0)]),
            ("odd/atx-closed.md", [("Closed", 1), ("Closed > With code and stress", 2)]),
            ("odd/no-newline.md", [("Last", 1)]),
        ],
    )
    def test_breadcrumbs_are_right(self, docs: Face, name: str, expected: list[tuple[str, int]]) -> None:
        found = sections(docs.call("get_page", file_path=name))
        assert [section for section in found if section != ("", 0) or ("", 0) in expected] == expected

    def test_bytes_that_are_no_utf_8_are_read(self, docs: Face) -> None:
        assert sections(docs.call("get_page", file_path="odd/latin.md"))[0][1] == 1
        assert "text" in text_of(docs.call("get_page", file_path="odd/binary.md"))

    @pytest.mark.parametrize("name", ["odd/nothing.md", "odd/blank.md"])
    def test_a_page_without_text_is_a_page(self, docs: Face, name: str) -> None:
        page = docs.call("get_page", file_path=name)
        assert not text_of(page).strip()
        assert name in [p["file_path"] for p in docs.call("list_pages", prefix="odd")["pages"]]


class TestPages:
    def test_pages_are_listed_by_path(self, docs: Face) -> None:
        answer = docs.call("list_pages")
        assert [page["file_path"] for page in answer["pages"]] == sorted(corpus.PAGES)
        assert answer["total_pages"] == len(corpus.PAGES)

    def test_an_entry_shows_headings_of_the_first_two_levels(self, docs: Face) -> None:
        (page,) = docs.call("list_pages", prefix="suffix.md")["pages"]
        assert TIME.fullmatch(page.pop("last_modified"))
        written = corpus.PAGES["suffix.md"]
        assert page == {
            "file_path": "suffix.md",
            "title": "A",
            "headings": ["A", "B", "C"],
            "heading_paths": ["A", "A > B", "A > C"],
            "chunk_count": 6,
            "total_chars": len(written),
        }

    def test_every_heading_path_is_one_that_get_section_takes(self, docs: Face) -> None:
        for page in docs.call("list_pages")["pages"]:
            assert len(page["headings"]) == len(page["heading_paths"])
            for path in page["heading_paths"][:5]:
                assert docs.call("get_section", file_path=page["file_path"], heading_path=path)["content"]

    @pytest.mark.parametrize(
        ("prefix", "files"),
        [
            ("epics", ["epics/deep/two.md", "epics/one.md"]),
            ("epics/", ["epics/deep/two.md", "epics/one.md"]),
            ("./epics", ["epics/deep/two.md", "epics/one.md"]),
            ("epics/deep", ["epics/deep/two.md"]),
            ("epics/one.md", ["epics/one.md"]),
            ("epics.md", ["epics.md"]),
            ("epi", []),
            ("nowhere", []),
            ("../", []),
        ],
    )
    def test_a_prefix_is_a_folder_or_a_whole_file(self, docs: Face, prefix: str, files: list[str]) -> None:
        answer = docs.call("list_pages", prefix=prefix)
        assert [page["file_path"] for page in answer["pages"]] == files
        assert answer["total_pages"] == len(files)

    @pytest.mark.parametrize("prefix", [None, "", ".", "/"])
    def test_no_prefix_is_every_page(self, docs: Face, prefix: str | None) -> None:
        assert docs.call("list_pages", prefix=prefix)["total_pages"] == len(corpus.PAGES)


class TestStatus:
    def test_the_counts_match_the_pages(self, docs: Face) -> None:
        index, pages = docs.call("get_status")["index"], docs.call("list_pages")["pages"]
        assert index["total_pages"] == len(pages)
        assert index["total_chunks"] == sum(page["chunk_count"] for page in pages)

    def test_it_says_what_is_served(self, docs: Face, corpus_folder: Path) -> None:
        status = docs.call("get_status")
        assert status["server"]["docs_root"] == str(corpus_folder.resolve())
        assert status["server"]["version"] and status["server"]["uptime_seconds"] > 0
        assert status["embedding"] == {
            "model": "hash",
            "dimensions": 384,
            "provider": "hash",
            "state": "ready",
            "note": None,
        }

    def test_it_says_what_the_index_is(self, docs: Face) -> None:
        index = docs.call("get_status")["index"]
        assert TIME.fullmatch(index["last_indexed"])
        assert Path(index["db_path"]).is_file() and index["db_size_bytes"] >= Path(index["db_path"]).stat().st_size
        assert index["indexing"] is None and index["warnings"] == []
        assert index["freshness"]["method"] in {"inotify", "scan"} and index["freshness"]["reason"]
        assert (index["stale"], index["pending"]) == (False, 0)

    def test_it_counts_what_was_left_out(self, docs: Face) -> None:
        skipped = docs.call("get_status")["index"]["skipped"]
        assert (
            skipped["failed"] == 1
            and sum(skipped.values()) >= 5
            and all(isinstance(count, int) for count in skipped.values())
        )

    def test_outside_a_repository_git_is_null(self, docs: Face) -> None:
        assert docs.call("get_status")["git"] is None


class TestEmptyFolder:
    def test_nothing_is_found_and_that_is_no_failure(self, empty: Face) -> None:
        answer = empty.call("search_docs", query="anything")
        assert (answer["results"], answer["total_chunks"]) == ([], 0)

    def test_no_pages_are_listed(self, empty: Face) -> None:
        answer = empty.call("list_pages")
        assert (answer["pages"], answer["total_pages"]) == ([], 0)

    def test_a_page_is_not_found(self, empty: Face) -> None:
        with pytest.raises(
            Failed, match=r"No page found at path: a\.md\. Use list_pages to discover available pages\.$"
        ):
            empty.call("get_page", file_path="a.md")

    def test_the_status_counts_nothing(self, empty: Face) -> None:
        index = empty.call("get_status")["index"]
        assert (index["total_pages"], index["total_chunks"], index["last_indexed"]) == (0, 0, None)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_docs", {"query": "cache"}),
        ("get_page", {"file_path": "unique.md"}),
        ("get_section", {"file_path": "unique.md", "heading_path": "Animals"}),
        ("list_pages", {}),
        ("get_status", {}),
    ],
)
def test_every_answer_states_its_index(docs: Face, tool: str, arguments: dict[str, Any]) -> None:
    index = docs.call(tool, **arguments)["index"]
    assert index["generation"] > 0 and TIME.fullmatch(index["checked_at"])
    assert (index["pending"], index["stale"]) == (0, False)
    assert "reason" not in index or tool == "get_status"
