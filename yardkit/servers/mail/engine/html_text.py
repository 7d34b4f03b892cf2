"""What somebody reads in an HTML mail, in one pass: senders nest tables as deep as they like, and worse."""

import re
from dataclasses import dataclass
from html.parser import HTMLParser

from yardkit.kit.hidden_styles import is_hidden, list_hiding_selectors

_PROGRAMS = {"style", "script", "head", "title", "template"}
_VOID = {"br", "hr", "img", "input", "meta", "link", "col", "wbr", "area", "base", "embed", "source", "track"}
_BLOCKS = {
    *("p", "div", "tr", "li", "table", "ul", "ol", "blockquote", "pre", "section", "article", "header", "footer"),
    *("h1", "h2", "h3", "h4", "h5", "h6"),
}
_MARKS = {"s": "~~", "del": "~~", "strike": "~~"}
_SPACES, _LINES = re.compile(r"[ \t\r\n\u00a0]+"), re.compile(r"\n{3,}")
_STYLE = re.compile(r"<style\b[^>]*>(.*?)</style", re.IGNORECASE | re.DOTALL)
_SELECTOR = re.compile(r"([a-z][a-z0-9]*)?((?:[.#][\w-]+)*)", re.IGNORECASE)
_SCHEME = re.compile(r"^(?:https?://|mailto:)(?:www\.)?", re.IGNORECASE)
_KEPT_BLANK = "\ufdd0"
"""Stands for the blanks of preformatted text until all lines are put together: no letter, and no blank to Python."""


@dataclass(frozen=True)
class SeenText:
    """What is seen of HTML. hidden: how many characters its styles hide."""

    text: str
    hidden: int = 0


def read_seen_text(html: str) -> SeenText:
    """The text, with a line for each block, and behind a link where it leads."""
    reader = _Reader(html)
    reader.feed(html)
    reader.close()
    lines = (line.strip().rstrip(_KEPT_BLANK) for line in "".join(reader.parts).split("\n"))
    text = _LINES.sub("\n\n", "\n".join(lines)).strip().replace(_KEPT_BLANK, " ")
    return SeenText(text, reader.hidden)


class _Reader(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.hidden = 0
        self._programs = self._preformatted = 0
        self._links: list[tuple[str, int]] = []
        self._numbers: list[int] = []
        self._script = ""
        self._begun_item = False
        # An element that is hidden, and how many of its name are open within it.
        self._cover, self._covers = "", 0
        matches = [_SELECTOR.fullmatch(selector) for selector in list_hiding_selectors(*_STYLE.findall(html))]
        self._rules = [(match[1] or "", set(re.findall(r"[.#][\w-]+", match[2]))) for match in matches if match]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if self._cover and self._cover in ("p", "li") and tag in _BLOCKS and (self._cover == "p" or tag == "li"):
            self._cover = ""  # which needs no end
        if self._cover:
            self._covers += tag == self._cover
        elif tag not in _VOID and self._is_hidden(tag, values):
            self._cover, self._covers = tag, 1
        elif tag in _PROGRAMS:
            self._programs += 1
        else:
            self._begin_element(tag, values)

    def handle_endtag(self, tag: str) -> None:
        if self._cover:
            self._covers -= tag == self._cover
            self._cover = self._cover if self._covers else ""
        elif tag in _PROGRAMS:
            self._programs = max(0, self._programs - 1)
        else:
            self._end_element(tag)

    def handle_data(self, data: str) -> None:
        if self._cover:
            self.hidden += len("".join(data.split()))
        elif not self._programs:
            if self._script and data[:1] in "0123456789+-" and "".join(self.parts[-1:])[-1:].isdigit():
                self.parts.append(self._script)  # a power must not run into the number before it
            self._script, self._begun_item = "", self._begun_item and not data.strip()
            if self._preformatted:
                self.parts.append(data.replace("\r\n", "\n").replace("\t", "    ").replace(" ", _KEPT_BLANK))
            else:
                self.parts.append(_SPACES.sub(" ", data))

    def _is_hidden(self, tag: str, values: dict[str, str]) -> bool:
        if "hidden" in values or is_hidden(values.get("style", "")):
            return True
        marks = {f".{name}" for name in values.get("class", "").split()} | {f"#{values.get('id', '')}"}
        return any(name in ("", tag) and needed <= marks for name, needed in self._rules)

    def _begin_element(self, tag: str, values: dict[str, str]) -> None:
        if tag in ("br", "hr") or tag in _BLOCKS:
            self._break_line()
        if tag in ("td", "th"):
            self.parts.append(" ")
        elif tag == "a":
            self._links.append((values.get("href", ""), len(self.parts)))
        elif tag == "img" and values.get("alt", "").strip():
            self.parts.append(f"[{' '.join(values['alt'].split())}]")
        elif tag in ("ul", "ol"):
            start = values.get("start", "")
            self._numbers.append(0 if tag == "ul" else int(start) if re.fullmatch("[1-9][0-9]{0,8}", start) else 1)
        elif tag == "li" and self._numbers:
            number = self._numbers[-1]
            self.parts.append(f"{number}. " if number else "- ")
            self._numbers[-1] += bool(number)
            self._begun_item = True
        elif tag == "pre":
            self._preformatted += 1
        elif tag in ("sup", "sub"):
            self._script = "^" if tag == "sup" else "_"
        elif tag in _MARKS:
            self.parts.append(_MARKS[tag])

    def _end_element(self, tag: str) -> None:
        if tag in ("ul", "ol") and self._numbers:
            self._numbers.pop()
        elif tag == "pre":
            self._preformatted = max(0, self._preformatted - 1)
        elif tag in _MARKS:
            self.parts.append(_MARKS[tag])
        if tag == "p" or (tag.startswith("h") and tag in _BLOCKS):
            self._break_line()
            self.parts.append("\n")
        elif tag in _BLOCKS:
            self._break_line()
        elif tag == "a" and self._links:
            self._end_link(*self._links.pop())

    def _end_link(self, address: str, start: int) -> None:
        inner_text = "".join(self.parts[start : start + 20]).strip()
        shown_address, address_text = (_SCHEME.sub("", text).casefold() for text in (inner_text, address))
        if address.startswith(("http", "mailto:")) and not (shown_address and address_text.startswith(shown_address)):
            self.parts.append(f" ({address})")

    def _break_line(self) -> None:
        if self.parts and not self.parts[-1].endswith("\n") and not self._begun_item:
            self.parts.append("\n")
