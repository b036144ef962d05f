"""References to clauses, tables and other documents."""

import pytest

from pincite.chunking.tagging.references import references

CLAUSES = frozenset({"5.2", "5.2.1", "6", "A", "A.2"})


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("as given in Section 5.2 and clause 6", ("5.2", "6")),
        ("Section 5.2 of [RFC7234]", ("RFC 7234 §5.2",)),
        ("RFC 9110 §4.2 applies", ("RFC 9110 §4.2",)),
        ("See RFC 9110 §4.2 and 5.2.1", ("RFC 9110 §4.2", "5.2.1")),
        ("See RFC 9110 §4.2 and 9.9", ("RFC 9110 §4.2", "RFC 9110 §9.9")),
        ("See RFC 9110 §§4.2 and 5.2.1, Section 5.2 to 6", ("RFC 9110 §4.2", "RFC 9110 §5.2.1", "5.2", "6")),
        ("RFC 9110, Sections 5.2 and 6", ("RFC 9110 §5.2", "RFC 9110 §6")),
        (
            "RFC 9110 §5.2 to 6, Section 5.2 or 6 of RFC 7234",
            ("RFC 9110 §5.2", "RFC 9110 §6", "RFC 7234 §5.2", "RFC 7234 §6"),
        ),
        ("[RFC9110], Section 4.2, and [RFC2119]", ("RFC 9110 §4.2", "RFC 2119")),
        ("Sections 5.2, 5.2.1 and 6", ("5.2", "5.2.1", "6")),
        ("Annex A and Appendix B", ("A", "Appendix B")),
        ("Annexes A and D", ("A", "Annex D")),
        ("in A.2 or Annex A.2", ("A.2",)),
        ("Section 9.9", ("Section 9.9",)),
        ("§ 6 and Table 3, Figure A.1", ("6", "Table 3", "Figure A.1")),
        ("ISO/IEC 27001:2013 and IEEE Std 830-1998", ("ISO/IEC 27001:2013", "IEEE Std 830-1998")),
        ("NIST SP 800-53, MIL-STD-882E, DO-178C", ("NIST SP 800-53", "MIL-STD-882E", "DO-178C")),
        ("subclause 5.2.1 twice, Subclause 5.2.1", ("5.2.1",)),
        ("See 5.2. The rest, see also 5.2.1 and A.2", ("5.2", "5.2.1", "A.2")),
        ("See 9.9, or see 5 doors, and oversee 5.2", ()),
        ("See 5.2 of RFC 7234", ("RFC 7234 §5.2",)),
        ("intersection 5 of the #section 6", ()),
    ],
)
def test_references_are_named_in_order(text: str, names: tuple[str, ...]) -> None:
    assert references(text, CLAUSES).within(0, len(text), "") == names


def test_a_span_has_its_own_references_without_its_own_clause() -> None:
    text = "Section 5.2. Section 6 and Section 5.2.1."
    found = references(text, CLAUSES)
    assert found.within(13, len(text), "6") == ("5.2.1",)
