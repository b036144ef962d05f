# ruff: noqa: RUF001 - letters of other scripts
import pytest

from pincite.text.words import divided, folded, folded_with_map, indexed, joined


def words(text: str) -> list[str]:
    return folded(text).split()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("采购审批", ["采购", "购审", "审批"]),
        ("安装Docker容器", ["安装", "Docker", "容器"]),
        ("ｶﾞｲﾄﾞ", ["ガイ", "イド"]),
        ("支払い期限。次", ["支払", "払い", "い期", "期限", "。", "次"]),
        ("문서를 키", ["문서", "서를", "키"]),
        ("ไฟล์ทั้ง", ["ไฟ", "ฟล์", "ล์ทั้", "ทั้ง"]),
        ("ສັ່ງທີ່", ["ສັ່ງ", "ງທີ່"]),
        ("㍿", ["株式", "式会", "会社"]),
    ],
)
def test_scripts_without_spaces_are_pairs_of_letters(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("résumé re\u0301sume\u0301", "resume resume"),
        ("ﬁle ＡＰＩ so\u00adft", "file API soft"),
        ("Straße Büro Œuvre", "Strasse Buro OEuvre"),
        ("й ё ї", "й е ї"),
        ("שָׁלוֹם مُحَمَّد كـتاب", "שלום محمد كتاب"),
        ("H₂O 10²", "H2O 10 2"),
        ("हिन्दी में", "हिन्दी में"),
        ("plain “quoted” – text", "plain “quoted” – text"),
    ],
)
def test_spellings_that_readers_take_for_one_are_one(text: str, expected: str) -> None:
    assert folded(text) == expected


@pytest.mark.parametrize("text", ["采购 API", "🚀 Büro", "＂quoted＂", "\ud800é", "í\u0301", "ｶﾞ㍿", "", "ascii only"])
def test_folding_twice_changes_nothing_but_spaces_and_never_makes_a_quotation_mark(text: str) -> None:
    assert folded(folded(text)).split() == folded(text).split()
    assert '"' not in folded(text)


def test_other_spellings_follow_the_text_where_they_part_no_phrase() -> None:
    assert indexed("our co-operation in the Büro") == "our co-operation in the Buro\ncooperation Buero"
    assert indexed("采购").split() == ["采购", "购", "采"]
    assert indexed("plain x-1 a-b-c") == "plain x-1 a-b-c"
    assert joined("e‑mail") == ["email"]


def test_dividing_changes_nothing_but_spaces_and_widths() -> None:
    assert divided("Größe: 采购审批!") == "Größe:  采购  购审  审批 !"


def test_what_is_folded_maps_back_to_the_characters_that_it_was_made_from() -> None:
    text = "Größe ﬁle 采购审批"
    plain = folded_with_map(text)
    for word, span in {"Grosse": (0, 5), "file": (6, 9), "购审": (11, 13)}.items():
        start = plain.text.index(word)
        assert plain.span(start, start + len(word)) == span
