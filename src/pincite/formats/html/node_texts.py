"""Texts of elements of the parsed page: an opening tag, a text without scripts, the link targets within."""

from selectolax.lexbor import LexborNode

MAX_TAG_CHARACTERS = 100
"""Characters of the tag that identifies hidden text."""


def opening_tag(node: LexborNode) -> str:
    """Return an element's opening tag, cut to `MAX_TAG_CHARACTERS`."""
    # Serialising the node would include all its descendants.
    attributes = (f' {name}="{_escaped(value or "")}"' for name, value in node.attributes.items())
    tag = f"<{node.tag}{''.join(attributes)}".partition(">")[0][:MAX_TAG_CHARACTERS]
    return f"{tag}>"


def running_text(node: LexborNode) -> str:
    """Return an element's text without its scripts."""
    texts = (inner for inner in node.traverse(include_text=True) if inner.tag == "-text")
    visible = (inner for inner in texts if inner.parent is None or inner.parent.tag not in ("script", "style"))
    return " ".join(inner.text_content or "" for inner in visible)


def link_targets(node: LexborNode) -> list[str]:
    """Return the link targets within an element."""
    attribute_sets = (descendant.attributes for descendant in node.css("[id], a[name]"))
    return [name for attributes in attribute_sets if (name := attributes.get("id") or attributes.get("name"))]


def _escaped(value: str) -> str:
    return value.replace("&", "&amp;").replace("\xa0", "&nbsp;").replace('"', "&quot;")
