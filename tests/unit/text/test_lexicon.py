from pincite.text.lexicon import english_words


def test_whole_words_are_known_and_parts_of_words_are_not() -> None:
    words = english_words()
    assert {"hardware", "previously", "non", "self"} <= words
    assert words.isdisjoint({"ution", "nique", "##ing", "[CLS]", "a", "hardwarebased"})
