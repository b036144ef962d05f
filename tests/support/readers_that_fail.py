"""Readers that do what no reader should. Each is named by a row of `ROWS`."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from pincite.errors import Unsupported
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.writing.page_writer import PageWriter
from pincite.model.call import Call
from pincite.model.document import Head, Page
from pincite.registry import Format


def _page(options: ReadOptions, text: str, number: int | None = None) -> Page:
    writer = PageWriter(options.max_blocks, number)
    writer.paragraph(text)
    return writer.page()


def well(blob: Blob, options: ReadOptions, _call: Call) -> Iterator[Head | Page]:
    yield Head("Well", {"process": str(os.getpid())}, pages=3)
    for number in (1, 2, 3):
        yield _page(options, f"{blob.data.decode()} {number}", number)


def slow(_blob: Blob, options: ReadOptions, _call: Call) -> Iterator[Head | Page]:
    yield Head()
    for number in range(1, 6):
        _work(0.3)
        yield _page(options, f"page {number}", number)


def ahead(_blob: Blob, options: ReadOptions, _call: Call) -> Iterator[Head | Page]:
    yield Head(pages=3)
    time.sleep(1.5)
    for number in range(1, 4):
        yield _page(options, f"page {number}", number)


def large(_blob: Blob, options: ReadOptions, _call: Call) -> Iterator[Head | Page]:
    yield Head()
    yield _page(options, "word " * 2_000_000)


def hang(blob: Blob, options: ReadOptions, _call: Call) -> Iterator[Head | Page]:
    yield Head()
    if blob.data:
        Path(blob.data.decode()).write_text(str(os.getpid()), encoding="utf-8")
    time.sleep(600)
    yield _page(options, "never")


def _work(seconds: float) -> None:
    """Use the processor for that long by its own time, whatever else runs."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def spin(_blob: Blob, options: ReadOptions, _call: Call) -> Iterator[Head | Page]:
    """Never ends, and is never idle."""
    yield Head()
    _work(600)
    yield _page(options, "never")


def starved(_blob: Blob, options: ReadOptions, _call: Call) -> Iterator[Head | Page]:
    """Needs 0.3 s of the processor and gets them in 3 s, as on a loaded machine."""
    yield Head()
    for _ in range(10):
        _work(0.03)
        time.sleep(0.27)
    yield _page(options, "at last")


def crash(_blob: Blob, _options: ReadOptions, _call: Call) -> Iterator[Head | Page]:
    yield Head()
    os.kill(os.getpid(), signal.SIGSEGV)


def killed(blob: Blob, options: ReadOptions, _call: Call) -> Iterator[Head | Page]:
    """Is killed on its second page, as without memory: once if the file that it names is empty, or always."""
    yield Head("Killed", pages=2)
    yield _page(options, "one", 1)
    mark = Path(blob.data.decode())
    if not mark.is_file() or not mark.stat().st_size:
        if mark.is_file():
            mark.write_text("killed", encoding="utf-8")
        os.kill(os.getpid(), signal.SIGKILL)
    yield _page(options, "two", 2)


def leave(_blob: Blob, _options: ReadOptions, _call: Call) -> Iterator[Head | Page]:
    yield Head()
    os._exit(0)


def eat(_blob: Blob, _options: ReadOptions, _call: Call) -> Iterator[Head | Page]:
    yield Head()
    eaten: list[bytearray] = []
    while True:
        eaten.append(bytearray(50_000_000))


def chatter(_blob: Blob, options: ReadOptions, _call: Call) -> Iterator[Head | Page]:
    yield Head()
    print("to standard output", flush=True)  # noqa: T201 - that is what it is for
    os.write(1, b"to descriptor 1\n")
    os.write(2, b"to descriptor 2\n")
    subprocess.run([sys.executable, "-c", "print('from a child')"], check=True)
    with contextlib.suppress(EOFError):
        input()
    yield _page(options, "said nothing")


def fail(blob: Blob, _options: ReadOptions, _call: Call) -> Iterator[Head | Page]:
    yield Head()
    raise KeyError(blob.name)


def refuse(_blob: Blob, _options: ReadOptions, _call: Call) -> Iterator[Head | Page]:
    yield Head()
    raise Unsupported("It is of another planet.", details="Mars", suggestion="Fly there.")


def panic(_blob: Blob, _options: ReadOptions, _call: Call) -> Iterator[Head | Page]:
    yield Head()
    raise KeyboardInterrupt  # as pyo3's PanicException, no Exception


def smuggle(_blob: Blob, _options: ReadOptions, _call: Call) -> Iterator[Head | Page]:
    yield Head()
    yield _Bomb()  # type: ignore[misc] - what may not pass


def headless(_blob: Blob, options: ReadOptions, _call: Call) -> Iterator[Head | Page]:
    yield _page(options, "a page before the head")
    yield _page(options, "and one after")


def show(blob: Blob, page: int, width: int, options: ReadOptions, call: Call) -> bytes:
    """Renders as the name of the file's row says."""
    kind = blob.name.rpartition(".")[2]
    if kind == "well":
        return b"\x89PNG\r\n\x1a\n" + f"{os.getpid()} {page} {width}".encode()
    if kind == "nonsense":
        return b"<svg onload='alert()'/>"
    if kind == "large":
        return b"\x89PNG\r\n\x1a\n" + bytes(10_000_000)
    if kind == "hang":
        if blob.data:
            Path(blob.data.decode()).write_text(str(os.getpid()), encoding="utf-8")
        time.sleep(600)
    if kind == "crash" and page == 2:
        return show(replace(blob, name="a.well"), page, width, options, call)
    for _ in globals()[kind](blob, options, call):  # the reader of that name, read to its end
        pass
    return b""


def mail(blob: Blob, options: ReadOptions, call: Call) -> Iterator[Head | Page]:
    """Reads mails: attachments by the reader of this module that their names end in; HTML crashes."""
    # Only here, as all of these readers would start later.
    from pincite.formats.email import attachments, reader  # noqa: PLC0415
    from pincite.formats.email.message import Attachment  # noqa: PLC0415
    from pincite.formats.html import reader as html  # noqa: PLC0415

    def format_of(attachment: Attachment) -> tuple[Format, str]:
        return ROWS[attachment.name.rpartition(".")[2]], ""

    def crash_on(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGSEGV)

    known = attachments.format_of, html.write_whole
    attachments.format_of, html.write_whole = format_of, crash_on
    try:
        yield from reader.read(blob, options, call)
    finally:
        attachments.format_of, html.write_whole = known


class _Bomb:
    def __reduce__(self) -> tuple[object, ...]:
        return os.getpid, ()


def _row(name: str) -> Format:
    return Format(
        name,
        (f".{name}",),
        (f"application/x-{name}",),
        f"support.readers_that_fail:{name}",
        renderer="support.readers_that_fail:show",
    )


ROWS = {
    name: _row(name)
    for name in (
        *(
            "well",
            "slow",
            "ahead",
            "large",
            "hang",
            "spin",
            "starved",
            "crash",
            "leave",
            "killed",
            "eat",
            "chatter",
            "fail",
            "refuse",
            "panic",
            "smuggle",
            "mail",
        ),
        "headless",
        "nonsense",
    )
}
