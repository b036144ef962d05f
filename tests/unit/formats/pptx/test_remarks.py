from support.decks import (
    NS,
    RT,
    Deck,
    box,
    texts,
)


def test_speaker_notes_stand_after_the_slide_as_a_quote() -> None:
    deck = Deck()
    slide = deck.slide("T")
    box(slide, "body")
    slide.notes_slide.notes_text_frame.text = "Say this.\n\nThen that."
    assert texts(deck.read())[1:] == ["body", "> Notes: Say this.\n> Then that."]


def test_comments_of_both_kinds_stand_apart_with_their_authors() -> None:
    deck = Deck()
    slide = deck.slide("T")
    deck.part(
        slide,
        RT.COMMENTS,
        "/ppt/comments/c1.xml",
        f'<p:cmLst {NS}><p:cm authorId="0"><p:text>Old</p:text></p:cm></p:cmLst>',
    )
    new = "http://schemas.microsoft.com/office/2018/10/relationships/comments"
    body = "<{0}txBody><a:p><a:r><a:t>{1}</a:t></a:r></a:p></{0}txBody>"
    xml = (
        f'<q:cmLst {NS} xmlns:q="urn:q"><q:cm authorId="9"><q:replyLst><q:reply>{body.format("q:", "Reply")}</q:reply>'
        f"</q:replyLst>{body.format('q:', 'New')}</q:cm></q:cmLst>"
    )
    deck.part(slide, new, "/ppt/comments/c2.xml", xml)
    authors = f'<p:cmAuthorLst {NS}><p:cmAuthor id="0" name="Ada"/></p:cmAuthorLst>'
    deck.part(deck.file, RT.COMMENT_AUTHORS, "/ppt/commentAuthors.xml", authors)
    assert [aside.text for aside in deck.read().asides] == ["Ada: Old", "New", "Reply"]
