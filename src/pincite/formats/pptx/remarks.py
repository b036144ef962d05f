"""What is said about a slide apart from it: speaker notes and comments."""

from pincite.formats.ooxml.package import Element, Package, children, find, local_name
from pincite.formats.ooxml.text import paragraphs, plain_text
from pincite.formats.pptx.shapes import placeholder

_NOT_SAID = frozenset({"sldImg", "sldNum", "dt", "hdr", "ftr"})


def notes(package: Package, slide: str) -> str:
    """The speaker notes as a quote that begins with `Notes:`; empty without any.

    Raises:
        InvalidInput: They are damaged.
    """
    part = package.related(slide, "notesSlide")
    tree = find(package.xml(part), "p:cSld/p:spTree") if part else None
    links = {key: found.target for key, found in package.relations(part).items() if found.external} if part else {}
    lines: list[str] = []
    for shape in children(tree) if tree is not None else ():
        body = find(shape, "p:txBody")
        holder = placeholder(shape)
        if body is not None and (holder is None or holder[0] not in _NOT_SAID):
            lines += [line for paragraph in paragraphs(body, links) for line in paragraph.text.strip().splitlines()]
    return "\n".join(f"> {line}" for line in (["Notes: " + lines[0], *lines[1:]] if lines else []))


def authors(package: Package, presentation: str) -> dict[str, str]:
    """The names of those who wrote comments, by id, in both kinds of comments.

    Raises:
        InvalidInput: They are damaged.
    """
    parts = [found.target for found in package.relations(presentation).values() if found.kind in _AUTHORS]
    people = (person for part in parts for person in package.xml(part))
    return {person.get("id") or "": person.get("name") or "" for person in people}


_AUTHORS = ("commentAuthors", "authors")


def comments(package: Package, slide: str, names: dict[str, str]) -> list[str]:
    """The comments on a slide with their answers, as `author: text`.

    Raises:
        InvalidInput: They are damaged.
    """
    parts = [found.target for found in package.relations(slide).values() if found.kind == "comments"]
    return [
        comment
        for part in parts
        for found in package.xml(part).iter()
        if local_name(found) in ("cm", "reply") and (comment := _comment(found, names))
    ]


def _comment(found: Element, names: dict[str, str]) -> str:
    text = ""
    for child in found:
        if local_name(child) == "text":
            text = (child.text or "").strip()
        elif local_name(child) == "txBody":
            text = plain_text(child)
    author = names.get(found.get("authorId") or "", "")
    return f"{author}: {text}" if author and text else text
