"""Which verdict a quote gets, case by case."""

import pytest

from pincite.errors import Cancelled, InvalidInput
from pincite.evidence.quotes import Verdict, verify
from pincite.evidence.search import prepare
from pincite.model.call import Call
from support.quotes_cut import FIRST, SECOND, TEXT, cut

TABLE = "| Part | Load |\n|---|---:|\n| Arm | 5 kW |\n| Leg \\| foot | 1 | 234 |\n"


CASES = [
    # as written
    ("exact", "The limit is 12 mm.", "limit is 12 mm"),
    ("exact", "The limit is 12 mm.", "\n The limit is 12 mm. \n"),
    ("exact", "The limit\n  is\t12 mm.", "The limit\n  is\t12 mm."),
    # other white space
    ("normalised", "The limit\n  is\t12 mm.", "The limit is 12\u00a0mm."),
    ("normalised", "The limit is 12 mm.", "The limit  is 12 mm."),
    ("normalised", "The limit is\r\n12 mm.", "The limit is\n12 mm."),
    ("normalised", "The limit is 12 mm.", "The limit is\n12 mm."),
    ("exact", "The limit  is. The limit is.", "The limit is."),
    ("exact", "Use **bold** words", "Use **bold** words"),
    ("exact", "l’État est là", "État est là"),
    ("exact", "word—another thing", "another thing"),
    ("exact", "(see below)", "see below"),
    # numbers are not cut
    ("absent", "it is 112 mm wide", "12 mm"),
    ("absent", "it is 12 mmHg", "12 mm"),
    ("absent", "it is 11,5 V", "1,5 V"),
    ("absent", "it is 3.5 V", "5 V"),
    ("absent", "it is 3.5 V", "it is 3"),
    ("absent", "it is 1,234 V", "234 V"),
    ("absent", "it is 1\u202f234 V", "234 V"),
    ("absent", "it is 1 234 V", "it is 1"),
    ("exact", "in 2019 234 V", "234 V"),
    ("absent", "at -5 °C", "5 °C"),
    ("absent", "at \u22125 °C", "5 °C"),
    ("absent", "at 5 °C", "at -5 °C"),
    ("absent", "at 5 °C", "- 5 °C"),
    ("absent", "at 5 - 3 °C", "at 5 3 °C"),
    ("normalised", "one `---` two, and (`--`)", "one --- two, and (--)"),
    ("absent", "at 3–5 °C", "5 °C"),
    ("absent", "up to 5% of", "up to 5"),
    ("absent", "clause 1.2.3 says", "clause 1.2"),
    ("absent", "about 1.5e-3 s", "3 s"),
    ("absent", "about 10^2 s", "about 10"),
    ("absent", "at .5 s", "5 s"),
    ("exact", "by 2019. Then 5 s", "by 2019"),
    ("absent", "at 12:30 h", "at 12"),
    ("absent", "price 3万 yen", "price 3"),
    # numbers stay what they are
    ("absent", "about 10² m", "about 102 m"),
    ("absent", "about 10<sup>2</sup> m", "about 102 m"),
    ("normalised", "about 10<sup>2</sup> m", "about 10² m"),
    ("normalised", "CO<sub>2</sub> level", "CO₂ level"),
    ("normalised", "the 1<sup>st</sup> rule", "the 1st rule"),
    ("absent", "x<sup>[2]</sup> y", "x[2] y"),
    ("absent", "about ½ cup", "about 1/2 cup"),
    ("absent", "1½ cups", "11/2 cups"),
    ("absent", "step ① first", "step 1 first"),
    ("absent", "it is 1 5 V", "it is 15 V"),
    ("absent", "it is 15 V", "it is 1 5 V"),
    ("absent", "see 1. 5 items", "see 1.5 items"),
    ("absent", "from 3 -5 V", "from 3-5 V"),
    ("normalised", "from 3 – 5 V", "from 3-5 V"),
    ("absent", "limit 10[2](#note) mm", "limit 102 mm"),
    ("absent", "2*3*4 mm", "234 mm"),
    ("normalised", "it is 12mm wide", "12 mm wide"),
    ("normalised", "it is \uff11\uff12 mm wide", "12 mm wide"),
    ("absent", "it is ١٢ mm wide", "it is 12 mm wide"),
    ("absent", "a limit of\n> 5 mm", "limit of 5 mm"),
    ("absent", "a limit of\n- 5 °C", "limit of 5 °C"),
    # units and case
    ("absent", "power 5 mW", "power 5 MW"),
    ("absent", "power (mW) max", "power (MW) max"),
    ("absent", "power (Mb) max", "power (mb) max"),
    ("normalised", "The limit is", "the limit is"),
    ("absent", "THE LIMITS OF THE SYSTEM", "The limits of the system"),
    # letter case
    ("absent", "The server MUST answer.", "The server must answer."),
    ("absent", "The server must answer.", "The server MUST answer."),
    ("absent", "The server must answer.", "The Server must answer."),
    ("absent", "The server must answer.", "the server must Answer."),
    ("absent", "MUST answer at once", "must answer at once"),
    ("absent", "must answer at once", "MUST answer at once"),
    ("absent", "the Client and the client", "the client and the Client"),
    ("normalised", "Then the server must answer.", "The server must answer."),
    ("normalised", "The server must answer.", "“the server must answer.”"),
    ("normalised", "## Getting started\n\nText", "getting started"),
    ("absent", "## Getting started\n\nText", "Getting Started"),
    ("normalised", "It ends.\n\n## The next part\n\nIt goes on.", "It ends. the next part It goes on."),
    ("normalised", "It ends.\n\nThe next part\n---\n\nIt goes on.", "It ends. the next part It goes on."),
    ("normalised", "It ends.<h2 id='x'>The next part</h2>It goes on.", "It ends. the next part It goes on."),
    ("absent", "It ends.\n\nThe next part\n\nIt goes on.", "It ends. the next part It goes on."),
    ("absent", "ask the US army", "ask the us army"),
    ("absent", "ask for S now", "ask for s now"),
    ("normalised", "A limit", "a limit"),
    ("normalised", "École ouverte", "école ouverte"),
    ("absent", "die Maße sind", "die Masse sind"),
    ("absent", "die STRAẞE ist", "die Straße ist"),
    ("normalised", "İstanbul büyük", "i̇stanbul büyük"),
    ("absent", "ΟΔΟΣ μεγάλη", "οδος μεγάλη"),
    ("normalised", "Οδος μεγάλη", "οδος μεγάλη"),
    # words are not cut, and keep their letters
    ("absent", "a well-known fact", "known fact"),
    ("absent", "a well-known fact", "a well"),
    ("absent", "we can't go", "we can"),
    ("absent", "call foo_bar now", "call foo"),
    ("absent", "see readme.md now", "see readme"),
    ("exact", "The end.Next one", "The end"),
    ("absent", "un café noir", "un cafe noir"),
    ("absent", "un cafe\u0301 noir", "un cafe"),
    ("normalised", "un cafe\u0301 noir", "un café noir"),
    ("normalised", "a\u0323\u0307 mark", "a\u0307\u0323 mark"),
    ("absent", "it is now here", "it is nowhere"),
    ("normalised", "Theinverter haspower of 5kW", "haspower of 5 kW"),
    ("normalised", "The inverterhas a powerof 5kW", "inverter has a power of 5 kW"),
    ("absent", "Theinverterhas a power", "inverter has a power"),
    # hyphens
    ("normalised", "good docu-\nmentation is", "good documentation is"),
    ("normalised", "a well-\nknown fact", "a well-known fact"),
    ("normalised", "good documentation is", "good docu- mentation is".replace(" m", "\nm")),
    ("normalised", "soft\u00adware and", "software and"),
    ("absent", "we re-sign it", "we resign it"),
    ("absent", "good docu-\nmentation is", "mentation is"),
    ("normalised", "in COVID-\n19 times", "in COVID-19 times"),
    ("normalised", "this – that — other", "this - that - other"),
    ("normalised", "this -- that", "this — that"),
    ("normalised", "this---that", "this — that"),
    # quotes, ellipses, ligatures, direction
    ("normalised", "the “big” ‘one’", "the \"big\" 'one'"),
    ("normalised", "the ﬁrst eﬀect", "the first effect"),
    ("normalised", "and so on… then", "and so on... then"),
    ("normalised", "The limit is twelve.", "…the limit is twelve…"),
    # a pair of quotation marks around it that the document does not have there
    ("normalised", "The limit is 12 mm.", "“The limit is 12 mm.”"),
    ("normalised", "The limit is 12 mm.", ' "limit is 12 mm"\n'),
    ("normalised", "The limit is 12 mm.", "'The limit is 12 mm.'"),
    ("normalised", "The limit is 12 mm.", "„The limit is 12 mm“"),
    ("normalised", "The limit is 12 mm.", "«The limit is 12 mm.»"),
    ("normalised", "The limit is 12 mm.", "“…limit is 12 mm…”"),
    ("normalised", "The limit is 12 mm.", "…“limit is 12 mm”…"),
    ("normalised", "You don’t go", "‘You don’t go’"),
    ("normalised", "これは日本語の文書です", "「日本語」"),
    ("normalised", "He said “go now” and left.", "He said “go now” and left.".join("“”")),
    ("exact", "He said “go now” and left.", "“go now”"),
    ("exact", "He said “go now” and left.", "go now"),
    ("normalised", "He said “go now or stay” and left.", "“go now”"),
    ("absent", "The limit is 12 mm.", "“The limit is 12 mm."),
    ("absent", "The limit is 12 mm.", "““The limit is 12 mm.””"),
    ("absent", "The limit is 12 mm.", "“The limit” is “12 mm.”"),
    ("absent", "The limit is 12 mm.", "“The limit is 13 mm.”"),
    ("absent", "The limit is 112 mm.", "“12 mm.”"),
    ("absent", "The limit is 12 mm.", "(The limit is 12 mm.)"),
    ("normalised", "\u202bنص\u202c جديد", "نص جديد"),
    ("normalised", "كـتـاب جديد", "كتاب جديد"),
    ("normalised", "ﻛﺘﺎﺏ جديد", "كتاب جديد"),
    # scripts without spaces
    ("exact", "これは日本語の文書です", "日本語"),
    ("normalised", "これは日本語の文書です", "日本\n語の文書"),
    ("absent", "大きいデータベースです", "データ"),
    ("absent", "二十二日", "十二日"),
    ("exact", "使用USB接口", "USB"),
    # markup
    ("normalised", "The **limit** is _12_ `mm`.", "The limit is 12 mm."),
    ("normalised", "use [the tool](http://x.y/a_b) now", "use the tool now"),
    ("normalised", "use [the tool][t] now\n\n[t]: http://x.y\n", "use the tool now"),
    ("normalised", "see [Tool]\n\n[tool]:http://x.y\n", "see Tool"),
    ("absent", "as shown [1][2] here", "as shown 1 here"),
    ("absent", "use [the tool](http://x.y/1) now", "use **the** [tool](http://x.y/2) now"),
    (
        "normalised",
        "use [the tool](http://x.y/1) now",
        "use **the** [tool](http://x.y/1) now".replace("**the** [", "[**the** "),
    ),
    ("normalised", "Before\n\n## A heading", "Before A heading"),
    ("normalised", "A heading\n=========\n\nText here", "A heading Text here"),
    ("normalised", "- one thing\n- [ ] two things\n", "one thing two things"),
    ("normalised", "> said he\n> to her", "said he to her"),
    ("normalised", "a \\* b AT&amp;T&nbsp;x", "a * b AT&T x"),
    ("normalised", "<p>One <b>bold</b> word</p><p>Two</p>", "One bold word Two"),
    ("normalised", "one <!-- not this --> two", "one two"),
    ("absent", "one <!-- two", "one two"),
    ("normalised", "see <https://x.y> now", "see https://x.y now"),
    ("absent", "if a <b and c> d", "if a d"),
    ("normalised", TABLE, "Arm 5 kW"),
    ("normalised", TABLE, "Part Load Arm 5 kW"),
    ("exact", TABLE, "| Arm | 5 kW |"),
    ("normalised", TABLE, "|Arm|5 kW|"),
    ("normalised", TABLE, "Leg | foot"),
    ("absent", TABLE, "1 234"),
    ("absent", TABLE, "Arm5 kW"),
    ("normalised", "<table><tr><td>Arm</td><td>5 kW</td></tr></table>", "Arm 5 kW"),
    ("absent", "<table><tr><td>1</td><td>234</td></tr></table>", "1 234"),
    ("normalised", "|a|b|\n|-|-|\n|2019|2020|", "2019 2020"),
    # code
    ("exact", "```\ncat a | grep *x*\n```\n", "cat a | grep *x*"),
    ("absent", "```\ncat a | grep *x*\n```\n", "cat a grep x"),
    ("absent", "run `cat a | grep x` now", "cat a grep x"),
    ("normalised", "the `__init__` method", "the __init__ method"),
    ("absent", "```\ndef f(*args)\n```\n", "def f(args)"),
    ("normalised", "intro\n```py\nx = 1\n```\nafter", "intro x = 1 after"),
    ("normalised", "~~~~\n```\nx = 1\n~~~~\nthe *end* is", "the end is"),
    ("absent", "```\nnever *closed* here", "never closed here"),
    ("normalised", "call ``a ` b`` here", "call a ` b here"),
    ("normalised", "- an `` open “\n- and `` another", 'open " and `` another'),
    ("normalised", "first ... then it comes", "…first ... then it comes…"),
    ("normalised", "- *one\n- two* three\n", "*one two* three"),
    ("absent", "an *open mark here", "an open mark here"),
    ("normalised", "an open mark here", "an *open mark here"),
    ("normalised", "a code word here", "a `code word here"),
    # not by similarity
    ("absent", "The device must not be opened.", "The device must be opened."),
    ("absent", "The device must be opened.", "The device must not be opened."),
    ("absent", "The limit is 12 mm.", "The limit is 13 mm."),
    ("absent", "The limit is 12 mm.", "The limit is 12 mm!"),
]


@pytest.mark.parametrize(("verdict", "text", "quote"), CASES)
def test_a_quote_gets_its_verdict(verdict: str, text: str, quote: str) -> None:
    found = verify(quote, prepare(text), (0, len(text)))
    assert found.verdict.value == verdict
    assert len(found.spans) == (verdict != "absent")


@pytest.mark.parametrize("quote", ["", "  \n", "**", "…", "| --- |", "\u200b"])
def test_a_quote_without_a_word_is_refused(quote: str) -> None:
    with pytest.raises(InvalidInput, match="no word"):
        verify(quote, prepare("some ** text"), (0, 5))


def test_what_was_found_is_cut_from_the_document() -> None:
    assert cut("the second limit", "The **second** limit is") == ("normalised", ["The **second** limit"])


def test_a_quote_from_elsewhere_has_moved() -> None:
    assert cut("second limit is", "The third part") == ("moved", ["second** limit is"])


def test_a_quote_that_reaches_out_of_its_place_has_moved() -> None:
    assert cut("limit is twelve", "is") == ("moved", ["limit is twelve"])
    assert cut("limit is twelve. The third", "is twelve.\n\nThe") == ("moved", ["limit is twelve.\n\nThe third"])


@pytest.mark.parametrize(
    "quote",
    [
        f"{FIRST} One limit here.",  # three words
        f"{FIRST} and The third part says something",  # a word left over
        f"{FIRST} The fourth part says something",
        f"{FIRST} {SECOND} {FIRST} {SECOND} {FIRST}",  # five parts
        f"{FIRST} … {SECOND} … {FIRST} … {SECOND} … {FIRST}",
        f"{FIRST} … One limit here.",
        "a b c d e f g h",
        f"{FIRST} #### - ! Something other",  # marks are no words
    ],
)
def test_less_than_that_is_absent(quote: str) -> None:
    assert cut(quote, "One", TEXT + "a b c d. Then e f g h.\n\n#### - ! Something other") == ("absent", [])


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("a" * 300_000, "a" * 30_000),
        ("a " * 150_000, "A " * 15_000 + "a"),
        ("*a " * 100_000, "word " + "*a " * 9_000),
        ("lorem ipsum dolor sit amet " * 11_000, "lorem ipsum dolor sit amet lorem " * 1_000),
        ("[" * 100_000 + "](" * 50_000, "x" + "](" * 10_000),
    ],
)
def test_a_text_made_to_be_slow_gets_a_verdict(text: str, quote: str) -> None:
    assert verify(quote, prepare(text), (0, 1000)).verdict in Verdict


@pytest.mark.parametrize("text", ["word " * 9, "One.\n\nTwo.\n\nThree **four**."])
def test_nobody_waits_for_a_call_that_was_cancelled(text: str) -> None:
    call = Call()
    call.stop.set()
    with pytest.raises(Cancelled):
        prepare(text, call)
    with pytest.raises(Cancelled):
        verify("Two.", prepare(text), (0, 4), call)
