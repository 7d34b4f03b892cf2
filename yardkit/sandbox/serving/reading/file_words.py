"""The words in a file, found by code that is independent of the servers that read it."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from yardkit.kit.ooxml.package import Package
from yardkit.kit.ooxml.xml import parse_part
from yardkit.world import Problem
from yardkit.world.limits import check_bytes

_WORD = re.compile(r"[^\W_]+")
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_STORIES = {"document", "hdr", "ftr", "footnotes", "endnotes", "comments", "sld", "notes", "cmLst"}
_NO_STORIES = ("customXml/", "docProps/")
_DRAWN = {"chartSpace", "dataModel"}
_PATTERNS = {"sldLayout", "sldMaster"}
_LEFT_OUT = {"del", "moveFrom", "instrText", "delText", "pPr", "rPr", "oMath", "oMathPara", "m"}
_SPACES = {"tab", "br", "cr", "ptab"}
_DESCRIBED = {"docPr": "descr", "cNvPr": "descr", "textpath": "string"}
_NO_TEXT = {"script", "style", "template", "noscript", "head", "object", "video", "audio", "iframe", "canvas", "math"}
_SEEN_ATTRIBUTES = ("alt", "placeholder", "label")


def list_words(text: str) -> list[str]:
    """List the words of a text: letters and digits, without invisible characters."""
    return _WORD.findall(unicodedata.normalize("NFC", _UNSEEN.sub("", text)))


def list_file_words(path: Path) -> list[str]:
    """List the words of a .docx, .pptx, .pdf or .html file, in order.

    Formulas, which tools show as LaTeX, and tracked deletions are left out.

    Raises:
        Problem: the file is too large or damaged.
    """
    check_bytes(path)
    return [word for text in _READERS[path.suffix.lower()](path) for word in list_words(text)]


def _in_office(path: Path) -> Iterator[str]:
    package = Package.open(path)
    for name in sorted(name for name in package.names() if name.endswith(".xml") and not name.startswith(_NO_STORIES)):
        root = parse_part(package.read(name), name)
        kind = _get_local_name(root)
        if kind in _STORIES | _DRAWN:
            yield from _list_texts(root)
        elif kind in _PATTERNS:
            shapes = (element for element in root.iter() if _get_local_name(element) == "sp")
            yield from (text for shape in shapes if not _is_place(shape) for text in _list_texts(shape))


def _is_place(shape: Any) -> bool:
    return any(_get_local_name(element) == "ph" for element in shape.iter())


def _list_texts(root: Any) -> Iterator[str]:
    """List the paragraphs below an element, the descriptions of drawings, and the texts in charts' data."""
    for element in _in_newer_version(root):
        name = _get_local_name(element)
        if name == "p":
            yield "".join(_list_letters(element))
        elif name in _DESCRIBED:
            yield element.get(_DESCRIBED[name]) or ""
        elif name == "text" or (name == "v" and _get_local_name(element.getparent().getparent()) == "strCache"):
            yield element.text or ""


def _in_newer_version(root: Any) -> Iterator[Any]:
    """Yield all elements without deleted ones; of content in two versions, the newer one."""
    yield root
    for child in root:
        if _get_local_name(child) == "AlternateContent":
            yield from _in_newer_version(_choose_version(child))
        elif _get_local_name(child) not in _LEFT_OUT:
            yield from _in_newer_version(child)


def _choose_version(both: Any) -> Any:
    """Choose the newer of two versions, or the older one if only that has text."""
    return next(
        (version for version in both if any(node.text for node in version.iter() if _get_local_name(node) == "t")),
        both[0],
    )


def _list_letters(element: Any) -> Iterator[str]:
    """List the letters of a paragraph without those of nested paragraphs, which are read separately."""
    for child in element:
        name = _get_local_name(child)
        if child.get("type") == "slidenum":
            continue
        if name == "AlternateContent":
            yield from _list_letters(_choose_version(child))
        elif name == "t":
            yield child.text or ""
        elif name in _SPACES:
            yield " "
        elif name == "rt":
            yield from (" ", *_list_letters(child), " ")
        elif name not in _LEFT_OUT and name != "p":
            yield from _list_letters(child)


def _get_local_name(element: Any) -> str:
    return element.tag.rpartition("}")[2] if element is not None and isinstance(element.tag, str) else ""


def _in_pdf(path: Path) -> Iterator[str]:
    import pypdfium2

    from yardkit.kit.pages.raster import LOCK

    with LOCK:
        try:
            document = pypdfium2.PdfDocument(path)
        except pypdfium2.PdfiumError as error:
            raise Problem(f"{path.name!r} cannot be opened ({error}); it is damaged or asks for a password") from error
        try:
            for page in document:
                yield page.get_textpage().get_text_range().replace("\ufffe\r\n", "").replace("\ufffe", "")
        finally:
            document.close()


def _in_page(path: Path) -> Iterator[str]:
    import html5lib

    yield from _list_visible_texts(html5lib.parse(path.read_bytes(), namespaceHTMLElements=False))


def _list_visible_texts(element: Any) -> Iterator[str]:
    name = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
    if not name or name in _NO_TEXT or element.get("hidden") is not None:
        return
    yield element.text or ""
    yield from (element.get(attribute) or "" for attribute in _SEEN_ATTRIBUTES if name != "label")
    if name == "input" and element.get("type") not in ("hidden", "password", "checkbox", "radio", "file", "image"):
        yield element.get("value") or ""
    for child in element:
        yield from _list_visible_texts(child)
        yield child.tail or ""


_READERS: dict[str, Callable[[Path], Iterator[str]]] = {
    ".docx": _in_office,
    ".pptx": _in_office,
    ".pdf": _in_pdf,
    ".html": _in_page,
    ".htm": _in_page,
}
SUFFIXES = tuple(_READERS)
