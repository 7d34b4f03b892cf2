"""A presentation: opened, changed, and saved with every part that did not change byte for byte as it was."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from yardkit.kit.ooxml import relations
from yardkit.kit.ooxml.package import Package
from yardkit.kit.ooxml.xml import count_tags
from yardkit.kit.pages.kinds import explain_other_kind
from yardkit.world import Problem, save_atomically
from yardkit.world.limits import ARCHIVE_ERRORS, check_bytes

_CONVERTIBLE_SUFFIXES = (".ppt", ".odp")
_MEDIA_SUFFIXES = frozenset(
    {"png", "jpg", "jpeg", "gif", "bmp", "tif", "tiff", "emf", "wmf", "xlsx", "mp4", "mp3", "wav"}
)
MAIN_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"
MACRO_TYPE = "application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml"
_STRICT = b"http://purl.oclc.org/ooxml/presentationml"
_DAMAGE_ERRORS = (*ARCHIVE_ERRORS, KeyError, AttributeError, TypeError, IndexError, AssertionError)


class Deck:
    """A deck over the part graph of python-pptx; what `save` writes anew is only what differs from the start."""

    def __init__(self, package: Package, opened: Any, name: str) -> None:
        self._package = package
        self._opened = opened
        # python-pptx would rename the parts of all slides by their order as soon as it lists them.
        opened.main_document_part.rename_slide_parts = lambda _: None
        self._name = name
        self._base = self._read_state()
        self._main_type = ""
        self.promises: list[tuple[str, Callable[[Deck], bool]]] = []

    @classmethod
    def open(cls, path: Path) -> Deck:
        """The deck at `path`.

        Raises:
            Problem: a legacy .ppt, password-protected, damaged, a zip bomb, or of another kind; it says which.
        """
        from lxml import etree
        from pptx.package import Package as OpenedPackage
        from pptx.parts.presentation import PresentationPart

        _check_kind(path)
        try:
            package = Package.open(path)
            _check_parts(package, path.name)
            if _STRICT in package.read(relations.main_part(package)):
                raise Problem(f"{path.name!r} is Strict Open XML; save it as an ordinary .pptx presentation first")
        except Problem as problem:
            raise _check_suffix(path) or problem from None
        # python-pptx minds the letter case of names, which others do not.
        package.respell(relations.list_spellings(package))
        try:
            opened = OpenedPackage.open(io.BytesIO(package.pack()) if package.is_respelled else str(path))
            main = opened.main_document_part
            if not isinstance(main, PresentationPart):
                words = f"{path.name!r} is an Office file but no presentation; name a .pptx file"
                raise _check_suffix(path) or Problem(words)
            return cls(package, opened, path.name)
        except (*_DAMAGE_ERRORS, etree.XMLSyntaxError) as error:
            raise Problem(
                f"{path.name!r} is damaged ({type(error).__name__}: {error}); restore or recreate it"
            ) from error

    @classmethod
    def from_bytes(cls, data: bytes, name: str) -> Deck:
        """A new deck of which every part counts as new."""
        from pptx.package import Package as OpenedPackage

        deck = cls(Package.empty(), OpenedPackage.open(io.BytesIO(data)), name)
        deck._base = {}
        return deck

    @property
    def presentation(self) -> Any:
        return self._opened.main_document_part.presentation

    @property
    def part(self) -> Any:
        return self._opened.main_document_part

    @property
    def opened(self) -> Any:
        return self._opened

    @property
    def slides(self) -> list[Any]:
        return list(self.presentation.slides)

    def new_slide(self, layout: Any) -> Any:
        """A new slide at the end."""
        name = self.free_partname("/ppt/slides/slide1.xml")
        slide = self.presentation.slides.add_slide(layout)
        slide.part.partname = type(slide.part.partname)(name)
        _separate_equal_placeholders(slide, layout)
        return slide

    @property
    def slide_ids(self) -> list[str]:
        """The ids of the slides, in order: stable while slides move."""
        listing = self.part._element.sldIdLst
        return [] if listing is None else [str(entry.get("id")) for entry in listing]

    @property
    def width(self) -> int:
        return int(self.presentation.slide_width or 12_192_000)

    @property
    def height(self) -> int:
        return int(self.presentation.slide_height or 6_858_000)

    def get_slide(self, number: int) -> Any:
        """The slide with a number, counted from 1.

        Raises:
            Problem: there is none.
        """
        slides = self.presentation.slides
        if not 1 <= number <= len(slides):
            there = f"slides 1 to {len(slides)}" if len(slides) else "none"
            raise Problem(f"slide {number} does not exist; {self._name!r} has {there}")
        return slides[number - 1]

    def numbers(self, chosen: list[int] | None) -> list[int]:
        """The chosen slide numbers, checked; all where none are chosen."""
        if chosen is None:
            return list(range(1, len(self.presentation.slides) + 1))
        for number in chosen:
            self.get_slide(number)
        return list(dict.fromkeys(chosen))

    @property
    def layouts(self) -> list[Any]:
        return [layout for master in self.presentation.slide_masters for layout in master.slide_layouts]

    def layout(self, name: str) -> Any:
        """The layout called `name` (letter case aside) or with that number, counted from 1 over all masters.

        Raises:
            Problem: there is none.
        """
        layouts = self.layouts
        for layout in layouts:
            if (layout.name or "").casefold() == name.strip().casefold():
                return layout
        if name.strip().isdigit() and 1 <= int(name) <= len(layouts):
            return layouts[int(name) - 1]
        names = dict.fromkeys(repr(candidate.name) for candidate in layouts)
        raise Problem(f"the layout {name!r} does not exist; the deck has {', '.join(names)}")

    def free_partname(self, like: str) -> str:
        """A part name that is not taken: `like` with another number."""
        stem, _, extension = like.rpartition(".")
        pattern = f"{re.sub(r'[0-9]+$', '', stem)}{{}}.{extension}"
        taken = {str(part.partname) for part in self._opened.iter_parts()}
        taken |= {f"/{name}" for name in self._package.names() if name not in self._base} | self._issued
        number = next(number for number in range(1, len(taken) + 2) if pattern.format(number) not in taken)
        self._issued.add(pattern.format(number))
        return pattern.format(number)

    def promise(self, description: str, holds: Callable[[Deck], bool]) -> None:
        """What must be true when the saved bytes are read back; otherwise nothing is saved."""
        self.promises.append((description, holds))

    @property
    def has_macros(self) -> bool:
        return "macroenabled" in self.part.content_type.lower()

    def become_presentation(self) -> None:
        """A template or a show is saved as a presentation."""
        self._main_type = MACRO_TYPE if self.has_macros else MAIN_TYPE

    def save(self, path: Path) -> None:
        """Write the deck to `path`; only parts that changed are serialized anew."""
        self._transfer_parts()
        self._package.save(path)

    def _read_state(self) -> dict[str, tuple[Any, bytes, bytes]]:
        self._issued: set[str] = set()
        parts_by_name = {
            str(part.partname)[1:]: (part, part.blob, _rels_of(part)) for part in self._opened.iter_parts()
        }
        return parts_by_name | {"": (None, b"", bytes(self._opened._rels.xml))}

    def _transfer_parts(self) -> None:
        now = self._read_state()
        if relations.CONTENT_TYPES not in self._package:
            self._package.put(relations.CONTENT_TYPES, _NO_TYPES)
        for name in self._base.keys() - now.keys():
            self._package.drop_part(name)
            self._package.drop_part(relations.rels_name(name))
            for gone in (name, relations.rels_name(name)):
                relations.set_type(self._package, gone, None)
        for name, (part, blob, rels) in now.items():
            _, old_blob, old_rels = self._base.get(name, (None, None, b""))
            if blob != old_blob and name:
                self._package.put(name, blob)
                self._state_type(name, part.content_type)
            if rels != old_rels:
                self._put_rels(name, rels)
        if self._main_type:
            self._state_type(str(self.part.partname)[1:], self._main_type)

    def _put_rels(self, name: str, rels: bytes) -> None:
        target = relations.rels_name(name) if name else "_rels/.rels"
        if rels:
            self._package.put(target, rels)
        else:
            self._package.drop_part(target)

    def _state_type(self, name: str, kind: str) -> None:
        extension = name.rsplit(".", 1)[-1].lower()
        if relations.content_type(self._package, name) != kind and extension in _MEDIA_SUFFIXES:
            relations.set_default_type(self._package, extension, kind)
        if relations.content_type(self._package, name) != kind:
            relations.set_type(self._package, name, kind)


@contextmanager
def edit_deck(path: Path) -> Iterator[Deck]:
    """The deck at `path` to be changed; saved at the end, read back, and only then put in place, in one step."""
    deck = Deck.open(path)
    yield deck
    store_deck(deck, path)


def store_deck(deck: Deck, path: Path) -> None:
    """Save `deck` at `path` after the saved bytes were read back and hold what was promised.

    Raises:
        Problem: they do not; nothing is saved then.
    """
    if path.suffix.lower() not in (".pptx", ".pptm", ".potx", ".ppsx"):
        raise Problem(f"{path.name!r} is not a valid presentation name; end it in .pptx")
    with save_atomically(path) as draft:
        deck.save(draft)
        saved = Deck.open(draft)
        for promise_text, holds in deck.promises:
            if not holds(saved):
                raise Problem(f"the saved file does not contain this: {promise_text}; nothing was changed")


def _separate_equal_placeholders(slide: Any, layout: Any) -> None:
    """Give places of their own to placeholders that a program could not tell apart by their kind and number."""
    pairs = list(zip(slide.shapes, layout.iter_cloneable_placeholders(), strict=False))
    known = [dict(like._element.ph.attrib) for _, like in pairs]
    for key, (shape, like) in zip(known, pairs, strict=True):
        if known.count(key) > 1 and like.width is not None:
            shape.left, shape.top, shape.width, shape.height = like.left, like.top, like.width, like.height


_NO_TYPES = (
    b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    b'<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    b'<Default Extension="xml" ContentType="application/xml"/></Types>'
)


def _rels_of(part: Any) -> bytes:
    return bytes(part.rels.xml) if len(part.rels) else b""


def _check_kind(path: Path) -> None:
    check_bytes(path)
    with path.open("rb") as handle:
        begin = handle.read(8)
    if not begin.startswith(b"PK"):
        words = f"{path.name!r} is no .pptx file: its content is of another type; name a presentation"
        raise _check_suffix(path) or Problem(words)


def _check_suffix(path: Path) -> Problem | None:
    how = "convert_file of the render server makes a .pptx file of it"
    return explain_other_kind(path, ".pptx", _CONVERTIBLE_SUFFIXES, how)


def _check_parts(package: Package, name: str) -> None:
    """Refuse XML with a DTD (entities are how XML bombs work) or too many elements, and what cannot be unpacked."""
    tags = 0
    for part in package.names():
        if part.endswith((".xml", ".rels")):
            data = package.read(part)
            tags = count_tags(data, part, tags)
            if b"<!DOCTYPE" in data:
                raise Problem(f"the part {part!r} of {name!r} declares a DTD, which is not allowed")
