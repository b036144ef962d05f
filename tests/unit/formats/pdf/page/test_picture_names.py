import pytest

from pincite.errors import NotFound
from pincite.formats.pdf.page.picture_names import parse_picture_name, picture_name
from pincite.model.document import Box


def test_a_name_is_parsed_into_what_it_was_made_of() -> None:
    name = picture_name(3, Box(72, 100.5, 300, 400))
    assert name == "3:72.00,100.50,300.00,400.00"
    assert parse_picture_name(name) == (3, Box(72, 100.5, 300, 400))


@pytest.mark.parametrize("name", ["", "3", "3:1,2,3", "x:1,2,3,4", "3:1,2,3,4,5", "3:a,b,c,d"])
def test_another_name_is_refused(name: str) -> None:
    with pytest.raises(NotFound):
        parse_picture_name(name)
