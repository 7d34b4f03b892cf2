"""Forms: content controls (text, choice, date, checkbox) and the older form fields, listed and filled in."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Literal, Protocol

from yardkit.kit.ooxml import relations as rels
from yardkit.servers.documents.engine.markup.names import (
    SDT,
    SDT_CONTENT,
    TC,
    P,
    R,
    drop_children,
    find_all,
    find_element,
    get_attribute,
    get_value,
    is_on,
    make_element,
    qualify_name,
)
from yardkit.servers.documents.engine.markup.paragraph_text import iter_pieces, outside_fallbacks, text_nodes, text_of
from yardkit.servers.documents.engine.package import field_values
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.package.writer import Writer
from yardkit.world import Problem

Kind = Literal["text", "choice", "date", "checkbox"]
_OTHER_CONTROLS = ("picture", "docPartObj", "docPartList", "group", "equation", "citation", "bibliography")
_TEXT_TAGS = (
    R,
    *(qualify_name(f"w:{name}") for name in ("hyperlink", "ins", "del", "smartTag", "fldSimple", "proofErr")),
)
_BINDING = re.compile(r"""xmlns:([\w.-]+)\s*=\s*["']([^"']+)["']""")
_CORE = "{6C3C8BC8-F283-45AE-878A-BAB7291924A1}"
_ITEM_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/customXml}itemID"
_ON, _OFF = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


@dataclass(frozen=True)
class FormField:
    """A field to fill in: its value as text, of a checkbox true or false, and what it may be where that is given."""

    name: str
    kind: Kind
    value: str = ""
    options: list[str] = field(default_factory=list)
    anchor: str = ""


class _Blank(Protocol):
    """A content control or form field."""

    names: list[str]
    kind: Kind
    options: list[str]
    place: Any

    def value(self) -> str: ...
    def put(self, value: str) -> None: ...


def list_form(document: Document) -> list[FormField]:
    """The fields to fill in, story by story."""
    return [
        FormField(blank.names[0], blank.kind, blank.value(), blank.options, document.anchor(blank.place))
        for blank in _iter_blanks(document)
    ]


def fill_fields(writer: Writer, name: str, value: str) -> None:
    """Fill in all fields of a name (tag or title of a content control, name of a form field).

    Raises:
        Problem: there is none, its content is locked, or it does not take the value; it says what it takes.
    """
    every = list(_iter_blanks(writer.document))
    matching_blanks = [blank for blank in every if name.casefold() in map(str.casefold, blank.names)]
    if not matching_blanks:
        known = ", ".join(dict.fromkeys(repr(blank.names[0]) for blank in every)) or "none"
        raise Problem(f"the document has no form field {name!r}; it has {known}")
    for blank in matching_blanks:
        blank.put(_normalize_value(blank, name, value))
        writer.written.append(blank.place)
    writer.note_untracked("form fields")


def confirm_filled(document: Document, filled: dict[str, str]) -> None:
    """See that the saved document holds what was filled in, by name.

    Raises:
        Problem: a field holds something else.
    """
    every = list(_iter_blanks(document))
    for name, value in filled.items():
        for blank in every:
            if name.casefold() in map(str.casefold, blank.names) and blank.value() != _normalize_value(
                blank, name, value
            ):
                raise Problem(f"the saved file has {blank.value()!r} in {name!r}, not {value!r}; check it")


def _iter_blanks(document: Document) -> Iterator[_Blank]:
    for story in document.map_stories():
        root = document.get_story(story)
        for element in outside_fallbacks(root, SDT):
            control = _Control.from_element(element, document)
            if control is not None:
                yield control
        for candidate in field_values.iter_fields(root):
            if find_element(candidate.start, "w:ffData/w:name") is not None and candidate.end is not None:
                yield _Old(candidate)


def _normalize_value(blank: _Blank, name: str, value: str) -> str:
    """The value as the field holds it."""
    if blank.kind == "checkbox":
        if value.casefold() not in (*_ON, *_OFF):
            raise Problem(f"{name!r} is a checkbox; give true or false, not {value!r}")
        return "true" if value.casefold() in _ON else "false"
    if blank.kind == "choice" and blank.options and value not in blank.options:
        raise Problem(f"{name!r} takes {', '.join(map(repr, blank.options))}; {value!r} is not one of them")
    if blank.kind == "date":
        try:
            date.fromisoformat(value)
        except ValueError:
            raise Problem(f"{name!r} takes a date such as 2026-03-16, not {value!r}") from None
    return value


class _Control:
    """A content control (ECMA-376 part 1, 17.5.2; the checkbox: MS-DOCX 2.6.1.12)."""

    def __init__(self, document: Document, element: Any, names: list[str], paragraph: Any) -> None:
        self.document, self.names, self.place = document, names, paragraph
        self.properties, self.content = element.find(qualify_name("w:sdtPr")), element.find(SDT_CONTENT)
        self.box = find_element(self.properties, "w14:checkbox")
        self.listing = next(
            (choice for choice in (find_element(self.properties, f"w:{name}") for name in ("dropDownList", "comboBox"))
             if choice is not None), None,
        )  # fmt: skip
        self.date = find_element(self.properties, "w:date")
        self.kind: Kind = (
            "checkbox" if self.box is not None else "choice" if self.listing is not None
            else "date" if self.date is not None else "text"
        )  # fmt: skip
        strict = self.listing is not None and self.listing.tag == qualify_name("w:dropDownList")
        items = find_all(self.listing, "w:listItem") if strict else []
        self.options = [
            option_text
            for item in items
            if (option_text := self._get_display_text(item)) and get_attribute(item, "w:value") != ""
        ]

    @classmethod
    def from_element(cls, element: Any, document: Document) -> _Control | None:
        """The control, if it is one to fill in: with a name, and with nothing but text in it."""
        properties, content = element.find(qualify_name("w:sdtPr")), element.find(SDT_CONTENT)
        names = [name for path in ("w:tag", "w:alias") if (name := get_value(properties, path))]
        if (
            content is None
            or not names
            or any(find_element(properties, f"w:{other}") is not None for other in _OTHER_CONTROLS)
        ):
            return None
        if next(content.iter(SDT), None) is not None or len(list(content.iter(TC))) > 1:
            return None
        paragraph = next(element.iterancestors(P), None)
        paragraph = next(content.iter(P), None) if paragraph is None else paragraph
        return None if paragraph is None else cls(document, element, names, paragraph)

    @staticmethod
    def _get_display_text(item: Any) -> str:
        return get_attribute(item, "w:displayText") or get_attribute(item, "w:value") or ""

    def value(self) -> str:
        if self.box is not None:
            return "true" if get_attribute(find_element(self.box, "w14:checked"), "w14:val", "0") in _ON else "false"
        if is_on(self.properties, "w:showingPlcHdr"):
            return ""
        full = get_attribute(self.date, "w:fullDate")
        if full:
            return full[:10]
        paragraphs = list(self.content.iter(P))
        if not paragraphs:
            return "".join(piece.text for piece in iter_pieces(self.content))
        return "\n".join(map(text_of, paragraphs))

    def put(self, value: str) -> None:
        if get_value(self.properties, "w:lock") in ("contentLocked", "sdtContentLocked"):
            raise Problem(f"the content of {self.names[0]!r} is locked; unlock it in Word first")
        text = value
        if self.box is not None:
            text = self._set_tick(value == "true")
        elif self.date is not None:
            self.date.set(qualify_name("w:fullDate"), f"{value}T00:00:00Z")
            text = field_values.formatted_date(
                datetime.fromisoformat(value), get_value(self.date, "w:dateFormat") or "yyyy-MM-dd"
            )
        elif self.listing is not None:
            self.listing.set(qualify_name("w:lastValue"), self._to_stored_value(value))
        self._write_text(text)
        self._update_bound_data(value if self.box is not None or self.date is not None else text)

    def _set_tick(self, on: bool) -> str:
        """Set the state; the sign that shows it."""
        checked = find_element(self.box, "w14:checked")
        if checked is None:
            checked = make_element("w14:checked")
            self.box.insert(0, checked)
        checked.set(qualify_name("w14:val"), "1" if on else "0")
        state = find_element(self.box, "w14:checkedState" if on else "w14:uncheckedState")
        return chr(int(get_attribute(state, "w14:val") or ("2612" if on else "2610"), 16))

    def _to_stored_value(self, value: str) -> str:
        items = find_all(self.listing, "w:listItem")
        return next(
            (get_attribute(item, "w:value") or value for item in items if self._get_display_text(item) == value), value
        )

    def _write_text(self, text: str) -> None:
        """Put text in place of the content, in the format that the control or its first text has."""
        hint = is_on(self.properties, "w:showingPlcHdr")
        drop_children(self.properties, "w:showingPlcHdr")
        first = next(self.content.iter(R), None)
        looks = find_element(self.properties, "w:rPr") if hint or first is None else find_element(first, "w:rPr")
        paragraphs = list(self.content.iter(P))
        holder = paragraphs[0] if paragraphs else self.content
        for other in paragraphs[1:]:
            other.getparent().remove(other)
        for child in [node for node in holder if node.tag in _TEXT_TAGS]:
            holder.remove(child)
        holder.append(_run(text, looks))

    def _update_bound_data(self, value: str) -> None:
        """Change the data that the control is bound to, from which Word would fill it again."""
        binding = find_element(self.properties, "w:dataBinding")
        if binding is None:
            return
        part = _find_store(self.document, get_attribute(binding, "w:storeItemID", "") or "")
        spaces = dict(_BINDING.findall(get_attribute(binding, "w:prefixMappings", "") or ""))
        bound_nodes = (
            self.document.root(part).xpath(get_attribute(binding, "w:xpath"), namespaces=spaces) if part else []
        )
        if not bound_nodes or not hasattr(bound_nodes[0], "text"):
            raise Problem(f"{self.names[0]!r} shows data that the file lacks; fill it in with Word")
        bound_nodes[0].text = value


class _Old:
    """A form field of the time before content controls (ECMA-376 part 1, 17.16.17)."""

    def __init__(self, source: field_values.Field) -> None:
        self.field, self.place = source, source.paragraph
        data = find_element(source.start, "w:ffData")
        self.names = [get_value(data, "w:name") or ""]
        self.box, self.listing = find_element(data, "w:checkBox"), find_element(data, "w:ddList")
        self.kind: Kind = "checkbox" if self.box is not None else "choice" if self.listing is not None else "text"
        self.options = [get_attribute(entry, "w:val") or "" for entry in find_all(self.listing, "w:listEntry")]

    def value(self) -> str:
        if self.box is not None:
            on = is_on(self.box, "w:checked")
            return "true" if (is_on(self.box, "w:default") if on is None else on) else "false"
        if self.listing is not None:
            at = int(get_value(self.listing, "w:result") or get_value(self.listing, "w:default") or "0")
            return self.options[at] if at < len(self.options) else ""
        return "".join(piece.text for run in self.field.result for piece in iter_pieces([run])).strip("\u2002")

    def put(self, value: str) -> None:
        if self.box is not None:
            drop_children(self.box, "w:checked")
            self.box.append(make_element("w:checked", val="1" if value == "true" else "0"))
        elif self.listing is not None:
            drop_children(self.listing, "w:result")
            self.listing.insert(0, make_element("w:result", val=self.options.index(value)))
        else:
            self._write_text(value)

    def _write_text(self, value: str) -> None:
        if self.field.separator is None:
            raise Problem(f"the form field {self.names[0]!r} has no place for text; fill it in with Word")
        first = next(iter(self.field.result), None)
        new = _run(value, find_element(first, "w:rPr"))
        for run in self.field.result:
            run.getparent().remove(run)
        self.field.separator.getparent().addnext(new)


def _run(text: str, looks: Any) -> Any:
    run = make_element("w:r", *text_nodes(text))
    if looks is not None:
        run.insert(0, copy.deepcopy(looks))
    return run


def _find_store(document: Document, identity: str) -> str | None:
    """The part with the data that a control names by their id."""
    if identity.upper() == _CORE:
        return "docProps/core.xml" if "docProps/core.xml" in document.package else None
    for name in document.package.names():
        if re.fullmatch(r"customXml/item\d+\.xml", name):
            properties = rels.find_related(document.package, name, "customXmlProps")
            if properties and document.root(properties).get(_ITEM_ID, "").upper() == identity.upper():
                return name
    return None
