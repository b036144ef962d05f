"""Standard input and output as clients treat them: pipes, sockets and files, read late, in pieces, or not at all."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from support.raw_client import (
    HELLO,
    LONG,
    PARLOUR,
    SECONDS,
    Client,
    call,
    line,
    over_one_socket,
    over_pipes,
    over_sockets,
    peak_megabytes,
    request,
    said,
)
from support.waiting import pause

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there the SDK reads and writes")


@pytest.fixture(params=[over_pipes, over_sockets], ids=["pipes", "sockets"])
def client(request: pytest.FixtureRequest) -> Iterator[Client]:
    with closing(request.param()) as started:
        yield started.open()


class TestReading:
    def test_a_huge_message_comes_through_and_so_does_its_answer(self, client: Client) -> None:
        words = "grüß " * 20_000
        client.send(call(1, "say", words=words, times=50))
        assert said(client.read()) == words * 50
        client.send(call(2, "say", words=words * 50))
        assert "5,000,000 characters" in client.read()["result"]["content"][0]["text"]

    def test_a_message_may_come_in_pieces_and_several_at_once(self, client: Client) -> None:
        whole = call(1, "say", words="ä") + call(2, "say", words="b") + call(3, "say", words="c")
        for start in range(0, len(whole), 7):
            client.send(whole[start : start + 7])
            pause(0.001, "a message comes in pieces")
        client.send(call(4, "say", words="d") + call(5, "say", words="e"))
        assert sorted((m["id"], said(m)) for m in (client.read() for _ in range(5))) == [
            (1, "ä"),
            (2, "b"),
            (3, "c"),
            (4, "d"),
            (5, "e"),
        ]

    def test_bytes_that_are_no_utf_8_are_replaced(self, client: Client) -> None:
        client.send(call(1, "say", words="a?b").replace(b"?", b"\xff"))
        assert said(client.read()) == "a\ufffdb"

    def test_lines_may_end_as_on_windows_and_be_empty(self, client: Client) -> None:
        client.send(b"\r\n\n" + call(1, "say", words="a").replace(b"\n", b"\r\n"))
        assert said(client.read()) == "a"

    def test_more_messages_than_are_read_ahead_are_all_answered(self, client: Client) -> None:
        client.send(b"".join(request(number, "ping", {}) for number in range(1000)))
        assert {client.read()["id"] for _ in range(1000)} == set(range(1000))

    def test_the_last_line_needs_no_end(self) -> None:
        with closing(over_pipes()) as client:
            client.send(request(0, "initialize", HELLO).rstrip())
            client.leave()
            assert client.read()["result"]["serverInfo"]["name"] == "pincite"
            assert client.process.wait(SECONDS) == 0


class TestWriting:
    def test_a_client_that_reads_late_gets_every_answer_whole(self, client: Client) -> None:
        for number in range(40):
            client.send(call(number, "say", words=f"{number} {LONG}"))
        pause(1, "nobody reads the answers")
        answers = {m["id"]: said(m) for m in (client.read() for _ in range(40))}
        assert answers == {number: f"{number} {LONG}" for number in range(40)}

    def test_while_it_does_not_read_other_work_goes_on(self, client: Client) -> None:
        for number in range(40):
            client.send(call(number, "say", words=LONG))
        client.send(call(40, "fail", how="unknown"))
        assert client.logged("/secret/place")
        client.process.send_signal(signal.SIGTERM)
        assert client.process.wait(SECONDS) == 0

    def test_answers_of_3_mb_that_are_not_read_are_made_when_they_are(self, client: Client) -> None:
        calls, before = 60, peak_megabytes(client)
        for number in range(calls):
            client.send(call(number, "say", words=f"{number} é is a letter. ", times=150_000))
        client.send(call(calls, "patient") + call(calls + 1, "fail", how="unknown"))
        pause(2, "nobody reads the answers")
        assert "/secret/place" not in "".join(client.log)  # no call begins
        assert peak_megabytes(client) - before < 260  # of more than 600 for all of them
        client.send(line({"method": "notifications/cancelled", "params": {"requestId": calls}}))
        answers = [client.read() for _ in range(calls + 1)]
        assert {m["id"] for m in answers} == {*range(calls), calls + 1}
        assert all(said(m) == f"{m['id']} é is a letter. " * 150_000 for m in answers if m["id"] < calls)
        assert peak_megabytes(client) - before < 260  # of more than 600 for all of them

    def test_a_client_that_reads_no_answer_may_still_cancel_and_stop_it(self, client: Client) -> None:
        for number in range(20):
            client.send(call(number, "say", words="long ", times=600_000))
        client.send(call(20, "say", words="a"))
        pause(1, "nobody reads the answers")
        client.send(line({"method": "notifications/cancelled", "params": {"requestId": 20}}))
        client.process.send_signal(signal.SIGTERM)
        assert client.process.wait(SECONDS) == 0

    @pytest.mark.slow
    def test_pings_that_are_not_read_stop_the_reading_and_are_all_answered(self, client: Client) -> None:
        count = 40_000
        sending = threading.Thread(target=lambda: client.send(b"".join(request(n, "ping", {}) for n in range(count))))
        sending.start()
        sending.join(5)
        assert peak_megabytes(client) < 200
        assert {client.read()["id"] for _ in range(count)} == set(range(count))
        sending.join()

    def test_a_call_that_is_cancelled_while_its_answer_is_written_does_not_tear_it(self, client: Client) -> None:
        for number in range(40):
            client.send(call(number, "say", words=LONG))
        pause(1, "nobody reads the answers")
        for number in range(40):
            client.send(line({"method": "notifications/cancelled", "params": {"requestId": number}}))
        client.send(call(40, "say", words="last"))
        while (message := client.read())["id"] != 40:
            assert said(message) == LONG
        assert said(message) == "last"

    def test_a_client_that_leaves_and_does_not_read_does_not_keep_the_server(self, client: Client) -> None:
        for number in range(40):
            client.send(call(number, "say", words=LONG))
        pause(0.5, "nobody reads the answers")
        client.leave()
        assert client.process.wait(SECONDS) == 0
        assert client.logged("house.closed")
        assert "Traceback" not in "".join(client.log)

    def test_answers_that_are_still_unread_when_the_input_ends_are_not_lost(self, client: Client) -> None:
        for number in range(8):
            client.send(call(number, "say", words=LONG))
        pause(0.5, "nobody reads the answers")
        client.leave()
        assert {client.read()["id"] for _ in range(8)} == set(range(8))
        assert client.process.wait(SECONDS) == 0


class TestDescriptors:
    def test_flags_that_a_client_shares_stay_as_they_are(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs, closing(over_one_socket(ours, theirs)) as client:
            client.open().send(call(1, "say", words="a"))
            assert said(client.read()) == "a"
            assert theirs.getblocking() and os.get_blocking(theirs.fileno())

    def test_a_client_that_breaks_the_line_off_is_no_failure(self) -> None:
        ours, theirs = socket.socketpair()
        with closing(over_one_socket(ours, theirs)) as client:
            theirs.close()
            client.open().send(call(1, "say", words=LONG) + call(2, "patient"))
            pause(0.5, "nobody reads the answers")
            client.close()  # with an answer unread: the server's next read fails
            assert client.process.returncode == 0
            assert "Traceback" not in "".join(client.log)

    def test_a_server_without_standard_error_serves_as_well(self) -> None:
        command = ["sh", "-c", 'exec "$0" "$1" 2>&-', *PARLOUR]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert process.stdin is not None and process.stdout is not None
        with closing(Client(process, process.stdin, process.stdout)) as client:
            client.open().send(call(1, "chatter") + call(2, "say", words="a"))
            assert sorted(said(client.read()) for _ in range(2)) == ["a", "done"]

    def test_a_pipe_that_a_client_made_unblocking_is_served_as_well(self) -> None:
        source, stdout = os.pipe()
        os.set_blocking(stdout, False)
        stdin, sink = os.pipe()
        os.set_blocking(stdin, False)
        process = subprocess.Popen(PARLOUR, stdin=stdin, stdout=stdout, stderr=subprocess.PIPE)
        for theirs in (stdin, stdout):
            os.close(theirs)
        with closing(Client(process, os.fdopen(sink, "wb"), os.fdopen(source, "rb"))) as client:
            client.open().send(call(1, "say", words=LONG, times=20))
            pause(0.5, "nobody reads the answers")
            assert said(client.read()) == LONG * 20

    def test_files_are_served_too(self, tmp_path: Path) -> None:
        asked, told = tmp_path / "asked", tmp_path / "told"
        asked.write_bytes(request(0, "initialize", HELLO))
        with ExitStack() as stack:
            stdin, stdout = stack.enter_context(asked.open("rb")), stack.enter_context(told.open("wb"))
            subprocess.run(PARLOUR, check=True, stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, timeout=SECONDS)
        assert json.loads(told.read_text())["result"]["serverInfo"]["name"] == "pincite"
