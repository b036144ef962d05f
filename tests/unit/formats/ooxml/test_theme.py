from lxml import etree

from pincite.formats.ooxml.theme import Theme

THEME = b"""<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:themeElements><a:clrScheme>
<a:accent1><a:srgbClr val="FF8000"/></a:accent1><a:lt1><a:sysClr val="window" lastClr="FEFEFE"/></a:lt1>
</a:clrScheme></a:themeElements></a:theme>"""


def test_without_a_theme_the_ground_is_white_and_the_text_black() -> None:
    theme = Theme.of(None)
    assert theme.colour("bg1", None, None) == (255, 255, 255)
    assert theme.colour("tx1", None, None) == (0, 0, 0)
    assert theme.colour("accent1", None, None) is None


def test_a_theme_names_its_colours() -> None:
    theme = Theme.of(etree.fromstring(THEME))
    assert theme.colour("accent1", None, None) == (255, 128, 0)
    assert theme.colour("light1", None, None) == (254, 254, 254)


def test_a_tint_goes_towards_white_and_a_shade_towards_black() -> None:
    theme = Theme.of(None)
    assert theme.colour("tx1", "80", None) == (127, 127, 127)
    assert theme.colour("bg1", None, "80") == (128, 128, 128)
    assert theme.colour("bg1", None, "no number") == (255, 255, 255)
