"""An HTML file: its bytes, its text, its tree, and where each element stands in it."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from yardkit.servers.html.engine.located_parser import Place, parse_located
from yardkit.servers.html.engine.nesting import check_nesting
from yardkit.world import Problem, save_bytes
from yardkit.world.decoding import BOMS, decode_file, is_binary
from yardkit.world.limits import check_bytes

MAX_BYTES = 5_000_000
_PICTURE = re.compile(r"[\s,]*(\S*[^\s,])((?:\s+[^\s,]+)?)\s*(?:,|$)")
_BINARY_SIGNATURES = (b"PK\x03\x04", b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"\xd0\xcf\x11\xe0", b"GIF8")


@dataclass(frozen=True)
class Splice:
    """A change: the text from `start` to `end` (offsets) becomes `new`."""

    start: int
    end: int
    new: str


@dataclass(frozen=True)
class Page:
    """A page. Offsets count characters of `text`, in which all line ends are line feeds; `original` has its own."""

    name: str
    original: str
    encoding: str = "utf-8"
    bom: bytes = b""

    @cached_property
    def text(self) -> str:
        return self.original.replace("\r\n", "\n").replace("\r", "\n")

    @cached_property
    def _parsed(self) -> Any:
        check_nesting(self.text, self.name)
        return parse_located(self.text)

    @property
    def root(self) -> Any:
        return self._parsed.root

    @property
    def errors(self) -> list[tuple[int, str]]:
        """Where the parser had to guess: (offset, what was wrong)."""
        parse_errors: list[tuple[int, str]] = self._parsed.errors
        return parse_errors

    def place(self, element: Any) -> Place:
        """Where an element stands; without start if it is not written in the source."""
        location: Place = self._parsed.places.get(element) or Place(None)
        return location

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def line(self, offset: int) -> int:
        """The line, from 1, of an offset."""
        return bisect.bisect_right(self._line_starts, offset)

    def line_of(self, element: Any) -> int | None:
        start = self.place(element).start
        return self.line(start[0]) if start else None

    @cached_property
    def _pairs(self) -> list[int]:
        """Offsets in `text` of the line ends that have two characters in `original`."""
        return [match.start() - number for number, match in enumerate(re.finditer("\r\n", self.original))]

    def splice(self, splices: Iterable[Splice]) -> Page:
        """The page with changes that do not overlap; all else stays character for character.

        Raises:
            Problem: two changes overlap.
        """
        newline = "\r\n" if len(self._pairs) * 2 > self.text.count("\n") else "\n"
        parts, done = [], 0
        for splice in sorted(splices, key=lambda other: (other.start, other.end)):
            if splice.start < done:
                raise Problem("two changes overlap; make them in separate calls")
            parts += [self._get_original(done, splice.start), splice.new.replace("\r\n", "\n").replace("\n", newline)]
            done = splice.end
        parts.append(self._get_original(done, len(self.text)))
        return Page(self.name, "".join(parts), self.encoding, self.bom)

    def _get_original(self, start: int, end: int) -> str:
        return self.original[
            start + bisect.bisect_left(self._pairs, start) : end + bisect.bisect_left(self._pairs, end)
        ]

    def encode(self) -> bytes:
        """Its bytes; characters that its encoding lacks as character references."""
        return self.bom + self.original.encode(self.encoding, "xmlcharrefreplace")

    def save(self, path: Path) -> None:
        save_bytes(path, self.encode())

    def select(self, selector: str) -> list[Any]:
        """The elements that a CSS selector matches, in the order of the page.

        Raises:
            Problem: the selector cannot be read.
        """
        import cssselect2

        try:
            wrapper = cssselect2.ElementWrapper.from_html_root(self.root)
            return [wrapped_element.etree_element for wrapped_element in wrapper.query_all(selector)]
        except (cssselect2.SelectorError, NotImplementedError, ValueError) as error:
            raise Problem(
                f"{selector!r} is not a valid CSS selector ({error.args[-1]}); use one such as 'main > p.note'"
            ) from error


def read_page(path: Path) -> Page:
    """An HTML file in its own encoding: by its byte order mark, meta charset, UTF-8 or a guess.

    Raises:
        Problem: too large, or no text.
    """
    check_bytes(path, MAX_BYTES)
    data = path.read_bytes()
    if data.startswith(_BINARY_SIGNATURES) or is_binary(data):
        raise Problem(f"{path.name!r} is binary, not an HTML page; give an .html file")
    decoded = decode_file(data, path.name, html=True)
    marks = [(mark, codec) for mark, encoding, codec in BOMS if encoding == decoded.encoding and data.startswith(mark)]
    bom, encoding = marks[0] if marks else (b"", decoded.encoding)
    return Page(path.name, decoded.text, encoding, bom)


def parse_fragment(html: str) -> Any:
    """The root of a page that stands in an attribute of another."""
    return Page("frame", html).root


def tag_of(element: Any) -> str:
    """The name of an element without namespace; empty for comments."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def pictures_of(srcset: str) -> list[tuple[str, str]]:
    """The pictures of a ``srcset``: the address of each, and for what size it is."""
    return [(match[1], match[2].strip()) for match in _PICTURE.finditer(srcset) if match[1]]


def text_of(element: Any) -> str:
    """The text in an element, without that of scripts, styles and comments, as it stands; a <br> ends a line."""
    if tag_of(element) == "br":
        return "\n"
    parts = [] if tag_of(element) in ("script", "style", "template", "") else [element.text or ""]
    for child in element:
        if parts or tag_of(element) not in ("script", "style", "template", ""):
            parts += [text_of(child), child.tail or ""]
    return "".join(parts)


def words_of(element: Any, most: int = 80) -> str:
    """The text in an element on one line, cut."""
    words = " ".join(text_of(element).split())
    return words if len(words) <= most else words[: most - 3] + "..."


def elements_of(root: Any) -> list[Any]:
    """All elements below and with `root`, comments left out."""
    return [element for element in root.iter() if isinstance(element.tag, str)]
