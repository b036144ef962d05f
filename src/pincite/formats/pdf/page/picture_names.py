"""Names of pictures inside pages, from which a page's part can be rendered: `3:72.00,100.00,300.00,400.00`."""

from pincite.errors import NotFound
from pincite.model.document import Box


def picture_name(number: int, box: Box) -> str:
    """Return the name of the part of a page, with its box in points on the page as displayed."""
    return f"{number}:{box.x0:.2f},{box.y0:.2f},{box.x1:.2f},{box.y1:.2f}"


def parse_picture_name(name: str) -> tuple[int, Box]:
    """Return the page number and box of a name.

    Raises:
        NotFound: It is no such name.
    """
    number, _, corners = name.partition(":")
    try:
        return int(number), Box(*(float(corner) for corner in corners.split(",")))
    except (ValueError, TypeError) as problem:
        raise NotFound(f"There is no picture {name!r}.") from problem
