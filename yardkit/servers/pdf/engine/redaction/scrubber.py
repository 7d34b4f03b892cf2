"""Off the page: terms in annotations, fields, bookmarks, names, metadata, scripts and structure."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from yardkit.servers.pdf.engine.content.image_metadata import without_texts
from yardkit.servers.pdf.engine.content.resource_streams import Kind, Roles, is_own_word, is_palette, without_terms
from yardkit.servers.pdf.engine.content.searchable_text import (
    EMPTIED_STREAMS,
    UNREAD,
    Unsearchable,
    content_of,
    content_without_comments,
    decode_stream,
    drawn_glyphs,
    empty_stream,
    is_drawn,
    is_packed,
    objects_beside_content,
    objects_with_text,
    read_displayed_text,
    repoint_structure,
    texts_of,
    values_of,
)
from yardkit.servers.pdf.engine.package.document import make_stream
from yardkit.servers.pdf.engine.package.pages import has_overlap, list_dictionaries
from yardkit.servers.pdf.engine.redaction import xmp
from yardkit.servers.pdf.engine.redaction.chosen_names import inks_of, own_entries, rename_names
from yardkit.servers.pdf.engine.redaction.terms import BLOCK, Terms
from yardkit.world.boxes import Box
from yardkit.world.wording import format_count

_MARKUP_SUBTYPES = ("/Highlight", "/Underline", "/StrikeOut", "/Squiggly", "/Square", "/Circle", "/Line", "/Ink")
_PLACE_NAMES = {
    "/Title": "titles and bookmarks",
    "/Contents": "comments",
    "/V": "field values",
    "/DV": "field values",
    "/URI": "links",
}
_REPLACEMENT_KEYS = ("/ActualText", "/Alt", "/E")
MAX_STRING_DEPTH = 60
_PRIVATE, _PRIVATE_DEPTH = "private data of programs", 8
_DATE_KEYS = ("/CreationDate", "/ModDate", "/M", "/LastModified")
_DATE = re.compile(r"D:\d{4}(\d\d){0,5}([-+Z]((\d\d)'?(\d\d)?'?)?)?")
"""ISO 32000-1, 7.9.4, and as programs write it."""
NOT_WORDS = ("/ID", "/Encrypt")
"""Entries of the trailer whose strings are random bytes."""


def is_date(key: str, text: str) -> bool:
    """Whether a string states when something was made or changed."""
    return key in _DATE_KEYS and _DATE.fullmatch(text) is not None


class Scrubber:
    """Cleans a document of terms, and of what cannot be searched for them.

    Attributes:
        cleaned: counts by place.
        warnings: what was removed since it cannot be searched.
        made: forms that took the place of others, by the object numbers of those.
        undressed: object numbers of fields and comments whose appearances went.
    """

    def __init__(self, pdf: Any, terms: Terms | None) -> None:
        self.pdf = pdf
        self.terms = terms or Terms([])
        self.cleaned: Counter[str] = Counter()
        self.warnings: list[str] = []
        self.made: dict[Any, Any] = {}
        self.undressed: set[tuple[int, int]] = set()
        self._dates = 0
        self._unreadable: set[Any] = set()
        self._left_alone = content_of(pdf)
        self._glyphs = drawn_glyphs(pdf)
        self._roles = Roles(pdf)

    def empty_forms(self) -> None:
        """Empty the form objects that cannot be decoded, so that the pages which paint them can be followed."""
        import pikepdf

        if not self.terms.patterns:
            return
        faces = {
            face.objgen
            for page in self.pdf.pages
            for annotation in _list_annotations(page)
            for face in _list_appearances(annotation)
        }
        for thing in list(self.pdf.objects):
            if isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == "/Form" and thing.objgen not in faces:
                try:
                    decode_stream(thing)
                except Unsearchable as reason:
                    self._empty_stream(thing, reason)

    def scrub_page(self, page: Any, boxes: list[Box]) -> None:
        """Remove the annotations, links and fields that lie in the boxes, thumbnails and private data."""
        import pikepdf

        for key in ("/Thumb", "/PieceInfo", "/Metadata"):
            if key in page.obj:
                del page.obj[key]
        annotations = _list_annotations(page)
        if not annotations:
            return
        gone = [annotation for annotation in annotations if _is_touched(annotation, boxes)]
        for widget in gone:
            _empty_field(widget)
            self.cleaned["annotations and fields in the areas"] += 1
        ids = {annotation.objgen for annotation in gone}
        left = [annotation for annotation in annotations if annotation.objgen not in ids or annotation not in gone]
        left = [annotation for annotation in left if not _popup_of(annotation, ids)]
        page.obj["/Annots"] = pikepdf.Array(left)

    def fields(self) -> None:
        """Leave out of the lists of fields what is no field."""
        import pikepdf

        form = self.pdf.Root.get("/AcroForm")
        for thing in [form, *self.pdf.objects]:
            for key in ("/Kids", "/Fields"):
                child_value = thing.get(key) if isinstance(thing, pikepdf.Dictionary) else None
                if isinstance(child_value, pikepdf.Array) and (thing is form or "/T" in thing or "/FT" in thing):
                    left = [kid for kid in child_value if isinstance(kid, pikepdf.Dictionary)]
                    if len(left) < len(child_value):
                        thing[key] = pikepdf.Array(left)

    def scrub_structure(self, touched: set[Any]) -> None:
        """Remove replacement texts of structure elements of pages that lost something; the rest gets the new forms.

        Args:
            touched: object numbers of those pages.
        """
        import pikepdf

        repoint_structure(self.pdf, self.made)
        if "/StructTreeRoot" not in self.pdf.Root or not touched:
            return
        for thing in self.pdf.objects:
            if not isinstance(thing, pikepdf.Dictionary) or "/S" not in thing or "/P" not in thing:
                continue
            if any(key in thing for key in _REPLACEMENT_KEYS) and _pages_of(thing) & touched:
                for key in _REPLACEMENT_KEYS:
                    if key in thing:
                        del thing[key]
                        self.cleaned["replacement texts of the structure"] += 1

    def document(self, attached: set[Any]) -> None:
        """Clean every string and stream of the document of the terms, but the streams of attached files."""
        if not self.terms.patterns:
            return
        self._left_alone |= content_of(self.pdf) | attached  # pages that were redacted have new ones
        self._roles = Roles(self.pdf)
        for key in filter(self.terms.is_meant, own_entries(self.pdf)):
            del self.pdf.trailer.Info[key]
            self.cleaned["entries of the metadata"] += 1
        for thing in filter(self._roles.refers_to, objects_with_text(self.pdf)):
            self._scrub_node(thing, 0)
        for key in sorted(set(self.pdf.trailer.keys()).difference(NOT_WORDS)):
            self._scrub_value(self.pdf.trailer, key, key, self.pdf.trailer.get(key), 0)
        for number, page in enumerate(self.pdf.pages, start=1):
            self._scrub_appearances(page, number)
        xmp.unlink_metadata(self.pdf, self._unreadable)
        if self._unreadable:
            self.warnings.append("metadata (XMP) was removed, because a term is in its markup")
        if self.cleaned[_PRIVATE]:
            self.warnings.append("private data of programs (PieceInfo) was removed: it cannot be searched")
        if self._dates:
            self.warnings.append(
                f"{format_count(self._dates, 'date')} of when something was made or changed stayed, where a pattern"
                " matches digits; give them as `terms` to remove them, or let set_pdf_metadata scrub those of the file"
            )

    def scrub_pages_with(self, other: Scrubber, numbers: list[int]) -> None:
        """Let another one, which knows the terms, clean what stands on pages beside their content."""
        other.comments_and_fields(numbers)
        self.cleaned += other.cleaned
        self.warnings += other.warnings
        self.undressed |= other.undressed

    def comments_and_fields(self, numbers: list[int]) -> None:
        """Clean the comments and fields of some pages of the terms."""
        for number in numbers:
            page = self.pdf.pages[number - 1]
            for pdf_object in objects_beside_content(page)[0]:
                self._scrub_node(pdf_object, 0)
            for annotation in _list_annotations(page):
                if not annotation.is_indirect:
                    self._scrub_node(annotation, 0)
            self._scrub_appearances(page, number)

    def _scrub_node(self, node: Any, depth: int) -> None:
        import pikepdf

        if depth > MAX_STRING_DEPTH:
            return
        if isinstance(node, pikepdf.Array):
            self._scrub_array(node, depth)
        elif isinstance(node, pikepdf.Dictionary | pikepdf.Stream):
            if "/PieceInfo" in node and _holds_stream(node["/PieceInfo"], 0):
                del node["/PieceInfo"]
                self.cleaned[_PRIVATE] += 1
            self.cleaned["names of places and states"] += rename_names(node, self._rename)
            for key in list(node.keys()):
                self._scrub_value(node, key, key, node.get(key), depth)
        if isinstance(node, pikepdf.Stream):
            self._scrub_stream(node)

    def _scrub_array(self, node: Any, depth: int) -> None:
        import pikepdf

        for ink_holder, at in inks_of(node):
            name = self._rename(str(ink_holder[at])[1:])
            if name is not None:
                ink_holder[at] = pikepdf.Name("/" + name)
                self.cleaned["names of inks"] += 1
        for at, value in enumerate(node):
            if is_palette(node, at) and isinstance(value, pikepdf.String):
                node[at] = pikepdf.String(without_terms("samples", bytes(value), self.terms.find))
            else:
                self._scrub_value(node, at, "", value, depth)

    def _scrub_value(self, node: Any, place: Any, key: str, value: Any, depth: int) -> None:
        import pikepdf

        if isinstance(value, pikepdf.String):
            text = str(value)
            if is_date(key, text):
                self._scrub_date(node, place, text)
            elif any(map(self.terms.is_meant, texts_of(value))) and not is_own_word(key, text):
                node[place] = pikepdf.String(self._clean_text(text) if self.terms.is_meant(text) else "")
                self.cleaned[_PLACE_NAMES.get(key, "other texts")] += 1
                if key in ("/V", "/DV"):
                    self._drop_looks(node)
        elif isinstance(value, pikepdf.Object) and not value.is_indirect:
            self._scrub_node(value, depth + 1)

    def _scrub_date(self, node: Any, place: Any, text: str) -> None:
        """Blocks within a date would leave none that can be read."""
        if self.terms.in_date(text):
            del node[place]
            self.cleaned["dates"] += 1
        elif self.terms.is_meant(text):
            self._dates += 1

    def _rename(self, name: str) -> str | None:
        return self._clean_text(name) or BLOCK if self.terms.is_meant(name) else None

    def _clean_text(self, text: str) -> str:
        """The text with blocks; nothing of it where a term stands among escapes or elements."""
        left = self.terms.blank_out(text)
        return "" if self.terms.is_meant(left) else left

    def _scrub_stream(self, node: Any) -> None:
        """Text streams (XMP, scripts, XFA, rich text) are cleaned in place."""
        kind, sub = str(node.get("/Type", "")), str(node.get("/Subtype", ""))
        if node.objgen in self._left_alone or kind in ("/ObjStm", "/XRef"):
            return
        if self._roles.spells_nothing(node):
            self._drop_picture_texts(node)
            return
        try:
            data = decode_stream(node)
        except Unsearchable as reason:
            if sub != "/Form":  # appearances go with their comments
                self._empty_stream(node, reason)
            return
        if serves := self._roles.kind(node, data):
            self._scrub_resource(node, serves, data)
        elif is_drawn(node, self._glyphs):
            uncommented_content = self._remove_comments(node, self.terms)
            if uncommented_content is not None:
                node.write(uncommented_content)
        elif is_packed(data) and kind != "/EmbeddedFile":
            self._empty_stream(node, Unsearchable("it is packed"))
        elif kind not in ("/XObject", "/EmbeddedFile"):
            self._scrub_encoded_text(node, data)

    def _scrub_encoded_text(self, node: Any, data: bytes) -> None:
        for encoding in _list_encodings(data):
            text = data.decode(encoding, "replace")
            if self.terms.is_meant(text):
                self._scrub_text(node, text, "utf-8" if encoding == "utf-16" else encoding)
                return

    def _drop_picture_texts(self, picture: Any) -> None:
        """Take the texts out of the file of a picture that hold a term; no pixel changes."""
        left = without_texts(picture, self.terms.is_meant)
        if left is not None:
            picture.write(left, filter=picture.Filter, decode_parms=picture.get("/DecodeParms"))
            self.cleaned["texts in the files of pictures"] += 1

    def _scrub_text(self, node: Any, text: str, encoding: str) -> None:
        left = text
        if xmp.is_xmp(node):
            left, dates = xmp.without_dates(text, self.terms.contains)
            self.cleaned["dates"] += dates
            if xmp.in_markup(left, self.terms.contains):
                self._unreadable.add(node.objgen)
                left = ""
        clean = self._clean_text(left)
        self.cleaned["metadata, scripts and other streams"] += clean != left or not left
        node.write(clean.encode(encoding, "replace"))

    def pages(self, numbers: list[int], terms: Terms) -> None:
        """Take the comments that hold a term out of the content of pages."""
        for page in [self.pdf.pages[number - 1] for number in numbers]:
            uncommented_content = self._remove_comments(page, terms)
            if uncommented_content is not None:
                page.obj["/Contents"] = make_stream(self.pdf, uncommented_content)

    def _remove_comments(self, source: Any, terms: Terms) -> bytes | None:
        try:
            content = content_without_comments(source, terms.find)
        except Unsearchable:  # it goes when the saved file is searched
            return None
        self.cleaned["comments in content"] += content is not None
        return content

    def _scrub_resource(self, stream: Any, kind: Kind, data: bytes) -> None:
        left = without_terms(kind, data, self.terms.find)
        if left != data:
            stream.write(left)
            self.cleaned["CMaps, color profiles and functions"] += 1

    def _empty_stream(self, stream: Any, reason: Unsearchable) -> None:
        self.warnings.append(empty_stream(stream, reason))
        self.cleaned[EMPTIED_STREAMS] += 1

    def _scrub_appearances(self, page: Any, number: int) -> None:
        """Annotations whose appearance still shows a term, or may, lose it."""
        for annotation in _list_annotations(page):
            if self._shows_term(annotation, number):
                self._drop_appearance(annotation)
                self.cleaned["appearances of fields and comments"] += 1
                if annotation.get("/Subtype") != "/Widget" and annotation.get("/Subtype") not in _MARKUP_SUBTYPES:
                    flags = annotation.get("/F", 0)
                    annotation["/F"] = (flags if isinstance(flags, int) else 0) | 2

    def _drop_looks(self, node: Any) -> None:
        """The appearances of a field show its old value."""
        import pikepdf

        child_fields = node.get("/Kids")
        for widget in [node, *(child_fields if isinstance(child_fields, pikepdf.Array) else [])]:
            if isinstance(widget, pikepdf.Dictionary) and "/AP" in widget:
                self._drop_appearance(widget)

    def _drop_appearance(self, annotation: Any) -> None:
        del annotation["/AP"]
        if annotation.is_indirect:
            self.undressed.add(annotation.objgen)

    def _shows_term(self, annotation: Any, number: int) -> bool:
        try:
            faces = [read_displayed_text(self.pdf, face) for face in _list_appearances(annotation)]
            if not any(map(self.terms.appear_in, faces)) and any(map(self.terms.hidden, faces)):
                raise Unsearchable(UNREAD)
            return any(map(self.terms.appear_in, faces))
        except Unsearchable as reason:
            what = f"the appearance of a field or comment on page {number}"
            self.warnings.append(f"{what} cannot be searched ({reason}); it was removed")
            return True


def _list_appearances(annotation: Any) -> list[Any]:
    """The streams that show an annotation, in each of its states (ISO 32000-1, 12.5.5)."""
    import pikepdf

    appearances, waiting, seen = [], [(annotation.get("/AP"), 0)], set()
    while waiting:
        node, depth = waiting.pop()
        if isinstance(node, pikepdf.Object) and node.is_indirect:
            if node.objgen in seen:
                continue
            seen.add(node.objgen)
        if isinstance(node, pikepdf.Stream):
            appearances.append(node)
        elif isinstance(node, pikepdf.Dictionary) and depth < 4:
            waiting += [(node.get(key), depth + 1) for key in node.keys()]  # noqa: SIM118 - no mapping of Python
    return appearances


def _list_annotations(page: Any) -> list[Any]:
    """The annotations of a page; what else may stand among them is left out."""
    return list_dictionaries(page.obj, "/Annots")


def _is_touched(annotation: Any, boxes: list[Box]) -> bool:
    if "/Rect" not in annotation or annotation.get("/Subtype") == "/Popup":
        return False
    try:
        x0, y0, x1, y1 = (float(value) for value in annotation["/Rect"])
    except (TypeError, ValueError):  # no place: no viewer shows it
        return True
    rect = (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
    return any(has_overlap(rect, box) for box in boxes)


def _popup_of(annotation: Any, gone: set[Any]) -> bool:
    parent = annotation.get("/Parent")
    return bool(annotation.get("/Subtype") == "/Popup" and parent is not None and parent.objgen in gone)


def _empty_field(annotation: Any) -> None:
    """Values of a field whose widget goes must go, too, wherever they are kept."""
    node, depth = annotation, 0
    while node is not None and depth < 20:
        for key in ("/V", "/DV", "/RV", "/AP", "/I"):
            if key in node and (key != "/AP" or node is annotation):
                del node[key]
        node, depth = node.get("/Parent") if "/FT" not in node else None, depth + 1


def _pages_of(element: Any) -> set[Any]:
    """Object numbers of the pages on which a structure element has content (ISO 32000-1, 14.7.4)."""
    import pikepdf

    page_references, seen, waiting = set(), set(), [element]
    while waiting:
        node = waiting.pop()
        if isinstance(node, pikepdf.Array):
            waiting += list(node)
        elif isinstance(node, pikepdf.Dictionary) and not (node.is_indirect and node.objgen in seen):
            seen.add(node.objgen)
            page = node.get("/Pg")
            page_references |= {page.objgen} if isinstance(page, pikepdf.Dictionary) else set()
            waiting.append(node.get("/K"))
    return page_references


def _holds_stream(node: Any, depth: int) -> bool:
    import pikepdf

    if isinstance(node, pikepdf.Stream) or depth > _PRIVATE_DEPTH:
        return True
    return any(_holds_stream(value, depth + 1) for value in values_of(node))


def _list_encodings(data: bytes) -> list[str]:
    """The encodings in which a stream may be text: none where it is none."""
    if data[:2] in (b"\xfe\xff", b"\xff\xfe"):
        return ["utf-16"]
    if b"\0" in data[:4096]:
        return []
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return ["cp1252", "latin-1"]
    return ["utf-8"]
