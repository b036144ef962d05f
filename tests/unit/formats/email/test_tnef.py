import struct

import pytest

from pincite.formats.email.message import Message
from pincite.formats.email.tnef import read_tnef
from support.outlook import mapi, tnef

WIDE, BINARY, OBJECT = 0x1F, 0x102, 0x0D


def message(*attributes: tuple[int, bytes]) -> Message:
    found = read_tnef(tnef(attributes))
    assert found is not None
    return found


def test_subject_and_text_are_in_the_code_page_of_the_file() -> None:
    found = message((0x9007, struct.pack("<I", 1251)), (0x8004, "Ключи\0".encode("cp1251")), (0x800C, b"text\0"))
    assert (found.subject, [body.text for body in found.bodies]) == ("Ключи", ["text"])


def test_properties_outrank_narrow_strings() -> None:
    found = message((0x8004, b"Sch\xfc"), (0x9003, mapi({(0x37, WIDE): "Schlüssel\0".encode("utf-16-le")})))
    assert found.subject == "Schlüssel"


def test_files_have_their_long_names() -> None:
    properties = mapi(
        {(0x3707, WIDE): "a long name.txt".encode("utf-16-le"), (0x370E, WIDE): "a/b".encode("utf-16-le")}
    )
    found = message((0x9002, b""), (0x8010, b"along~1.txt\0"), (0x800F, b"x"), (0x9005, properties), (0x9002, b""))
    assert [(one.name, one.media_type, one.data) for one in found.attachments] == [
        ("a long name.txt", "a/b", b"x"),
        ("", "", b""),
    ]


def test_a_message_in_a_message() -> None:
    inner = tnef([(0x8004, b"In\0")])
    found = message((0x9002, b""), (0x9005, mapi({(0x3701, OBJECT): bytes(16) + inner})))
    assert [one.message and one.message.subject for one in found.attachments] == ["In"]


def test_named_and_multiple_properties_are_passed_over() -> None:
    named = struct.pack("<HH16sIII", 0x03, 0x8001, b"", 0, 7, 1)
    text = struct.pack("<HH16sII", WIDE, 0x8002, b"", 1, 6) + b"a\0b\0\0\0\0\0" + struct.pack("<II", 1, 2) + b"x\0\0\0"
    several = struct.pack("<HHIII", 0x1003, 0x6001, 2, 1, 2)
    subject = mapi({(0x37, BINARY): b"Keys"})[4:]
    assert message((0x9003, struct.pack("<I", 4) + named + text + several + subject)).subject == "Keys"


@pytest.mark.parametrize("cut", range(6, 60, 3))
def test_damage_does_no_harm(cut: int) -> None:
    data = tnef([(0x9003, mapi({(0x37, WIDE): "Keys".encode("utf-16-le")})), (0x9002, b""), (0x800F, b"x")])
    assert read_tnef(data[:cut]) is not None
    assert read_tnef(b"what") is None
