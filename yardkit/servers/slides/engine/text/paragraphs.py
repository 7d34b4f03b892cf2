"""Text of shapes: written as paragraphs with levels, bullets and formatted runs; formatted; measured to fit."""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass
from typing import Any, Literal

from yardkit.servers.slides.engine.inputs import Paragraph, Run
from yardkit.servers.slides.engine.package.shape_tree import A, P, R, find_shape, text_body
from yardkit.servers.slides.engine.package.units import make_solid_fill
from yardkit.world import Problem

ALIGN = {"left": "l", "center": "ctr", "right": "r", "justify": "just"}
_LINK = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink"
_SLIDE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/slide"
_FORMULA = "{http://schemas.microsoft.com/office/drawing/2010/main}m"
_FORMULA_TEXT = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff]")
Autofit = Literal["none", "shrink", "resize"]
Align = Literal["left", "center", "right", "justify"]


@dataclass(frozen=True)
class Format:
    """A format of characters; what is None stays."""

    bold: bool | None = None
    italic: bool | None = None
    underline: bool | None = None
    size_pt: float | None = None
    color: str | None = None
    font: str | None = None


def clean_text(text: str) -> str:
    """The text, which XML must be able to hold.

    Raises:
        Problem: it has control characters.
    """
    control_match = _CONTROL.search(text)
    if control_match:
        raise Problem(
            f"the text contains the control character {control_match[0]!r} at {control_match.start()}; remove it"
        )
    return text


def parse_line(text: str) -> Paragraph:
    """A paragraph of plain text; leading tabs are its level."""
    bare = text.lstrip("\t")
    return Paragraph(text=bare, level=min(len(text) - len(bare), 8))


def as_paragraphs(given: list[Any]) -> list[Paragraph]:
    return [parse_line(name) if isinstance(name, str) else name for name in given]


def write_paragraphs(owner: Any, body: Any, paragraphs: list[Paragraph], *, append: bool = False) -> None:
    """Put paragraphs into a text body; they take the format of those they replace, level by level.

    `owner` is the slide (for the parts that links point to).
    """
    old = body.findall(f"{A}p")
    if not append:
        for old_paragraph in old:
            body.remove(old_paragraph)
    elif len(old) == 1 and not len(old[0].findall(f"{A}r")):
        body.remove(old[0])
    free = body.find(f"../{P}nvSpPr/{P}nvPr/{P}ph") is None
    for paragraph in paragraphs or [Paragraph()]:
        body.append(_new_paragraph(owner, paragraph, old, free=free))


def _new_paragraph(owner: Any, paragraph: Paragraph, old: list[Any], *, free: bool) -> Any:
    """A paragraph like the old one of its level; outside of placeholders, where levels have no looks, like the last."""
    from lxml import etree

    like = _find_like_paragraph(old, paragraph.level)
    element = body_element = etree.SubElement(etree.Element(f"{A}txBody"), f"{A}p")
    properties = None if like is None else like.find(f"{A}pPr")
    if properties is not None:
        element.append(copy.deepcopy(properties))
    elif like is None and free and old:
        like = old[-1]
        aligned = [
            old_properties.get("algn") for old_properties in old[-1].iterfind(f"{A}pPr") if old_properties.get("algn")
        ]
        element.extend(etree.Element(f"{A}pPr", algn=algn) for algn in aligned)
    format_paragraph(element, paragraph)
    first = None if like is None else like.find(f"{A}r/{A}rPr")
    for run in paragraph.runs or [Run(paragraph.text)]:
        for number, piece in enumerate(clean_text(run.text).split("\n")):
            if number:
                etree.SubElement(element, f"{A}br")
            if piece:
                add_run(owner, element, run, piece, first)
    return _to_typed_element(body_element)


def _to_typed_element(element: Any) -> Any:
    """The element as one of python-pptx's classes."""
    from lxml import etree
    from pptx.oxml import parse_xml

    return parse_xml(etree.tostring(element))


def _find_like_paragraph(old: list[Any], level: int | None) -> Any:
    filled = [paragraph for paragraph in old if paragraph.find(f"{A}r") is not None] or old
    for filled_paragraph in filled:
        properties = filled_paragraph.find(f"{A}pPr")
        if int(properties.get("lvl", "0") if properties is not None else 0) == (level or 0):
            return filled_paragraph
    return filled[-1] if filled and level is None else None


def add_run(owner: Any, element: Any, run: Run, text: str, like: Any) -> Any:
    """Add a run to a paragraph, in the format of the `a:rPr` `like` where that is given."""
    from lxml import etree

    run_element = etree.SubElement(element, f"{A}r")
    properties = etree.SubElement(run_element, f"{A}rPr") if like is None else copy.deepcopy(like)
    if like is not None:
        run_element.append(properties)
        for link in properties.findall(f"{A}hlinkClick"):
            properties.remove(link)
    apply_format(properties, Format(run.bold, run.italic, run.underline, run.size_pt, run.color, run.font))
    if run.link is not None:
        set_link(owner, properties, run.link)
    etree.SubElement(run_element, f"{A}t").text = clean_text(text)
    return run_element


def format_paragraph(element: Any, paragraph: Paragraph) -> None:
    """Change the format of an `a:p` where `paragraph` says so."""
    from lxml import etree

    properties = element.find(f"{A}pPr")
    if properties is None:
        properties = etree.Element(f"{A}pPr")
        element.insert(0, properties)
    if paragraph.level is not None:
        if not 0 <= paragraph.level <= 8:
            raise Problem(f"{paragraph.level} is not a valid level; use 0 to 8")
        properties.set("lvl", str(paragraph.level)) if paragraph.level else properties.attrib.pop("lvl", None)
    if paragraph.align:
        properties.set("algn", ALIGN[paragraph.align])
    _set_spacing(
        properties, "lnSpc", None if paragraph.line_spacing is None else ("spcPct", paragraph.line_spacing * 1000)
    )
    _set_spacing(
        properties, "spcBef", None if paragraph.space_before_pt is None else ("spcPts", paragraph.space_before_pt)
    )
    _set_spacing(
        properties, "spcAft", None if paragraph.space_after_pt is None else ("spcPts", paragraph.space_after_pt)
    )
    if paragraph.bullet:
        _set_bullet(properties, paragraph.bullet, paragraph.level or 0)
    if not len(properties) and not properties.attrib:
        element.remove(properties)


def _set_spacing(properties: Any, tag: str, value: tuple[str, float] | None) -> None:
    from lxml import etree

    if value is None:
        return
    for old in properties.findall(f"{A}{tag}"):
        properties.remove(old)
    order = ("lnSpc", "spcBef", "spcAft")
    at = sum(properties.find(f"{A}{other}") is not None for other in order[: order.index(tag)])
    element = etree.Element(f"{A}{tag}")
    etree.SubElement(element, f"{A}{value[0]}", val=str(round(value[1] * 100)))
    properties.insert(at, element)


def _set_bullet(properties: Any, kind: str, level: int) -> None:
    from lxml import etree

    for tag in ("buNone", "buAutoNum", "buChar", "buBlip", "buFont", "buFontTx"):
        for old in properties.findall(f"{A}{tag}"):
            properties.remove(old)
    before = ("lnSpc", "spcBef", "spcAft", "buClrTx", "buClr", "buSzTx", "buSzPct", "buSzPts")
    at = sum(properties.find(f"{A}{tag}") is not None for tag in before)
    if kind == "none":
        properties.insert(at, etree.Element(f"{A}buNone"))
        properties.set("marL", "0")
        properties.set("indent", "0")
        return
    properties.set("marL", str(342_900 * (level + 1)))
    properties.set("indent", "-342900" if kind == "number" else "-285750")
    properties.insert(at, etree.Element(f"{A}buFont", typeface="+mj-lt" if kind == "number" else "Arial"))
    bullet_element = (
        etree.Element(f"{A}buAutoNum", type="arabicPeriod")
        if kind == "number"
        else etree.Element(f"{A}buChar", char="•")
    )
    properties.insert(at + 1, bullet_element)


def apply_format(properties: Any, change: Format) -> None:
    """Change an `a:rPr` (or `a:defRPr`, `a:endParaRPr`)."""
    from lxml import etree

    for key, value in (("b", change.bold), ("i", change.italic)):
        if value is not None:
            properties.set(key, str(int(value)))
    if change.underline is not None:
        properties.set("u", "sng" if change.underline else "none")
    if change.size_pt is not None:
        if not 1 <= change.size_pt <= 4000:
            raise Problem(f"{change.size_pt:g} pt is not a valid text size; use 1 to 4000")
        properties.set("sz", str(round(change.size_pt * 100)))
    if change.color:
        _drop_children(properties, "solidFill", "noFill", "gradFill", "blipFill", "pattFill", "grpFill")
        properties.insert(1 if properties.find(f"{A}ln") is not None else 0, make_solid_fill(change.color))
    if change.font:
        _drop_children(properties, "latin", "cs")
        before = (
            "ln",
            "solidFill",
            "noFill",
            "gradFill",
            "effectLst",
            "effectDag",
            "highlight",
            "uLn",
            "uFill",
            "uLnTx",
        )
        at = sum(properties.find(f"{A}{tag}") is not None for tag in before)
        properties.insert(at, etree.Element(f"{A}latin", typeface=change.font))


def _drop_children(properties: Any, *tags: str) -> None:
    for tag in tags:
        for old in properties.findall(f"{A}{tag}"):
            properties.remove(old)


def set_link(owner: Any, holder: Any, link: str) -> None:
    """Point `a:rPr` or `p:cNvPr` to a URL or, with #3, to slide 3; take the link away where `link` is empty."""
    from lxml import etree

    for old in holder.findall(f"{A}hlinkClick"):
        holder.remove(old)
    if not link:
        return
    element = etree.Element(f"{A}hlinkClick")
    jump = re.fullmatch(r"#(\d+)", link.strip())
    if jump:
        slides = list(owner.part.package.presentation_part.presentation.slides)
        if not 1 <= int(jump[1]) <= len(slides):
            raise Problem(f"the link target, slide {jump[1]}, does not exist; the deck has slides 1 to {len(slides)}")
        element.set(f"{R}id", owner.part.rels.get_or_add(_SLIDE, slides[int(jump[1]) - 1].part))
        element.set("action", "ppaction://hlinksldjump")
    elif re.match(r"(https?|mailto|tel|ftp):", link, re.IGNORECASE):
        element.set(f"{R}id", owner.part.rels.get_or_add_ext_rel(_LINK, link))
    else:
        raise Problem(
            f"{link!r} is not a valid link; use a URL with https:, http:, mailto:, tel: or ftp:, or #3 for slide 3"
        )
    after = [
        child for child in holder if child.tag in (f"{A}rtl", f"{A}extLst", f"{A}hlinkMouseOver", f"{A}hlinkHover")
    ]
    holder.insert(list(holder).index(after[0]) if after else len(holder), element)


def body_of(slide: Any, key: int | str) -> Any:
    """The text body of a shape.

    Raises:
        Problem: the shape holds no text.
    """
    shape = find_shape(slide, key).shape
    body = text_body(shape)
    if body is None and shape._element.tag.endswith("}sp"):
        body = shape._element.get_or_add_txBody()
    if body is None:
        raise Problem(f"shape {shape.shape_id} {shape.name!r} has no text itself; use the tool for tables or charts")
    return body


def read_text(body: Any) -> str:
    """The text of a body: paragraphs by line feeds, line breaks as vertical tabs read back as line feeds too."""
    return "\n".join(paragraph_text(paragraph) for paragraph in body.iterfind(f"{A}p"))


def paragraph_text(paragraph: Any) -> str:
    return "".join("\n" if child.tag == f"{A}br" else run_text(child) for child in paragraph)


def run_text(run: Any) -> str:
    """The text of a run or field, and the letters of a formula."""
    if run.tag in (f"{A}r", f"{A}fld"):
        return run.findtext(f"{A}t") or ""
    return "".join(text.text or "" for text in run.iter(_FORMULA_TEXT)) if run.tag == _FORMULA else ""
