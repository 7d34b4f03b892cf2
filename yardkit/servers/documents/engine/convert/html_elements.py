"""Elements of an HTML tree: made, and put together with those before them."""

from typing import Any


def make_element(tag: str, text: str | None = None, **attributes: str) -> Any:
    """A new element with its text and attributes."""
    from lxml import etree

    new_element = etree.Element(tag, attributes)
    new_element.text = text
    return new_element


def add_text(into: Any, text: str) -> None:
    """Put text at the end of an element."""
    if len(into):
        into[-1].tail = (into[-1].tail or "") + text
    else:
        into.text = (into.text or "") + text


def nest_elements(into: Any, tags: list[str]) -> Any:
    """The innermost of elements `tags`, one in the other; the last child is used again if it is of that shape."""
    for tag in tags:
        last = into[-1] if len(into) else None
        if last is not None and last.tag == tag and not last.tail and not last.attrib:
            into = last
        else:
            into.append(make_element(tag))
            into = into[-1]
    return into
