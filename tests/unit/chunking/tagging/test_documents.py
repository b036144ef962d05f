"""What a library calls a document."""

from dataclasses import replace

import pytest

from pincite.chunking.tagging.documents import (
    context_title,
    document_title,
    document_type,
    own_title,
    possible_titles,
    reported_period,
)
from support.cut_documents import document


def test_the_title_is_that_of_the_metadata_else_the_largest_heading_else_the_file_name() -> None:
    assert document_title(document("---\ntitle: Pumps\n---\n\n# One\n\ntext\n")) == "Pumps"
    assert document_title(document("## First\n\ntext\n\n# Second\n\ntext\n")) == "Second"
    assert document_title(replace(document("text\n"), name="folder/pumps.md")) == "pumps.md"


FORM = "SECURITIES AND EXCHANGE COMMISSION"


@pytest.mark.parametrize(
    ("file", "document_id", "title", "context"),
    [
        ("in/ACME_2023_10K.pdf", "ACME_2023_10K", FORM, f"ACME 2023 10K: {FORM}"),
        ("ACME_10K.pdf", "ACME_10K", "COMMISSION FORM 10-K", "ACME 10K: COMMISSION FORM 10-K"),
        ("rfc9110.html", "rfc9110", "HTTP Semantics", "rfc9110: HTTP Semantics"),
        ("acme/2023/10K.pdf", "acme/2023/10K.pdf", FORM, f"acme 2023 10K: {FORM}"),
        ("notes.md", "CSAF 2.1", "Framework", "CSAF 2 1: Framework"),
        ("framework.md", "CSAF", "Framework", "CSAF: Framework"),
        ("CSAF.md", "framework-7", "Framework", None),
        ("ACME_2023_10K.pdf", "ACME_2023_10K", "Acme Corp. 2023 annual report", None),
        ("ACME_2018_10K.pdf", "ACME_2018_10K", "10-K - 02/07/2019 - Acme", "ACME 2018 10K: 10-K - 02/07/2019 - Acme"),
        ("acme_2023Q4.pdf", "acme_2023Q4", "Acme announces its quarter", "acme 2023Q4: Acme announces its quarter"),
        ("acme-20231.pdf", "acme-20231", "Acme", None),
        ("authenticators.md", "authenticators", "5 Authenticator Requirements", None),
        ("2023-04.pdf", "2023-04", "Minutes", None),
        ("notes.md", "notes", "", None),
    ],
)
def test_a_title_that_shares_no_word_with_the_id_is_found_under_both(
    file: str, document_id: str, title: str, context: str | None
) -> None:
    text = f"# {title}\n\ntext\n" if title else "text\n"
    assert context_title(replace(document(text), name=file), document_id) == context


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Application Security Verification Standard 4.0.3", "standard"),
        ("NASA Systems Engineering Handbook", "handbook"),
        ("Digital Identity Guidelines", "guide"),
        ("Guide to the Standard for Pumps", "guide"),
        ("Software Requirements Specification", "specification"),
        ("Report on the Use of the Handbook", "report"),
        ("Acceptable Use Policy", "policy"),
        ("ISO/IEC 27001:2022 Information security", "standard"),
        ("MIL-HDBK-217F", "handbook"),
        ("RFC 9110: HTTP Semantics", "specification"),
        ("Holiday pictures", "custom"),
    ],
)
def test_the_type_is_what_the_title_names(title: str, kind: str) -> None:
    assert document_type(document(f"# {title}\n\ntext\n")) == kind


def test_the_front_matter_knows_better_if_it_is_one_of_the_types() -> None:
    assert document_type(document("---\ndocument_type: Handbook\n---\n\n# Pump Standard\n\ntext\n")) == "handbook"
    assert document_type(document("---\ndocument_type: novel\n---\n\n# Pump Standard\n\ntext\n")) == "standard"


def test_the_file_name_tells_where_the_title_does_not() -> None:
    assert document_type(replace(document("# Pumps\n\ntext\n"), name="a/pump_policy.md")) == "policy"
    assert document_type(replace(document("# Pumps\n\ntext\n"), name="PUMPS_2023_10K.pdf")) == "report"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("This handbook is about pumps. This handbook is long.", "handbook"),
        ("The pump shall run. " * 5, "standard"),
        ('The key words "MUST", "MUST NOT" are to be read as in BCP 14.', "specification"),
        ("Network Working Group, RFC 1234", "specification"),
        ("## FORM 10-K\n\n☒ ANNUAL REPORT PURSUANT TO SECTION 13 OF THE ACT", "report"),
        ("x QUARTERLY REPORT PURSUANT TO SECTION 13 OF THE ACT", "report"),
        ("CURRENT REPORT Pursuant to Section 13\n\n" + "The issuer shall pay. " * 5, "report"),
        ("As the annual report shows, pumps run. " + "The pump shall run. " * 5, "standard"),
        ("Nothing is said here. As this standard says.", "custom"),
    ],
)
def test_else_the_content_decides(text: str, kind: str) -> None:
    assert document_type(document(f"# Pumps\n\n{text}\n")) == kind


@pytest.mark.parametrize(
    ("subtitle", "kind"),
    [
        ("X Consortium Standard", "standard"),
        ("Protocol version 2.1", "specification"),
        ("Technical Report, 2nd edition", "report"),
        ("Standard deviations", "custom"),
        ("Jim Flowers", "custom"),
    ],
)
def test_the_cover_may_name_the_type_below_the_title(subtitle: str, kind: str) -> None:
    assert document_type(document(f"# Font descriptions\n\n## {subtitle}\n\n### 1 Scope\n\ntext\n")) == kind


COVER = """## SECURITIES AND EXCHANGE COMMISSION

#### For the Fiscal
Year Ended December 31, 2023

# ACME CORP

## FORM 10-K
"""


def test_possible_titles_are_the_largest_headings_then_the_first_then_the_file() -> None:
    found = replace(document(COVER), name="in/10K.pdf")
    assert possible_titles(found) == ("ACME CORP", "SECURITIES AND EXCHANGE COMMISSION", "10K.pdf")
    assert own_title(found) == "" and own_title(document("---\ntitle: Pumps\n---\n# One\n")) == "Pumps"
    assert own_title(document("---\ntitle: Pumps\n---\n# Pumps\n")) == "Pumps"
    assert possible_titles(document("text\n")) == ("a.md",)


@pytest.mark.parametrize(
    ("cover", "period"),
    [
        (COVER, "Fiscal Year Ended December 31, 2023"),
        ("Quarterly period ended: 30 June 2023", "Quarterly period ended: 30 June 2023"),
        ("Six months ended 2023-06-30 were", "Six months ended 2023-06-30"),
        ("For the transition period from ___ to ___", ""),
        ("A year ends in December.", ""),
    ],
)
def test_a_cover_says_which_period_a_report_is_of(cover: str, period: str) -> None:
    assert reported_period(document(cover)) == period
