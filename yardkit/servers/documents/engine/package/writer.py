"""One change of a document: who writes, when, whether it is tracked, and what was written."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from yardkit.kit.ooxml.package import Package
from yardkit.servers.documents.engine.markup import tracking
from yardkit.servers.documents.engine.markup.anchors import PARA_ID
from yardkit.servers.documents.engine.markup.names import NS, P, iter_unwrapped
from yardkit.servers.documents.engine.markup.tracking import Tracker
from yardkit.servers.documents.engine.package.document import Document
from yardkit.world import Problem

DEFAULT_AUTHOR = "Yardkit"
_HEX = re.compile(r"\b[0-9A-F]{8}\b")


@dataclass
class Writer:
    """Writes into a document.

    Attributes:
        tracker: marks changes; None where they are not tracked.
        written: the blocks that were written, for reading them back.
        notes: what the result should say besides.
        removed_marks: kinds and ids of the comments and notes whose marks were taken out (in their order).
    """

    document: Document
    now: datetime
    tracker: Tracker | None = None
    written: list[Any] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    removed_marks: dict[tuple[str, str], None] = field(default_factory=dict)
    _next_name: dict[Any, int] = field(default_factory=dict)

    @classmethod
    def for_document(
        cls, document: Document, now: datetime, author: str = DEFAULT_AUTHOR, *, track: bool | None = None
    ) -> Writer:
        """A writer that tracks as told, by default as the document is set.

        Raises:
            Problem: it is told not to, but the document is protected so that all edits are tracked.
        """
        if track is False:
            refuse_untracked(document)
        tracked = document.tracks if track is None else track
        roots = [document.get_story(name) for name in document.map_stories()] if tracked else []
        return cls(document, now, Tracker.for_roots(author, now, roots) if tracked else None)

    def name_paragraphs(self, block: Any) -> None:
        """Give new paragraphs ids of their own, where the part knows such ids (and so anchors that never change)."""
        self.name_paragraphs_in(block, block)

    def name_paragraphs_in(self, block: Any, standing: Any) -> None:
        """The same for a block that will stand in the part in which `standing` stands already."""
        top = standing.getroottree().getroot()
        if NS["w14"] not in top.nsmap.values():
            return
        number = self._next_name.get(top)
        if number is None:
            own = " ".join([element.get(PARA_ID, "") for element in top.iter(P)]).upper()
            number = max(0x0FFFFFFF, int(max(_HEX.findall(own), default="0"), 16)) + 1
        for paragraph in block.iter(P):
            if number < 0x80000000:
                paragraph.set(PARA_ID, f"{number:08X}")
                number += 1
        self._next_name[top] = number

    def note_inserted(self, block: Any) -> None:
        """Note a block as written and, where changes are tracked, mark it as inserted."""
        self.name_paragraphs(block)
        self.written += iter_unwrapped([block])
        if self.tracker is not None:
            tracking.mark_blocks(block, "ins", self.tracker)

    def note_untracked(self, what: str) -> None:
        """Say that something is written without a mark though changes are tracked."""
        note = f"changes are tracked, but {what} cannot be marked as changed; this was done without a mark"
        if (self.tracker is not None or self.document.tracks) and note not in self.notes:
            self.notes.append(note)

    def fresh_id(self, tags: tuple[str, ...], attribute: str) -> int:
        """A number that no element of those tags has in `attribute`, in any story."""
        used = [0]
        for story in self.document.map_stories():
            for element in self.document.get_story(story).iter(*tags):
                value = element.get(attribute, "0")
                used += [int(value)] if value.isdigit() else []
        return max(used) + 1


def refuse_untracked(document: Document) -> None:
    """Refuse to go on without a mark where the document is protected against that, as Word does.

    Raises:
        Problem: it is.
    """
    if document.protection == "trackedChanges":
        raise Problem(
            "the document is protected (tracked_changes): all its edits are tracked; leave out track, or "
            "lift the protection with protect_document(mode='none') first"
        )


@dataclass(frozen=True)
class Place:
    """Where a block stands, and its anchor."""

    story: str
    number: int
    anchor: str


def list_locations(document: Document, blocks: list[Any]) -> list[Place]:
    """Where blocks stand; those that were taken out again are left out. To be taken before the document is saved."""
    every = {name: document.get_blocks(name) for name in document.map_stories()}
    locations = []
    for block in dict.fromkeys(blocks):
        for name, story in every.items():
            if block in story:
                locations.append(Place(name, story.place(block), story.anchor(block)))
    return locations


def check_saved(document: Document, path: Path) -> None:
    """Read back what was changed.

    Raises:
        Problem: the file at `path` does not hold it.
    """
    saved = Package.open(path)
    for name in sorted(document.package.list_changes()):
        if saved.read(name) != document.package.read(name):
            raise Problem(
                f"{path.name!r} does not contain what was written ({name} differs); read it before you continue"
            )


def anchors_at(path: Path, standing: list[Place]) -> list[str]:
    """The anchors of the blocks that stand at some places of the file at `path` now."""
    saved = Document.open(path)
    every = {name: saved.get_blocks(name) for name in {place.story for place in standing}}
    return [every[place.story].anchor(every[place.story].all[place.number]) for place in standing]
