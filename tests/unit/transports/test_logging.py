"""Log lines."""

import io
import json
import logging
from collections.abc import Iterator

import pytest

from pincite.transports.logging import configure


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    root, ours = logging.getLogger(), logging.getLogger("pincite")
    before = list(root.handlers), root.level, ours.level
    yield
    root.handlers[:], root.level, ours.level = before[0], before[1], before[2]
    root.setLevel(before[1])
    ours.setLevel(before[2])


def lines(stream: io.StringIO) -> list[str]:
    return stream.getvalue().splitlines()


def log_a_failure(message: str) -> None:
    try:
        json.loads(message)
    except ValueError:
        logging.getLogger("pincite").exception("failed", exc_info=ValueError(message))


def test_text_is_one_line_of_fields() -> None:
    configure("INFO", "text", stream := io.StringIO())
    logging.getLogger("pincite.tools").info("tool.success", extra={"tool": "get_page", "elapsed": 0.25})
    (line,) = lines(stream)
    time, rest = line.split(" ", 1)
    assert rest == "INFO pincite.tools tool.success tool=get_page elapsed=0.25 rid=system"
    assert time.endswith("Z") and len(time) == 24


def test_json_is_one_object_a_line() -> None:
    configure("INFO", "json", stream := io.StringIO())
    logging.getLogger("pincite.tools").warning("say %s", "ü", extra={"rid": "ab", "odd": object, "name_": "b\udc80"})
    (line,) = lines(stream)
    found = json.loads(line)
    assert line.isascii()
    assert found.pop("ts").endswith("Z")
    assert found == {
        "level": "WARNING",
        "logger": "pincite.tools",
        "msg": "say ü",
        "rid": "ab",
        "odd": "<class 'object'>",
        "name_": "b\udc80",
    }


@pytest.mark.parametrize(("extra", "rid"), [({}, "system"), ({"rid": "9f31c2aa"}, "9f31c2aa")])
def test_an_event_outside_a_request_has_the_request_id_of_the_system(extra: dict[str, str], rid: str) -> None:
    configure("INFO", "json", stream := io.StringIO())
    logging.getLogger("pincite.http").info("server.ready", extra=extra)
    assert json.loads(lines(stream)[0])["rid"] == rid


def test_a_field_may_be_shown_as_message_which_a_record_cannot_carry() -> None:
    configure("INFO", "json", stream := io.StringIO())
    logging.getLogger("pincite.tools").error("query_failed", extra={"error_message": "There is none."})
    assert json.loads(lines(stream)[0])["message"] == "There is none."


def test_both_styles_say_the_same_fields() -> None:
    for style in ("text", "json"):
        configure("INFO", style, stream := io.StringIO())
        logging.getLogger("pincite").info("event", extra={"document": "a.md"})
        assert "event" in stream.getvalue() and "document" in stream.getvalue() and "a.md" in stream.getvalue()


@pytest.mark.parametrize("name", ["a\nERROR x y", "a b", "a=b", 'a"b', "a\u2028b", "a\x1b[31mb", "", "b\udc80"])
def test_a_file_name_can_neither_end_its_line_nor_pass_for_a_field(name: str) -> None:
    configure("INFO", "text", stream := io.StringIO())
    logging.getLogger("pincite").info("document.failed %s", name, extra={"document": name, "rid": "1"})
    (line,) = lines(stream)
    assert line.isprintable()
    assert line.endswith(" rid=1")
    assert ' document="' in line


def test_a_traceback_follows_indented() -> None:
    configure("INFO", "text", stream := io.StringIO())
    log_a_failure("bad\n2026 INFO forged")
    first, *rest = lines(stream)
    assert first.endswith("ERROR pincite failed rid=system")
    assert rest and all(line.startswith("    ") for line in rest)


def test_a_traceback_is_a_field_in_json() -> None:
    configure("INFO", "json", stream := io.StringIO())
    log_a_failure("bad")
    assert "ValueError: bad" in json.loads(lines(stream)[0])["exc"]


def test_libraries_log_from_warning_up() -> None:
    configure("DEBUG", "text", stream := io.StringIO())
    logging.getLogger("mcp.server").info("chatter")
    logging.getLogger("mcp.server").warning("trouble")
    logging.getLogger("pincite.index").debug("detail")
    assert [line.split(" ")[3] for line in lines(stream)] == ["trouble", "detail"]


def test_less_can_be_asked_of_all() -> None:
    configure("ERROR", "text", stream := io.StringIO())
    logging.getLogger("mcp.server").warning("trouble")
    logging.getLogger("pincite").warning("trouble")
    assert not lines(stream)


def test_a_second_call_replaces_the_first() -> None:
    configure("INFO", "text", first := io.StringIO())
    configure("INFO", "text", second := io.StringIO())
    logging.getLogger("pincite").info("event")
    assert (len(lines(first)), len(lines(second))) == (0, 1)


def test_it_is_standard_error_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    configure("INFO", "text")
    logging.getLogger("pincite").info("event")
    written = capsys.readouterr()
    assert "event" in written.err and not written.out
