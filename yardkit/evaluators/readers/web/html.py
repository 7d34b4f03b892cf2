"""Reading delivered HTML like a browser: title, headings, links, pictures, tables, text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from yardkit.evaluators.readers.files import parse_file
from yardkit.evaluators.submission import Submission

__all__ = ["Html", "parse_html", "read_html"]

MAX_BYTES = 1_000_000
MAX_DEPTH = 500
MAX_ELEMENTS = 100_000
MAX_ATTRIBUTES = 1_000
"""The parser compares each attribute of a tag with all before it, and looks through all open elements at each tag."""
_QUOTED = re.compile(rb"""=\s*(?:"[^"]*"|'[^']*')""")
_TAG = re.compile(rb"""<[A-Za-z](?:"[^"]*"|'[^']*'|[^"'>])*""")
_UNSEEN_TAGS = {"script", "style", "template", "noscript", "head", "title"}
_BLOCKS = """
    address article aside blockquote br dd div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main
    nav ol p pre section table td th tr ul
"""
_EDGES = frozenset(_BLOCKS.split())


@dataclass(frozen=True)
class Html:
    """A page.

    Attributes:
        headings: the level and text of headings in order.
        links: the text and address of links in order.
        pictures: the address and alternative text of pictures in order.
        tables: the rows of texts of each table; nested tables are also listed separately.
        loads: the addresses of scripts, styles, pictures, frames and media that it fetches.
        tree: the root element (html5lib on xml.etree, without namespaces).
    """

    title: str
    language: str
    text: str
    headings: tuple[tuple[int, str], ...]
    links: tuple[tuple[str, str], ...]
    pictures: tuple[tuple[str, str], ...]
    tables: tuple[tuple[tuple[str, ...], ...], ...]
    loads: tuple[str, ...]
    styles: str = field(repr=False)
    scripts: str = field(repr=False)
    tree: Any = field(repr=False, compare=False)


def read_html(submission: Submission, relative: str) -> Html:
    """Read a delivered HTML page.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is far too large, or not text.
    """
    return parse_file(submission, relative, parse_html, "HTML page")


def parse_html(path: Path) -> Html:
    """Parse the page at `path`; it may raise any exception."""
    import html5lib

    data = path.read_bytes()
    if len(data) > MAX_BYTES:
        raise ValueError(f"{len(data):,} bytes are more than {MAX_BYTES:,}")
    if b"\0" in data[:1000] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ValueError("it is not text")
    if any(len(_QUOTED.sub(b"= ", tag).split()) > MAX_ATTRIBUTES for tag in _TAG.findall(data)):
        raise ValueError(f"a tag has more than {MAX_ATTRIBUTES:,} attributes")
    tree = html5lib.HTMLParser(tree=_bounded_builder(), namespaceHTMLElements=False).parse(data)
    return Html(
        title=" ".join((tree.findtext(".//title") or "").split()),
        language=tree.get("lang", ""),
        text=show_text(tree),
        headings=tuple(
            (int(e.tag[1]), _read_inline_text(e)) for e in tree.iter() if e.tag in ("h1", "h2", "h3", "h4", "h5", "h6")
        ),
        links=tuple((_read_inline_text(e), e.get("href", "")) for e in tree.iter("a") if e.get("href")),
        pictures=tuple((e.get("src", ""), e.get("alt", "")) for e in tree.iter("img")),
        tables=tuple(_read_table(e) for e in tree.iter("table")),
        loads=tuple(_list_loads(tree)),
        styles="\n".join(e.text or "" for e in tree.iter("style")),
        scripts="\n".join(e.text or "" for e in tree.iter("script")),
        tree=tree,
    )


@cache
def _bounded_builder() -> Any:
    """Make html5lib's tree builder with limits on depth and size, so that no page takes endless time."""
    import html5lib

    class Builder(html5lib.getTreeBuilder("etree")):  # type: ignore[misc]
        elements = 0

        def insertElementNormal(self, token: Any) -> Any:  # noqa: N802 - the name in html5lib
            self._count()
            return super().insertElementNormal(token)

        def insertElementTable(self, token: Any) -> Any:  # noqa: N802 - the name in html5lib
            self._count()
            return super().insertElementTable(token)

        def _count(self) -> None:
            self.elements += 1
            if self.elements > MAX_ELEMENTS or len(self.openElements) > MAX_DEPTH:
                raise ValueError(f"it has more than {MAX_ELEMENTS:,} elements, or more than {MAX_DEPTH} in each other")

    return Builder


def show_text(element: Any) -> str:
    """Return the text of an element, a line per block, with white space as in a browser."""
    lines = "".join(_list_pieces(element, 0)).split("\n")
    return "\n".join(line for name in lines if (line := " ".join(name.split())))


def _list_pieces(element: Any, depth: int) -> Iterator[str]:
    if depth > 400 or not isinstance(element.tag, str):
        return
    if element.tag in _UNSEEN_TAGS or element.get("hidden") is not None:
        return
    edge = "\n" if element.tag in _EDGES else ""
    yield edge + _normalize_spaces(element.text)
    for child in element:
        yield from _list_pieces(child, depth + 1)
        yield _normalize_spaces(child.tail)
    yield edge


def _normalize_spaces(text: str | None) -> str:
    """Replace the source's line breaks by spaces, as a browser does."""
    return (text or "").replace("\n", " ")


def _read_inline_text(element: Any) -> str:
    return " ".join(show_text(element).split())


def _read_table(table: Any) -> tuple[tuple[str, ...], ...]:
    rows = [row for part in table for row in ([part] if part.tag == "tr" else part) if row.tag == "tr"]
    return tuple(tuple(_read_inline_text(cell) for cell in row if cell.tag in ("td", "th")) for row in rows)


def _list_loads(tree: Any) -> Iterator[str]:
    for element in tree.iter():
        if not isinstance(element.tag, str):
            continue
        if element.tag in ("script", "img", "iframe", "video", "audio", "source", "embed") and element.get("src"):
            yield element.get("src")
        elif element.tag == "link" and element.get("href"):
            yield element.get("href")
