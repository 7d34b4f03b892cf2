"""The text of Word's XML in three views: changes accepted, changes rejected, and only deleted text."""

from collections.abc import Iterator
from typing import Any, Literal

from yardkit.evaluators.readers.office.document_styles import qualify_word_name

Tracked = Literal["", "inserted", "deleted"]
View = Literal["accepted", "rejected", "deleted"]

_INSERTION_TAGS = {qualify_word_name("ins"), qualify_word_name("moveTo")}
_DELETION_TAGS = {qualify_word_name("del"), qualify_word_name("moveFrom")}
_HIDDEN_TAGS = {
    qualify_word_name("drawing"),
    qualify_word_name("pict"),
    qualify_word_name("object"),
    qualify_word_name("instrText"),
    qualify_word_name("delInstrText"),
    qualify_word_name("pPr"),
    qualify_word_name("rPr"),
}
_TAG_CHARACTERS = {
    qualify_word_name("tab"): "\t",
    qualify_word_name("br"): "\n",
    qualify_word_name("cr"): "\n",
    qualify_word_name("noBreakHyphen"): "-",
    qualify_word_name("ptab"): "\t",
}
_MATH_TEXT = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"


def text_of(element: Any, view: View = "accepted") -> str:
    """Read the text in an element, without text boxes, field codes and fallbacks."""
    return "".join(_list_pieces(element, view))


def read_both_texts(paragraph: Any) -> tuple[str, str]:
    """Read the text of a paragraph with changes accepted, and with changes rejected."""
    return text_of(paragraph), text_of(paragraph, "rejected")


def coded_text(paragraph: Any) -> str:
    """Read the text of a paragraph with ``{PAGE}`` and similar codes in place of the results of fields."""
    pieces: list[str] = []
    depth, visible = 0, True
    for element in paragraph.iter(
        qualify_word_name("t"),
        qualify_word_name("tab"),
        qualify_word_name("instrText"),
        qualify_word_name("fldChar"),
        qualify_word_name("fldSimple"),
    ):
        if element.tag == qualify_word_name("fldSimple"):
            pieces.append(f"{{{_read_keyword(element.get(qualify_word_name('instr'), ''))}}}")
        elif element.tag == qualify_word_name("fldChar"):
            kind = element.get(qualify_word_name("fldCharType"))
            depth += {"begin": 1, "end": -1}.get(kind, 0)
            visible = depth <= 0
        elif element.tag == qualify_word_name("instrText"):
            pieces.append(f"{{{_read_keyword(element.text or '')}}}" if _read_keyword(element.text or "") else "")
        elif visible and next(element.iterancestors(qualify_word_name("fldSimple")), None) is None:
            pieces.append("\t" if element.tag == qualify_word_name("tab") else element.text or "")
    return "".join(pieces)


def _read_keyword(code: str) -> str:
    return code.split()[0].upper() if code.split() else ""


def _list_pieces(element: Any, view: View) -> Iterator[str]:
    for child in element:
        tag = child.tag
        if tag in _HIDDEN_TAGS or tag == _FALLBACK or _left_out(tag, view):
            continue
        if tag in (qualify_word_name("t"), _MATH_TEXT):
            yield child.text or ""
        elif tag == qualify_word_name("delText"):
            yield (child.text or "") if view != "accepted" else ""
        elif tag == qualify_word_name("sym"):
            yield _decode_symbol(child)
        elif tag in _TAG_CHARACTERS:
            yield _TAG_CHARACTERS[tag]
        else:
            yield from _list_pieces(child, view)


def _left_out(tag: Any, view: View) -> bool:
    return (view == "accepted" and tag in _DELETION_TAGS) or (view == "rejected" and tag in _INSERTION_TAGS)


def _decode_symbol(element: Any) -> str:
    code = int(element.get(qualify_word_name("char"), "0"), 16)
    # NUL and surrogates are not valid in text.
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else ""
