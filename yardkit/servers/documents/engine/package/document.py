"""A docx file as its package, its stories (body, headers, footers, notes, comments) and blocks with anchors."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from yardkit.kit.ooxml import relations as rels
from yardkit.kit.ooxml.package import Package
from yardkit.kit.ooxml.xml import parse_part, serialize_part, serialize_unchanged
from yardkit.kit.pages.kinds import explain_other_kind
from yardkit.servers.documents.engine.markup import note_order
from yardkit.servers.documents.engine.markup.anchors import Blocks
from yardkit.servers.documents.engine.markup.names import make_element, qualify_name
from yardkit.world import Problem, save_atomically

_CONVERTIBLE_SUFFIXES = (".doc", ".odt", ".rtf")
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_STORIES = ("header", "footer", "footnotes", "endnotes", "comments")
_ROOT_TAGS = {
    "header": "w:hdr", "footer": "w:ftr", "footnotes": "w:footnotes", "endnotes": "w:endnotes",
    "comments": "w:comments", "styles": "w:styles", "settings": "w:settings", "numbering": "w:numbering",
}  # fmt: skip
_MAX_REPORTED = 10
_STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"


class Document:
    """A docx as its parts. Change the elements that `root` gives; `save` writes the parts that differ, and no other.

    Attributes:
        renumbered: old id -> new one of the notes that got another when they were put in order.
    """

    def __init__(self, package: Package, *, to_change: bool = False) -> None:
        self.package = package
        self.saved = False
        self.renumbered: dict[str, str] = {}
        self._older: set[str] = set()
        self._to_change = to_change
        self._roots: dict[str, Any] = {}
        self._before: dict[str, bytes] = {}
        self.main = rels.main_part(package)
        if self.root(self.main).tag != qualify_name("w:document"):
            strict = _STRICT in self.root(self.main).tag
            reason = "is in the Strict variant; save it as an ordinary .docx" if strict else "holds no Word document"
            raise Problem(f"the file {reason}")
        if self.body is None:
            raise Problem("the document has no body; it is damaged")

    @classmethod
    def open(cls, path: Path, *, to_change: bool = False) -> Document:
        """The document at `path`; one that is going to be changed keeps how its parts were.

        Raises:
            Problem: it is no docx (or docm, dotx, dotm), is damaged or encrypted; it says what it is instead.
        """
        with path.open("rb") as stream:
            start = stream.read(8)
        if not start.startswith(b"PK"):
            kind = "no Word document" if start else "empty"
            raise _check_suffix(path) or Problem(f"{path.name!r} is {kind}; choose a .docx file")
        try:
            return cls(Package.open(path), to_change=to_change)
        except Problem as problem:
            raise _check_suffix(path) or problem from None

    @property
    def body(self) -> Any:
        return self.root(self.main).find(qualify_name("w:body"))

    def root(self, part: str) -> Any:
        """The root element of an XML part, always the same one; changes to it are saved.

        Raises:
            Problem: the part is missing or damaged.
        """
        if part not in self._roots:
            data = self.package.read(part)
            self._roots[part] = parse_part(data, part)
            if self._to_change:
                self._before[part] = serialize_unchanged(data, self._roots[part])
        return self._roots[part]

    def part(self, kind: str) -> str | None:
        """The part that the main part relates to as `kind`: styles, settings, numbering, footnotes, comments ..."""
        return rels.find_related(self.package, self.main, kind)

    def ensure_part(self, kind: str) -> str:
        """The part `kind`, made empty and related if it is missing."""
        return self.part(kind) or self.new_part(
            kind, f"word/{kind}.xml", make_element(_ROOT_TAGS[kind]), _WORD + f"{kind}+xml"
        )

    def new_part(self, kind: str, name: str, root: Any, content_type: str) -> str:
        """Add an XML part that the main part relates to as `kind` (last step, or whole type); its name."""
        if name in self.package:
            stem, dot, suffix = name.rpartition(".")
            name = self.package.free_name(f"{stem}{{}}{dot}{suffix}")
        self.package.put(name, serialize_part(root))
        self._roots[name] = root
        rels.set_type(self.package, name, content_type)
        rels.add_relation(self.package, self.main, kind, name)
        return name

    def new_story(self, kind: str) -> str:
        """A new header or footer part; its name."""
        name = self.package.free_name(f"word/{kind}{{}}.xml")
        return self.new_part(kind, name, make_element(_ROOT_TAGS[kind]), _WORD + f"{kind}+xml")

    def relation_id(self, part: str) -> str:
        """The id of the main part's relationship to `part`."""
        known_relations = rels.read_relations(self.package, self.main)
        return next(
            identity
            for identity, relation in known_relations.items()
            if relation.target == part and not relation.external
        )

    @cached_property
    def settings(self) -> Any:
        """The root of the settings part, made if it is missing."""
        return self.root(self.ensure_part("settings"))

    @property
    def tracks(self) -> bool:
        """Whether the document records changes: by its setting, or because it is protected to."""
        part = self.part("settings")
        revision_flag = None if part is None else self.root(part).find(qualify_name("w:trackRevisions"))
        on = revision_flag is not None and revision_flag.get(qualify_name("w:val"), "1") not in ("0", "false", "off")
        return on or self.protection == "trackedChanges"

    @property
    def protection(self) -> str:
        """What the document may be edited as while its protection is enforced, in Word's words; empty for all."""
        part = self.part("settings")
        protection_element = None if part is None else self.root(part).find(qualify_name("w:documentProtection"))
        if protection_element is None or protection_element.get(qualify_name("w:enforcement")) not in (
            "1",
            "true",
            "on",
        ):
            return ""
        return str(protection_element.get(qualify_name("w:edit"), ""))

    def map_stories(self) -> dict[str, str]:
        """Short name -> part of all that holds text: body, header1, footer2, footnotes, endnotes, comments."""
        story_roots = {"body": self.main}
        parts = [
            relation for relation in rels.read_relations(self.package, self.main).values() if relation.kind in _STORIES
        ]
        for part in sorted(
            parts, key=lambda relation: (_STORIES.index(relation.kind), len(relation.target), relation.target)
        ):
            if not part.external and part.target in self.package:
                story_roots.setdefault(PurePosixPath(part.target).stem, part.target)
        return story_roots

    def get_story(self, name: str) -> Any:
        """The root of a story, for the body the w:body element.

        Raises:
            Problem: there is none of that name.
        """
        stories = self.map_stories()
        if name not in stories:
            raise Problem(f"the document has no story {name!r}; it has {', '.join(stories)}")
        return self.body if name == "body" else self.root(stories[name])

    def get_blocks(self, story: str = "body") -> Blocks:
        """The blocks of a story with their anchors, as they are now; take it anew after a change."""
        return Blocks(story, self.get_story(story))

    def find(self, anchor: str) -> Any:
        """The paragraph or table with an anchor, in whatever story.

        Raises:
            Problem: it is gone; the words name what stands near.
        """
        return self.get_blocks(story_of(anchor)).find(anchor)

    def anchor(self, block: Any) -> str:
        """The anchor of a paragraph or table as it is now."""
        top = block.getroottree().getroot()
        for name, part in self.map_stories().items():
            if part in self._roots and self._roots[part] is top:
                return self.get_blocks(name).anchor(block)
        raise ValueError("the block is not in a story of this document")

    def part_of(self, element: Any) -> str:
        """The part that an element stands in."""
        top = element.getroottree().getroot()
        return next(part for part, root in self._roots.items() if root is top)

    def save(self, path: Path) -> None:
        """Write the document to `path` in one step; parts that are as they were stay byte for byte."""
        self.flush()
        with save_atomically(path) as draft:
            self.package.save(draft)
        self.saved = True

    def describe_renumbering(self) -> list[str]:
        """What to tell of the notes that got other ids, one line or none."""
        pairs = [f"{before} is now {after}" for before, after in self.renumbered.items() if before in self._older]
        more = (
            f" and {len(pairs) - _MAX_REPORTED} more; read the notes for their ids"
            if len(pairs) > _MAX_REPORTED
            else ""
        )
        displayed_pairs = ", ".join(pairs[:_MAX_REPORTED]) + more
        return [f"notes are numbered in the order of the text: {displayed_pairs}"] if pairs else []

    def flush(self) -> None:
        """Put what was changed into the package, notes in the order of their marks."""
        self._order_notes()
        for name, root in self._roots.items():
            if name in self.package:
                now = serialize_part(root)
                if now != self._get_original(name):
                    self.package.put(name, now)
                    self._before[name] = now

    def _get_original(self, part: str) -> bytes:
        """A part that was read, as it is written when nothing of it was changed."""
        return self._before.get(part) or serialize_part(parse_part(self.package.read(part), part))

    def _order_notes(self) -> None:
        """Sort the notes where marks or notes came, went or moved; others stay as they are, in whatever order."""
        for kind in note_order.KINDS:
            part = self.part(f"{kind}s")
            if part is None or part not in self.package:
                continue
            pairs = ((self.main, f"{kind}Reference"), (part, kind))
            now = [note_order.list_ids(serialize_part(self.root(name)), tag) for name, tag in pairs]
            was = [note_order.list_ids(self._get_original(name), tag) for name, tag in pairs]
            if now != was:
                self._older |= {f"{kind}-{note_id.decode()}" for note_id in was[1]}
                new = note_order.sort_notes(self.root(self.main), self.root(part), kind)
                self.renumbered |= {f"{kind}-{before}": f"{kind}-{after}" for before, after in new.items()}


def _check_suffix(path: Path) -> Problem | None:
    return explain_other_kind(path, ".docx", _CONVERTIBLE_SUFFIXES, "convert_document makes a .docx file of it")


def story_of(anchor: str) -> str:
    """The story that an anchor names; the body by default."""
    story, colon, _ = anchor.rpartition(":")
    return story if colon else "body"
