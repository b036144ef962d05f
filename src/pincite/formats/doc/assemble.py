"""Put the parts of a Word document together, as a package of Office Open XML."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pincite.formats.doc.markup import NAMESPACES

_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_MARGINS = ("header", "footer")


@dataclass(frozen=True, slots=True)
class Related:
    """A part besides the text.

    Attributes:
        kind: The name of its relation (`styles`, `header`).
        content: Its XML.
    """

    kind: str
    content: str


def story_part(kind: str, content: str) -> Related:
    """Return a header or footer."""
    tag = "hdr" if kind == "header" else "ftr"
    return Related(kind, f"<w:{tag} {NAMESPACES}>{content}</w:{tag}>")


def notes_part(kind: str, texts: Sequence[str]) -> Related:
    """Return the footnotes or endnotes (`footnote`, `endnote`), which are numbered from 0."""
    notes = (f'<w:{kind} w:id="{index}">{text}</w:{kind}>' for index, text in enumerate(texts))
    return Related(f"{kind}s", f"<w:{kind}s {NAMESPACES}>{''.join(notes)}</w:{kind}s>")


def comments_part(comments: Sequence[tuple[str, str]]) -> Related:
    """Return the comments, each with its author as XML."""
    elements = (f'<w:comment w:author="{author}">{text}</w:comment>' for author, text in comments)
    return Related("comments", f"<w:comments {NAMESPACES}>{''.join(elements)}</w:comments>")


def assembled(body: str, related: Sequence[Related], media: Mapping[str, bytes]) -> bytes:
    """Return the package.

    Args:
        body: The content of `w:body`.
        related: The parts besides it.
        media: Pictures by name, which the body refers to by the same name.
    """
    margins = "".join(
        f'<w:{part.kind}Reference r:id="r{index}"/>' for index, part in enumerate(related) if part.kind in _MARGINS
    )
    targets = [(f"r{index}", part.kind, f"part{index}.xml") for index, part in enumerate(related)]
    targets += ((name, "image", name) for name in media)
    relations = "".join(
        f'<Relationship Id="{identity}" Type="{_KINDS}/{kind}" Target="{target}"/>'
        for identity, kind, target in targets
    )
    document = f"<w:document {NAMESPACES}><w:body>{body}<w:sectPr>{margins}</w:sectPr></w:body></w:document>"
    texts = {
        "document.xml": document,
        "_rels/document.xml.rels": f'<Relationships xmlns="{_RELATIONS}">{relations}</Relationships>',
        **{f"part{index}.xml": part.content for index, part in enumerate(related)},
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in texts.items():
            archive.writestr(f"word/{name}", text.encode("utf-8", "replace"))
        for name, data in media.items():
            archive.writestr(f"word/{name}", data)
    return buffer.getvalue()
