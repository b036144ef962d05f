import pytest

from pincite.formats.html.elements import Element
from pincite.formats.html.item_lists import ItemLists
from support.html_pages import texts

SENTENCE = "This is a sentence of the article, and it is long enough for prose."
PARAGRAPHS = "".join(f"<p>{number}. {SENTENCE}</p>" for number in range(5))
READ = [f"{number}. {SENTENCE}" for number in range(5)]
ITEMS = "<ul class=x><li>2 eggs</li><li>200 g of flour</li><li>A little salt</li></ul>"
ITEMS_READ = "- 2 eggs\n- 200 g of flour\n- A little salt"


@pytest.mark.parametrize("name", ["", "ingredients", "sidebar padded", "recipe--sidebar", "widget-box"])
def test_a_list_next_to_the_text_belongs_to_it_wherever_it_is_on_the_page(name: str) -> None:
    assert texts(f'<main><div><div class="{name}">{ITEMS}</div><div>{PARAGRAPHS}</div></div></main>') == [
        ITEMS_READ,
        *READ,
    ]


@pytest.mark.parametrize("name", ["comments", "related sidebar", "newsletter"])
def test_a_list_of_what_its_name_calls_no_part_of_the_text_is_left_out(name: str) -> None:
    assert texts(f'<main><div><div class="{name}">{ITEMS}</div><div>{PARAGRAPHS}</div></div></main>') == READ


@pytest.mark.parametrize(
    "part",
    [
        "<ul class=x><li>2 eggs</li><li>200 g of flour</li></ul>",
        "<div>Some words that are no item of a list</div><ul class=x><li>a</li><li>b</li><li>c</li></ul>",
        '<ul class=x><li><img src="a.png">One</li><li>Two words</li><li>Three</li></ul>',
        '<ul class=x><li><a href="/a">The news</a></li><li><a href="/b">The archive</a></li><li>Three</li></ul>',
    ],
)
def test_few_items_pictures_and_links_are_around_the_text(part: str) -> None:
    assert texts(f"<main><div><div>{part}</div><div>{PARAGRAPHS}</div></div></main>") == READ


class _CountedTag(str):
    __slots__ = ()
    looked_up = 0

    def __hash__(self) -> int:
        _CountedTag.looked_up += 1
        return super().__hash__()


def test_the_items_of_nested_parts_are_counted_once() -> None:
    depth, count = 200, 500
    parts = [Element("div", {}, None, at, 2_000 - at, 5_000) for at in range(depth)]
    items = [Element(_CountedTag("li"), {}, parts[-1], depth + at, depth + at + 1, 10) for at in range(count)]
    lists = ItemLists([*parts, *items], ["2 eggs"] * 2_000)
    assert [lists.is_list(part) for part in parts] == [True] * depth
    assert _CountedTag.looked_up == count
