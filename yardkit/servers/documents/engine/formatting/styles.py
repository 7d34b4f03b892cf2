"""Styles: found by the name that a person sees, made where Word knows them, changed, listed."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from yardkit.servers.documents.engine.formatting import looks
from yardkit.servers.documents.engine.formatting.builtin_styles import KNOWN, table_look
from yardkit.servers.documents.engine.markup.names import (
    ensure_child,
    find_all,
    find_element,
    get_attribute,
    get_value,
    insert_child,
    is_on,
    make_element,
    qualify_name,
)
from yardkit.servers.documents.engine.markup.specs import Look, StyleEdit
from yardkit.servers.documents.engine.package.document import Document
from yardkit.world import Problem

_HEADING = re.compile(r"heading ([1-9])")
_TYPE = qualify_name("w:type")
_ID = qualify_name("w:styleId")


@dataclass(frozen=True)
class StyleInfo:
    """A style: `look` holds what it states itself."""

    name: str
    kind: str
    based_on: str = ""
    uses: int = 0
    look: dict[str, object] | None = None


class Styles:
    """The styles of a document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        part = document.part("styles")
        self.root = None if part is None else document.root(part)
        self._index: dict[str, Any] = {}
        self._defaults: dict[str, Any] = {}
        self._inherited: dict[tuple[str | None, Callable[[Any], Any]], Any] = {}

    def all(self) -> list[Any]:
        return find_all(self.root, "w:style")

    def by_id(self, identity: str | None) -> Any:
        if identity and identity not in self._index:
            self._index = {style.get(_ID): style for style in reversed(self.all())}
            self._inherited.clear()
        return self._index.get(identity) if identity else None

    def by_name(self, name: str, kind: str | None = None) -> Any:
        """The style with a name (or else an id), in whatever case; None if there is none."""
        normalized_name = name.strip().lower()
        fitting = [style for style in self.all() if kind is None or style.get(_TYPE) == kind]
        for style in fitting:
            aliases = (get_value(style, "w:aliases") or "").lower().split(",")
            if normalized_name in [(get_value(style, "w:name") or "").lower(), *aliases]:
                return style
        return next((style for style in fitting if style.get(_ID, "").lower() == normalized_name), None)

    def name_of(self, identity: str | None, kind: str = "paragraph") -> str:
        """The name of the style with an id; of the default style for None."""
        style = self.by_id(identity) if identity else self.get_default(kind)
        name = get_value(style, "w:name") or identity or ""
        return name.capitalize() if _HEADING.fullmatch(name) else name

    def get_default(self, kind: str) -> Any:
        if self._defaults.get(kind) is None:
            fitting = (style for style in self.all() if style.get(_TYPE) == kind)
            self._defaults[kind] = next((s for s in fitting if get_attribute(s, "w:default") in ("1", "true")), None)
        return self._defaults[kind]

    def iter_chain(self, identity: str | None, kind: str = "paragraph") -> Iterator[Any]:
        """A style and those it is based on."""
        style, seen = self.by_id(identity) if identity else self.get_default(kind), set()
        while style is not None and style not in seen:
            seen.add(style)
            yield style
            style = self.by_id(get_value(style, "w:basedOn"))

    def _find_first(self, identity: str | None, look: Callable[[Any], Any]) -> Any:
        """What the first style of a chain of paragraph styles that says so gives; remembered, as documents are long."""
        if identity is not None:
            self.by_id(identity)  # forgets what is remembered when there is a new style
        key = (identity, look)
        if key not in self._inherited:
            looks = map(look, self.iter_chain(identity))
            self._inherited[key] = next((style_look for style_look in looks if style_look is not None), None)
        return self._inherited[key]

    def ensure(self, name: str, kind: str = "paragraph") -> str:
        """The id of the style `name`; one that Word knows is made if it is missing.

        Raises:
            Problem: there is no such style, with those whose names come near.
        """
        known_style = self.by_name(name, kind)
        if known_style is not None:
            return str(known_style.get(_ID))
        known = next(
            (
                style_edit
                for style_edit in KNOWN
                if style_edit.name.lower() == name.strip().lower() and style_edit.kind == kind
            ),
            None,
        )
        if known is not None:
            return self.make(known)
        other = self.by_name(name)
        if other is not None:
            raise Problem(f"{name!r} is a {other.get(_TYPE)} style; use a {kind} style")
        names = [self.name_of(style.get(_ID)) for style in self.all() if style.get(_TYPE) == kind]
        near = difflib.get_close_matches(name, names, 5, 0.4) or names[:12]
        raise Problem(
            f"the document has no {kind} style {name!r}; it has {', '.join(near) or 'none'}; create "
            "it with format_document and `define`"
        )

    def make(self, edit: StyleEdit) -> str:
        """A new style; its id."""
        root = self.document.root(self.document.ensure_part("styles")) if self.root is None else self.root
        self.root = root
        taken = {style.get(_ID) for style in self.all()}
        stem = re.sub(r"[^0-9A-Za-z]", "", edit.name) or "Style"
        stem = stem[0].upper() + stem[1:]
        identity = next(name for name in (stem, *(f"{stem}{n}" for n in range(1, 9999))) if name not in taken)
        style = make_element("w:style", make_element("w:name", val=edit.name), type=edit.kind, styleId=identity)
        if not any(known.name == edit.name for known in KNOWN):
            style.set(qualify_name("w:customStyle"), "1")
        insert_child(style, make_element("w:qFormat"))
        root.append(style)
        if edit.based_on is None and edit.kind == "paragraph" and (base := self.get_default(edit.kind)) is not None:
            insert_child(style, make_element("w:basedOn", val=base.get(_ID)))
        self.change(style, edit)
        if edit.kind == "table":
            table_look(style)
        return identity

    def change(self, style: Any, edit: StyleEdit) -> None:
        """Write what an edit states into a style.

        Raises:
            Problem: the base or next style does not exist, or a style would be based on itself.
        """
        kind = style.get(_TYPE)
        self._inherited.clear()
        if edit.based_on is not None:
            base = self.ensure(edit.based_on, kind)
            if style in self.iter_chain(base, kind):
                raise Problem(f"{edit.name!r} cannot be based on {edit.based_on!r}, which is based on it")
            insert_child(style, make_element("w:basedOn", val=base))
        if edit.next is not None:
            own = edit.next.lower() == edit.name.lower()
            insert_child(style, make_element("w:next", val=style.get(_ID) if own else self.ensure(edit.next, kind)))
        if looks.concerns_paragraphs(edit.look):
            if kind == "character":
                raise Problem(
                    f"{edit.name!r} is a character style; alignment, spacing and so on need a paragraph style"
                )
            looks.set_paragraph_look(ensure_child(style, "w:pPr"), edit.look)
        if looks.concerns_text(edit.look):
            looks.set_text_look(ensure_child(style, "w:rPr"), edit.look)

    def heading_level(self, paragraph: Any) -> int:
        """1 to 9 for a heading, by its outline level or style; 0 for other paragraphs."""
        properties = find_element(paragraph, "w:pPr")
        own = get_value(properties, "w:outlineLvl")
        if own is not None:
            return (int(own) + 1) % 10 if own.isdigit() else 0
        return self._find_first(get_value(properties, "w:pStyle"), _level_of) or 0

    def list_property(self, paragraph: Any) -> Any:
        """The w:numPr that holds for a paragraph, its own or that of its style; None if it is in no list."""
        properties = find_element(paragraph, "w:pPr")
        own = find_element(properties, "w:numPr")
        if own is not None and find_element(own, "w:numId") is not None:
            return own
        return self._find_first(get_value(properties, "w:pStyle"), _numbers_of)


def _level_of(style: Any) -> int | None:
    """The level of headings in a style; None where it says nothing of it."""
    level = get_value(style, "w:pPr/w:outlineLvl")
    if level is not None:
        return (int(level) + 1) % 10 if level.isdigit() else 0
    heading = _HEADING.fullmatch((get_value(style, "w:name") or "").lower())
    return int(heading[1]) if heading else None


def _numbers_of(style: Any) -> Any:
    return find_element(style, "w:pPr/w:numPr")


def set_tabs(document: Document, paragraph: Any, tabs: list[str]) -> None:
    """Give a paragraph these tab stops only: those of its style are cleared."""
    looks.set_paragraph_look(ensure_child(paragraph, "w:pPr"), Look(tabs=tabs))
    stops = find_element(paragraph, "w:pPr/w:tabs")
    own = {get_attribute(stop, "w:pos") for stop in stops}
    for style in Styles(document).iter_chain(get_value(paragraph, "w:pPr/w:pStyle")):
        for stop in find_all(style, "w:pPr/w:tabs/w:tab"):
            position = get_attribute(stop, "w:pos")
            if position not in own and get_attribute(stop, "w:val") != "clear":
                own.add(position)
                stops.append(make_element("w:tab", val="clear", pos=position))
    stops[:] = sorted(stops, key=lambda stop: int(get_attribute(stop, "w:pos") or 0))


def set_styles(document: Document, edits: list[StyleEdit]) -> list[str]:
    """Make or change styles; what was done, one line each."""
    styles, done = Styles(document), []
    for edit in edits:
        style = styles.by_name(edit.name, edit.kind)
        if style is None:
            styles.ensure(edit.name, edit.kind) if _is_known(edit) else styles.make(edit)
            done.append(f"made {edit.name}")
            style = styles.by_name(edit.name, edit.kind)
        else:
            done.append(f"changed {edit.name}")
        styles.change(style, edit)
    return done


def _is_known(edit: StyleEdit) -> bool:
    return any(known.name.lower() == edit.name.lower() and known.kind == edit.kind for known in KNOWN)


def list_styles(document: Document, *, only_used: bool) -> list[StyleInfo]:
    """The styles, with how often each is named in the stories."""
    styles = Styles(document)
    uses: dict[str, int] = {}
    for story in document.map_stories():
        for element in document.get_story(story).iter(
            qualify_name("w:pStyle"), qualify_name("w:rStyle"), qualify_name("w:tblStyle")
        ):
            identity = get_attribute(element, "w:val") or ""
            uses[identity] = uses.get(identity, 0) + 1
    style_infos = []
    for style in styles.all():
        count = uses.get(style.get(_ID), 0)
        is_visible = not is_on(style, "w:semiHidden") or count
        if (count if only_used else is_visible) and style.get(_TYPE) != "numbering":
            look = looks.text_look(find_element(style, "w:rPr")) | looks.paragraph_look(find_element(style, "w:pPr"))
            base = get_value(style, "w:basedOn")
            based_on = styles.name_of(base) if base else ""
            style_infos.append(
                StyleInfo(styles.name_of(style.get(_ID)), style.get(_TYPE, ""), based_on, count, look or None)
            )
    return style_infos
