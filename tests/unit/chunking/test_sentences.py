import pytest

from pincite.chunking.sentences import sentence_ends


def sentences(text: str) -> list[str]:
    ends = list(sentence_ends(text, 0, len(text)))
    return [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]


@pytest.mark.parametrize(
    "parts",
    [
        ["One. ", "Two! ", "Three? ", "Four… ", "Five"],
        ['He said "Stop." ', "Then (it ended.) ", "All right."],
        ["A line.\n", "Another line."],
        ["See e.g. Figure 3 and Dr. Who, i.e. J. R. Smith vs. Them. ", "Next."],
        ["Version 2.3.1 of pincite.toml is out. ", "Get it."],
        ["It ends ... or not, he said. ", "Yes."],
        ["これは文です。", "次の文です\uff01", "「終わり。」", "はい"],
        ["Вот так. ", "И вот так."],
        ["هل هذا؟ ", "نعم\u06d4 ", "لا"],
        ["यह वाक्य है। ", "दूसरा।"],
        ["**Bold.** ", "`code.` ", "[link.](x) and on."],
        ["no end at all"],
        ["Covers shall comply with Table 1. ", "The supplier should test them."],
        ["Bolts shall comply with Table 2. ", "Nuts shall comply with Table 3. ", "Washers shall be flat."],
        ["Covers shall pass the test of Annex A. ", "The master should test them."],
        ["The unit shall boot in 10 s. ", "Surges of 5 V. ", "The mast shall be 5 m. ", "It may be red."],
        ["The pump shall meet 4.2. ", "Valves should be red. ", "The count shall be 12. ", "It is logged."],
        ["11. Doors shall close. ", "A. Windows may open. ", "4.1 General. ", "The rest."],
        ["It is defined in 3. Identifier. ", "Am 3. Oktober, d. h. Das Ende. ", "Paint etc. ", "Done."],
        ["The U.S. Government and Acme Inc. Pumps. ", "See Fig. 3 and p. 5. ", "The answer is no. ", "Yes."],
        ["It is under /usr. [^28] ", "The rest."],
        ["« It MUST match. » [DSS-6.1.2-1] ", "« Elle est là. » ", "Er sprach. ", "»So ist es."],
        ["The tank shall be warm. (SRS-004) ", "It is red. [REQ-5.1] ", "(2) Or blue."],
        [
            "Characters (as in RFC 3986, Section 2.2.) MUST be encoded. ",
            "Map 0 .. 1 to X [-1 .. 1]. ",
            "See files.. ",
            "Next.",
        ],
        [],
    ],
)
def test_sentences_of_many_scripts(parts: list[str]) -> None:
    assert sentences("".join(parts)) == parts
