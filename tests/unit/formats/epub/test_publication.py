import pytest

from pincite.errors import InvalidInput
from pincite.formats.epub.publication import Chapter, publication
from pincite.formats.ooxml.package import Package
from support.archives import book
from support.office import packed

ITEMS = """
<manifest>
<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="a" href="text/first%20part.xhtml" media-type="application/xhtml+xml"/>
<item id="b" href="map.svg" media-type="image/svg+xml"/>
<item id="t" href="toc.html" media-type="text/html"/>
</manifest>
<spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/><itemref idref="t"/><itemref idref="x"/>
<itemref idref="a"/></spine>
<guide><reference type="toc" href="toc.html#top"/></guide>
"""


def test_chapters_come_in_the_order_of_the_spine_each_once() -> None:
    found = publication(Package(book(ITEMS, folder="OEBPS/")))
    assert found.chapters == (
        Chapter("OEBPS/nav.xhtml", is_navigation=True),
        Chapter("OEBPS/text/first part.xhtml"),
        Chapter("OEBPS/map.svg", is_page=False),
        Chapter("OEBPS/toc.html", is_contents=True),
    )


def test_properties_have_the_names_of_all_formats() -> None:
    metadata = (
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>One</dc:title><dc:title>A subtitle</dc:title>'
        "<dc:creator>Ada</dc:creator><dc:creator>Bob</dc:creator><dc:date>2020</dc:date><dc:publisher/>"
        "<dc:description>&lt;p&gt;A &lt;b&gt;good&lt;/b&gt; book&lt;/p&gt;</dc:description></metadata>"
    )
    assert publication(Package(book(metadata + ITEMS))).properties == {
        "title": "One",
        "author": "Ada, Bob",
        "created": "2020",
        "description": "A good book",
    }


def test_obfuscated_fonts_protect_no_chapter() -> None:
    def encrypted(algorithm: str, part: str) -> bytes:
        return (
            f'<encryption xmlns:e="http://www.w3.org/2001/04/xmlenc#"><e:EncryptedData><e:EncryptionMethod '
            f'Algorithm="{algorithm}"/><e:CipherData><e:CipherReference URI="{part}"/></e:CipherData>'
            f"</e:EncryptedData></encryption>"
        ).encode()

    fonts = encrypted("http://www.idpf.org/2008/embedding", "toc.html")
    text = encrypted("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "toc.html")
    for part, expected in ((fonts, False), (text, True)):
        chapters = publication(Package(book(ITEMS, {"META-INF/encryption.xml": part}))).chapters
        assert [chapter.is_encrypted for chapter in chapters] == [False, False, False, expected]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (book("<manifest/><spine/>"), "names no chapters"),
        (packed({"META-INF/container.xml": b"<container/>"}), "names no package document"),
        (packed({"mimetype": b"application/epub+zip"}), "META-INF/container.xml is missing"),
    ],
)
def test_a_book_without_its_lists_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        publication(Package(data))
