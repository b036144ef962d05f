"""What a section is about, and whether it says that it binds."""

import pytest

from pincite.chunking.tagging.topics import Topic, binding_by_statement, binding_by_title, bindings_by_list, topic


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Terms and definitions", Topic.TERMS),
        ("Term Definitions", Topic.TERMS),
        ("Definitions, symbols and abbreviations", Topic.TERMS),
        ("Glossary", Topic.TERMS),
        ("Acronyms and Abbreviations", Topic.TERMS),
        ("Terms used in this document", Topic.TERMS),
        ("Normative references", Topic.REFERENCES),
        ("Applicable Documents", Topic.REFERENCES),
        ("Bibliography", Topic.REFERENCES),
        ("Table of Contents", Topic.CONTENTS),
        ("REVISION HISTORY", Topic.CHANGES),
        ("Differences between V2.3 and V2.2.2", Topic.CHANGES),
        ("Differences from Previous Editions", Topic.CHANGES),
        ("Differences Between WebGL and OpenGL ES 2.0", Topic.BODY),
        ("Foreword", Topic.FRONT),
        ("Status of This Memo", Topic.FRONT),
        ("Creative Commons Attribution License 3.0 Unported", Topic.FRONT),
        ("GNU Free Documentation License", Topic.FRONT),
        ("Acknowledgments", Topic.BACK),
        ("Authors' Addresses", Topic.BACK),
        ("Examples", Topic.EXAMPLES),
        ("Rationale", Topic.RATIONALE),
        ("Scope (informative)", Topic.OVERVIEW),
        ("INTRODUCTION", Topic.OVERVIEW),
        ("License list version field", Topic.BODY),
        ("Copyright text field", Topic.BODY),
        ("Document Notes", Topic.BODY),
        ("Change detection", Topic.BODY),
        ("Reference architecture", Topic.BODY),
    ],
)
def test_a_title_tells_what_its_section_is_about(title: str, name: Topic) -> None:
    assert topic(title) is name


@pytest.mark.parametrize(
    ("title", "binds"),
    [
        ("Annex B (informative) Guidance", False),
        ("Annex E Using identifiers (Informative)", False),
        ("Non-Normative References", False),
        ("Examples [non-normative]", False),
        ("Annex C (normative) Syntax", True),
        ("Annex D Syntax (Normative)", True),
        ("Information model", None),
        ("Profile 3: Informational Advisory", None),
        ("Annex F: for information only", False),
        ("Informative value", False),
    ],
)
def test_a_title_may_say_that_its_section_is_informative(title: str, *, binds: bool | None) -> None:
    assert binding_by_title(title) is binds


@pytest.mark.parametrize(
    ("text", "binds"),
    [
        ("*This section is informative.*", False),
        ("This section is non-normative.", False),
        ("_This section is normative._", True),
        ("This annex is for information only.", False),
        ("(This annex does not form an integral part of this Recommendation.)", False),
        ("(This annex forms an integral part of this Recommendation.)", True),
        ("This Appendix is not a mandatory part of the standard.", False),
        ("(informative)", False),
        ("(normative)", True),
        ("This section contains both normative and informative material.", None),
        ("Non-normative comment:", None),
        ("See the non-normative Appendix E.", None),
        ("This section is about information.", None),
    ],
)
def test_a_paragraph_may_say_that_its_section_binds(text: str, *, binds: bool | None) -> None:
    assert binding_by_statement(text) is binds


def test_a_list_of_sections_may_say_it_for_them() -> None:
    found = dict(bindings_by_list("Sections 1, 2.3 and Annex C are informative. Clause 4 is normative."))
    assert found == {"1": False, "2.3": False, "C": False, "4": True}


def test_a_sentence_about_what_is_marked_says_nothing_of_its_own_section() -> None:
    text = (
        "As well as sections marked as non-normative, all diagrams, examples, and notes in this specification are "
        "non-normative. Everything else in this specification is normative."
    )
    assert binding_by_statement(text) is None
    assert dict(bindings_by_list(text)) == {}
