import json
from pathlib import Path
from typing import Any

import pytest

from support.scorers import scorer

recording = scorer("answers/recording")
FOLDER = Path("/tmp/x1y2/served/docs")  # noqa: S108 - a name alone


def answer(**fields: Any) -> dict[str, Any]:
    text = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    return {"result": {"content": [{"type": "text", "text": text}], "structuredContent": fields}}


def recorded(response: dict[str, Any], **arguments: Any) -> Any:
    params = {"name": "get_page", "arguments": arguments}
    return recording.Recorded("docs", "2025-11-25", {"method": "tools/call", "params": params}, response)


def test_what_differs_from_run_to_run_becomes_a_placeholder_in_both_forms_of_an_answer() -> None:
    found = answer(title="A", query_ms=1.25e-05, index={"checked_at": "2026-11-22T10:00:00.000Z", "pending": 0})
    kept = answer(title="A", query_ms="<query_ms>", index={"checked_at": "<checked_at>", "pending": 0})
    assert recording.compact(recording.canonical(found, FOLDER)) == recording.compact(kept)


def test_the_path_of_the_served_folder_becomes_a_placeholder() -> None:
    error = {"error": {"code": -32602, "message": f"Not in {FOLDER}/a.md", "data": None}}
    assert recording.canonical(error, FOLDER)["error"]["message"] == "Not in {folder}/a.md"


def test_documents_and_schemas_that_name_a_volatile_field_stay_as_they_are() -> None:
    page = answer(content='{"query_ms": 5, "generation":7}')
    schema = {"result": {"tools": [{"properties": {"generation": {"type": "integer"}}, "required": ["generation"]}]}}
    assert recording.canonical(page, FOLDER) == page
    assert recording.canonical(schema, FOLDER) == schema


def test_a_canonical_response_keeps_the_order_of_its_keys() -> None:
    assert list(recording.canonical(answer(b=1, a=2), FOLDER)["result"]["structuredContent"]) == ["b", "a"]


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    calls = [recorded(answer(content="line\nnext\u2028third\r\ud800é"), file_path="a.md")]
    assert recording.write(tmp_path / "a.jsonl", {"docs": "0f"}, calls) == calls
    assert recording.read(tmp_path / "a.jsonl") == ({"docs": "0f"}, calls)


def test_a_field_that_became_volatile_is_so_in_an_older_recording(tmp_path: Path) -> None:
    recording.write(tmp_path / "a.jsonl", {}, [recorded(answer(query_ms=3.5))])
    _, (call,) = recording.read(tmp_path / "a.jsonl")
    assert call.response == answer(query_ms="<query_ms>")


@pytest.mark.parametrize(
    "changed",
    [answer(a=1, b="two "), answer(b="two", a=1), answer(a=1.0, b="two"), {"error": {"code": 0, "message": "gone"}}],
)
def test_an_answer_that_differs_by_a_byte_is_found(changed: dict[str, Any]) -> None:
    same, before, after = recorded(answer(a=0)), recorded(answer(a=1, b="two")), recorded(changed)
    assert recording.differing([same, before], [same, after]) == [(before, after)]


def test_recordings_of_unequal_length_are_no_recordings_of_the_same_calls() -> None:
    with pytest.raises(ValueError, match="zip"):
        recording.differing([recorded(answer(a=0))], [])


def test_a_difference_is_shown_by_lines_of_the_text_and_once() -> None:
    lines = list(recording.diff(answer(content="one\ntwo\nthree"), answer(content="one\n2\nthree")))
    assert [line for line in lines if line[0] in "+-" and line[:3] not in {"+++", "---"}] == [
        '-    "two",',
        '+    "2",',
    ]


def test_a_difference_that_no_line_shows_is_shown_where_the_json_begins_to_differ() -> None:
    before, after = answer(content="a\nb"), answer(content=["a", "b"])
    after["result"]["content"] = before["result"]["content"] = []
    assert list(recording.diff(before, after)) == [
        "@@ character 55 @@",
        '-{"result":{"content":[],"structuredContent":{"content":"a\\nb"}}}',
        '+{"result":{"content":[],"structuredContent":{"content":["a","b"]}}}',
    ]


def test_a_long_difference_is_cut() -> None:
    before, after = answer(content="old\n" * 100 + "x" * 500), answer(content="new\n" * 100)
    lines = list(recording.diff(before, after))
    assert len(lines) == recording.MAX_DIFF_LINES + 1
    assert lines[-1].endswith("more lines")
    assert max(map(len, lines)) <= recording.MAX_DIFF_COLUMNS


def test_calls_are_repeated_with_the_cursors_of_the_new_run() -> None:
    before = [
        recorded(answer(next_cursor="old"), file_path="a.md"),
        recorded(answer(title="A"), file_path="a.md", cursor="old"),
        recorded(answer(title="A"), file_path="a.md", cursor="never given"),
        recording.Recorded(
            "docs", "2025-11-25", {"method": "resources/list", "params": {}}, {"result": {"nextCursor": "o"}}
        ),
        recording.Recorded(
            "docs", "2025-11-25", {"method": "resources/list", "params": {"cursor": "o"}}, {"result": {}}
        ),
    ]
    calls = recording.repeated(before)
    responses = (answer(next_cursor="new"), answer(), answer(), {"result": {"nextCursor": "n"}})
    asked = [next(calls), *map(calls.send, responses)]
    assert asked[0] == before[0].request
    assert asked[1]["params"] == {"name": "get_page", "arguments": {"file_path": "a.md", "cursor": "new"}}
    assert asked[2] == before[2].request
    assert asked[4] == {"method": "resources/list", "params": {"cursor": "n"}}


@pytest.mark.parametrize(
    "params", [{}, {"name": "get_page", "arguments": "a.md"}, {"name": "get_page", "arguments": None}]
)
def test_a_malformed_request_is_repeated_as_it_was(params: dict[str, Any]) -> None:
    request = {"method": "tools/call", "params": params}
    assert recording.with_cursor(request, {"old": "new"}) == request
