import pytest

from support.html_pages import texts

SENTENCE = "This is a sentence of the article, and it is long enough for prose."
PARAGRAPHS = "".join(f"<p>{number}. {SENTENCE}</p>" for number in range(5))
READ = [f"{number}. {SENTENCE}" for number in range(5)]


@pytest.mark.parametrize(
    "line",
    [
        *("Advertisement", "- Anzeige -", "Publicité", "Wird geladen...", "This slideshow requires JavaScript."),
        *("Back to top", "Nach oben", "Seite drucken", "Permalink", "Story continues below"),
        "This website uses cookies. By continuing to use it you agree to that.",
        "Wir verwenden Cookies, um unsere Seite für Sie zu verbessern.",
        "This post contains references to products from our advertisers. We may receive a commission.",
        "*Werbung. Dieser Beitrag enthält Werbung für eine Marke.",
        "Get the latest news straight to your phone with our app.",
        *(
            "\u203a Versenden",
            "Hide caption",
            "Menü schließen",
            "Permalink https://a.example/p/1",
            "4 min read",
            "Sign in",
        ),
        *("Jetzt bestellen!", "Read more →", "Your browser does not support the video tag."),
        *("Iklan", "Реклама", "広告", "Bild 3 von 10", "Photo 1 of 9", "Vollbild", "Externer Inhalt", "Video laden"),
        "Um Deine persönlichen Daten zu schützen, haben wir das automatische Laden der Inhalte von a.de blockiert.",
        "Mit dem Laden des Videos akzeptieren Sie die Datenschutzerklärung von YouTube.",
        "By loading the video, you agree to YouTube's privacy policy.",
        *("Already a subscriber? Sign in", "Jederzeit kündbar", "Versión impresa", "Next article", "Caption"),
    ],
)
def test_a_line_of_the_interface_is_left_out(line: str) -> None:
    assert texts(f"<main>{PARAGRAPHS}<p>{line}</p><p>The end.</p></main>") == [*READ, "The end."]


@pytest.mark.parametrize(
    "line",
    [
        "Follow the path.",
        "Permalinks are stable.",
        "Bild 3 von 10 zeigt den Hafen.",
        "Um ihre Daten zu schützen, kaufte sie ein zweites Gerät.",
        "This content is provided by volunteers.",
        "Advertisements of the year",
        "Print runs",
        "Cookies are small files.",
        "Top to toe",
        "Werbung wirkt: sagt sie.",
    ],
)
def test_a_line_with_more_to_say_is_kept(line: str) -> None:
    assert texts(f"<main>{PARAGRAPHS}<p>{line}</p></main>") == [*READ, line]


def test_a_notice_within_a_sentence_is_kept() -> None:
    line = "The court held that a page which says “we use cookies” asks nobody."
    assert texts(f"<main>{PARAGRAPHS}<p>{line}</p></main>") == [*READ, line]


def test_words_of_a_button_are_kept_as_a_heading_and_in_a_plain_list() -> None:
    page = f"<main>{PARAGRAPHS}<h2>Register</h2><p>Each house.</p><ul><li>Follow<li>Subscribe</ul></main>"
    assert texts(page) == [*READ, "## Register", "Each house.", "- Follow\n- Subscribe"]
