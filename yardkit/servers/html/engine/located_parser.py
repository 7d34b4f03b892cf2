"""The HTML parser of the standard (html5lib) that also remembers where each element stands in the source."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from yardkit.world import Problem

if TYPE_CHECKING:
    _Base = Any
else:
    _Base = object  # html5lib is imported at the first call only; see _classes

_START, _END, _ERROR = 3, 4, 7
"""Kinds of tokens of html5lib that matter here (``html5lib.constants.tokenTypes``)."""
_MAX_ATTRIBUTES = 1_000


@dataclass
class Place:
    """Where an element stands: offsets into the source.

    Attributes:
        start: of its start tag, end excluded; None if the tag is not written (html, body, tbody ... may be implied).
        inner_end: where its content ends; None for an element without content, such as img.
        end: where its end tag ends, which may not be written.
        closed: whether an end tag of its own is written.
        implied_at: where the parser made it up (html, body, tbody).
    """

    start: tuple[int, int] | None
    inner_end: int | None = None
    end: int = -1
    closed: bool = False
    implied_at: int | None = None

    @property
    def inner(self) -> tuple[int, int] | None:
        """The range of the content, where there may be any; also of a body whose tag is not written."""
        first = self.start[1] if self.start else self.implied_at
        if first is None or self.inner_end is None:
            return None
        return first, max(self.inner_end, first)

    @property
    def outer(self) -> tuple[int, int] | None:
        return (self.start[0], max(self.end, self.start[1])) if self.start else None


@dataclass(frozen=True)
class Parsed:
    """The tree (``xml.etree`` elements without namespace for HTML), the places, the errors as (offset, code)."""

    root: Any
    places: dict[Any, Place]
    errors: list[tuple[int, str]]


def parse_located(text: str) -> Parsed:
    """Parse a page whose line ends are all line feeds.

    Raises:
        Problem: a tag has more than `_MAX_ATTRIBUTES`.
    """
    parser_class, tree, tokenizer, messages = _make_parser_classes()
    parser = parser_class(text, tree, tokenizer, messages)
    parser.run()
    return Parsed(parser.root_element(), parser.places(), parser.found_errors)


class _Tokenizer(_Base):  # type: ignore[misc]
    """Of html5lib; puts the range of each tag into its token."""

    def __init__(self, text: str, parser: Any) -> None:
        super().__init__(text, parser=parser)
        self.stream._defaultChunkSize = len(text) + 2
        self.source, self.opened, self.last = text, 0, 0
        self.current: tuple[int, int] = (0, 0)

    def get_offset(self) -> int:
        return int(self.stream.chunkOffset) if self.stream.chunkSize else len(self.source)

    def tagOpenState(self) -> bool:  # noqa: N802 - the parser's name
        self.opened = self.get_offset() - 1
        return bool(super().tagOpenState())

    def attributeNameState(self) -> bool:  # noqa: N802 - the parser's name
        # Each name is compared with all before it, so that many take their square in time.
        if len(self.currentToken["data"]) > _MAX_ATTRIBUTES:
            raise Problem(
                f"the page has a tag with more than {_MAX_ATTRIBUTES:,} attributes (it begins at character "
                f"{self.opened + 1:,}), which cannot be read"
            )
        return bool(super().attributeNameState())

    def emitCurrentToken(self) -> None:  # noqa: N802 - the parser's name
        token, end = self.currentToken, self.get_offset()
        if token["type"] in (_START, _END):
            written = self.source[self.opened : self.opened + 2] == "</" and self.opened >= self.last
            start = self.opened if token["type"] == _START or written else self.source.rfind("</", 0, end)
            token["place"] = (start, end)
        super().emitCurrentToken()

    def __iter__(self) -> Iterator[Any]:
        for token in super().__iter__():
            if token["type"] != _ERROR:
                self.current = token.get("place") or (self.last, self.get_offset())
                self.last = self.current[1]
                self.parser.see(token)
            yield token


class _OpenElements(list[Any]):
    """The stack of open elements, which tells when one is closed."""

    parser: Any = None

    def pop(self, index: Any = -1) -> Any:
        element = super().pop(index)
        self.parser.close(element)
        return element

    def remove(self, element: Any) -> None:
        super().remove(element)
        self.parser.close(element)


class _Tree(_Base):  # type: ignore[misc]
    """Of html5lib; tells which token an element is made of."""

    parser: Any = None

    def reset(self) -> None:
        super().reset()
        self.openElements = _OpenElements()

    def createElement(self, token: Any) -> Any:  # noqa: N802 - the parser's name
        element = super().createElement(token)
        self.parser.note(element, token)
        return element

    def insertElementNormal(self, token: Any) -> Any:  # noqa: N802 - the parser's name
        element = super().insertElementNormal(token)
        self.parser.note(element, token)
        return element


class _Parser(_Base):  # type: ignore[misc]
    """Of html5lib; keeps the places of the elements."""

    def __init__(self, text: str, tree: Any, tokenizer: Any, messages: dict[str, str]) -> None:
        super().__init__(tree=tree, namespaceHTMLElements=False)
        self.source, self.messages = text, messages
        self.noted: list[tuple[Any, Place]] = []
        self.by_element: dict[int, Place] = {}
        self.used: set[tuple[int, int]] = set()
        self.root_tag: tuple[int, int] | None = None
        self.seen_end = ""
        self.found_errors: list[tuple[int, str]] = []
        self.tokenizer = tokenizer(text, self)

    def run(self) -> None:
        self.innerHTMLMode, self.container, self.scripting = False, "div", True
        self.tree.parser = self
        self.reset()
        self.tree.openElements.parser = self
        self.mainLoop()

    def parseError(self, errorcode: str = "unknown", datavars: Any = None) -> None:  # noqa: N802 - the parser's name
        words = self.messages.get(errorcode, errorcode)
        try:
            words %= datavars or {}
        except (TypeError, KeyError):
            words = errorcode
        self.found_errors.append((self.tokenizer.current[0], words))

    def note(self, element: Any, token: Any) -> None:
        start = token.get("place")
        if start in self.used:
            start = None  # a copy that the parser made of a formatting element
        elif start:
            self.used.add(start)
        implied = element.name in ("html", "body", "tbody") and "place" not in token
        place = Place(start, implied_at=self.tokenizer.current[0] if implied else None)
        self.noted.append((element, place))
        self.by_element[id(element)] = place

    def close(self, element: Any) -> None:
        place = self.by_element.get(id(element))
        if place is None or place.end >= 0:
            return
        start, end = self.tokenizer.current
        if place.start == (start, end):
            place.end = end  # an element without content is closed by its own tag
        else:
            own = self.seen_end == element.name
            place.inner_end, place.end, place.closed = start, end if own else start, own

    def see(self, token: Any) -> None:
        self.seen_end = token["name"] if token["type"] == _END else ""
        if token.get("name") == "html" and token["type"] == _START and self.root_tag is None:
            self.root_tag = token.get("place")
        if self.seen_end in ("body", "html"):
            self._end_page(token["place"])

    def _end_page(self, written: tuple[int, int]) -> None:
        for element in self.tree.openElements:
            place = self.by_element.get(id(element))
            if element.name == self.seen_end and place and place.end < 0:
                place.inner_end, place.end, place.closed = written[0], written[1], True

    def root_element(self) -> Any:
        return self.tree.document._element.find("html")

    def places(self) -> dict[Any, Place]:
        total = len(self.source)
        for element, place in self.noted:
            if element.name == "html" and place.start is None and self.root_tag:
                place.start = self.root_tag
            if place.end < 0:
                place.inner_end, place.end = total, total
        locations_by_element = {element._element: place for element, place in self.noted}
        _fit_body(locations_by_element, self.root_element())
        return locations_by_element


@cache
def _make_parser_classes() -> tuple[Any, Any, Any, dict[str, str]]:
    """Parser, tree and tokenizer on top of html5lib's, and its messages."""
    import html5lib
    from html5lib import constants
    from html5lib._tokenizer import HTMLTokenizer

    builder = html5lib.getTreeBuilder("etree")
    return (
        type("Parser", (_Parser, html5lib.HTMLParser), {}),
        type("Tree", (_Tree, builder), {}),
        type("Tokenizer", (_Tokenizer, HTMLTokenizer), {}),
        constants.E,
    )


def _fit_body(places: dict[Any, Place], root: Any) -> None:
    """Let a body without end tag end where the content of the page does."""
    body = root.find("body")
    outer, inner = places.get(root), places.get(body)
    if outer and inner and outer.inner_end is not None and not inner.closed and inner.inner_end is not None:
        inner.inner_end = min(inner.inner_end, outer.inner_end)
        inner.end = min(inner.end, outer.inner_end)
