"""Documents joined to one."""

from __future__ import annotations

import copy
from typing import Any, Literal

from yardkit.servers.documents.engine.combine.foreign_blocks import Carrier, section_paragraph
from yardkit.servers.documents.engine.formatting.numbering import Numbering
from yardkit.servers.documents.engine.markup.names import (
    SECT,
    P,
    ensure_child,
    find_element,
    get_value,
    insert_child,
    is_on,
    make_element,
    qualify_name,
)
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.package.page_sections import STARTS

Start = Literal["next_page", "continuous", "even_page", "odd_page", "none"]


def merge_documents(documents: list[Document], start: Start) -> Document:
    """All documents behind the first, which is changed and given back.

    With a section each keeps its page layout, headers and footers; with "none" its blocks follow in the layout of the
    first.
    """
    target = documents[0]
    for source in documents[1:]:
        append_document(target, source, start)
    return target


def append_document(target: Document, source: Document, start: Start) -> None:
    """Put the blocks of `source` at the end of `target`."""
    body = target.body
    last = _last_section(body)
    carrier = Carrier(source, target)
    carried: list[tuple[Any, Any]] = []
    if start != "none":
        _end_section(last)
    for block in source.body:
        if block.tag == SECT:
            continue
        carried_block = carrier.carry(block)
        if start == "none":
            for section in list(carried_block.iter(SECT)):
                section.getparent().remove(section)
        last.addprevious(carried_block)
        carried += zip(block.iter(P), carried_block.iter(P), strict=True)
    _separate_list_counts(source, target, carrier, carried)
    if start != "none":
        theirs = source.body.find(SECT)
        new = carrier.carry(theirs) if theirs is not None else make_element("w:sectPr")
        body.replace(last, new)
        _share_even_pages(target, source)
        _start_first(target, source, start)


def _separate_list_counts(source: Document, target: Document, carrier: Carrier, carried: list[tuple[Any, Any]]) -> None:
    """Let items that are in a list by their style alone count as in their own document.

    The style of that name in the target has another list, with which they would go on.
    """
    theirs, ours = Numbering(source), Numbering(target)
    for old, new in carried:
        old_level = theirs.level_of(old)
        if old_level is None or find_element(old, "w:pPr/w:numPr/w:numId") is not None:
            continue
        number, level = carrier.list_number(old_level[0]), old_level[1]
        if ours.level_of(new) == (number, level):
            continue
        properties = ensure_child(new, "w:pPr")
        insert_child(
            properties, make_element("w:numPr", make_element("w:ilvl", val=level), make_element("w:numId", val=number))
        )
        # The indents of a style hold over those of its list, and those of a paragraph's own list over both.
        styles = theirs.styles.iter_chain(get_value(old, "w:pPr/w:pStyle"))
        indent = next(
            (indent_element for style in styles if (indent_element := find_element(style, "w:pPr/w:ind")) is not None),
            None,
        )
        if indent is not None and find_element(properties, "w:ind") is None:
            insert_child(properties, copy.deepcopy(indent))


def _last_section(body: Any) -> Any:
    section = body.find(SECT)
    if section is None:
        section = make_element("w:sectPr")
        body.append(section)
    return section


def _end_section(section: Any) -> None:
    """Let the section that has held so far end here."""
    ended = copy.deepcopy(section)
    before = section.getprevious()
    if before is not None and before.tag == P and find_element(before, "w:pPr/w:sectPr") is None:
        insert_child(ensure_child(before, "w:pPr"), ended)
    else:
        section.addprevious(section_paragraph(ended))


def _list_appended_sections(target: Document, source: Document) -> list[Any]:
    """The sections of the target that came from the source."""
    count = sum(1 for _ in source.body.iter(SECT)) or 1
    return list(target.body.iter(SECT))[-count:]


def _share_even_pages(target: Document, source: Document) -> None:
    """Whether even pages have headers of their own holds for a whole document: where only one of the two has them,
    the even pages of the other get those of its odd pages.
    """
    ours, theirs = (bool(is_on(document.settings, "w:evenAndOddHeaders")) for document in (target, source))
    if ours == theirs:
        return
    appended = _list_appended_sections(target, source)
    insert_child(target.settings, make_element("w:evenAndOddHeaders"))
    for section in [candidate for candidate in target.body.iter(SECT) if (candidate in appended) == ours]:
        references = list(section.iterfind(qualify_name("w:headerReference"))) + list(
            section.iterfind(qualify_name("w:footerReference"))
        )
        for reference in references:
            if reference.get(qualify_name("w:type")) == "even":
                section.remove(reference)
            elif reference.get(qualify_name("w:type"), "default") == "default":
                reference_copy = copy.deepcopy(reference)
                reference_copy.set(qualify_name("w:type"), "even")
                reference.addnext(reference_copy)


def _start_first(target: Document, source: Document, start: Start) -> None:
    """Say how the first section of the appended document begins, and keep earlier headers out of it."""
    body = target.body
    sections = _list_appended_sections(target, source)
    insert_child(sections[0], make_element("w:type", val=STARTS[start]))
    for kind in ("header", "footer"):
        earlier = list(body.iter(qualify_name(f"w:{kind}Reference")))
        own = {
            element.get(qualify_name("w:type")) for element in sections[0].iterfind(qualify_name(f"w:{kind}Reference"))
        }
        for reference_type in sorted(
            {section_reference.get(qualify_name("w:type"), "default") for section_reference in earlier} - own
        ):
            name = target.new_story(kind)
            target.root(name).append(make_element("w:p"))
            reference = make_element(f"w:{kind}Reference", type=reference_type, r_id=target.relation_id(name))
            sections[0].insert(0, reference)
