from pincite.formats.pdf.page.closed_compounds import CLOSED_COMPOUNDS
from pincite.text.lexicon import english_words


def test_only_words_that_the_vocabulary_does_not_have_are_listed() -> None:
    assert not CLOSED_COMPOUNDS & english_words()
    assert all(word.isascii() and word.isalpha() and word.islower() for word in CLOSED_COMPOUNDS)
