import base64
import contextlib
import hashlib
import hmac
import json
import threading
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from pincite.model.task import TaskError, TaskStatus
from pincite.services.tasks.base import Outcome
from pincite.services.tasks.sqlite import SqliteTasks
from pincite.services.tasks.webhooks import DELAYS_SECONDS, Webhook, signed_headers, signing_key
from support.task_queues import new_task, tasks_in
from support.waiting import wait_for

SECRET = "whsec_" + base64.b64encode(b"a key of the test").decode()


@dataclass
class Receiver:
    """A receiver that answers with the next of its statuses, the last one for ever."""

    statuses: list[int]
    url: str = ""
    received: list[tuple[dict[str, str], bytes]] = field(default_factory=list[tuple[dict[str, str], bytes]])


@contextmanager
def receiving(*statuses: int) -> Generator[Receiver]:
    receiver = Receiver(list(statuses))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            receiver.received.append(({name.lower(): value for name, value in self.headers.items()}, body))
            status = receiver.statuses.pop(0) if len(receiver.statuses) > 1 else receiver.statuses[0]
            self.send_response(status)
            self.send_header("location", receiver.url + "/elsewhere")
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as it is called
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        receiver.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield receiver
        server.shutdown()


@contextmanager
def announcing(tasks: SqliteTasks, url: str) -> Generator[None]:
    webhook = Webhook(tasks, url, SECRET)
    webhook.start()
    try:
        yield
    finally:
        webhook.close()


def failed_task(tasks: SqliteTasks) -> str:
    task_id = tasks.enqueue(new_task()).id
    claim = tasks.claim()
    assert claim is not None
    tasks.finish(claim, Outcome(TaskStatus.FAILED, error=TaskError("No text.")))
    return task_id


def test_a_finished_task_is_announced_once_and_signed(tmp_path: Path) -> None:
    with closing(tasks_in(tmp_path, announce=True)) as tasks, receiving(204) as receiver:
        task_id = failed_task(tasks)
        with announcing(tasks, receiver.url):
            assert wait_for(lambda: bool(receiver.received) and tasks.announcement() is None)
        ((headers, body),) = receiver.received
    sent = json.loads(body)
    assert sent["type"] == "task.failed"
    assert (sent["data"]["task_id"], sent["data"]["error"]["message"]) == (task_id, "No text.")
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.digest(b"a key of the test", signed, hashlib.sha256)).decode()
    assert headers["webhook-signature"] == f"v1,{expected}"


def test_it_is_announced_again_after_a_failure_under_the_same_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pincite.services.tasks.webhooks.DELAYS_SECONDS", (0.0, 0.0))
    with closing(tasks_in(tmp_path, announce=True)) as tasks, receiving(500, 302, 200) as receiver:
        failed_task(tasks)
        with announcing(tasks, receiver.url):
            assert wait_for(lambda: len(receiver.received) == 3 and tasks.announcement() is None)
        assert len({headers["webhook-id"] for headers, _ in receiver.received}) == 1


def test_after_the_last_attempt_it_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.services.tasks.webhooks.DELAYS_SECONDS", (0.0,))
    with closing(tasks_in(tmp_path, announce=True)) as tasks, receiving(500) as receiver:
        failed_task(tasks)
        with announcing(tasks, receiver.url):
            assert wait_for(lambda: len(receiver.received) == 2 and tasks.announcement() is None)


def test_a_receiver_that_is_not_there_is_tried_later_by_another_process(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(tasks_in(tmp_path, announce=True)) as tasks:
        task_id = failed_task(tasks)
        with announcing(tasks, "http://127.0.0.1:9"):
            assert wait_for(lambda: tasks.announcement() is None)
        assert "webhook.failed" in caplog.messages
        tasks.announced(task_id, 0.0)
        with receiving(200) as receiver, announcing(tasks, receiver.url):
            assert wait_for(lambda: len(receiver.received) == 1)


def test_the_example_of_the_standard() -> None:
    key = signing_key("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    body = b'{"test": 2432232314}'
    headers = signed_headers(key, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body)
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_plain_secret_counts_as_it_is() -> None:
    assert signing_key("plain") == b"plain"
    assert signing_key("whsec_no base64") == b"whsec_no base64"
    assert list(DELAYS_SECONDS) == sorted(DELAYS_SECONDS)


class Endless(BaseHTTPRequestHandler):
    """A receiver whose answer has no end, or whose headers have none."""

    answer = b""
    sent: list[int]

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        with contextlib.suppress(OSError):  # the sender leaves
            self.wfile.write(self.answer)
            while not self.server.closing.is_set():  # type: ignore[attr-defined]
                self.wfile.write(b"x" * 1_000)
                self.sent.append(1_000)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as it is called
        """Say nothing."""


@contextmanager
def endless(answer: bytes) -> Generator[tuple[str, list[int]]]:
    sent: list[int] = []
    handler = type("Handler", (Endless,), {"answer": answer, "sent": sent})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.closing = threading.Event()  # type: ignore[attr-defined]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", sent
        server.closing.set()  # type: ignore[attr-defined]
        server.shutdown()


def test_the_body_of_a_receivers_answer_is_not_read(tmp_path: Path) -> None:
    with closing(tasks_in(tmp_path, announce=True)) as tasks, endless(b"HTTP/1.1 200 OK\r\n\r\n") as (url, sent):
        failed_task(tasks)
        with announcing(tasks, url):
            assert wait_for(lambda: tasks.announcement() is None)
        assert sum(sent) < 20_000_000, "what the buffers of the connection take"


def test_a_receiver_whose_headers_have_no_end_is_left_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.services.tasks.webhooks.TIMEOUT_SECONDS", 0.5)
    with closing(tasks_in(tmp_path, announce=True)) as tasks, endless(b"HTTP/1.1 200 OK\r\nx: ") as (url, _):
        failed_task(tasks)
        with announcing(tasks, url):
            assert wait_for(lambda: tasks.announcement() is None), "it is announced again later"


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:abc/", "http://[::1", "http://a..b/", "http://127.0.0.1:99999/", "x"]
)
def test_an_address_that_no_client_takes_ends_no_announcements(tmp_path: Path, url: str) -> None:
    with closing(tasks_in(tmp_path, announce=True)) as tasks:
        failed_task(tasks)
        with announcing(tasks, url):
            assert wait_for(lambda: tasks.announcement() is None), "it is announced again later"
            second = failed_task(tasks)
            assert wait_for(lambda: tasks.announcement() is None)
    assert second


def test_an_announcement_that_cannot_be_read_ends_no_thread(tmp_path: Path) -> None:
    with closing(tasks_in(tmp_path, announce=True)) as tasks, receiving(204) as receiver:
        raised = iter([ValueError("a damaged row")])

        class Odd:
            def announcement(self) -> object:
                if (error := next(raised, None)) is not None:
                    raise error
                return tasks.announcement()

            def announced(self, task_id: str, again_after: float | None) -> None:
                tasks.announced(task_id, again_after)

        failed_task(tasks)
        webhook = Webhook(Odd(), receiver.url, SECRET)  # type: ignore[arg-type]
        webhook.start()
        assert wait_for(lambda: bool(receiver.received))
        webhook.close()
