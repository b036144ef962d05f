"""Distance and size of lines."""

import math
from dataclasses import replace

from pincite.formats.pdf.layout.leading import is_same_block, is_same_size, leading_of_page, leading_of_part, text_size
from pincite.formats.pdf.page.words import line_of
from support.typed_pages import typed


def test_the_leading_is_the_commonest_distance_of_two_lines() -> None:
    lines = typed("\n".join("abcde"), tight=14) + typed("\n\n\n\n\n\n\n\nf\n\ng", tight=14)
    assert leading_of_page(lines) == 1.4
    assert leading_of_part(lines, 1.2) == 1.4
    # Few lines show no leading: it is the page's if that is smaller.
    assert leading_of_page(lines[:3]) == math.inf
    assert leading_of_part(lines[:3], 1.2) == 1.2
    assert leading_of_part(lines[:2], math.inf) == 1.2


def test_code_within_a_text_may_be_smaller_than_it() -> None:
    text, code = typed("text\ncode", sizes={1: 8.5})
    code = line_of([replace(word, font="Courier") for word in code.words])
    mixed = line_of([*text.words, *code.words])
    assert is_same_size(text, code) and not is_same_size(text, typed("small", sizes={0: 8.5})[0])
    assert (text_size(text), text_size(code), text_size(mixed)) == (10, 0, 10)


def test_lines_side_by_side_are_not_of_one_block() -> None:
    left, below, right = typed("left\nbelow\n                right")
    assert is_same_block(left, below) and not is_same_block(left, right)
