"""Hyphens at the ends of lines: those of compound words, which stay, and those of hyphenation, which do not."""

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import takewhile

from pincite.formats.pdf.page.characters import BREAKS, KEPT_BREAK, LONE_BREAK, SOFT_HYPHEN
from pincite.formats.pdf.page.words import Word
from pincite.text.lexicon import english_words

MIN_BROKEN_WORDS, MIN_BROKEN_SHARE = 3, 0.004
"""Number and share of a page's words with a line-end hyphen from which a page or document counts as hyphenated.

In 16 reports and ASVS, which are not hyphenated, 0.001 of the words have one, and nearly all of 480 belong to the word
(non-GAAP, third-party). Hyphenated text has one in every ten lines, about 0.01 of the words.
"""
MIN_BREAKS_RATIO = 0.8
"""Hyphens at line ends relative to those within lines of text that is hyphenated: compounds alone give .05 to .7.

English that has fewer shows words that are broken without a doubt; other languages have from .9 to 60.
"""
MIN_HALF_CHARS = 3
"""Letters of both halves of a compound that is recognised by its halves being words: `in` and `form` are words, too."""
MAX_HALVES = 5_000
"""Halves of its compounds that are kept: they are searched one by one."""
MAX_KNOWN_WORDS = 50_000
"""Words of a document that are kept to tell compounds from broken words; bounds memory."""
_HYPHEN = "\u2010"
_MARKS = frozenset((*BREAKS, _HYPHEN, "\u2011", SOFT_HYPHEN))
"""Characters that end a line within a word: pdfium's code, and hyphens that it does not take for one."""
_PRINTED_BREAKS = (*BREAKS, SOFT_HYPHEN)
HYPHENS = ("-", "\u2010", "\u2011")
_DIGITS = tuple("0123456789")
_LINE_END = re.compile("\\w[-\u2010\u2011\u00ad]")
_LINE_END_SIGNS = frozenset({*_PRINTED_BREAKS, *HYPHENS})
_INNER = re.compile("[-\u2010](?<=\\w.)(?=\\w)")
_INNER_OF_LETTERS = re.compile("[-\u2010](?<=[^\\W\\d_].)(?=[^\\W\\d_])")
"""Hyphens within words. Both expressions begin with the hyphen, as the engine leaps to it then."""
_LETTERS = re.compile(r"[^\W\d_]+")
_LAST_LETTERS = re.compile(r"[^\W\d_]+\Z")
_ENGLISH_CONJUNCTIONS = frozenset({"and", "or", "to"})
_CONJUNCTIONS = frozenset({"und", "oder", "bis", "et", "ou", "y", "o"})
"""Words after a suspended hyphen, which keeps its space: short- and long-term."""
_PREFIXES = frozenset(
    {
        "pre",
        "sub",
        "over",
        "under",
        "inter",
        "micro",
        "counter",
        "out",
        "super",
        "trans",
        "auto",
        "com",
        "con",
        "dis",
        "dia",
        "mis",
    }
)
_SUFFIXES = frozenset(
    {"able", "ability", "ible", "ally", "ing", "ted", "ers", "ment", "ness", "less", "ate", "ion", "ity", "ist"}
)
"""Parts of words that are in the vocabulary of English as words, too."""
_INFLECTIONS = ("s", "es", "d", "ed", "ing", "ly")
_ENDINGS = frozenset({"es", "ed", "ing", "ly"})
"""Those that are no word, and so no half of a compound."""
_ENGLISH = frozenset({"the", "of", "and", "to", "in", "is", "for", "that", "with"})
MIN_ENGLISH_SHARE = 0.08
"""Share of these words in a document of English; they are a quarter of running text, and few in tables."""
_FOREIGN = frozenset(
    "der die und das den von ist le la les des et du est el los del que y il di della che het een van en "  # noqa: SIM905 - a list of words
    "och att som og det nie się na w z że não para os se že je és hogy egy ve bir için și cu "
    "και της του να με и в на не что с по из для как это і та що".split()  # noqa: RUF001 - Greek and Cyrillic
)
"""Common words of German, French, Spanish, Italian, Dutch, Swedish, Danish, Polish, Portuguese, Czech, Hungarian,
Turkish, Romanian, Greek, Russian and Ukrainian."""
_COMMON = _ENGLISH | _FOREIGN
MIN_FOREIGN_SHARE, MIN_FOREIGN_RATIO = 0.05, 2.0
"""Share of these words in a document of such a language, and their number relative to the English ones."""
MAX_CONTINUED_LINES = 4
"""Lines at the top of a page, running heads among them, one of which may begin with the rest of a word."""
_ADDRESS = re.compile(r"(?:\w+://|www\.|@|/\S*[/.\d])\S*\Z")
"""An address up to its hyphen, or a part of its path: `law/and` is none."""
_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)+/")
"""The rest of an address: a host's name up to its path."""
_FIRST_HALVES = frozenset({"so", "by", "on", "up", "off"})
_SHORT_HALVES = frozenset({"bi", "by", "co", "in", "on", "re", "up"})
"""Two letters that begin compounds whose solid form is a word, too: on-line. Others begin none: `ac` of `access`."""
_LAST_HALVES = frozenset({"on", "in", "up", "off", "out", "at", "to"})
"""Short halves of compounds: so-called, sign-on."""
_OWN_PREFIXES = frozenset({"non", "self", "multi", "cross", "anti", "post", "semi", "mid"})
"""Beginnings of words that have a hyphen more often than not."""
_COMMON_PREFIXES = frozenset({"pre", "sub", "over", "under", "inter", "micro", "counter", "super", "auto"})
"""Beginnings of words with and without a hyphen, which prove nothing."""
_PARTICLES = frozenset({"of", "to", "by", "the", "in", "on", "and", "or", "up", "off", "out", "a", "as", "for", "is"})
"""First parts of the rest of a compound: state-of-the-art, end-to-end."""
_WORDS = """
    allowlist armband backdoor backend backlight backlog backorder backpressure backslash backspace backtick
    backtrack backtracking barcode baseband benchmark bitmap bitrate bitstream bitwise blacklist blockchain
    blocklist blueprint boardroom bondholder bookcase bookkeeper bookkeeping bookmark bottleneck breakpoint bytecode
    callback cardholder caregiver carryover cashflow checkbox checklist checksum ciphertext clearinghouse cleartext
    clipboard codebase codebook codepage copayment counterclaim counterfeit countermeasure counterparty
    counterweight crossroad crosswalk cybersecurity cyberspace datacenter dataflow dataset datasheet denylist
    downtime drawback drywall earmark endnote endpoint extranet eyewitness fallback filename fingerprint fingertip
    firewall firmware floodplain footnote footstep frontend gatekeeper gigabyte guidebook guideline handout handover
    handshake hardcode hashmap hashtag headcount headnote headphone headquarter heatmap hereafter hereby herein
    heretofore hereunder hitherto homepage hostname hotline hotspot housekeeping inbound inflow insofar intranet
    keychain keyspace keystore keystroke keyword kilobyte lawmaker leaseholder leftover letterhead lifecycle
    livestream localhost lockout lockstep logbook loopback lowercase mailbox mailroom mainframe malware markdown
    markup megabyte microsecond microservice middleware millisecond motherboard multicast multilingual multithreaded
    multivariate namespace nanosecond newsroom offline oncoming opcode outbound outbox outflow overarching overflow
    overlying overweight overwrite pairwise passcode passphrase pathname paycheck paywall petabyte pitfall
    placeholder plaintext playlist policyholder policymaker policymaking postcode postmark proofread rainwater
    rangeland ransomware ratepayer recordkeeping repayment reseller roadblock roadmap rollback rollover rootstock
    runtime safekeeping sandbox scoreboard screenshot scrollbar seamless seawater shareware shortcoming shortfall
    shortlist showroom shutdown sidebar sidestep slipstream slowdown snapshot spearhead spreadsheet spyware
    stakeholder standpoint stateful stateless stockholder stormwater streamline subclass subdirectory subdomain
    subfolder subnet subprocess subroutine subsection substring subsystem subtask subtotal subtree subtype superset
    taskbar terabyte textbox therein thereunder throughput timekeeping timesheet timestamp timestep toolbar toolbox
    toolchain touchpad underflow underweight underwrite underwriter unicast upload uppercase uptime username
    viewport wallpaper watchdog watchlist watercraft waterline watermark waveform waypoint webcam webmaster webpage
    whiteboard whitelist whitespace wholesaler wildfire windfall wishlist workaround workbook workflow workload
    worksheet workspace workstation wristband zipcode
"""
CLOSED_COMPOUNDS = frozenset(_WORDS.split())
"""Words in lower case whose halves are words, too, so that nothing else tells that they are one."""


@dataclass(frozen=True, slots=True)
class Hyphenation:
    """What a page shows about its hyphens.

    Attributes:
        breaks: True if the page is hyphenated.
        known: Words of the document in lower case, whole ones and compounds, as far as it was read.
        marked: Hyphens that are the print's alone wherever they end a line.
        all_marked: True if the hyphens of the print are all of those, so that any other is the word's own.
        is_foreign: True for a document in another language than English, whose words prove nothing there.
        halves: Words before or after a hyphen of the document's compounds: in other languages only these make one.
    """

    breaks: bool = False
    known: Container[str] = frozenset[str]()
    marked: str = SOFT_HYPHEN
    all_marked: bool = False
    is_foreign: bool = False
    halves: AbstractSet[str] = frozenset[str]()

    def resolve(self, text: str, following: str) -> str:
        """Replace the hyphen that ends `text` so that the next line, `following`, can be appended."""
        stem = text[:-1]
        last, first = _LAST_LETTERS.search(stem), _LETTERS.match(following)
        if text[-1] in self.marked and ((last and first) or _is_within_word(text, following)):
            return stem
        if self._is_conjunction(following.partition(" ")[0]) and not (
            last and first and self.is_word(last[0] + first[0])
        ):
            return f"{stem}- "
        if text[-1] == KEPT_BREAK:
            return f"{stem}-"
        if last is None or first is None:
            # No compound has a hyphen behind an underscore, but names of code are broken there.
            return stem if self.breaks and stem.endswith("_") and first else f"{stem}-"
        # Within a compound, a particle is a part of its own: end-to-end, state-of-the-art.
        is_particle = (last[0] in _PARTICLES and stem[: last.start()].endswith(HYPHENS)) or (
            first[0] in _PARTICLES and following[first.end() :].startswith(HYPHENS)
        )
        # MIL-STD-810 has hyphens of its own, MINIMUM7 none.
        is_code = last[0].isupper() and following[first.end() : first.end() + 1] in (*HYPHENS, *_DIGITS)
        is_code = is_code and not self._is_whole_name(last[0] + first[0], following[first.end() :])
        is_own = (
            self.all_marked
            or is_particle
            or is_code
            or _ADDRESS.search(stem) is not None
            or _HOST.match(following) is not None
        )
        if is_own:
            return f"{stem}-"
        return stem if self._is_broken(last[0], first[0]) else f"{stem}-"

    def _is_conjunction(self, word: str) -> bool:
        return word in _CONJUNCTIONS or (word in _ENGLISH_CONJUNCTIONS and not self.is_foreign)

    def _is_broken(self, last: str, first: str) -> bool:
        """Return True if the letters before and after a hyphen are one word: a known one, or else by the page."""
        one, other = last.lower(), first.lower()
        # Nobody breaks a word after its first letter.
        if len(one) == 1 or f"{one}-{other}" in self.known:
            return False
        if self._is_known_whole(one + other) or (other in _ENDINGS and not self.is_foreign):
            return True
        are_known = one in self.known and other in self.known
        if self.is_foreign and self.breaks:
            return first[0].islower() and not (are_known and (f"{one}-" in self.halves or f"-{other}" in self.halves))
        are_words = min(len(one), len(other)) >= MIN_HALF_CHARS and (are_known or self._is_compound(one, other))
        if is_english_form(one + other):
            # Sub-section may be a compound, but scriptions is no word.
            is_affixed = (one in _PREFIXES and is_english_form(other)) or one in _SHORT_HALVES
            return self.breaks or not (are_words or is_affixed)
        is_prefixed = one in _OWN_PREFIXES and f"{one}-" in self.halves
        if _is_english_compound(one, other) or is_prefixed:
            return False
        # Names in capitals, such as DESTDIR, none of whose halves is a word of the document.
        is_name = last.isupper() and first.isupper() and one not in self.known and other not in self.known
        return self.breaks and (first[0].islower() or is_name) and not are_words

    def _is_known_whole(self, joined: str) -> bool:
        return any(form in self.known for form in (joined, joined.removesuffix("s"), f"{joined}s"))

    def _is_compound(self, one: str, other: str) -> bool:
        """Return True if both halves are words of a compound, and no prefix or suffix of one word."""
        is_affixed = one in _PREFIXES or other in _SUFFIXES
        return not is_affixed and self.is_word(one) and self.is_word(other)

    def _is_whole_name(self, letters: str, following: str) -> bool:
        """Return True if letters are a word, or a name with the digits behind them: NISTIR8062."""
        digits = "".join(takewhile(str.isdecimal, following))
        return self.is_word(letters) or f"{letters}{digits}".lower() in self.known

    def is_word(self, text: str) -> bool:
        """Return True for a word of the document, or a common one of English in an English document."""
        word = text.lower()
        return word in self.known or (not self.is_foreign and word in english_words())


def _is_within_word(text: str, following: str) -> bool:
    """Return True if a hyphen that only the print has is between letters or digits: names of code have both."""
    return text[-1] in {SOFT_HYPHEN, _HYPHEN} and text[-2:-1].isalnum() and following[:1].isalnum()


def _is_english_compound(one: str, other: str) -> bool:
    """Return True if two halves are a compound whose first or second half is a short word: so-called, sign-on."""
    words = english_words()
    if other in _LAST_HALVES:
        return one in words
    return len(other) > MIN_HALF_CHARS and other in words and (one in _FIRST_HALVES or one in _OWN_PREFIXES)


class Vocabulary:
    """Words and hyphens of a document, as far as it was read."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._halves: set[str] = set()
        self._words = self._english = self._foreign = self._likely_broken = self._inner_hyphens = 0
        self._breaking: set[str] = set()
        self._whole_elsewhere: set[str] = set()
        self._line_ends: Counter[str] = Counter()
        self._inner: set[str] = set()
        self._inner_kinds: set[str] = set()

    def add(self, words: Sequence[Word], inner_hyphens: frozenset[str] = frozenset()) -> None:
        """Add the words of a page.

        Args:
            words: The words.
            inner_hyphens: How hyphens within them are drawn; see `word_repairs`.
        """
        self._inner_kinds |= inner_hyphens
        if len(self._known) < MAX_KNOWN_WORDS:
            known = whole_words(_without_rest(words))
            self._known |= known
            if len(self._halves) < MAX_HALVES:
                self._halves.update(half for word in known if "-" in word for half in _halves(word))
        texts = [word.text for word in words]
        self._words += len(texts)
        common = list(filter(_COMMON.__contains__, texts))
        self._english += sum(map(_ENGLISH.__contains__, common))
        self._foreign += sum(map(_FOREIGN.__contains__, common))
        whole = " ".join(texts)
        self._inner_hyphens += len(_INNER_OF_LETTERS.findall(whole))
        if len(self._inner) < len((_HYPHEN, "-")):
            self._inner.update(_INNER.findall(whole))
        for number in _broken(texts):
            text, following = texts[number], texts[number + 1] if number + 1 < len(texts) else ""
            if text[-1] == KEPT_BREAK:
                continue
            if len(text) > 1:
                self._line_ends[text[-1]] += 1
            if _is_broken_word(text, following):
                self._breaking.add(text[-1])
            elif self._is_whole_elsewhere(text, following):
                self._whole_elsewhere.add(text[-1])
            self._likely_broken += _may_be_broken(text, following)

    def _is_whole_elsewhere(self, text: str, following: str) -> bool:
        """Return True if the document has the word that a hyphen breaks in one piece, and not each half as a word."""
        last, first = _LAST_LETTERS.search(text[:-1]), _LETTERS.match(following)
        if last is None or first is None or not first[0].islower():
            return False
        one, other = last[0].lower(), first[0]
        return one + other in self._known and not (one in self._known and other in self._known)

    def hyphenation(self, words: Sequence[Word]) -> Hyphenation:
        """Return what is known about a page with these words; the last page of a text may have too few of its own."""
        broken = self._line_ends.total()
        breaks = broken >= MIN_BREAKS_RATIO * self._inner_hyphens
        is_english = self._english > MIN_ENGLISH_SHARE * self._words
        # English with many hyphens may be of compounds, as a list of references in narrow columns is.
        if is_english:
            breaks = breaks and 2 * self._likely_broken > broken
        # The words of the page last, as each is looked at.
        breaks = breaks and (_is_often(broken, self._words) or _is_often(_count_broken(words), len(words)))
        # A browser sets U+2010 where it breaks a word, and a text has hyphens as they are typed.
        is_marked = "-" in self._inner and _HYPHEN not in self._inner
        is_shown = _HYPHEN in self._breaking or self._line_ends[_HYPHEN] >= MIN_BROKEN_WORDS
        is_marked = is_marked and (is_shown if is_english else self._line_ends[_HYPHEN] > 0)
        marked = SOFT_HYPHEN + _HYPHEN if is_marked else SOFT_HYPHEN
        if self._are_lone_hyphens_of_print():
            marked += LONE_BREAK
        is_foreign = self._foreign > max(MIN_FOREIGN_SHARE * self._words, MIN_FOREIGN_RATIO * self._english)
        # One word that is broken by another hyphen shows that not all are marked.
        breaking = self._breaking | self._whole_elsewhere if is_foreign else self._breaking
        all_marked = any(self._line_ends[mark] for mark in marked) and breaking <= set(marked)
        return Hyphenation(breaks or bool(self._breaking), self._known, marked, all_marked, is_foreign, self._halves)

    def _are_lone_hyphens_of_print(self) -> bool:
        """Return True if hyphens that are drawn by themselves are of the print: those of words never are."""
        is_shown = self._inner_kinds or self._line_ends[SOFT_HYPHEN] or self._line_ends[LONE_BREAK] >= MIN_BROKEN_WORDS
        return LONE_BREAK not in self._inner_kinds and bool(is_shown)


def _is_often(broken: int, words: int) -> bool:
    return broken >= MIN_BROKEN_WORDS and broken >= MIN_BROKEN_SHARE * words


def _is_broken_word(text: str, following: str) -> bool:
    """Return True if a hyphen breaks an English word, and its halves are not words: other words are broken, too."""
    last, first = _LAST_LETTERS.search(text[:-1]), _LETTERS.match(following)
    if last is None or first is None or not first[0].islower() or min(len(last[0]), len(first[0])) < MIN_HALF_CHARS:
        return False
    one, other = last[0].lower(), first[0]
    if one in _OWN_PREFIXES or one in _COMMON_PREFIXES:
        return False
    return is_english_form(one + other) and not (one in english_words() and other in english_words())


def _may_be_broken(text: str, following: str) -> bool:
    """Return True if the word that ends a line is no compound of two English words, and no part of an address."""
    last, first = _LAST_LETTERS.search(text[:-1]), _LETTERS.match(following)
    if last is None or first is None or not first[0].islower() or not text[:-1].strip('("“‘').isalpha():
        return False
    one, other = last[0].lower(), first[0]
    if one in _SHORT_HALVES:
        return False
    words = english_words()
    return is_english_form(one + other) or not (one in words and other in words)


def is_english_form(word: str) -> bool:
    """Return True for a common English word, also with the ending of a plural or of another form."""
    if _is_base_form(word):
        return True
    if word.endswith(("ies", "ied", "ier")) and _is_base_form(f"{word[:-3]}y"):
        return True
    stems = [word.removesuffix(ending) for ending in _INFLECTIONS if word.endswith(ending)]
    # A consonant is doubled: map, mapping.
    stems += [stem[:-1] for stem in stems if len(stem) > MIN_HALF_CHARS and stem[-1] == stem[-2]]
    return any(_is_base_form(stem) or _is_base_form(f"{stem}e") for stem in stems)


def _is_base_form(word: str) -> bool:
    return word in english_words() or word in CLOSED_COMPOUNDS


def _count_broken(words: Sequence[Word]) -> int:
    texts = [word.text for word in words]
    return sum(len(texts[number]) > 1 for number in _broken(texts))


def _broken(texts: Sequence[str]) -> list[int]:
    """Return the numbers of the words that end in a mark."""
    return [number for number, text in enumerate(texts) if text[-1:] in _MARKS]


def ends_in_break(text: str, *, marked: bool) -> bool:
    """Return True if a line ends within a word.

    Args:
        text: The line, or all text up to its end.
        marked: Only by a code of `BREAKS` or a soft hyphen; else by any hyphen after a letter or digit.
    """
    # Most lines end in a letter or a stop.
    if text[-1:] not in _LINE_END_SIGNS:
        return False
    return text.endswith(_PRINTED_BREAKS) or (not marked and _LINE_END.fullmatch(text[-2:]) is not None)


def _without_rest(words: Sequence[Word]) -> list[Word]:
    """Return the words of a page without those that may be the rest of a word of the page before it."""
    lines, kept = 0, list[Word]()
    for number, word in enumerate(words):
        begins_line = number == 0 or word.x0 < words[number - 1].x0
        lines += begins_line
        if lines > MAX_CONTINUED_LINES:
            return [*kept, *words[number:]]
        if not (begins_line and word.text[0].islower()):
            kept.append(word)
    return kept


def _halves(compound: str) -> Iterator[str]:
    """Yield the parts of a compound with the hyphen before or after each."""
    parts = compound.split("-")
    yield from (f"{part}-" for part in parts[:-1])
    yield from (f"-{part}" for part in parts[1:])


def whole_words(words: Iterable[Word]) -> set[str]:
    """Return the words of a page in lower case without punctuation, but for both halves of those that are broken."""
    texts = [word.text for word in words]
    broken = _broken(texts)
    halves = {*broken, *(number + 1 for number in broken)}
    # Half of the words of a page occur on it again.
    whole = {text for number, text in enumerate(texts) if number not in halves} if halves else set(texts)
    texts = [text.lower().strip(".,;:!?()[]{}'\"“”‘’") for text in whole]
    return {text if text.isascii() else text.replace("\u2010", "-").replace("\u2011", "-") for text in texts}
