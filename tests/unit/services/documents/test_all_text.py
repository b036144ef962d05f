import pytest

from pincite.errors import Cancelled
from pincite.model.call import Call
from pincite.services.documents.all_text import PIECE_CHARS, all_text
from support.calls import StopAfter


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<title>App</title><div hidden>a &amp;\n b</div><noscript>c</noscript>", "App\na & b\nc"),
        ("<script>x < 1</script><style>p {}</style><template><p>y</template>z", "z"),
        ("</script></script>a", "a"),
        ("<p>open <b>and <i>crossed</b></i>", "open\nand\ncrossed"),
        ("", ""),
    ],
)
def test_text_is_kept_and_code_is_not(html: str, text: str) -> None:
    assert all_text(html, Call()) == text


def test_a_call_that_is_over_stops_it() -> None:
    with pytest.raises(Cancelled):
        all_text("<p>words" * PIECE_CHARS, Call(stop=StopAfter(2)))
