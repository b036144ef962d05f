from base64 import b64encode

import pytest

from pincite.errors import ReadingFailed
from pincite.formats.base import Blob
from pincite.formats.detect.sniff import sniff
from pincite.formats.worker.processes import ProcessPool
from pincite.model.call import Call
from support.reader_pool import MakePool, read
from support.word import Word, part_of, with_part

pytestmark = pytest.mark.slow

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
SEGFAULT = "the file crashed its reader (SIGSEGV)"


def mail(*names: str, subject: str = "Keys", text: str = "See there.") -> str:
    """A message with a file of each name attached."""
    parts = "".join(
        f'--b\nContent-Type: application/x-thing\nContent-Disposition: attachment; filename="{name}"\n\n{name}\n'
        for name in names
    )
    head = (
        f"From: ann@example.org\nTo: bob@example.org\nSubject: {subject}\nContent-Type: multipart/mixed; boundary=b\n"
    )
    return f"{head}\n--b\nContent-Type: text/plain\n\n{text}\n{parts}--b--\n"


def mailbox(*messages: str) -> bytes:
    return "".join(f"From ann@example.org Tue Jul  1 10:00:00 2025\n{message}\n" for message in messages).encode()


def unread(name: str, reason: str = SEGFAULT) -> str:
    alone = "Save it as a file of its own and read that"
    return f"the attachment {name} (application/x-thing, 1 kB) was not read: {reason}. {alone}"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("a.crash", SEGFAULT),
        ("a.spin", "reading the file took longer than 2 s (PINCITE_READER_TIMEOUT)"),
        ("a.eat", "reading the file takes more than 600 MB of memory (PINCITE_READER_MEMORY)"),
        ("a.panic", "the file could not be read: its reader failed (KeyboardInterrupt). It may be damaged"),
    ],
)
def test_a_mail_is_read_without_an_attachment_that_ends_the_process(make: MakePool, name: str, reason: str) -> None:
    seconds = 2.0 if name == "a.spin" else 30.0
    pool = make(seconds=seconds, seconds_per_mb=0.0, seconds_per_page=0.0, memory_bytes=600_000_000)
    found = read(pool, "mail", mail("1.well", name, "2.well").encode())
    assert found.coverage.gaps == (unread(name, reason),)
    assert found.text.endswith(
        "See there.\n## Attachment: 1.well\n\n1.well 1\n1.well 2\n1.well 3\n"
        "## Attachment: 2.well\n\n2.well 1\n2.well 2\n2.well 3\n"
    )


def test_a_real_attachment_that_takes_too_long_is_left_out(make: MakePool) -> None:
    short = Word().add("Paragraph").saved()
    body = part_of(short, "word/document.xml")
    paragraph = body[body.index(b"<w:p>") : body.index(b"</w:p>") + len(b"</w:p>")]
    long = with_part(short, "word/document.xml", body.replace(paragraph, paragraph * 600_000))
    files = "".join(
        f"--b\nContent-Type: {DOCX}\n"
        f'Content-Disposition: attachment; filename="{name}"\n'
        f"Content-Transfer-Encoding: base64\n\n{b64encode(file).decode()}\n"
        for name, file in {"long.docx": long, "short.docx": short}.items()
    )
    data = mail().replace("--b--", f"{files}--b--").encode()
    pool = make(seconds=3.0, seconds_per_mb=0.0, seconds_per_page=0.0)
    found = pool.read(sniff("a.eml", data), Blob("a.eml", data), Call())
    (gap,) = found.coverage.gaps
    assert "long.docx" in gap and "was not read: reading the file took longer than 3 s (PINCITE_READER_TIMEOUT)" in gap
    assert found.text.endswith("See there.\n## Attachment: short.docx\n\nParagraph\n")


def test_such_an_attachment_is_not_read_again_by_the_next_call(make: MakePool, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs: list[object] = []
    run = ProcessPool.run

    def counted(self: ProcessPool, *arguments: object) -> object:
        jobs.append(arguments)
        return run(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(ProcessPool, "run", counted)
    pool = make()
    first, *others = [read(pool, "mail", mail("a.crash").encode()) for _ in range(4)]
    assert len(jobs) == 5
    assert first.coverage.gaps == (unread("a.crash"),)
    assert first.coverage.limits_hit == ("reader_process",)
    assert all(other == first for other in others)


def test_after_three_of_them_no_other_attachment_is_tried(make: MakePool) -> None:
    names = ["1.well", "a.crash", "b.crash", "c.crash", "d.crash", "2.well"]
    found = read(make(), "mail", mailbox(mail(*names), mail(subject="Locks", text="Change them.")))
    untried = "3 others ended their reader"
    assert found.coverage.gaps == (
        *(unread(name) for name in ("a.crash", "b.crash", "c.crash")),
        *(unread(name, untried) for name in ("d.crash", "2.well")),
    )
    assert "1.well 3" in found.text and found.text.endswith("\n\nChange them.\n")


def test_a_message_of_a_mailbox_whose_text_ends_the_process_keeps_its_head(make: MakePool) -> None:
    bad = "From: eve@example.org\nTo: bob@example.org\nSubject: Bomb\nContent-Type: text/html\n\n<p>crash</p>\n"
    found = read(make(), "mail", mailbox(mail("1.well"), bad, mail(subject="Locks", text="Change them.")))
    assert found.coverage.gaps == (f"the text of Bomb was not read: {SEGFAULT}",)
    assert "# Bomb\n\nFrom: eve@example.org" in found.text
    assert "1.well 3" in found.text and found.text.endswith("\n\nChange them.\n")


def test_a_file_whose_only_text_ends_the_process_is_not_read(make: MakePool) -> None:
    bad = b"From: eve@example.org\nTo: bob@example.org\nSubject: Bomb\nContent-Type: text/html\n\n<p>crash</p>\n"
    with pytest.raises(ReadingFailed, match="SIGSEGV"):
        read(make(), "mail", bad)


def test_too_many_messages_that_end_the_process_are_a_failure_of_the_file(make: MakePool) -> None:
    bad = "From: eve@example.org\nTo: bob@example.org\nSubject: Bomb\nContent-Type: text/html\n\n<p>crash</p>\n"
    with pytest.raises(ReadingFailed, match="SIGSEGV"):
        read(make(), "mail", mailbox(*[bad] * 4))
