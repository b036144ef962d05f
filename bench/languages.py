"""Language detection on the translated messages that a Linux system has: accuracy, time, memory.

python bench/languages.py py3langid     (or lingua, cld2, langdetect: what is installed)

A message is up to 60 characters (short); several joined have 120 (medium) or 800 (long); those of `mixed` are long ones
with English words and an address between.
"""

import argparse
import gettext
import random
import re
import resource
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from pincite.services.documents.language import LanguageDetection

LOCALES = Path("/usr/share/locale")
CODES = ["es", "fr", "de", "it", "pt", "hi", "bn", "te", "ta", "mr", "ml", "kn", "gu", "pa", "ur", "zh", "ja"]
FOLDERS = {"zh": "zh_CN"}
NAMES_OF_THINGS = ("iso_", "gas", "binutils", "bfd", "gtk20-properties", "ld.", "gprof", "opcodes")
"""Catalogues of names and of assembler messages, which are no sentences."""
MARKUP = re.compile(r"%[\d$.]*[a-z]+|<[^>]*>|[_&\\]|--?\w[\w-]*")
SHORT, SAMPLES = range(12, 61), 60

Classify = Callable[[str], str]


def main() -> None:
    """Measure one detector."""
    parser = argparse.ArgumentParser()
    parser.add_argument("detector", choices=list(DETECTORS))
    detector = parser.parse_args().detector
    samples = dict(sets(messages()))
    memory, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter()
    classify = DETECTORS[detector]()
    classify("Ein Satz in deutscher Sprache.")
    print(f"{detector}: first answer after {time.perf_counter() - started:.2f} s")
    for name, texts in samples.items():
        started = time.perf_counter()
        right = [(code, classify(text) == code) for code, text in texts]
        milliseconds = 1000 * (time.perf_counter() - started) / len(texts)
        counts, hits = Counter(code for code, _ in right), Counter(code for code, hit in right if hit)
        worst = sorted((round(hits[code] / count, 2), code) for code, count in counts.items())[:4]
        share = sum(hits.values()) / len(texts)
        print(f"  {name:7} {len(texts):5} texts  {share:.3f} right  {milliseconds:.3f} ms  worst {worst}")
    print(f"  {(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) // 1024} MB")


def messages() -> dict[str, list[str]]:
    """Return the translated messages by language; English ones are those that the French translate."""
    found: dict[str, list[str]] = {}
    for code in CODES:
        originals: set[str] = set()
        translations: set[str] = set()
        for file in sorted((LOCALES / FOLDERS.get(code, code) / "LC_MESSAGES").glob("*.mo")):
            for original, translation in catalogue(file).items():
                if isinstance(original, str) and original and translation not in ("", original):
                    originals.add(tidy(original.rpartition("\x04")[2]))
                    translations.add(tidy(translation))
        found[code] = sorted(filter(is_text, translations))
        if code == "fr":
            found["en"] = sorted(filter(is_text, originals))
    return found


def catalogue(file: Path) -> dict[Any, str]:
    """Return the translations by original; none of a file of names, or in an old encoding."""
    if file.name.startswith(NAMES_OF_THINGS):
        return {}
    try:
        with file.open("rb") as stream:
            return cast("dict[Any, str]", vars(gettext.GNUTranslations(stream))["_catalog"])
    except UnicodeDecodeError:
        return {}


def tidy(message: str) -> str:
    """Return a message without placeholders and markup."""
    return " ".join(MARKUP.sub(" ", message).split())


def is_text(message: str) -> bool:
    """Return True if most of a message is letters, with the signs that Indic scripts write after them."""
    letters = sum(unicodedata.category(character)[0] in "LM" for character in message)
    return len(message) >= SHORT.start and letters > 0.6 * len(message)


def sets(by_language: dict[str, list[str]]) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield the samples by name, the same each time."""
    chance = random.Random(7)  # noqa: S311 - samples, no secrets
    fitting = {code: [each for each in found if len(each) in SHORT] for code, found in by_language.items()}
    yield (
        "short",
        [(code, each) for code, found in fitting.items() for each in chance.sample(found, min(150, len(found)))],
    )
    for name, size in (("medium", 120), ("long", 800), ("mixed", 800)):
        texts: list[tuple[str, str]] = []
        for code, found in by_language.items():
            for _ in range(SAMPLES if found else 0):
                text = ""
                while len(text) < size:
                    text += chance.choice(found) + ". "
                texts.append(
                    (code, f"https://example.com/a Windows 2024. {text} A few words." if name == "mixed" else text)
                )
        yield name, texts


def _py3langid() -> Classify:
    detection = LanguageDetection()
    return lambda text: detection.detect(text).code


def _lingua() -> Classify:
    lingua = import_module("lingua")
    known = [getattr(lingua.IsoCode639_1, code.upper()) for code in ["en", *CODES] if code not in ("ml", "kn")]
    detector = lingua.LanguageDetectorBuilder.from_iso_codes_639_1(*known).build()

    def classify(text: str) -> str:
        found = detector.detect_language_of(text)
        return found.iso_code_639_1.name.lower() if found else ""

    return classify


def _cld2() -> Classify:
    detect = import_module("pycld2").detect
    return lambda text: detect(text, isPlainText=True)[2][0][1].partition("-")[0]


def _langdetect() -> Classify:
    module = import_module("langdetect")
    module.DetectorFactory.seed = 0
    return lambda text: module.detect(text).partition("-")[0]


DETECTORS: dict[str, Callable[[], Classify]] = {
    "py3langid": _py3langid,
    "lingua": _lingua,
    "cld2": _cld2,
    "langdetect": _langdetect,
}

if __name__ == "__main__":
    main()
