"""Texts on a page of ours: of HTML, as teachers write it, plain marks and links stay; typed text stays as it is."""

import re
from html.parser import HTMLParser

from yardkit.apps.sites import host_of
from yardkit.kit.markup import Html, escape_child, make_tag

_MARKS = {
    "p": "p", "h1": "h2", "h2": "h2", "h3": "h3", "h4": "h4", "ul": "ul", "ol": "ol", "li": "li", "strong": "strong",
    "b": "strong", "em": "em", "i": "em", "code": "code", "pre": "pre", "blockquote": "blockquote", "table": "table",
    "tr": "tr", "td": "td", "th": "th", "div": "div",
}  # fmt: skip
_SILENT = ("script", "style")
_MAX_DEPTH = 50
_HTML_TEXT = re.compile(r"\s*<(p|h[1-6]|[uo]l|pre|blockquote|table|div)[\s>].*</\1\s*>\s*", re.DOTALL | re.IGNORECASE)
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n)+")


def rich_text(source: str) -> Html:
    """HTML with its plain marks and its links to the web, balanced, without other attributes; a picture is its text."""
    reader = _Reader()
    reader.feed(source)
    reader.close()
    return reader.finish_html()


def typed_text(source: str) -> Html:
    """Text of which nobody said what it is: HTML where blocks of it begin and end it, else as it was typed."""
    if _HTML_TEXT.fullmatch(source):
        return rich_text(source)
    return escape_child([make_tag("p", part, class_="typed") for part in _BLANK_LINES.split(source) if part.strip()])


def is_link(address: str) -> bool:
    """Whether it is an address of the web, with a host."""
    try:
        return bool(host_of(address))
    except ValueError:  # such as half of an address in brackets
        return False


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[tuple[str, str | None, list[Html]]] = [("", None, [])]
        self.silent = 0

    def handle_starttag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        if name in _SILENT:
            self.silent += 1
        elif name == "br":
            self.open[-1][2].append(make_tag("br"))
        elif name == "img":
            self.handle_data(given.get("alt") or "")
        elif self._is_allowed(name, given.get("href") or "") and len(self.open) < _MAX_DEPTH:
            self.open.append((name, given.get("href") if name == "a" else None, []))

    def _is_allowed(self, name: str, address: str) -> bool:
        return name in _MARKS or (name == "a" and is_link(address) and name not in self._list_open_names())

    def _list_open_names(self) -> list[str]:
        return [name for name, _, _ in self.open]

    def handle_endtag(self, name: str) -> None:
        if name in _SILENT:
            self.silent = max(0, self.silent - 1)
        if name in self._list_open_names():
            while self._close_tag() != name:
                pass

    def handle_data(self, text: str) -> None:
        if not self.silent:
            self.open[-1][2].append(escape_child(text))

    def finish_html(self) -> Html:
        while len(self.open) > 1:
            self._close_tag()
        return escape_child(self.open[0][2])

    def _close_tag(self) -> str:
        name, address, parts = self.open.pop()
        self.open[-1][2].append(make_tag(_MARKS.get(name, name), parts, href=address))
        return name
