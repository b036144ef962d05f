"""Speaker notes and comments of a slide."""

from pincite.formats.ooxml.package import Element, Package, children, find, local_name
from pincite.formats.ooxml.text import paragraphs, plain_text
from pincite.formats.pptx.shapes import placeholder

_NOT_NOTES = frozenset({"sldImg", "sldNum", "dt", "hdr", "ftr"})


def notes(package: Package, slide: str) -> str:
    """Return the speaker notes as a Markdown quote that begins with `Notes:`; empty if there are none.

    Raises:
        InvalidInput: The notes are damaged.
    """
    part = package.related(slide, "notesSlide")
    tree = find(package.xml(part), "p:cSld/p:spTree") if part else None
    links = (
        {key: relation.target for key, relation in package.relations(part).items() if relation.external} if part else {}
    )
    lines: list[str] = []
    for shape in children(tree) if tree is not None else ():
        body = find(shape, "p:txBody")
        holder = placeholder(shape)
        if body is not None and (holder is None or holder[0] not in _NOT_NOTES):
            lines += [line for paragraph in paragraphs(body, links) for line in paragraph.text.strip().splitlines()]
    return "\n".join(f"> {line}" for line in (["Notes: " + lines[0], *lines[1:]] if lines else []))


def authors(package: Package, presentation: str) -> dict[str, str]:
    """Return the names of the authors of comments by id, for classic and threaded comments.

    Raises:
        InvalidInput: The list of authors is damaged.
    """
    parts = [
        relation.target for relation in package.relations(presentation).values() if relation.kind in _AUTHOR_RELATIONS
    ]
    people = (person for part in parts for person in package.xml(part))
    return {person.get("id") or "": person.get("name") or "" for person in people}


_AUTHOR_RELATIONS = ("commentAuthors", "authors")


def comments(package: Package, slide: str, names: dict[str, str]) -> list[str]:
    """Return the comments on a slide with their replies, each as `author: text`.

    Raises:
        InvalidInput: The comments are damaged.
    """
    parts = [relation.target for relation in package.relations(slide).values() if relation.kind == "comments"]
    return [
        comment
        for part in parts
        for element in package.xml(part).iter()
        if local_name(element) in ("cm", "reply") and (comment := _comment(element, names))
    ]


def _comment(element: Element, names: dict[str, str]) -> str:
    text = ""
    for child in element:
        if local_name(child) == "text":
            text = (child.text or "").strip()
        elif local_name(child) == "txBody":
            text = plain_text(child)
    author = names.get(element.get("authorId") or "", "")
    return f"{author}: {text}" if author and text else text
