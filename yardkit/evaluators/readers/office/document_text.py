"""The text of Word's XML in three views: changes accepted, changes rejected, and only what is deleted."""

from collections.abc import Iterator
from typing import Any, Literal

from yardkit.evaluators.readers.office.document_styles import w

Tracked = Literal["", "inserted", "deleted"]
View = Literal["accepted", "rejected", "deleted"]

_INSERTION_TAGS = {w("ins"), w("moveTo")}
_DELETION_TAGS = {w("del"), w("moveFrom")}
_HIDDEN_TAGS = {w("drawing"), w("pict"), w("object"), w("instrText"), w("delInstrText"), w("pPr"), w("rPr")}
_TAG_CHARACTERS = {w("tab"): "\t", w("br"): "\n", w("cr"): "\n", w("noBreakHyphen"): "-", w("ptab"): "\t"}
_MATH_TEXT = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"


def text_of(element: Any, view: View = "accepted") -> str:
    """The text in an element; text boxes, field codes and fallbacks left out."""
    return "".join(_pieces(element, view))


def texts(paragraph: Any) -> tuple[str, str]:
    """The text of a paragraph with changes accepted, and with changes rejected."""
    return text_of(paragraph), text_of(paragraph, "rejected")


def coded_text(paragraph: Any) -> str:
    """The text of a paragraph with ``{PAGE}`` and the like in place of what its fields show."""
    pieces: list[str] = []
    depth, shown = 0, True
    for element in paragraph.iter(w("t"), w("tab"), w("instrText"), w("fldChar"), w("fldSimple")):
        if element.tag == w("fldSimple"):
            pieces.append(f"{{{_keyword(element.get(w('instr'), ''))}}}")
        elif element.tag == w("fldChar"):
            kind = element.get(w("fldCharType"))
            depth += {"begin": 1, "end": -1}.get(kind, 0)
            shown = depth <= 0
        elif element.tag == w("instrText"):
            pieces.append(f"{{{_keyword(element.text or '')}}}" if _keyword(element.text or "") else "")
        elif shown and next(element.iterancestors(w("fldSimple")), None) is None:
            pieces.append("\t" if element.tag == w("tab") else element.text or "")
    return "".join(pieces)


def _keyword(code: str) -> str:
    return code.split()[0].upper() if code.split() else ""


def _pieces(element: Any, view: View) -> Iterator[str]:
    for child in element:
        tag = child.tag
        if tag in _HIDDEN_TAGS or tag == _FALLBACK or _left_out(tag, view):
            continue
        if tag in (w("t"), _MATH_TEXT):
            yield child.text or ""
        elif tag == w("delText"):
            yield (child.text or "") if view != "accepted" else ""
        elif tag == w("sym"):
            yield _symbol(child)
        elif tag in _TAG_CHARACTERS:
            yield _TAG_CHARACTERS[tag]
        else:
            yield from _pieces(child, view)


def _left_out(tag: Any, view: View) -> bool:
    return (view == "accepted" and tag in _DELETION_TAGS) or (view == "rejected" and tag in _INSERTION_TAGS)


def _symbol(element: Any) -> str:
    code = int(element.get(w("char"), "0"), 16)
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else ""
