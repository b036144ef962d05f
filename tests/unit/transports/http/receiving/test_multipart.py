import pytest

from pincite.transports.http.exchange import Refused
from pincite.transports.http.receiving.multipart import Event, MultipartBody, PartBegin, PartData, PartEnd

TYPE = "multipart/form-data; boundary=xyz"
BODY = (
    b'--xyz\r\nContent-Disposition: form-data; name="schema"\r\n\r\n{"a": 1}\r\n'
    b'--xyz\r\nContent-Disposition: form-data; name="file"; filename="\xc3\xbc%22%20.pdf"\r\nContent-Type: x/y\r\n\r\n'
    b"one\r\n--xy two\r\n--xyz--\r\n"
)


def joined(events: list[Event]) -> list[object]:
    """The events, neighbouring data joined."""
    found: list[object] = []
    for event in events:
        if isinstance(event, PartData) and found and isinstance(found[-1], bytes):
            found[-1] += event.data
        else:
            found.append(event.data if isinstance(event, PartData) else event)
    return found


@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_the_parts_are_the_same_however_the_body_arrives(size: int) -> None:
    body, events = MultipartBody(TYPE, ("file",)), list[Event]()
    for start in range(0, len(BODY), size):
        events += body.feed(BODY[start : start + size])
    body.finish()
    assert joined(events) == [
        PartBegin("schema", None),
        b'{"a": 1}',
        PartEnd(),
        PartBegin("file", 'ü"%20.pdf'),
        b"one\r\n--xy two",
        PartEnd(),
    ]


@pytest.mark.parametrize("kind", ["", "application/json", "multipart/form-data", "multipart/mixed; boundary=xyz"])
def test_what_is_no_form_is_refused(kind: str) -> None:
    with pytest.raises(Refused, match="Send a multipart form"):
        MultipartBody(kind, ("file",))


def test_a_boundary_that_is_too_long_is_refused() -> None:
    with pytest.raises(Refused, match="malformed") as refused:
        MultipartBody(f"multipart/form-data; boundary={'x' * 257}", ("file",))
    assert refused.value.status == 400


def test_a_body_that_ends_too_early_is_refused() -> None:
    body = MultipartBody(TYPE, ("file",))
    body.feed(BODY[:-10])
    with pytest.raises(Refused, match="malformed or incomplete"):
        body.finish()


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        (b"filename*=UTF-8''%e2%82%ac.pdf", "€.pdf"),
        (b"filename*=iso-8859-1'de'%fc.pdf", "ü.pdf"),
        (b'filename*0="a b"; filename*1=".pdf"', "a b.pdf"),
        (b"filename=plain.pdf; filename*=UTF-8''other.pdf", "plain.pdf"),
        (b"filename*=plain.pdf", "plain.pdf"),
    ],
)
def test_a_file_may_be_named_by_an_encoded_name_alone(parameters: bytes, name: str) -> None:
    body = MultipartBody(TYPE, ("file",))
    sent = b'--xyz\r\nContent-Disposition: form-data; name="file"; ' + parameters + b"\r\n\r\none\r\n--xyz--\r\n"
    assert body.feed(sent)[0] == PartBegin("file", name)


@pytest.mark.parametrize(
    ("fields", "named"), [(("file",), "the field file."), (("file", "schema"), "the fields file and schema.")]
)
def test_what_is_no_form_is_refused_with_the_fields_that_it_needs(fields: tuple[str, ...], named: str) -> None:
    with pytest.raises(Refused, match=f"Send a multipart form .* with {named}"):
        MultipartBody("application/json", fields)
