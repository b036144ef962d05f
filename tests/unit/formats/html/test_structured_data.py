import json

import pytest

from support.html_pages import read, texts

SENTENCE = "This is a sentence of the article, and it is long enough for prose."
BODY = "\n".join(f"{number}. {SENTENCE}" for number in range(5))
READ = BODY.split("\n")
MENU = '<div><a href="/a">One part</a></div><div id="root"></div>'


def page(data: object, content: str = MENU) -> str:
    script = data if isinstance(data, str) else json.dumps(data)
    return f'<head><script type="application/ld+json">{script}</script></head><body>{content}</body>'


def test_the_text_that_a_script_writes_is_read_from_the_structured_data() -> None:
    article = {"@type": "NewsArticle", "headline": "The title", "description": "Summary", "articleBody": BODY}
    document = read(page({"@graph": [{"@type": "Organization", "description": SENTENCE}, article]}))
    assert document.text.endswith("\n\n".join(["# The title", *READ])) or READ[0] in document.text
    assert "Summary" not in document.text
    assert [warning for warning in document.warnings if "JSON-LD" in warning]


def test_steps_and_ingredients_are_parts_of_their_recipe() -> None:
    steps = [{"@type": "HowToStep", "name": f"Step {number}", "text": SENTENCE} for number in range(5)]
    data = {"@type": "Recipe", "name": "Soup", "recipeIngredient": ["1 onion"], "recipeInstructions": steps}
    read_texts = texts(page([data]))
    assert read_texts[1:4] == ["# Soup", "1 onion", "### Step 0"]
    assert read_texts.count(SENTENCE) == 5


def test_markup_in_the_data_is_read_as_such() -> None:
    body = "".join(f"<p>{number}. {SENTENCE}</p>" for number in range(5))
    assert texts(page({"articleBody": body}, '<div id="root"></div>')) == READ


@pytest.mark.parametrize(
    "data",
    [
        *("", "{", "[" * 5000, '"text"', "[1, null]"),
        *({"articleBody": SENTENCE}, {"articleBody": 5}, {"@type": "WebSite", "description": BODY}),
    ],
)
def test_data_without_a_text_change_nothing(data: object) -> None:
    assert texts(page(data)) == ["[One part](/a)"]


def test_a_page_that_shows_its_text_is_read_as_shown() -> None:
    shown = "".join(f"<p>{line}</p>" for line in READ)
    document = read(page({"articleBody": BODY * 2}, shown))
    assert document.text.count(SENTENCE) == 5
    assert not document.warnings


def test_deep_data_are_read_to_a_bound() -> None:
    data: dict[str, object] = {"articleBody": BODY}
    for _ in range(50):
        data = {"@graph": [data]}
    assert texts(page(data)) == ["[One part](/a)"]
