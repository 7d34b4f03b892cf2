"""Threaded comments: comments with replies that can be resolved, their persons, and the notes that stand for them."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from yardkit.kit.ooxml.relations import add_relation, find_related
from yardkit.kit.ooxml.xml import parse_part, serialize_part
from yardkit.servers.sheets.engine.cells.grid import Grid
from yardkit.servers.sheets.engine.cells.linked_parts import drop_part, unlink_part
from yardkit.servers.sheets.engine.notation.references import Cell, Places, cell_of
from yardkit.servers.sheets.engine.objects.notes import Notes
from yardkit.servers.sheets.engine.package.xml import qualify_tag
from yardkit.world import Problem

TC = "http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"
_REL = "http://schemas.microsoft.com/office/2017/10/relationships/"
_TYPE = "application/vnd.ms-excel.threadedcomments+xml"
_PERSONS_TYPE = "application/vnd.ms-excel.person+xml"
_HINT = (
    "[Threaded comment]\n\nYour version of Excel allows you to read this threaded comment; however, any edits to it "
    "will get removed if the file is opened in a newer version of Excel. Learn more: "
    "https://go.microsoft.com/fwlink/?linkid=870924\n\nComment:\n    "
)


@dataclass(frozen=True)
class CommentInfo:
    """A note (kind note) or a threaded comment (kind thread) of a cell."""

    sheet: str
    cell: str
    kind: str
    author: str
    text: str
    time: str = ""
    resolved: bool = False
    replies: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        done = " (resolved)" if self.resolved else ""
        lines = [(f"{self.kind} at {self.sheet}!{self.cell} by {self.author or 'unknown'}{done}: {self.text}")]
        return "\n".join([*lines, *(f"  reply {reply}" for reply in self.replies)])


class Threads:
    """The threaded comments of a sheet. Nothing is written before `save`."""

    def __init__(self, grid: Grid) -> None:
        from lxml import etree

        self.grid = grid
        self.package = grid.book.package
        self.part = find_related(self.package, grid.info.part, "threadedComment") or ""
        self.persons_part = find_related(self.package, grid.book.part, "person") or ""
        self.root = (
            parse_part(self.package.read(self.part), self.part)
            if self.part
            else etree.Element(qualify_tag("ThreadedComments", TC), nsmap={None: TC})
        )
        self.persons = (
            parse_part(self.package.read(self.persons_part), self.persons_part)
            if self.persons_part
            else etree.Element(qualify_tag("personList", TC), nsmap={None: TC})
        )

    def roots(self) -> dict[str, Any]:
        """Cell -> the comment that begins its thread."""
        return {entry.get("ref", ""): entry for entry in self._list_entries() if not entry.get("parentId")}

    def list_replies(self, root: Any) -> list[Any]:
        return [entry for entry in self._list_entries() if entry.get("parentId") == root.get("id")]

    def all(self) -> list[CommentInfo]:
        return [
            CommentInfo(
                self.grid.info.name,
                cell,
                "thread",
                self._get_author_name(entry),
                _read_text(entry),
                entry.get("dT", ""),
                entry.get("done") in ("1", "true"),
                [f"{self._get_author_name(reply)}: {_read_text(reply)}" for reply in self.list_replies(entry)],
            )
            for cell, entry in self.roots().items()
        ]

    def comment(self, cell: Cell, author: str, text: str, now: datetime) -> None:
        """Begin a thread, or reply where there is one."""
        from lxml import etree

        start = self.roots().get(str(cell))
        stamp = now.strftime("%Y-%m-%dT%H:%M:%S.00")
        identity = _make_guid(self.grid.info.part, str(cell), author, text, stamp, str(len(self.root)))
        entry = etree.Element(
            qualify_tag("threadedComment", TC),
            ref=str(cell),
            dT=stamp,
            personId=self._ensure_person(author),
            id=identity,
        )
        if start is not None:
            entry.set("parentId", start.get("id", ""))
        etree.SubElement(entry, qualify_tag("text", TC)).text = text
        place = start if start is None else [start, *self.list_replies(start)][-1]
        if place is None:
            self.root.append(entry)
        else:
            place.addnext(entry)

    def resolve(self, cell: Cell, *, done: bool) -> None:
        """Mark a thread as resolved or open.

        Raises:
            Problem: the cell has no thread.
        """
        start = self._root_at(cell)
        if done:
            start.set("done", "1")
        else:
            start.attrib.pop("done", None)

    def drop(self, cell: Cell) -> bool:
        """Take a thread out; whether there was one."""
        start = self.roots().get(str(cell))
        for entry in [start, *self.list_replies(start)] if start is not None else []:
            self.root.remove(entry)
        return start is not None

    def move(self, places: Places) -> bool:
        """Take comments to other cells, or out (None); whether there were any."""
        entries = [entry for entry in self._list_entries() if cell_of(entry.get("ref", "A1")) in places]
        for entry in entries:
            target = places[cell_of(entry.get("ref"))]
            if target is None:
                self.root.remove(entry)
            else:
                entry.set("ref", str(target))
        return bool(entries)

    def note_texts(self, notes: Notes) -> None:
        """Write the notes that older programs show for each thread."""
        for cell, entry in self.roots().items():
            replies = "".join(f"\nReply:\n    {_read_text(reply)}" for reply in self.list_replies(entry))
            identity = entry.get("id", "")
            notes.put(cell_of(cell), f"tc={identity}", _HINT + _read_text(entry) + replies, identity)

    def save(self) -> None:
        """Hand both parts to the package, made or taken out as needed."""
        if not len(self.root):
            if self.part:
                unlink_part(self.grid, self.part)
                drop_part(self.grid.book, self.part)
            return
        if not self.part:
            self.part = self.package.free_name("xl/threadedComments/threadedComment{}.xml")
            add_relation(self.package, self.grid.info.part, f"{_REL}threadedComment", self.part)
            self.grid.book.set_type(self.part, _TYPE)
        if not self.persons_part:
            self.persons_part = "xl/persons/person.xml"
            add_relation(self.package, self.grid.book.part, f"{_REL}person", self.persons_part)
            self.grid.book.set_type(self.persons_part, _PERSONS_TYPE)
        self.package.put(self.part, serialize_part(self.root))
        self.package.put(self.persons_part, serialize_part(self.persons))

    def _list_entries(self) -> list[Any]:
        return list(self.root.iterfind(qualify_tag("threadedComment", TC)))

    def _root_at(self, cell: Cell) -> Any:
        start = self.roots().get(str(cell))
        if start is None:
            known = ", ".join(self.roots()) or "none"
            raise Problem(f"{cell} has no threaded comment to resolve; cells that have one: {known}")
        return start

    def _get_author_name(self, entry: Any) -> str:
        names = {person.get("id"): person.get("displayName", "") for person in self.persons}
        return str(names.get(entry.get("personId"), ""))

    def _ensure_person(self, name: str) -> str:
        from lxml import etree

        for person in self.persons:
            if person.get("displayName") == name:
                return str(person.get("id"))
        identity = _make_guid("person", name)
        etree.SubElement(
            self.persons, qualify_tag("person", TC), displayName=name, id=identity, userId=name, providerId="None"
        )
        return identity


def _read_text(entry: Any) -> str:
    return str(entry.findtext(qualify_tag("text", TC)) or "")


def _make_guid(*facts: str) -> str:
    """The same facts give the same id, so that the same call gives the same file."""
    return "{" + str(uuid.uuid5(uuid.NAMESPACE_OID, "\n".join(facts))).upper() + "}"
