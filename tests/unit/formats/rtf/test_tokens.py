from pincite.formats.rtf.tokens import Kind, Token, tokens


def test_words_have_a_parameter_and_end_with_one_space() -> None:
    assert list(tokens(b"{\\b0 x\\par\\li-720 y}")) == [
        Token(Kind.OPEN),
        Token(Kind.WORD, "b", 0),
        Token(Kind.TEXT, data=b"x"),
        Token(Kind.WORD, "par"),
        Token(Kind.WORD, "li", -720),
        Token(Kind.TEXT, data=b"y"),
        Token(Kind.CLOSE),
    ]


def test_symbols_and_codes_of_letters() -> None:
    found = list(tokens(b"\\'e9\\~\\*\\{a\r\nb"))
    assert [(one.kind, one.word, one.data) for one in found] == [
        (Kind.TEXT, "'", b"\xe9"),
        (Kind.SYMBOL, "~", b""),
        (Kind.SYMBOL, "*", b""),
        (Kind.SYMBOL, "{", b""),
        (Kind.TEXT, "", b"a"),
        (Kind.TEXT, "", b"b"),
    ]


def test_binary_data_is_passed_over() -> None:
    assert [one.data for one in tokens(b"a\\bin4 }\\{}b") if one.kind is Kind.TEXT] == [b"a", b"b"]
    assert list(tokens(b"\\bin999999999 x")) == []


def test_a_number_of_ten_digits_is_one() -> None:
    assert next(tokens(b"\\leveltemplateid-1898031884")).number == -1898031884


def test_a_backslash_at_the_end_is_nothing() -> None:
    assert list(tokens(b"\\")) == []
