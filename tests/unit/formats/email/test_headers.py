from pincite.formats.email.headers import MAX_FIELD_CHARACTERS, charset, decoded, field, file_name, iso_date, parse


def test_a_field_may_go_on_in_the_next_line() -> None:
    fields = parse([b"Subject: one", b"\ttwo", b"  three", b"X: y"])
    assert field(fields, "subject") == "one two three"


def test_fields_of_the_same_name_are_joined() -> None:
    assert field(parse([b"To: a", b"To: b"]), "To") == "a, b"


def test_a_field_has_a_bound() -> None:
    lines = [b"Subject: x", *[b" " + b"y" * 100] * 10_000]
    assert len(field(parse(lines), "Subject")) <= MAX_FIELD_CHARACTERS


def test_encoded_words_are_decoded() -> None:
    assert decoded("=?ISO-8859-1?Q?Andr=E9?= Pirard") == "André Pirard"
    assert decoded("=?koi8-r?B?68zA3sk=?=") == "Ключи"
    assert decoded("a =?utf-8*en?q?b=20c?= d") == "a b c d"
    assert decoded("=?no-such?q?a?= =?utf-8?b?!!!?=") == "a"


def test_a_character_may_be_cut_between_two_words() -> None:
    assert decoded("=?utf-8?q?Schl=C3?=\n =?utf-8?q?=BCssel?=") == "Schlüssel"
    assert decoded("=?utf-8?q?a?= =?koi8-r?q?=D6?=") == "aж"


def test_raw_letters_are_utf8_or_western() -> None:
    assert field(parse(["Subject: Schlüssel".encode()]), "Subject") == "Schlüssel"
    assert field(parse([b"Subject: Schl\xfcssel"]), "Subject") == "Schlüssel"


def test_file_names_are_without_folders() -> None:
    def name(*lines: bytes) -> str:
        return file_name(parse([*lines]))

    assert name(b'Content-Disposition: attachment; filename="C:\\x\\a b.pdf"') == "a b.pdf"
    assert name(b"Content-Disposition: attachment; filename*0*=utf-8''%e2%82%ac; filename*1=x.pdf") == "€x.pdf"
    assert name(b'Content-Type: application/pdf; name="=?utf-8?q?=C3=A4.pdf?="') == "ä.pdf"
    assert name(b"Content-Type: application/pdf", b"Content-Description: the tariff") == "the tariff"
    assert name(b"Content-Disposition: attachment; filename*=no-such''%ff") != ""


def test_a_character_set_may_be_encoded_itself() -> None:
    assert charset(parse([b"Content-Type: text/plain; charset*=us-ascii'en'koi8-r"])) == "koi8-r"
    assert charset(parse([b"Content-Type: text/plain"])) == ""


def test_a_date_is_as_it_is_if_it_is_none() -> None:
    assert iso_date("Tue, 1 Jul 2025 10:00:00 +0200") == "2025-07-01T10:00:00+02:00"
    assert [iso_date(text) for text in ("soon", "", "Tue, 99 Jul 99999 10:00:00")] == [
        "soon",
        "",
        "Tue, 99 Jul 99999 10:00:00",
    ]
