"""The colours of a theme (ECMA-376 part 1, 20.1.6.2), by the names used in text, fills and cells."""

from dataclasses import dataclass, field

from pincite.formats.ooxml.package import Element, local_name, name
from pincite.formats.writing.contrast import BLACK, WHITE, Colour, from_hex

_THEME_COLOURS = {
    "background1": "lt1",
    "light1": "lt1",
    "bg1": "lt1",
    "background2": "lt2",
    "light2": "lt2",
    "bg2": "lt2",
    "text1": "dk1",
    "dark1": "dk1",
    "tx1": "dk1",
    "text2": "dk2",
    "dark2": "dk2",
    "tx2": "dk2",
}


@dataclass(slots=True)
class Theme:
    """The colours of a document's theme."""

    colours: dict[str, Colour] = field(default_factory=lambda: {"lt1": WHITE, "dk1": BLACK})

    @classmethod
    def of(cls, root: Element | None) -> "Theme":
        """Return the theme in a part; without one, white and black."""
        theme = cls()
        scheme = root.find(f"{name('a:themeElements')}/{name('a:clrScheme')}") if root is not None else None
        for entry in scheme if scheme is not None else ():
            for element in entry:
                if (colour := from_hex(element.get("lastClr") or element.get("val"))) is not None:
                    theme.colours[local_name(entry)] = colour
        return theme

    def colour(self, scheme_name: str, tint: str | None, shade: str | None) -> Colour | None:
        """Return a colour of the theme, made lighter (`tint`) or darker (`shade`); None if it is not defined."""
        result = self.colours.get(_THEME_COLOURS.get(scheme_name, scheme_name))
        if result is None:
            return None
        # Tint and shade are the share of the colour that remains; the rest is white or black.
        for share, towards in ((_share(shade), 0), (_share(tint), 255)):
            red, green, blue = (round(part * share + towards * (1 - share)) for part in result)
            result = (red, green, blue)
        return result


def _share(digits: str | None) -> float:
    try:
        return int(digits, 16) / 255 if digits else 1.0
    except ValueError:
        return 1.0
