"""PDFs with a structure tree, written by hand for tests."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

WIDTH, HEIGHT = 612, 792


@dataclass(frozen=True)
class Show:
    """A line of text at a place of the page, y upwards.

    Attributes:
        mark: What marks it where it is in no element: `Artifact`, or empty for nothing.
        hidden: Whether it is drawn invisibly.
        font: Name of its font on the page, `F` (Helvetica) or `C` (Courier).
    """

    text: str
    x: float = 72
    y: float = 700
    size: float = 12
    mark: str = ""
    hidden: bool = False
    font: str = "F"


@dataclass(frozen=True)
class Tag:
    """An element of the structure tree."""

    kind: str
    children: "tuple[Tag | Show, ...]" = ()
    entries: Mapping[str, str] = field(default_factory=dict[str, str])


def tag(kind: str, *children: "Tag | Show", **entries: str) -> Tag:
    """An element; its entries are PDF source: `A="<</O/Table/ColSpan 2>>"`, `Alt="(A cat)"`."""
    return Tag(kind, children, entries)


def lines(kind: str, *texts: str, y: float, x: float = 72, step: float = 14, **entries: str) -> Tag:
    """An element of lines, one below the other."""
    return tag(kind, *(Show(text, x, y - step * number) for number, text in enumerate(texts)), **entries)


def row(*cells: str, y: float, kind: str = "TD", x: float = 72, step: float = 100) -> Tag:
    """A row of a table whose cells are of one kind, each a paragraph."""
    return tag("TR", *(tag(kind, tag("P", Show(text, x + step * n, y))) for n, text in enumerate(cells)))


def tagged_pdf(
    *pages: Sequence[Tag | Show], roles: Mapping[str, str] | None = None, entries: str = "", catalog: str = ""
) -> bytes:
    """A PDF.

    Args:
        pages: For each page its elements, and what stands in none.
        roles: The file's own types of elements and the standard ones.
        entries: Of every page, as PDF source.
        catalog: Entries of the catalog, as PDF source.
    """
    return _Writer(roles or {}, entries, catalog).write(pages)


class _Writer:
    def __init__(self, roles: Mapping[str, str], entries: str, catalog: str) -> None:
        self._entries = entries
        self._catalog = catalog
        self._objects: dict[int, bytes] = {}
        self._roles = roles
        self._next = 1

    def write(self, pages: Iterable[Sequence[Tag | Show]]) -> bytes:
        catalog, tree, root, font, courier, parents = (self._number() for _ in range(6))
        kids: list[int] = []
        elements: list[int] = []
        nums: list[str] = []
        folder = self._number()
        for index, page in enumerate(pages):
            number, contents = self._number(), self._number()
            made = _Page(self, number, root)
            elements += made.add(page)
            kids.append(number)
            nums.append(f"{index} [{' '.join(f'{owner} 0 R' for owner in made.owners)}]")
            stream = "\n".join(made.operators).encode("cp1252")
            self.put(contents, b"<</Length %d>>\nstream\n%s\nendstream" % (len(stream), stream))
            self.put(
                number,
                f"<</Type/Page/Parent {folder} 0 R/MediaBox[0 0 {WIDTH} {HEIGHT}]/Contents {contents} 0 R"
                f"/StructParents {index}{self._entries}/Resources<</Font<</F {font} 0 R/C {courier} 0 R>>>>>>",
            )
        self.put(folder, f"<</Type/Pages/Count {len(kids)}/Kids[{_refs(kids)}]>>")
        self.put(root, f"<</Type/StructElem/S/Document/P {tree} 0 R/K[{_refs(elements)}]>>")
        roles = "".join(f"/{own}/{standard}" for own, standard in self._roles.items())
        self.put(tree, f"<</Type/StructTreeRoot/K {root} 0 R/ParentTree {parents} 0 R/RoleMap<<{roles}>>>>")
        self.put(parents, f"<</Nums[{' '.join(nums)}]>>")
        for number, name in ((font, "Helvetica"), (courier, "Courier")):
            self.put(number, f"<</Type/Font/Subtype/Type1/BaseFont/{name}/Encoding/WinAnsiEncoding>>")
        self.put(
            catalog,
            f"<</Type/Catalog/Pages {folder} 0 R/StructTreeRoot {tree} 0 R/MarkInfo<</Marked true>>{self._catalog}>>",
        )
        return self._file(catalog)

    def put(self, number: int, body: bytes | str) -> None:
        self._objects[number] = body if isinstance(body, bytes) else body.encode("cp1252")

    def _number(self) -> int:
        self._next += 1
        return self._next - 1

    number = _number

    def _file(self, catalog: int) -> bytes:
        out, places = bytearray(b"%PDF-1.7\n"), dict[int, int]()
        for number, body in sorted(self._objects.items()):
            places[number] = len(out)
            out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
        start = len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n" % self._next
        out += b"".join(b"%010d 00000 n \n" % places[number] for number in range(1, self._next))
        out += b"trailer\n<</Size %d/Root %d 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (self._next, catalog, start)
        return bytes(out)


class _Page:
    """Content and elements of one page."""

    def __init__(self, writer: _Writer, page: int, root: int) -> None:
        self.operators: list[str] = []
        self.owners: list[int] = []
        self._writer = writer
        self._page = page
        self._root = root

    def add(self, children: Sequence[Tag | Show]) -> list[int]:
        """The numbers of the elements."""
        return list(self._elements(children))

    def _elements(self, children: Sequence[Tag | Show]) -> Iterator[int]:
        for child in children:
            if isinstance(child, Tag):
                yield self._element(child, self._root)
            elif child.mark:
                self.operators += [f"/{child.mark} BMC", _operator(child), "EMC"]
            else:
                self.operators.append(_operator(child))

    def _element(self, element: Tag, parent: int) -> int:
        number = self._writer.number()
        kids: list[str] = []
        for child in element.children:
            if isinstance(child, Tag):
                kids.append(f"{self._element(child, number)} 0 R")
                continue
            mcid = len(self.owners)
            self.owners.append(number)
            self.operators += [f"/{element.kind} <</MCID {mcid}>> BDC", _operator(child), "EMC"]
            kids.append(str(mcid))
        entries = "".join(f"/{name} {value}" for name, value in element.entries.items())
        self._writer.put(
            number,
            f"<</Type/StructElem/S/{element.kind}/P {parent} 0 R/Pg {self._page} 0 R/K[{' '.join(kids)}]{entries}>>",
        )
        return number


def _refs(numbers: Iterable[int]) -> str:
    return " ".join(f"{number} 0 R" for number in numbers)


def _operator(show: Show) -> str:
    text = show.text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    mode = 3 if show.hidden else 0
    return f"BT {mode} Tr /{show.font} {show.size} Tf 1 0 0 1 {show.x} {show.y} Tm ({text}) Tj ET"
