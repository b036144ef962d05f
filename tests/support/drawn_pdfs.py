"""PDFs of one page for tests, by what is drawn on it."""

from collections.abc import Mapping

HEAD = b"%PDF-1.7\n"


def drawn_pdf(content: str, forms: Mapping[str, str] | None = None, matrices: Mapping[str, str] | None = None) -> bytes:
    """A page of 600 by 800 points.

    Args:
        content: Its operators, y upwards; the font is `/F1`.
        forms: Operators of its form XObjects, by name; each may use all.
        matrices: Their matrices, PDF source.
    """
    forms, matrices = forms or {}, matrices or {}
    names = {name: number for number, name in enumerate(forms, 6)}
    resources = (
        "<</Font<</F1 4 0 R>>/XObject<<" + "".join(f"/{name} {number} 0 R" for name, number in names.items()) + ">>>>"
    )
    objects = {
        1: b"<</Type/Catalog/Pages 2 0 R>>",
        2: b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        3: f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources {resources}/Contents 5 0 R>>".encode(),
        4: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
        5: _stream("", content),
    }
    for name, number in names.items():
        matrix = matrices.get(name, "[1 0 0 1 0 0]")
        entries = f"/Type/XObject/Subtype/Form/BBox[-10000 -10000 10000 10000]/Matrix {matrix}/Resources {resources}"
        objects[number] = _stream(entries, forms[name])
    body, places = HEAD, list[int]()
    for number in sorted(objects):
        places.append(len(body))
        body += b"%d 0 obj\n" % number + objects[number] + b"\nendobj\n"
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(places) + 1
    return (
        body
        + b"xref\n0 %d\n0000000000 65535 f \n" % size
        + table
        + b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (size, len(body))
    )


def text(words: str, x: float, y: float, size: float = 10) -> str:
    """Operators for a line of text."""
    return f"BT /F1 {size} Tf {x} {y} Td ({words}) Tj ET\n"


def _stream(entries: str, content: str) -> bytes:
    data = content.encode("cp1252")
    return f"<<{entries}/Length {len(data)}>>\nstream\n".encode() + data + b"\nendstream"
