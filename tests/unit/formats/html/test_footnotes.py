import pytest

from support.html_pages import texts


@pytest.mark.parametrize(
    "note",
    [
        '<aside class="footnote" id="n"><span class="label">[2]</span> A note.</aside>',
        '<div role="doc-footnote" id="n"><sup>2</sup> A note.</div>',
        '<ol class="references"><li>No note.</li><li id="n">A note.</li></ol>',
        '<section role="doc-endnotes"><hr><ol><li id="m">x</li><li id="n">A note.</li></ol></section>',
    ],
)
def test_notes_have_the_label_that_is_shown(note: str) -> None:
    assert any(text.startswith("[^2]: ") and text.endswith("A note.") for text in texts(f"<p>Text</p>{note}"))


def test_an_item_without_a_target_is_no_note() -> None:
    assert texts('<ol class="references"><li>A book.</li></ol>') == ["1. A book."]
