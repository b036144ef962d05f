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
        [],
    ],
)
def test_sentences_of_many_scripts(parts: list[str]) -> None:
    assert sentences("".join(parts)) == parts
