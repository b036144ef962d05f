# ruff: noqa: RUF001 - sentences in scripts whose punctuation looks like ours
import subprocess
import sys

import pytest
from py3langid.langid import MODEL_FILE, LanguageIdentifier

from pincite.services.documents import language
from pincite.services.documents.language import FALLBACK, Language, LanguageDetection, language_names

SENTENCES = {
    "en": "All human beings are born free and equal in dignity and rights.",
    "es": "Todos los seres humanos nacen libres e iguales en dignidad y derechos.",
    "fr": "Tous les êtres humains naissent libres et égaux en dignité et en droits.",
    "de": "Alle Menschen sind frei und gleich an Würde und Rechten geboren.",
    "it": "Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti.",
    "pt": "Todos os seres humanos nascem livres e iguais em dignidade e em direitos.",
    "hi": "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।",
    "bn": "সমস্ত মানুষ স্বাধীনভাবে সমান মর্যাদা এবং অধিকার নিয়ে জন্মগ্রহণ করে।",
    "te": "ప్రతిపత్తిస్వత్వముల విషయమున మానవులెల్లరును జన్మతః స్వతంత్రులును సమానులును నగుదురు.",
    "ta": "மனிதப் பிறிவியினர் சகலரும் சுதந்திரமாகவே பிறக்கின்றனர்.",
    "mr": "सर्व मानवी व्यक्ति जन्मतःच स्वतंत्र आहेत व त्यांना समान प्रतिष्ठा व समान अधिकार आहेत.",
    "ml": "മനുഷ്യരെല്ലാവരും തുല്യാവകാശങ്ങളോടും അന്തസ്സോടും സ്വാതന്ത്ര്യത്തോടുംകൂടി ജനിച്ചവരാണ്.",
    "kn": "ಎಲ್ಲಾ ಮಾನವರೂ ಸ್ವತಂತ್ರರಾಗಿಯೇ ಜನಿಸಿದ್ಧಾರೆ. ಹಾಗೂ ಘನತೆ ಮತ್ತು ಹಕ್ಕುಗಳಲ್ಲಿ ಸಮಾನರಾಗಿದ್ದಾರೆ.",
    "gu": "પ્રતિષ્ઠા અને અધિકારોની દૃષ્ટિએ સર્વ માનવો જન્મથી સ્વતંત્ર અને સમાન હોય છે.",
    "pa": "ਸਾਰਾ ਮਨੁੱਖੀ ਪਰਿਵਾਰ ਆਪਣੀ ਮਹਿਮਾ, ਸ਼ਾਨ ਅਤੇ ਹੱਕਾਂ ਦੇ ਪੱਖੋਂ ਜਨਮ ਤੋਂ ਹੀ ਆਜ਼ਾਦ ਹੈ।",
    "ur": "تمام انسان آزاد اور حقوق و عزت کے اعتبار سے برابر پیدا ہوئے ہیں۔",
    "zh": "人人生而自由，在尊严和权利上一律平等。",
    "ja": "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。",
}
"""The first sentence of the Universal Declaration of Human Rights, in the languages of the contract."""


@pytest.fixture(scope="module")
def detection() -> LanguageDetection:
    return LanguageDetection()


@pytest.mark.parametrize("code", SENTENCES)
def test_the_languages_of_the_contract_are_told_apart(detection: LanguageDetection, code: str) -> None:
    found = Language(code, language_names()[code])
    assert detection.detect(SENTENCES[code]) == found
    assert detection.detect(f"https://example.com/a/b 2024 Windows. {SENTENCES[code] * 3} The end of it.") == found


@pytest.mark.parametrize("text", ["", " \n" * 50, "Der Hund", "12345 67890 12345", "--- 1 --- 2 --- 3 ---"])
def test_what_says_too_little_is_english_and_not_reliable(detection: LanguageDetection, text: str) -> None:
    assert detection.detect(text) == FALLBACK == Language("en", "English", reliable=False)


def test_the_first_five_thousand_characters_decide(detection: LanguageDetection) -> None:
    german = SENTENCES["de"] * 100
    assert detection.detect(german[:5000] + SENTENCES["fr"] * 1000).code == "de"


@pytest.mark.parametrize(
    "text", ["xxxx xxxx xxxx", "x" * 40, "asdf qwer zxcv uiop", "यह एक छोटा वाक्य है", "Hello my friend"]
)
def test_what_could_be_of_another_language_is_not_reliable(detection: LanguageDetection, text: str) -> None:
    assert not detection.detect(text).reliable


def test_a_short_sentence_of_one_language_is_reliable(detection: LanguageDetection) -> None:
    assert detection.detect("मेरा नाम राम है और मैं दिल्ली में रहता हूँ") == Language("hi", "Hindi")
    assert detection.detect("Prozess beenden und neu starten") == Language("de", "German")


def test_odd_characters_are_no_fault(detection: LanguageDetection) -> None:
    assert detection.detect("\ud800" + SENTENCES["it"]).code == "it"


def test_a_detector_that_fails_is_english_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    class Failing:
        def classify(self, text: str) -> tuple[str, float]:
            raise RuntimeError(text)

    detection = LanguageDetection()
    detection.__dict__["_loaded"] = Failing()
    assert detection.detect(SENTENCES["de"]) == FALLBACK
    assert [record.message for record in caplog.records] == ["language.failed"]


def test_without_the_detector_everything_is_english(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "py3langid.langid", None)
    detection = LanguageDetection()
    assert detection.available
    assert detection.detect(SENTENCES["de"]) == detection.detect(SENTENCES["fr"]) == FALLBACK
    assert [record.message for record in caplog.records] == ["language.unavailable"]


def test_the_names_are_those_of_the_languages_that_the_detector_has() -> None:
    labels = LanguageIdentifier.from_model_file(MODEL_FILE).labels
    assert {label for label in labels if len(label) == 2} == set(language_names())


def test_the_model_is_loaded_at_the_first_text() -> None:
    script = (
        "import sys\nfrom pincite.services.documents.language import LanguageDetection\n"
        "detection = LanguageDetection()\nassert detection.available\nassert 'py3langid' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
    assert language.SAMPLE_CHARS == 5_000
