import threading
from dataclasses import replace

import pytest

from pincite.errors import Cancelled, ConnectionFailed, TimeoutExceeded
from pincite.formats.base import Blob
from pincite.model.call import Call
from pincite.services.conversion.client import Converter, ConverterLimits
from support.scripted_converter import CREATE, FILE, RIGHT, STATE, Answers, Reply, ScriptedConverter, converting

BLOB = Blob("../@/etc/passwd.PDF", b"%PDF-1.4")
LIMITS = ConverterLimits(max_bytes=1000, seconds=5.0, idle_seconds=0.5, retry_seconds=0.01)
STATUS = '{{"status": "{}", "outputs": [], "error_message": {}}}'


def converted(
    answers: Answers, limits: ConverterLimits = LIMITS, call: Call | None = None, token: str = ""
) -> tuple[str, ScriptedConverter]:
    with converting(answers) as converter:
        return Converter(converter.url + "/", token, limits).convert(BLOB, call or Call()), converter


def problem(answers: Answers, limits: ConverterLimits = LIMITS) -> str:
    with pytest.raises((ConnectionFailed, TimeoutExceeded)) as raised:
        converted(answers, limits)
    message = raised.value.message
    assert message.startswith("Conversion failed (MARKITDOWN_URL): ")
    assert "127.0.0.1" not in message  # nobody learns where it is
    assert len(message) < 500
    return message


def test_it_uploads_waits_and_takes_the_first_markdown_file() -> None:
    waiting = [Reply(STATUS.format(status, "null").encode()) for status in ("queued", "running")]
    text, converter = converted({STATE: [*waiting, RIGHT[STATE]]})
    assert text == "# Converted\n\nWeight: 5 kg\n"
    assert converter.asked == [f"POST {CREATE}", *[f"GET {STATE}"] * 3, f"GET {FILE}"]


def test_of_the_documents_name_only_the_extension_is_sent() -> None:
    _, converter = converted({})
    assert b'filename="document.pdf"' in converter.bodies[0] and b"passwd" not in converter.bodies[0]


def test_a_token_is_sent_if_there_is_one() -> None:
    assert converted({}, token="abc")[1].tokens == ["Bearer abc"]  # noqa: S106 - no secret
    assert converted({})[1].tokens == [None]


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ({CREATE: Reply(b"<html>Login</html>", kind="text/html")}, "no JSON but text that begins with '<html>"),
        ({CREATE: Reply(b'{"task_id": "1"', 202)}, "no JSON"),
        ({CREATE: Reply(b"", 202)}, "no JSON but nothing"),
        ({CREATE: Reply(b"[1]")}, "JSON that is no object"),
        ({CREATE: Reply(b'{"task_id": 7}')}, "no task_id"),
        ({CREATE: Reply(b'{"task_id": ".."}')}, "no task_id"),
        ({CREATE: Reply(b'{"task_id": "1"}', headers={"Content-Length": "99"})}, "the connection to the converter"),
        ({CREATE: Reply(b"x" * 2_000_000)}, "larger than 1 MB"),
        ({CREATE: Reply(status=302, headers={"Location": "http://127.0.0.1:1/"})}, "status 302"),
        ({CREATE: Reply(status=401)}, "another token (OPENAI_API_TOKEN)"),
        ({CREATE: Reply(status=413)}, "status 413"),
        ({CREATE: Reply(status=500)}, "status 500"),
        ({STATE: Reply(status=404)}, "status 404"),
        ({STATE: Reply(b"null")}, "JSON that is no object"),
        ({STATE: Reply(STATUS.format("dancing", "null").encode())}, "status dancing is not known"),
        ({STATE: Reply(STATUS.format("failed", '"No text layer."').encode())}, "No text layer."),
        ({STATE: Reply(STATUS.format("failed", '"' + "x" * 9000 + '"').encode())}, "xxx"),
        ({STATE: Reply(STATUS.format("failed", "7").encode())}, "does not say why"),
        ({STATE: Reply(STATUS.format("completed", "null").encode())}, "names no Markdown file"),
        ({STATE: Reply(b'{"status": "completed", "outputs": "out.md"}')}, "names no Markdown file"),
        ({FILE: Reply(status=404)}, "status 404"),
        ({FILE: Reply(b"<!DOCTYPE html><p>Gone</p>", kind="text/html")}, "a web page"),
        ({FILE: Reply(b"\xff\xfe\x00", kind="text/markdown")}, "no UTF-8"),
        ({FILE: Reply(b"x" * 2000, kind="text/markdown")}, "larger than 0.001 MB"),
        ({FILE: Reply(b"x" * 10, headers={"Content-Length": "100"})}, "the connection to the converter"),
    ],
)
def test_a_faulty_converter_is_named_with_what_it_did(answers: Answers, reason: str) -> None:
    assert reason in problem(answers)


def test_what_was_refused_for_now_is_asked_again() -> None:
    busy = [Reply(status=429, headers={"Retry-After": "0.01"}), Reply(status=503), RIGHT[CREATE]]
    text, converter = converted({CREATE: busy})
    assert text.startswith("# Converted")
    assert converter.asked.count(f"POST {CREATE}") == 3


def test_nobody_listens() -> None:
    with converting() as converter:
        url = converter.url
    with pytest.raises(ConnectionFailed, match="the connection to the converter failed"):
        Converter(url, "", LIMITS).convert(BLOB, Call())


def test_a_converter_that_never_ends_runs_out_of_time() -> None:
    limits = replace(LIMITS, seconds=0.3)
    assert "was not done after 0.3 s" in problem({STATE: Reply(STATUS.format("running", "null").encode())}, limits)
    trickling = Reply(b" ", headers={"Content-Length": "100000"}, is_endless=True)
    assert "was not done after 0.3 s" in problem({STATE: trickling}, limits)


def test_a_cancelled_call_ends_the_wait() -> None:
    stop = threading.Event()

    def on_progress(done: float, total: float | None, message: str) -> None:
        del done, total, message
        stop.set()

    with pytest.raises(Cancelled):
        converted(
            {STATE: Reply(STATUS.format("running", "null").encode())},
            replace(LIMITS, seconds=60),
            Call(stop=stop, progress=on_progress),
        )
