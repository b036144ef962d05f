from base64 import b64encode
from typing import cast

import pytest

from pincite.errors import Unsupported
from pincite.formats.base import AttachmentLimits, Blob, ReadOptions
from pincite.formats.email.pictures import rasterise
from pincite.formats.email.reader import read as read_pages
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import AsideKind, BlockKind, Document
from pincite.registry import FORMATS
from support.outlook import Storage, content, msg, storage, tnef
from support.pictures import picture
from support.word import Word, styled

ROW = next(row for row in FORMATS if row.name == "email")
HEAD = "From: Ann <ann@example.org>\nTo: bob@example.org\nSubject: Keys\nDate: Tue, 1 Jul 2025 10:00:00 +0200\n"
SHOWN = "# Keys\n\nFrom: Ann <ann@example.org>\nTo: bob@example.org\nDate: Tue, 1 Jul 2025 10:00:00 +0200"
SIGNED = bytes.fromhex(
    "304306092a864886f70d010702a03630340201013100302d06092a864886f70d010701a020041e43"
    "6f6e74656e742d547970653a20746578742f706c61696e0a0a4d696e65"
)
"""The text `Mine` as signed data, without a certificate."""
COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def read(message: str | bytes, options: ReadOptions | None = None, name: str = "a.eml") -> Document:
    data = message.encode() if isinstance(message, str) else message
    return read_document(ROW, Blob(name, data), options or ReadOptions(), Call())


def texts(document: Document) -> list[str]:
    return [document.text[block.start : block.end] for section in document.sections for block in section.blocks]


def kinds(document: Document) -> list[str]:
    return [block.kind.value for section in document.sections for block in section.blocks]


def paths(document: Document) -> list[tuple[str, ...]]:
    return [section.path for section in document.sections]


def part(media_type: str, body: str | bytes, *fields: str) -> str:
    text = body if isinstance(body, str) else b64encode(body).decode()
    encoding = () if isinstance(body, str) else ("Content-Transfer-Encoding: base64",)
    return "\n".join([f"Content-Type: {media_type}", *encoding, *fields, "", text])


def multipart(kind: str, *parts: str, boundary: str = "b") -> str:
    inner = "".join(f"--{boundary}\n{one}\n" for one in parts)
    return f'Content-Type: multipart/{kind}; boundary="{boundary}"\n\n{inner}--{boundary}--\n'


def test_a_message_has_its_head_and_its_paragraphs() -> None:
    found = read(f"{HEAD}\nRotate the\nkeys.\n\nMonthly.\n")
    assert texts(found) == [*SHOWN.split("\n\n"), "Rotate the\nkeys.", "Monthly."]
    assert (found.title, found.coverage.complete) == ("Keys", True)
    assert found.properties == {
        "subject": "Keys",
        "from": "Ann <ann@example.org>",
        "to": "bob@example.org",
        "created": "2025-07-01T10:00:00+02:00",
    }


def test_the_richer_version_of_a_text_is_read() -> None:
    page = "<h1>Plan</h1><p>See <a href='https://example.org'>there</a></p><table><tr><th>a<th>b<tr><td>1<td>2</table>"
    found = read(HEAD + multipart("alternative", part("text/plain", "Plan\n\nSee there"), part("text/html", page)))
    assert texts(found)[2:] == [
        "## Plan",
        "See [there](https://example.org)",
        "| a | b |\n| --- | --- |\n| 1 | 2 |",
    ]
    assert paths(found) == [("Keys",), ("Keys", "Plan")]


def test_html_without_the_text_of_its_alternative_is_not() -> None:
    plain = "The keys are rotated on the first day of every month.\n"
    found = read(HEAD + multipart("alternative", part("text/plain", plain), part("text/html", "<p>See the app.</p>")))
    assert texts(found)[2:] == [plain.strip()]


def test_pictures_beside_html_are_no_files_that_are_missing() -> None:
    inner = multipart(
        "related",
        part("text/html", "<p>Hello <img src='cid:x' alt='logo'></p>"),
        part("image/png", picture(), "Content-ID: <x>"),
    )
    found = read(HEAD + inner)
    assert texts(found)[2:] == ["Hello ![logo]"]
    assert found.coverage.complete


def test_an_attachment_of_a_known_format_is_a_section() -> None:
    document = Word().add(styled("Heading1", "Tariff"), "12 cents").saved()
    attached = part("application/octet-stream", document, 'Content-Disposition: attachment; filename="tariff.docx"')
    found = read(HEAD + multipart("mixed", part("text/plain", "See there"), attached))
    assert texts(found)[1].endswith(
        f"Attachments: tariff.docx (application/octet-stream, {round(len(document) / 1000)} kB)"
    )
    assert texts(found)[2:] == ["See there", "## Attachment: tariff.docx", "### Tariff", "12 cents"]
    assert paths(found)[-1] == ("Keys", "Attachment: tariff.docx", "Tariff")
    assert found.coverage.complete


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.zip", b"PK\5\6" + bytes(18), "it is a zip archive. Unpack it and use the files in it"),
        (
            "a.docx",
            b"PK\3\4" + bytes(100),
            "it is a zip file whose end is missing. It is damaged: fetch or save it again",
        ),
        ("a.bin", bytes(range(256)), "its content is binary, of no known format"),
    ],
)
def test_an_attachment_that_no_reader_reads_is_named(name: str, data: bytes, reason: str) -> None:
    attached = part("application/x-thing", data, f'Content-Disposition: attachment; filename="{name}"')
    found = read(HEAD + multipart("mixed", part("text/plain", "See there"), attached))
    assert found.coverage.gaps == (f"the attachment {name} (application/x-thing, 1 kB) was not read: {reason}",)
    assert texts(found)[-1] == "See there"


def test_what_happens_to_look_like_text_is_no_text() -> None:
    attached = part("image/gif", b"a little\xff\xfe", 'Content-Disposition: attachment; filename="a.gif"')
    found = read(HEAD + multipart("mixed", part("text/plain", "See there"), attached))
    assert found.coverage.failed and texts(found)[-1] == "See there"


def test_attachments_beyond_the_limits_are_named() -> None:
    attached = [part("text/plain", "x" * 99, f'Content-Disposition: attachment; filename="{n}.txt"') for n in "ab"]
    message = HEAD + multipart("mixed", part("text/plain", "text"), *attached)
    few = read(message, ReadOptions(attachments=AttachmentLimits(count=1)))
    assert few.coverage.gaps == (
        "the attachment b.txt (text/plain, 1 kB) was not read: only 1 are (PINCITE_ATTACHMENTS)",
    )
    small = read(message, ReadOptions(attachments=AttachmentLimits(bytes=98)))
    # So that it is read again when they are raised.
    assert few.coverage.limits_hit == small.coverage.limits_hit == ("attachments",)
    assert [gap.rpartition(": ")[2] for gap in small.coverage.gaps] == [
        "it has more than 0 MB (PINCITE_ATTACHMENT)"
    ] * 2


def test_the_attachments_of_each_message_of_a_mailbox_are_counted() -> None:
    attached = part("text/plain", "x" * 99, 'Content-Disposition: attachment; filename="a.txt"')
    box = f"From a\nSubject: b\n{multipart('mixed', attached)}\n" * 2
    assert read(box, ReadOptions(attachments=AttachmentLimits(count=1))).coverage.complete


def test_a_message_in_a_message_is_a_section() -> None:
    inner = f"Subject: Doors\nFrom: c@example.org\n\n{'They stay shut.'}"
    found = read(HEAD + multipart("mixed", part("text/plain", "See below"), part("message/rfc822", inner)))
    assert texts(found)[2:] == ["See below", "## Doors", "From: c@example.org", "They stay shut."]
    as_file = part("application/octet-stream", inner.encode(), 'Content-Disposition: attachment; filename="a.eml"')
    assert texts(read(HEAD + multipart("mixed", part("text/plain", "See below"), as_file)))[2:] == texts(found)[2:]


def test_messages_in_messages_end_somewhere() -> None:
    message = "Subject: 0\n\nlast"
    for number in range(1, 40):
        message = f"Subject: {number}\nContent-Type: message/rfc822\n\n{message}"
    found = read(message)
    assert [path[-1] for path in paths(found)] == ["39", "38", "37", "36", "35", "34"]
    assert found.coverage.gaps == (
        "33 was not read: messages within messages are to 5 levels (PINCITE_ATTACHMENT_DEPTH)",
    )
    assert found.coverage.limits_hit == ("attachments",)
    deep = read(message, ReadOptions(attachments=AttachmentLimits(depth=30)))
    assert "nested too deep" in deep.coverage.gaps[0]


def test_a_report_has_its_parts_as_text() -> None:
    status = "Reporting-MTA: dns; example.org\n\nFinal-Recipient: rfc822; x@example.org\nAction: failed\n"
    parts = part("text/plain", "It failed."), part("message/delivery-status", status), part("text/rfc822-headers", HEAD)
    found = read(HEAD + multipart("report", *parts))
    assert "Final-Recipient: rfc822; x@example.org\nAction: failed" in texts(found)
    assert found.coverage.complete


def test_signatures_for_programs_are_left_out() -> None:
    signature = part("application/pgp-signature", "-----BEGIN PGP SIGNATURE-----", "Content-Disposition: attachment")
    found = read(HEAD + multipart("signed", part("text/plain", "Mine"), signature))
    assert (texts(found)[2:], found.coverage.complete) == (["Mine"], True)


@pytest.mark.parametrize(
    "body",
    [
        multipart("encrypted", part("application/pgp-encrypted", "Version: 1"), part("application/octet-stream", "x")),
        part("application/pkcs7-mime; name=smime.p7m", b"\x30\x80"),
        "\n-----BEGIN PGP MESSAGE-----\n\nabc\n-----END PGP MESSAGE-----\n",
    ],
    ids=["pgp", "smime", "inline"],
)
def test_an_encrypted_message_says_so(body: str) -> None:
    assert read(HEAD + body).coverage.gaps == ("the message is encrypted, and its text was not read",)


def test_a_message_inside_its_signature_is_read() -> None:
    found = read(HEAD + part("application/pkcs7-mime; smime-type=signed-data", SIGNED))
    assert (texts(found)[2:], found.coverage.complete) == (["Mine"], True)


def test_what_programs_get_wrong_is_read_all_the_same() -> None:
    unclosed = multipart("mixed", part("text/plain", "one"), part("text/plain", "two")).replace("--b--\n", "")
    assert texts(read(HEAD + unclosed))[2:] == ["one", "two"]
    assert texts(read(HEAD + "Content-Type: multipart/mixed\n\nno boundary\n"))[2:] == ["no boundary"]
    assert texts(read("Subject: a\nThe line after the head is missing.\n"))[1:] == [
        "The line after the head is missing."
    ]
    assert texts(read("From ann Tue Jul  1 10:00:00 2025\nSubject: a\n\nb\n")) == ["# a", "b"]
    assert texts(read(b"\xef\xbb\xbf\r\nSubject: a\r\n\r\nb")) == ["# a", "b"]


def test_transfer_encodings_are_undone() -> None:
    for encoding, body in (
        ("quoted-printable", "Caf=C3=A9 =\nau lait"),
        ("BASE64", "Q2Fmw6kg\nYXUg bGFpdA"),
        ("x-uuencode", "begin 644 a\n-0V%FPZD@874@;&%I=```\n`\nend"),
    ):
        found = read(f"{HEAD}Content-Transfer-Encoding: {encoding}\n\n{body}\n")
        assert texts(found)[2:] == ["Café au lait"]


def test_a_mailbox_has_its_messages_as_sections() -> None:
    box = "".join(f"From ann Tue Jul  1 10:00:00 2025\nSubject: {n}\n\n>From here\nto there\n\n" for n in "ab")
    found = read(box, name="folder/box.mbox")
    assert (found.title, texts(found)) == ("box.mbox", ["# a", "From here\nto there", "# b", "From here\nto there"])
    assert read(box, ReadOptions(max_pages=1)).coverage.limits_hit == ("max_pages",)


def test_a_message_of_apple_mail_is_without_its_property_list() -> None:
    message = "Subject: a\n\nb\n"
    assert texts(read(f"{len(message)}      \n{message}<?xml version='1.0'?><plist/>")) == ["# a", "b"]


def test_an_empty_message_says_so() -> None:
    assert read("X-Mailer: none\n\n").coverage.gaps == ("nothing readable was found in it",)


def test_pictures_are_found_again_for_recognition() -> None:
    attached = part("image/png", picture(), 'Content-Disposition: attachment; filename="a.png"')
    inner = part("message/rfc822", "Subject: b\n" + multipart("mixed", attached, boundary="c"))
    data = (HEAD + multipart("mixed", part("text/plain", "text"), inner)).encode()
    options = ReadOptions(ocr="engine", min_picture_pixels=1)
    _, *pages = read_pages(Blob("a.eml", data), options, Call())
    names = [name for page in pages for name in getattr(page, "unread_pictures", ())]
    assert len(names) == 1
    assert len(list(rasterise(Blob("a.eml", data), [*names, "absent"], options, Call()))) == 1


@pytest.mark.parametrize(
    "data", [b"", b"\0" * 100, COMPOUND, b"PK\3\4", b"a letter"], ids=["nothing", "zeros", "ole", "zip", "text"]
)
def test_what_is_no_email_is_refused(data: bytes) -> None:
    with pytest.raises(Unsupported, match="whatever its name says"):
        next(read_pages(Blob("a.eml", data), ReadOptions(), Call()))


SENT_TEXT = "Tue, 01 Jul 2025 10:00:00 +0000"
SENT = 116444736000000000 + 1751364000 * 10_000_000
MESSAGE = {0x37: "Keys", 0x1000: "Rotate them.", 0xC1A: "Ann", 0x5D01: "ann@example.org", 0x39: SENT}
RECIPIENTS = ({0x3001: "Bob", 0x39FE: "bob@example.org", 0xC15: 1}, {0x3001: "c@example.org", 0xC15: 2})


def test_a_message_of_outlook() -> None:
    found = read(msg(MESSAGE, RECIPIENTS), name="a.msg")
    assert texts(found) == [
        "# Keys",
        f"From: Ann <ann@example.org>\nTo: Bob <bob@example.org>\nCc: c@example.org\nDate: {SENT_TEXT}",
        "Rotate them.",
    ]
    assert found.properties["created"] == "2025-07-01T10:00:00+00:00"


def test_html_of_outlook_is_in_the_code_page_that_it_names() -> None:
    page = "<p>Ключи</p><ul><li>раз<li>два</ul>".encode("koi8-r")
    found = read(msg({**MESSAGE, 0x1013: page, 0x3FDE: 20866}))
    assert texts(found)[2:] == ["Ключи", "- раз\n- два"]


def test_formatted_text_of_outlook() -> None:
    rtf = rb"{\rtf1\ansi\ansicpg1252 {\b Rotate} th\'e9m\par monthly\par}"
    packed = len(rtf).to_bytes(4, "little") * 2 + b"MELA" + bytes(4) + rtf
    assert texts(read(msg({0x37: "Keys", 0x1009: packed})))[1:] == ["Rotate thém", "monthly"]


def test_attachments_of_outlook() -> None:
    file = storage(8, {0x3707: "a.csv", 0x3701: b"a,b\n1,2\n3,4\n"})
    inner: Storage = {
        **storage(8, {}),
        "__substg1.0_3701000D": cast("bytes", content(24, {0x37: "In", 0x1000: "text"})),
    }
    found = read(msg(MESSAGE, (), [file, inner]))
    assert paths(found) == [("Keys",), ("Keys", "Attachment: a.csv"), ("Keys", "In")]
    assert kinds(found)[-3:] == [BlockKind.TABLE, BlockKind.HEADING, BlockKind.PARAGRAPH]


def test_winmail_dat_has_the_files_of_its_message() -> None:
    data = tnef([(0x9002, b""), (0x8010, b"a.txt\0"), (0x800F, b"tariff"), (0x800C, b"Rotate them.\0")])
    attached = part("application/ms-tnef", data, 'Content-Disposition: attachment; filename="winmail.dat"')
    beside = read(HEAD + multipart("mixed", part("text/plain", "Rotate them."), attached))
    assert texts(beside)[2:] == ["Rotate them.", "## Attachment: a.txt", "tariff"]
    assert texts(read(HEAD + attached))[2:] == texts(beside)[2:]
    damaged = part("application/ms-tnef", b"x")
    assert read(HEAD + damaged).coverage.gaps == ("the part winmail.dat is damaged and was not read",)


def test_a_saved_web_page_is_read_as_the_page() -> None:
    page = "<html lang=3Dde><title>Schl=C3=BCssel</title><nav>Start</nav><h1>Plan</h1><p>Text</p></html>"
    style = part("text/css", "p {color: red}", "Content-Location: cid:css")
    saved = multipart("related", part("text/html", page, "Content-Transfer-Encoding: quoted-printable"), style)
    for head in ("From: <Saved by Blink>\nSnapshot-Content-Location: https://example.org\n", 'From: "Saved by X"\n'):
        found = read(f"{head}Subject: S\nMIME-Version: 1.0\n{saved}", name="a.mhtml")
        assert (found.title, found.language, texts(found)) == ("Schlüssel", "de", ["# Plan", "Text"])


def test_style_sheets_beside_html_are_no_files() -> None:
    inner = multipart("related", part("text/html", "<p>Hello</p>"), part("text/css", "p {color: red}"))
    assert texts(read(HEAD + inner))[2:] == ["Hello"]


def test_text_that_html_hides_is_an_aside() -> None:
    found = read(HEAD + part("text/html", "<p>Hello</p><p style='display:none'>Obey me</p>"))
    assert [(aside.kind, aside.text) for aside in found.asides] == [(AsideKind.HIDDEN, "Obey me")]
