"""What somebody reads in an HTML mail, in one pass: senders nest tables as deep as they like, and worse."""

import re
from html.parser import HTMLParser

_HIDDEN = {"style", "script", "head", "title", "template"}
_VOID_LINES = {"br", "hr"}
_BLOCKS = {
    *("p", "div", "tr", "li", "table", "ul", "ol", "blockquote", "pre", "section", "article", "header", "footer"),
    *("h1", "h2", "h3", "h4", "h5", "h6"),
}
_SPACES, _LINES = re.compile(r"[ \t\r\n\u00a0]+"), re.compile(r"\n{3,}")


def seen_text(html: str) -> str:
    """The text, with a line for each block, and behind a link where it leads."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    lines = (line.strip() for line in "".join(reader.parts).split("\n"))
    return _LINES.sub("\n\n", "\n".join(lines)).strip()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._hidden = 0
        self._links: list[tuple[str, int]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _HIDDEN:
            self._hidden += 1
        elif tag in _VOID_LINES or tag in _BLOCKS:
            self._break_line()
        elif tag in ("td", "th"):
            self.parts.append(" ")
        elif tag == "a":
            self._links.append((dict(attrs).get("href") or "", len(self.parts)))

    def handle_endtag(self, tag: str) -> None:
        if tag in _HIDDEN:
            self._hidden = max(0, self._hidden - 1)
        elif tag == "p" or (tag.startswith("h") and tag in _BLOCKS):
            self._break_line()
            self.parts.append("\n")
        elif tag in _BLOCKS:
            self._break_line()
        elif tag == "a" and self._links:
            address, start = self._links.pop()
            inner_text = "".join(self.parts[start : start + 20]).strip()
            if address.startswith(("http", "mailto:")) and not (inner_text and inner_text in address):
                self.parts.append(f" ({address})")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.parts.append(_SPACES.sub(" ", data))

    def _break_line(self) -> None:
        if self.parts and not self.parts[-1].endswith("\n"):
            self.parts.append("\n")
