"""Text with marks, as teachers write it in HTML, on a page of ours: plain marks stay, all else is left out."""

from html.parser import HTMLParser

from toolyard.kit.markup import Html, safe, tag

_MARKS = {
    "p": "p", "h1": "h2", "h2": "h2", "h3": "h3", "h4": "h4", "ul": "ul", "ol": "ol", "li": "li", "strong": "strong",
    "b": "strong", "em": "em", "i": "em", "code": "code", "pre": "pre", "blockquote": "blockquote", "table": "table",
    "tr": "tr", "td": "td", "th": "th", "div": "div",
}  # fmt: skip
_SILENT = ("script", "style")
_MAX_DEPTH = 50


def rich_text(source: str) -> Html:
    """The text of HTML with its plain marks, without attributes, balanced; text that is not HTML is escaped."""
    reader = _Reader()
    reader.feed(source)
    reader.close()
    return reader.whole()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[tuple[str, list[Html]]] = [("", [])]
        self.silent = 0

    def handle_starttag(self, name: str, _attributes: list[tuple[str, str | None]]) -> None:
        if name in _SILENT:
            self.silent += 1
        elif name == "br":
            self.open[-1][1].append(tag("br"))
        elif name in _MARKS and len(self.open) < _MAX_DEPTH:
            self.open.append((name, []))

    def handle_endtag(self, name: str) -> None:
        if name in _SILENT:
            self.silent = max(0, self.silent - 1)
        if name in [opened for opened, _ in self.open]:
            while self._close() != name:
                pass

    def handle_data(self, text: str) -> None:
        if not self.silent:
            self.open[-1][1].append(safe(text))

    def whole(self) -> Html:
        while len(self.open) > 1:
            self._close()
        return safe(self.open[0][1])

    def _close(self) -> str:
        name, parts = self.open.pop()
        self.open[-1][1].append(tag(_MARKS[name], parts))
        return name
