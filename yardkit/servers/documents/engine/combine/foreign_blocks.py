"""Blocks carried from one document into another, with all they need: styles, lists, parts, notes, comments."""

from __future__ import annotations

import copy
import posixpath
from functools import cached_property
from typing import Any

from yardkit.kit.ooxml import relations as rels
from yardkit.kit.ooxml.xml import parse_part, serialize_part
from yardkit.servers.documents.engine.formatting.styles import Styles
from yardkit.servers.documents.engine.markup.anchors import PARA_ID
from yardkit.servers.documents.engine.markup.bookmark_references import Code, Link, list_pointers
from yardkit.servers.documents.engine.markup.names import (
    VAL,
    P,
    find_all,
    find_element,
    get_attribute,
    get_value,
    make_element,
    qualify_name,
)
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.review import comments, notes

_STYLE_USES = {qualify_name(f"w:{name}"): kind for name, kind in (("pStyle", "paragraph"), ("rStyle", "character"))}
_STYLE_USES[qualify_name("w:tblStyle")] = "table"
_STYLE_LINKS = (qualify_name("w:basedOn"), qualify_name("w:next"), qualify_name("w:link"))
_NOTE_MARKS = {qualify_name("w:footnoteReference"): "footnote", qualify_name("w:endnoteReference"): "endnote"}
_COMMENT_MARKS = (
    qualify_name("w:commentRangeStart"),
    qualify_name("w:commentRangeEnd"),
    qualify_name("w:commentReference"),
)
_RELATED = f"{{{rels.REL}}}"
_NOT_COPIED = ("customXml", "glossaryDocument")


class Carrier:
    """Copies blocks of `source` into `target`; what it has copied once it uses again."""

    def __init__(self, source: Document, target: Document) -> None:
        self.source = source
        self.target = target
        self._styles: dict[str, str] = {}
        self._lists: dict[str, str] = {}
        self._parts: dict[str, str] = {source.main: target.main}
        self._comments: dict[str, str] = {}
        self._bookmarks: dict[str, str] = {}
        self._pointers: dict[str, list[Code | Link]] = {}
        self._open: dict[str, str] = {}
        self._number = 0

    def carry(self, block: Any, *, part: str | None = None, source_part: str | None = None) -> Any:
        """A copy of a block (or of a section's properties) that can stand in the target's main part, or in `part`."""
        block_copy = copy.deepcopy(block)
        self._use_styles(block_copy)
        self._use_lists(block_copy)
        self._use_relations(block_copy, source_part or self.source.main, part or self.target.main)
        if part is None:
            self._use_notes(block_copy)
            self._use_comments(block_copy)
        self._renew_ids(block_copy)
        return block_copy

    def same_list(self, source: str, target: str) -> None:
        """Take a list of the source to be one that the target has: carried items go on with that."""
        self._lists.setdefault(source, target)

    def _use_styles(self, block_copy: Any) -> None:
        for node in block_copy.iter(*_STYLE_USES):
            node.set(VAL, self.style(node.get(VAL, "")))

    def style(self, identity: str) -> str:
        """The id in the target of a style of the source: that of the same name, else a copy."""
        if identity in self._styles:
            return self._styles[identity]
        ours, theirs = Styles(self.source), Styles(self.target)
        style = ours.by_id(identity)
        if style is None:
            return identity
        kind = style.get(qualify_name("w:type"))
        there = theirs.by_name(get_value(style, "w:name") or "", kind)
        if there is not None:
            self._styles[identity] = there.get(qualify_name("w:styleId"))
            return self._styles[identity]
        new = identity
        while theirs.by_id(new) is not None:
            new += "1"
        self._styles[identity] = new
        self._add_style(copy.deepcopy(style), new)
        return new

    def _add_style(self, style: Any, identity: str) -> None:
        style.set(qualify_name("w:styleId"), identity)
        style.attrib.pop(qualify_name("w:default"), None)
        self.target.root(self.target.ensure_part("styles")).append(style)
        for node in style.iter(*_STYLE_LINKS):
            node.set(VAL, self.style(node.get(VAL, "")))
        self._use_lists(style)

    def _use_lists(self, block_copy: Any) -> None:
        for node in block_copy.iter(qualify_name("w:numId")):
            if node.get(VAL) not in (None, "0"):
                node.set(VAL, self.list_number(node.get(VAL)))

    def list_number(self, identity: str) -> str:
        """The id in the target of a list of the source, which keeps its pattern and its own counting."""
        if identity in self._lists:
            return self._lists[identity]
        part = self.source.part("numbering")
        numbers = [] if part is None else find_all(self.source.root(part), "w:num")
        number = next((entry for entry in numbers if get_attribute(entry, "w:numId") == identity), None)
        if part is None or number is None:
            return identity
        abstract_id = get_value(number, "w:abstractNumId")
        patterns = find_all(self.source.root(part), "w:abstractNum")
        pattern = next((entry for entry in patterns if get_attribute(entry, "w:abstractNumId") == abstract_id), None)
        root = self.target.root(self.target.ensure_part("numbering"))
        new = str(_find_free_number(root, "w:num", "w:numId", 1))
        self._lists[identity] = new
        number = copy.deepcopy(number)
        number.set(qualify_name("w:numId"), new)
        if pattern is not None:
            self._add_pattern(root, copy.deepcopy(pattern), number)
        _insert_in_order(root, number, "w:num", "w:abstractNum")
        return new

    def _add_pattern(self, root: Any, pattern: Any, number: Any) -> None:
        identity = str(_find_free_number(root, "w:abstractNum", "w:abstractNumId", 0))
        pattern.set(qualify_name("w:abstractNumId"), identity)
        find_element(number, "w:abstractNumId").set(VAL, identity)
        taken = {get_value(entry, "w:nsid") for entry in find_all(root, "w:abstractNum")}
        mark = find_element(pattern, "w:nsid")
        if mark is not None and mark.get(VAL) in taken:
            serial = int(identity)
            while f"{0x7B000000 + serial:08X}" in taken:
                serial += 1
            mark.set(VAL, f"{0x7B000000 + serial:08X}")
        for style in [*pattern.iter(qualify_name("w:pStyle"))]:
            style.set(VAL, self.style(style.get(VAL, "")))
        for picture in list(pattern.iter(qualify_name("w:lvlPicBulletId"))):
            picture.getparent().remove(picture)
        _insert_in_order(root, pattern, "w:abstractNum", None)

    def _use_relations(self, block_copy: Any, source_part: str, target_part: str) -> None:
        known = rels.read_relations(self.source.package, source_part)
        new: dict[str, str] = {}
        for node in block_copy.iter():
            for key, value in node.attrib.items():
                if not key.startswith(_RELATED) or value not in known:
                    continue
                if value not in new:
                    new[value] = self._carry_relation(known[value], target_part)
                node.set(key, new[value])

    def _carry_relation(self, old: rels.Relation, target_part: str) -> str:
        package = self.target.package
        target = old.target if old.external else self._copy_part(old.target)
        if old.kind in ("image", "hyperlink"):
            for identity, relation in rels.read_relations(package, target_part).items():
                if (relation.type, relation.target, relation.external) == (old.type, target, old.external):
                    return identity
        return rels.add_relation(package, target_part, old.type, target, external=old.external)

    def _copy_part(self, name: str) -> str:
        """The name in the target of a copy of a part, made with the parts that it needs."""
        if name in self._parts:
            return self._parts[name]
        source, target = self.source.package, self.target.package
        new = _free_name(target, name)
        self._parts[name] = new
        self.source.flush()
        if name.endswith(".xml") and name in self.source.map_stories().values():
            root = copy.deepcopy(self.source.root(name))
            target.put(new, b"<x/>")
            self._finish_part(root, name, new)
            target.put(new, serialize_part(root))
            self._renew_bookmarks(self.target.root(new))
        else:
            target.put(new, source.read(name))
            self._copy_relations(name, new)
        extension = name.rsplit(".", 1)[-1].lower()
        kind = rels.content_type(source, name)
        if extension not in ("xml", "rels"):
            rels.set_default_type(target, extension, kind)
        if rels.content_type(target, new) != kind:
            rels.set_type(target, new, kind)
        return new

    def _finish_part(self, root: Any, name: str, new: str) -> None:
        """A header or footer in the target: its styles, lists and relationships are those of there."""
        self._use_styles(root)
        self._use_lists(root)
        self._use_relations(root, name, new)

    def _copy_relations(self, name: str, new: str) -> None:
        """The relationships of a copied part, under their old ids, to copies of what they point to."""
        package = self.source.package
        if rels.rels_name(name) not in package:
            return
        root = parse_part(package.read(rels.rels_name(name)), rels.rels_name(name))
        known = rels.read_relations(package, name)
        for entry in list(root):
            relation = known.get(entry.get("Id", ""))
            if relation is None or relation.external:
                continue
            if relation.kind in _NOT_COPIED or relation.target not in package:
                root.remove(entry)
            else:
                entry.set("Target", f"/{self._copy_part(relation.target)}")
        self.target.package.put(rels.rels_name(new), serialize_part(root))

    def _use_notes(self, block_copy: Any) -> None:
        for mark in list(block_copy.iter(*_NOTE_MARKS)):
            kind: notes.Kind = "footnote" if _NOTE_MARKS[mark.tag] == "footnote" else "endnote"
            part = self.source.part(f"{kind}s")
            node = None if part is None else _by_id(self.source.root(part), mark.get(qualify_name("w:id")))
            if part is None or node is None:
                continue
            target = notes.ensure_part(self.target, kind)
            root = self.target.root(target)
            new = self.carry(node, part=target, source_part=part)
            new.set(qualify_name("w:id"), str(_find_free_number(root, f"w:{kind}", "w:id", 1)))
            self._use_comments(new)
            root.append(new)
            mark.set(qualify_name("w:id"), new.get(qualify_name("w:id")))

    def _use_comments(self, block_copy: Any) -> None:
        for mark in list(block_copy.iter(*_COMMENT_MARKS)):
            identity = mark.get(qualify_name("w:id"), "")
            if identity in self._threads and identity not in self._comments:
                self._add_thread(self._threads[identity])
            if identity in self._comments:
                mark.set(qualify_name("w:id"), self._comments[identity])
            else:
                mark.getparent().remove(mark)

    @cached_property
    def _threads(self) -> dict[str, list[Any]]:
        return comments.map_threads(self.source)

    def _add_thread(self, thread: list[Any]) -> None:
        """Copy a comment with all its replies, those without a mark in the text too."""
        target = self.target.ensure_part("comments")
        root = self.target.root(target)
        comment_copies = []
        for node in thread:
            new = self.carry(node, part=target, source_part=self.source.part("comments"))
            new.set(qualify_name("w:id"), str(_find_free_number(root, "w:comment", "w:id", 0)))
            root.append(new)
            self._comments[node.get(qualify_name("w:id"), "")] = new.get(qualify_name("w:id"))
            comment_copies.append((node, new))
        comments.adopt_comments(self.source, self.target, comment_copies)

    def _renew_ids(self, block_copy: Any) -> None:
        """Numbers that must be unique in the target: bookmarks, drawings, paragraphs, tracked changes."""
        self._renew_bookmarks(block_copy)
        roots = [self.target.root(part) for part in self.target.map_stories().values()]
        tag = qualify_name("wp:docPr")
        used = [
            int(drawing.get("id", "0"))
            for root in roots
            for drawing in root.iter(tag)
            if drawing.get("id", "0").isdigit()
        ]
        for number, properties in enumerate(block_copy.iter(tag), start=max([0, *used]) + 1):
            properties.set("id", str(number))
        taken = {block.get(PARA_ID) for root in roots for block in root.iter(P, qualify_name("w:tr"))}
        for element in block_copy.iter(P, qualify_name("w:tr")):
            if element.get(PARA_ID) in taken:
                element.attrib.pop(PARA_ID, None)

    def _renew_bookmarks(self, block_copy: Any) -> None:
        """Give bookmarks that the target has already other names, and all that was carried those to point to."""
        starts = [
            bookmark
            for part in self.target.map_stories().values()
            for bookmark in self.target.root(part).iter(_BOOKMARK)
        ]
        names = {start.get(qualify_name("w:name"), "").lower() for start in starts}
        self._number = max([self._number, *(int(start.get(qualify_name("w:id"), "0")) for start in starts)])
        fresh: dict[str, str] = {}
        for mark in list(block_copy.iter(_BOOKMARK, qualify_name("w:bookmarkEnd"))):
            self._renumber_bookmark(mark)
            name = mark.get(qualify_name("w:name"), "")
            if mark.tag == _BOOKMARK and name.lower() in names:
                fresh[name.lower()] = _free_bookmark(name, names)
                mark.set(qualify_name("w:name"), fresh[name.lower()])
        for form_field in block_copy.iter(qualify_name("w:ffData")):
            field = find_element(form_field, "w:name")
            if (get_value(form_field, "w:name") or "").lower() in fresh:
                field.set(VAL, fresh[field.get(VAL).lower()])
        self._redirect_references(block_copy, fresh)

    def _renumber_bookmark(self, mark: Any) -> None:
        """Give the start of a bookmark a new number; its end, in whatever block, gets the same."""
        identity = mark.get(qualify_name("w:id"), "")
        new = self._open.pop(identity, "") if mark.tag != _BOOKMARK else ""
        if not new:
            self._number += 1
            new = str(self._number)
        if mark.tag == _BOOKMARK:
            self._open[identity] = new
        mark.set(qualify_name("w:id"), new)

    def _redirect_references(self, block_copy: Any, fresh: dict[str, str]) -> None:
        """Let fields and links, those carried before too, follow the bookmarks of their own document."""
        self._bookmarks |= fresh
        for old, new in fresh.items():
            for pointer in self._pointers.pop(old, []):
                pointer.rename(old, new)
        for pointer in list_pointers(block_copy):
            for name in {text.lower() for text in pointer.names()}:
                if name in self._bookmarks:
                    pointer.rename(name, self._bookmarks[name])
                else:
                    self._pointers.setdefault(name, []).append(pointer)


_BOOKMARK = qualify_name("w:bookmarkStart")


def _free_bookmark(name: str, taken: set[str]) -> str:
    number = 2
    while f"{name[:36]}_{number}".lower() in taken:
        number += 1
    taken.add(f"{name[:36]}_{number}".lower())
    return f"{name[:36]}_{number}"


def _free_name(package: Any, name: str) -> str:
    """`name` if it is free in the package, else with another number."""
    if name not in package:
        return name
    stem, suffix = posixpath.splitext(name)
    free: str = package.free_name(f"{stem.rstrip('0123456789')}{{}}{suffix}")
    return free


def _by_id(root: Any, identity: str | None) -> Any:
    return next((child for child in root if child.get(qualify_name("w:id")) == identity), None)


def _find_free_number(root: Any, name: str, attribute: str, least: int) -> int:
    taken = [int(get_attribute(entry, attribute) or "0") for entry in find_all(root, name)]
    return max([least - 1, *taken]) + 1


def _insert_in_order(root: Any, node: Any, name: str, before: str | None) -> None:
    """Put a node behind the last of its name, or behind those that come before it, as numbering.xml wants it."""
    same = find_all(root, name) or (find_all(root, before) if before else [])
    if same:
        same[-1].addnext(node)
    else:
        pictures = find_all(root, "w:numPicBullet")
        root.insert(len(pictures), node)


def section_paragraph(section: Any) -> Any:
    """A paragraph that ends a section."""
    return make_element("w:p", make_element("w:pPr", section))
