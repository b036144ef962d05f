"""Small ODT and EPUB files for the tests."""

import io
import zipfile
from collections.abc import Mapping

_SPACES = " ".join(
    f'xmlns:{prefix}="{namespace}"'
    for prefix, namespace in {
        **{
            name: f"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"
            for name in ("office", "text", "table", "meta", "style", "presentation")
        },
        "draw": "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0",
        "fo": "urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0",
        "svg": "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0",
        "xlink": "http://www.w3.org/1999/xlink",
        "dc": "http://purl.org/dc/elements/1.1/",
    }.items()
)


def odt(body: str, styles: str = "", parts: Mapping[str, str | bytes] | None = None) -> bytes:
    """An OpenDocument text around its body, with styles (`style:style`, `text:list-style`) and other parts."""
    meta = opendocument("<office:meta><dc:title>Deed</dc:title></office:meta>", "document-meta")
    return _opendocument_file("text", body, styles, {"meta.xml": meta, **(parts or {})})


def odp(slides: str, styles: str = "", parts: Mapping[str, str | bytes] | None = None) -> bytes:
    """An OpenDocument presentation of slides (`draw:page`), with styles and other parts."""
    return _opendocument_file("presentation", slides, styles, parts or {})


def _opendocument_file(kind: str, body: str, styles: str, parts: Mapping[str, str | bytes]) -> bytes:
    return _archive(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": opendocument(
                f"<office:automatic-styles>{styles}</office:automatic-styles>"
                f"<office:body><office:{kind}>{body}</office:{kind}></office:body>"
            ),
            **parts,
        }
    )


def opendocument(inside: str, name: str = "document-content") -> str:
    """A part of an OpenDocument file."""
    return f"<office:{name} {_SPACES}>{inside}</office:{name}>"


def epub(*chapters: str) -> bytes:
    """A book of chapters, each the inside of a body."""
    items = "".join(
        f'<item id="c{number}" href="c{number}.xhtml" media-type="application/xhtml+xml"/>'
        for number, _ in enumerate(chapters)
    )
    spine = "".join(f'<itemref idref="c{number}"/>' for number, _ in enumerate(chapters))
    metadata = '<dc:title>Book</dc:title><dc:creator>Ada</dc:creator><dc:identifier id="id">x</dc:identifier>'
    metadata += "<dc:language>en</dc:language>"
    return book(
        f'<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">{metadata}</metadata>'
        f"<manifest>{items}</manifest><spine>{spine}</spine>",
        {
            f"c{number}.xhtml": f'<html xmlns="http://www.w3.org/1999/xhtml"><body>{chapter}</body></html>'
            for number, chapter in enumerate(chapters)
        },
    )


def book(package: str, parts: Mapping[str, str | bytes] | None = None, folder: str = "") -> bytes:
    """A book with the inside of its package document, which is in a folder, and other parts."""
    rootfile = f'<rootfile full-path="{folder}book.opf" media-type="application/oebps-package+xml"/>'
    container = "urn:oasis:names:tc:opendocument:xmlns:container"
    return _archive(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": f'<container version="1.0" xmlns="{container}"><rootfiles>{rootfile}</rootfiles>'
            "</container>",
            f"{folder}book.opf": '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">'
            f"{package}</package>",
            **(parts or {}),
        }
    )


def _archive(members: Mapping[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return buffer.getvalue()
