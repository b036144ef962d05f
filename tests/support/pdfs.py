"""PDFs without tags, written by hand for tests: text at places, and what else a page may have."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

WIDTH, HEIGHT = 612, 792
FONTS = {"F": "Helvetica", "B": "Helvetica-Bold", "I": "Helvetica-Oblique"}
_THICK = "<</Type/FontDescriptor/FontName/CMR10/Flags 6/StemV 200/ItalicAngle 0/FontBBox[0 -250 1000 750]>>"
_FLAT = "<</Type/FontDescriptor/FontName/Subset/Flags 6/Ascent 0/Descent 0/ItalicAngle 0/FontBBox[0 -250 1000 750]>>"
OTHER_FONTS = dict.fromkeys("MHALU", "Helvetica") | {
    "C": "Courier",
    "S": "CMCSC10",
    "T": f"CMR10/FirstChar 32/LastChar 126/Widths[{'500 ' * 95}]/FontDescriptor {_THICK}",
    "D": f"Subset/FirstChar 32/LastChar 126/Widths[{'500 ' * 95}]/FontDescriptor {_FLAT}",
}
"""Only in the files that use them; letters of `M` are mathematical ones, beyond U+FFFF, those of `H` Hebrew ones."""
ENCODINGS = {
    "L": "<</Type/Encoding/BaseEncoding/WinAnsiEncoding/Differences[65/fi/fl/ffi/ff/minus/uni2212/uni2192]>>",
    "D": "<</Type/Encoding/BaseEncoding/WinAnsiEncoding/Differences[103/a]>>",
}
"""Those of other fonts are `WinAnsiEncoding`; `A` to `G` in `L` are ligatures and signs, by their glyphs' names."""
_CODES = "/CIDInit/ProcSet findresource begin begincmap 1 begincodespacerange <00><FF> endcodespacerange"
TO_UNICODE = {
    "M": f"{_CODES} 1 beginbfrange <41><5A><D835DC00> endbfrange endcmap end",
    "H": f"{_CODES} 1 beginbfrange <41><5A><05D0> endbfrange 1 beginbfrange <20><40><0020> endbfrange endcmap end",
    "A": f"{_CODES} 5 beginbfchar <41><0643> <42><0628> <43><06270644> <44><06440627> <45><FEDB> endbfchar "
    "1 beginbfrange <20><40><0020> endbfrange endcmap end",
}
"""Letters of `A` are Arabic: kaf, beh, lam-alef as one glyph in either order, and an initial kaf."""
UNMAPPED = (
    "<</Type/Font/Subtype/Type0/BaseFont/Odd/Encoding/Identity-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType2"
    "/BaseFont/Odd/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 600/FontDescriptor"
    "<</Type/FontDescriptor/FontName/Odd/Flags 4/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent 800/Descent -200"
    "/CapHeight 700/StemV 80>>>>]>>"
)
"""The font `U`, which does not say what its letters of two bytes each mean."""
PARAGRAPH = (
    "The quick brown fox jumps over the lazy dog while the others look on and",
    "wonder how often it has to do so before the day is over and they can rest",
    "in the shade of the old tree.",
)


DOT = (
    "<</Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8/Length 1>>"
    "\nstream\n@\nendstream"
)
"""A picture of one grey point."""


@dataclass(frozen=True)
class Text:
    """A line of text, in points from the page's top left corner to its baseline.

    Attributes:
        font: `F`, `B` (bold), `I` (italic), `C` (monospaced), `M` (mathematical letters for `A` to `Z`), `H`
            (Hebrew ones), `A` (some Arabic ones), `S` (TeX's small capitals), `T` (TeX's text, thick stems declared),
            `L` (ligatures and signs for `A` to `G`), `D` (no ascent, descent
            and `g`) or `U` (letters without a meaning).
        mode: Text rendering mode; 3 is invisible.
        colour: Red, green, blue from 0 to 1, as PDF source.
        turn: The line's direction as PDF source: cosine and sine.
        spacing: White that is added behind each character, in points.
    """

    text: str
    x: float = 72
    y: float = 72
    size: float = 10
    font: str = "F"
    mode: int = 0
    colour: str = "0 0 0"
    turn: tuple[float, float] = (1, 0)
    spacing: float = 0

    def source(self, height: float) -> str:
        """As operators of a page of this height."""
        cosine, sine = self.turn
        place = f"{cosine} {sine} {-sine} {cosine} {self.x} {height - self.y}"
        shown = self.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        spacing = f" {self.spacing} Tc" if self.spacing else ""
        return f"BT {self.colour} rg {self.mode} Tr{spacing} /{self.font} {self.size} Tf {place} Tm ({shown}) Tj ET"


@dataclass(frozen=True)
class Filled:
    """A filled rectangle, or a picture in its place."""

    x0: float
    y0: float
    x1: float
    y1: float
    colour: str = "0 0 0"
    picture: bool = False

    def source(self, height: float) -> str:
        """As operators of a page of this height."""
        wide, tall = self.x1 - self.x0, self.y1 - self.y0
        if self.picture:
            return f"q {wide} 0 0 {tall} {self.x0} {height - self.y1} cm /P Do Q"
        return f"q {self.colour} rg {self.x0} {height - self.y1} {wide} {tall} re f Q"


Content = Sequence[Text | Filled]


@dataclass(frozen=True)
class Leaf:
    """A page with entries of its own.

    Attributes:
        entries: PDF source: `/Rotate 90`, `/CropBox[0 0 300 300]`.
    """

    content: Content
    entries: str = ""


def column(*lines: str, x: float = 72, y: float = 72, size: float = 10, font: str = "F") -> list[Text]:
    """Lines below each other, a fifth of their size apart."""
    return [Text(line, x, y + number * size * 1.2, size, font) for number, line in enumerate(lines)]


def prose(y: float = 72, x: float = 72, times: int = 1) -> list[Text]:
    """Paragraphs of running text."""
    return [line for number in range(times) for line in column(*PARAGRAPH, x=x, y=y + number * 54)]


def pdf(
    *pages: Content | Leaf,
    info: str = "",
    catalog: str = "",
    outline: Sequence[tuple[str, int]] = (),
    header: bytes = b"",
    objects: Sequence[str] = (),
    picture: str = DOT,
) -> bytes:
    """A PDF.

    Args:
        pages: Each page's content.
        info: Entries of the information dictionary, as PDF source.
        catalog: Entries of the catalog, as PDF source.
        outline: Titles and page numbers (from 1) of bookmarks, all of one depth.
        header: Bytes before the file.
        objects: PDF source of objects that entries refer to: the first one as `1 0 R`.
        picture: PDF source of every picture.
    """
    made = [source.encode("cp1252") for source in objects]

    def add(body: bytes | str) -> int:
        made.append(body if isinstance(body, bytes) else body.encode("cp1252"))
        return len(made)

    fonts = {
        name: add(f"<</Type/Font/Subtype/Type1/BaseFont/{base}/Encoding/WinAnsiEncoding>>")
        for name, base in FONTS.items()
    }
    for name in sorted(
        {part.font for page in pages for part in _content(page) if isinstance(part, Text)} - fonts.keys()
    ):
        encoding = ENCODINGS.get(name, "/WinAnsiEncoding")
        base = f"<</Type/Font/Subtype/Type1/BaseFont/{OTHER_FONTS[name]}/Encoding{encoding}"
        codes = TO_UNICODE.get(name)
        letters = add(f"<</Length {len(codes)}>>\nstream\n{codes}\nendstream") if codes else 0
        mapped = f"{base}/ToUnicode {letters} 0 R>>" if letters else f"{base}>>"
        fonts[name] = add(UNMAPPED if name == "U" else mapped)
    used = "".join(f"/{name} {number} 0 R" for name, number in fonts.items())
    shown = add(picture)
    folder = len(made) + 1 + 2 * len(pages)
    numbers: list[int] = []
    for page in pages:
        stream = "\n".join(part.source(HEIGHT) for part in _content(page)).encode("cp1252")
        contents = add(b"<</Length %d>>\nstream\n%s\nendstream" % (len(stream), stream))
        numbers.append(
            add(
                f"<</Type/Page/Parent {folder} 0 R/MediaBox[0 0 {WIDTH} {HEIGHT}]/Contents {contents} 0 R"
                f"{page.entries if isinstance(page, Leaf) else ''}"
                f"/Resources<</Font<<{used}>>/XObject<</P {shown} 0 R>>>>>>"
            )
        )
    kids = " ".join(f"{number} 0 R" for number in numbers)
    add(f"<</Type/Pages/Count {len(pages)}/Kids[{kids}]>>")
    marks = len(made) + 1
    for place, (title, page) in enumerate(outline):
        following = f"/Next {marks + place + 1} 0 R" if place + 1 < len(outline) else ""
        top = marks + len(outline)
        add(f"<</Title({title})/Parent {top} 0 R/Dest[{numbers[page - 1]} 0 R/Fit]{following}>>")
    if outline:
        top = add(f"<</Type/Outlines/First {marks} 0 R/Last {marks + len(outline) - 1} 0 R/Count {len(outline)}>>")
        catalog += f"/Outlines {top} 0 R"
    said = add(f"<<{info}>>")
    root = add(f"<</Type/Catalog/Pages {folder} 0 R{catalog}>>")
    return header + _file(made, root, said)


def pdf_with_picture(image: "Image.Image") -> bytes:
    """A page of prose with a grey picture between two paragraphs, 400 points wide."""
    head = (
        f"<</Type/XObject/Subtype/Image/Width {image.width}/Height {image.height}/ColorSpace/DeviceGray"
        f"/BitsPerComponent 8/Filter/ASCIIHexDecode/Length {2 * image.width * image.height}>>"
    )
    height = 400 * image.height / image.width
    return pdf(
        [*prose(), Filled(100, 150, 500, 150 + height, picture=True), *prose(y=180 + height)],
        picture=f"{head}\nstream\n{image.tobytes().hex()}\nendstream",
    )


def _content(page: Content | Leaf) -> Content:
    return page.content if isinstance(page, Leaf) else page


def _file(objects: Sequence[bytes], root: int, info: int) -> bytes:
    out, places = bytearray(b"%PDF-1.7\n"), list[int]()
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<</Size %d/Root %d 0 R/Info %d 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        root,
        info,
        start,
    )
    return bytes(out)
