from support.html_pages import texts

SENTENCE = "This is a sentence of the article, and it is long enough for prose."
PARAGRAPHS = "".join(f"<p>{number}. {SENTENCE}</p>" for number in range(5))
READ = [f"{number}. {SENTENCE}" for number in range(5)]


def test_a_class_of_the_paragraphs_themselves_does_not_leave_them_out() -> None:
    for name in ("paywall", "paragraph inline-placeholder"):
        body = PARAGRAPHS.replace("<p>", f'<p class="{name}">')
        assert texts(f'<main>{body}<p class="share">Share: {SENTENCE}</p></main>') == READ


def test_a_single_unlinked_teaser_is_the_lead_and_teasers_with_much_of_the_prose_are_text() -> None:
    lead = f'<div class="art-teaser">Lead: {SENTENCE}</div>'
    assert texts(f"<article><header>{lead}</header>{PARAGRAPHS * 8}</article>") == [f"Lead: {SENTENCE}", *READ * 8]
    slides = f'<div class="teaser-text"><p>{SENTENCE}</p></div>' * 12
    assert texts(f"<article>{PARAGRAPHS * 3}{slides}</article>") == [*READ * 3, *[SENTENCE] * 12]
    few = f'<div class="teaser"><p>{SENTENCE}</p></div>' * 2
    assert texts(f"<article>{PARAGRAPHS * 8}{few}</article>") == READ * 8
