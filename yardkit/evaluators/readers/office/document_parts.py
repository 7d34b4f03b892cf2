"""The parts of a Word document other than its text: pages, comments, changes, notes, fields, pictures."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from yardkit.evaluators.readers.office.document_styles import qualify_word_name, read_attribute
from yardkit.evaluators.readers.office.document_text import Tracked, coded_text, text_of
from yardkit.evaluators.readers.office.packages import Parts

_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
_W15 = "{http://schemas.microsoft.com/office/word/2012/wordml}"
_V = "{urn:schemas-microsoft-com:vml}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
# ECMA-376: 914,400 English Metric Units and 1,440 twips to an inch.
_EMU_PER_MM = 36_000
_TWIPS_PER_MM = 1440 / 25.4
_CHANGE_KINDS = {
    qualify_word_name("ins"): "inserted",
    qualify_word_name("del"): "deleted",
    qualify_word_name("moveTo"): "moved_to",
    qualify_word_name("moveFrom"): "moved_from",
    qualify_word_name("cellIns"): "cell_inserted",
    qualify_word_name("cellDel"): "cell_deleted",
    **{
        qualify_word_name(name): "formatted"
        for name in ("rPrChange", "pPrChange", "tblPrChange", "tcPrChange", "trPrChange", "sectPrChange")
    },
}


@dataclass(frozen=True)
class Section:
    """A section: page size and margins in mm, columns, texts of headers and footers by kind.

    Attributes:
        headers: text by ``default``, ``first``, ``even``; a section without one shows that of the section before.
            Fields are written as ``{PAGE}``.
        title_page: whether the first page has its own header and footer.
    """

    width_mm: float
    height_mm: float
    landscape: bool
    margins_mm: tuple[float, float, float, float]
    columns: int
    headers: dict[str, str]
    footers: dict[str, str]
    title_page: bool
    start: str = "nextPage"


@dataclass(frozen=True)
class Comment:
    """A comment: `anchor` is the text that it is about; `parent` is the id of the comment that it answers, or empty.

    `at` is the paragraph in which it begins, with all changes rejected; empty if it has no place.
    """

    id: str
    author: str
    text: str
    anchor: str
    resolved: bool
    parent: str = ""
    date: str = ""
    at: str = ""


@dataclass(frozen=True)
class Change:
    """An open tracked change.

    Attributes:
        kind: inserted, deleted, moved_to, moved_from, formatted, mark_inserted, mark_deleted (the end of a paragraph),
            row_inserted, row_deleted, cell_inserted, cell_deleted.
        text: the inserted or deleted text; for a change of format, the text that it is about.
        paragraph: the text of its paragraph, with changes accepted.
    """

    kind: str
    author: str
    text: str
    paragraph: str
    part: str
    date: str = ""


@dataclass(frozen=True)
class Note:
    """A footnote or endnote that the text refers to; `at` is the referring paragraph."""

    kind: str
    text: str
    at: str


@dataclass(frozen=True)
class Field:
    r"""A field: its code such as ``PAGE`` or ``TOC \\o "1-3"``, its displayed result, and its part."""

    code: str
    result: str
    part: str


@dataclass(frozen=True)
class Picture:
    """A picture: size in mm, alternative text, digest of its bytes, and its paragraph."""

    width_mm: float
    height_mm: float
    alt: str
    digest: str
    at: str
    inline: bool
    part: str


def read_sections(parts: Parts, main: str, root: Any) -> tuple[Section, ...]:
    """Read the sections in order."""
    relations = parts.read_relations(main)
    sections: list[Section] = []
    for element in root.iter(qualify_word_name("sectPr")):
        if element.getparent().tag == qualify_word_name("sectPrChange"):
            continue
        headers = dict(sections[-1].headers) if sections else {}
        footers = dict(sections[-1].footers) if sections else {}
        for kind, into in (("headerReference", headers), ("footerReference", footers)):
            for reference in element.iterfind(qualify_word_name(kind)):
                relation = relations.get(reference.get(f"{_R}id", ""))
                if relation is not None and relation.target in parts:
                    into[reference.get(qualify_word_name("type"), "default")] = _read_coded_text(
                        parts.xml(relation.target)
                    )
        sections.append(_make_section(element, headers, footers))
    return tuple(sections)


def _make_section(element: Any, headers: dict[str, str], footers: dict[str, str]) -> Section:
    def mm(path: str, attribute: str, default: str) -> float:
        return round(float(read_attribute(element, path, attribute) or default) / _TWIPS_PER_MM, 1)

    width, height = mm("pgSz", "w", "11906"), mm("pgSz", "h", "16838")
    return Section(
        width,
        height,
        landscape=width > height,
        margins_mm=(
            mm("pgMar", "top", "1440"),
            mm("pgMar", "right", "1440"),
            mm("pgMar", "bottom", "1440"),
            mm("pgMar", "left", "1440"),
        ),
        columns=int(read_attribute(element, "cols", "num") or "1"),
        headers=headers,
        footers=footers,
        title_page=element.find(qualify_word_name("titlePg")) is not None,
        start=read_attribute(element, "type") or "nextPage",
    )


def read_comments(parts: Parts, main: str, root: Any) -> tuple[Comment, ...]:
    """Read the comments in the order of the file, with the state of their threads."""
    comment_parts = parts.list_related(main, "comments")
    if not comment_parts:
        return ()
    states = {
        state.get(f"{_W15}paraId"): state
        for part in parts.list_related(main, "commentsExtended")
        for state in parts.xml(part).iter(f"{_W15}commentEx")
    }
    elements = list(parts.xml(comment_parts[0]).iterfind(qualify_word_name("comment")))
    by_paragraph = {
        p.get(f"{_W14}paraId"): element.get(qualify_word_name("id"), "")
        for element in elements
        for p in element.iter(qualify_word_name("p"))
    }
    anchors, places = _map_anchors(root), _map_comment_paragraphs(root)
    return tuple(_make_comment(element, states, by_paragraph, anchors, places) for element in elements)


def _make_comment(
    element: Any, states: Any, by_paragraph: Any, anchors: dict[str, str], places: dict[str, str]
) -> Comment:
    identity = element.get(qualify_word_name("id"), "")
    own = [p.get(f"{_W14}paraId") for p in element.iter(qualify_word_name("p"))]
    state = next((states[name] for name in own if name in states), None)
    parent = "" if state is None else by_paragraph.get(state.get(f"{_W15}paraIdParent"), "")
    resolved = state is not None and state.get(f"{_W15}done", "0") in ("1", "true")
    text = _read_accepted_text(element)
    return Comment(
        identity,
        element.get(qualify_word_name("author"), ""),
        text,
        anchors.get(identity, ""),
        resolved,
        parent,
        _read_date(element),
        places.get(identity, ""),
    )


def _map_comment_paragraphs(root: Any) -> dict[str, str]:
    """Map each comment to the paragraph, changes rejected, in which its text begins, or else of its mark."""
    places: dict[str, str] = {}
    open_now: set[str] = set()
    for element in root.iter(
        *map(qualify_word_name, ("commentRangeStart", "commentRangeEnd", "commentReference", "t", "delText"))
    ):
        identity = element.get(qualify_word_name("id"), "")
        if element.tag == qualify_word_name("commentRangeStart"):
            open_now.add(identity)
            continue
        open_now -= {identity} if element.tag == qualify_word_name("commentRangeEnd") else set()
        begun = {identity} if element.tag == qualify_word_name("commentReference") else open_now
        for key in begun - places.keys():
            paragraph = next(element.iterancestors(qualify_word_name("p")), None)
            if paragraph is not None:
                places[key] = text_of(paragraph, "rejected")
    return places


def _map_anchors(root: Any) -> dict[str, str]:
    """Map each comment to the text that it is about, with changes accepted."""
    anchors: dict[str, str] = {}
    open_now: set[str] = set()
    for element in root.iter():
        if element.tag == qualify_word_name("commentRangeStart"):
            open_now.add(element.get(qualify_word_name("id"), ""))
        elif element.tag == qualify_word_name("commentRangeEnd"):
            open_now.discard(element.get(qualify_word_name("id"), ""))
        elif element.tag == qualify_word_name("t") and open_now and read_tracking(element)[0] != "deleted":
            for identity in open_now:
                anchors[identity] = anchors.get(identity, "") + (element.text or "")
    return anchors


def read_changes(parts: Parts, main: str, root: Any) -> tuple[Change, ...]:
    """Read the open tracked changes of body, headers, footers and notes, joining adjacent ones of a kind and author."""
    changes: list[Change] = []
    last: Any = None
    for part, tree in _list_stories(parts, main, root):
        for element in tree.iter(*_CHANGE_KINDS):
            change = _make_change(element, part)
            if changes and _continues_change(last, element, change, changes[-1]):
                joined = changes[-1].text + change.text
                changes[-1] = Change(change.kind, change.author, joined, change.paragraph, part, changes[-1].date)
            else:
                changes.append(change)
            last = element
    return tuple(changes)


def _continues_change(last: Any, element: Any, change: Change, before: Change) -> bool:
    beside = last is not None and element.getprevious() is last
    return beside and (change.kind, change.author) == (before.kind, before.author)


def _make_change(element: Any, part: str) -> Change:
    kind = _CHANGE_KINDS[element.tag]
    holder = element.getparent()
    if kind in ("inserted", "deleted") and holder.tag == qualify_word_name("rPr"):
        kind = f"mark_{kind}"
    elif kind in ("inserted", "deleted") and holder.tag == qualify_word_name("trPr"):
        kind = f"row_{kind}"
    paragraph = next(element.iterancestors(qualify_word_name("p")), None)
    about: Any = element
    if kind == "formatted":
        about = next(
            (
                block
                for block in element.iterancestors(
                    qualify_word_name("r"), qualify_word_name("p"), qualify_word_name("tbl")
                )
            ),
            element,
        )
    elif kind.startswith(("row", "cell")):
        about = next(element.iterancestors(qualify_word_name("tr")), element)
    view = "deleted" if kind in ("deleted", "moved_from") else "accepted"
    text = "" if kind.startswith("mark") else text_of(about, view)  # type: ignore[arg-type]
    return Change(
        kind,
        element.get(qualify_word_name("author"), ""),
        text,
        text_of(paragraph) if paragraph is not None else "",
        part,
        _read_date(element),
    )


def read_tracking(element: Any) -> tuple[Tracked, str]:
    """Whether an element is in an open insertion or deletion, and its author."""
    for holder in element.iterancestors(
        qualify_word_name("ins"), qualify_word_name("del"), qualify_word_name("moveTo"), qualify_word_name("moveFrom")
    ):
        deleted = holder.tag in (qualify_word_name("del"), qualify_word_name("moveFrom"))
        return ("deleted" if deleted else "inserted"), holder.get(qualify_word_name("author"), "")
    return "", ""


def read_notes(parts: Parts, main: str, root: Any) -> tuple[Note, ...]:
    """Read the footnotes and endnotes in the order in which the text refers to them."""
    notes = []
    for kind in ("footnote", "endnote"):
        texts = {
            element.get(qualify_word_name("id")): _read_accepted_text(element).strip()
            for part in parts.list_related(main, f"{kind}s")
            for element in parts.xml(part).iterfind(qualify_word_name(kind))
        }
        for reference in root.iter(qualify_word_name(f"{kind}Reference")):
            if read_tracking(reference)[0] == "deleted":
                continue
            paragraph = next(reference.iterancestors(qualify_word_name("p")), None)
            at = text_of(paragraph) if paragraph is not None else ""
            notes.append(Note(kind, texts.get(reference.get(qualify_word_name("id")), ""), at))
    return tuple(notes)


def read_fields(parts: Parts, main: str, root: Any) -> tuple[Field, ...]:
    """Read the fields of the body, headers and footers, in the order in which they begin."""
    fields: list[Field] = []
    for part, tree in _list_stories(parts, main, root):
        fields += [
            Field(field.get(qualify_word_name("instr"), "").strip(), text_of(field), part)
            for field in tree.iter(qualify_word_name("fldSimple"))
        ]
        fields += _complex_fields(tree, part)
    return tuple(fields)


def _complex_fields(tree: Any, part: str) -> Iterator[Field]:
    stack: list[dict[str, Any]] = []
    for element in tree.iter(
        qualify_word_name("fldChar"),
        qualify_word_name("instrText"),
        qualify_word_name("t"),
        qualify_word_name("tab"),
        qualify_word_name("p"),
    ):
        if element.tag == qualify_word_name("fldChar"):
            kind = element.get(qualify_word_name("fldCharType"))
            if kind == "begin":
                stack.append({"code": "", "result": "", "shown": False})
            elif kind == "separate" and stack:
                stack[-1]["shown"] = True
            elif stack:
                ended = stack.pop()
                yield Field(ended["code"].strip(), ended["result"].strip(), part)
        elif element.tag == qualify_word_name("instrText") and stack:
            stack[-1]["code"] += element.text or ""
        else:
            piece = {qualify_word_name("tab"): "\t", qualify_word_name("p"): "\n"}.get(element.tag, element.text or "")
            for record in stack:
                record["result"] += piece if record["shown"] else ""


def read_pictures(parts: Parts, main: str, root: Any) -> tuple[Picture, ...]:
    """Read the pictures of the body, headers and footers."""
    pictures = []
    for part, tree in _list_stories(parts, main, root):
        relations = parts.read_relations(part)
        for drawing in tree.iter(f"{_WP}inline", f"{_WP}anchor"):
            blip = next(drawing.iter(f"{_A}blip"), None)
            relation = relations.get(blip.get(f"{_R}embed", "")) if blip is not None else None
            if relation is None or relation.external or relation.target not in parts:
                continue
            extent, about = drawing.find(f"{_WP}extent"), drawing.find(f"{_WP}docPr")
            width, height = (
                int(extent.get(side, "0")) / _EMU_PER_MM if extent is not None else 0 for side in _SIZE_ATTRIBUTES
            )
            digest = hashlib.sha256(parts.read(relation.target)).hexdigest()
            paragraph = next(drawing.iterancestors(qualify_word_name("p")), None)
            at = text_of(paragraph) if paragraph is not None else ""
            alt = about.get("descr", "") if about is not None else ""
            inline = drawing.tag == f"{_WP}inline"
            pictures.append(Picture(round(width, 1), round(height, 1), alt, digest, at, inline, part))
    return tuple(pictures)


_SIZE_ATTRIBUTES = ("cx", "cy")


def find_text_boxes(root: Any) -> Iterator[Any]:
    """Find the text boxes, without the copies for older programs."""
    for box in root.iter(qualify_word_name("txbxContent")):
        if next(box.iterancestors(_FALLBACK), None) is None:
            yield box


def is_in_drawing(run: Any, paragraph: Any) -> bool:
    """Whether a run is in a text box of `paragraph` and not in its own text."""
    return next(run.iterancestors(qualify_word_name("p"))) is not paragraph


def _list_stories(parts: Parts, main: str, root: Any) -> Iterator[tuple[str, Any]]:
    yield main, root
    for kind in ("header", "footer", "footnotes", "endnotes"):
        for part in parts.list_related(main, kind):
            yield part, parts.xml(part)


def _read_accepted_text(element: Any) -> str:
    return "\n".join(text_of(paragraph) for paragraph in element.iter(qualify_word_name("p")))


def _read_coded_text(element: Any) -> str:
    return "\n".join(coded_text(paragraph) for paragraph in element.iter(qualify_word_name("p")))


def _read_date(element: Any) -> str:
    return str(element.get(qualify_word_name("date"), ""))
