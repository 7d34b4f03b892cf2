"""What names a bookmark, codes of fields and links within the document, and how it comes to name another one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from yardkit.servers.documents.engine.markup.names import q

_TOKEN = re.compile(r'"(?P<quoted>[^"]*)"|(?P<plain>[^\s"]+)')
_WORD = re.compile(r'"[^"]*"|(?P<plain>\w+)')
_FIRST_ARGUMENT_FIELDS = {"REF", "PAGEREF", "NOTEREF", "GOTOBUTTON", "SET", "ASK"}
_BOOKMARK_SWITCHES = {"TOC": "\\b", "INDEX": "\\b", "HYPERLINK": "\\l"}
_KEYWORD_LIST = (
    "ADDRESSBLOCK ADVANCE ASK AUTHOR AUTONUM AUTONUMLGL AUTONUMOUT AUTOTEXT AUTOTEXTLIST BARCODE BIBLIOGRAPHY "
    "CITATION COMMENTS COMPARE CREATEDATE DATABASE DATE DISPLAYBARCODE DOCPROPERTY DOCVARIABLE EDITTIME EMBED EQ "
    "FILENAME FILESIZE FILLIN FORMCHECKBOX FORMDROPDOWN FORMTEXT GREETINGLINE IMPORT INCLUDE INCLUDEPICTURE "
    "INCLUDETEXT INFO KEYWORDS LASTSAVEDBY LINK LISTNUM MACROBUTTON MERGEBARCODE MERGEFIELD MERGEREC MERGESEQ NEXT "
    "NEXTIF NUMCHARS NUMPAGES NUMWORDS PAGE PRINT PRINTDATE PRIVATE QUOTE RD REVNUM SAVEDATE SECTION SECTIONPAGES "
    "SEQ SHAPE SKIPIF STYLEREF SUBJECT SYMBOL TA TC TEMPLATE TIME TITLE TOA USERADDRESS USERINITIALS USERNAME XE "
)
_KEYWORDS = set(_KEYWORD_LIST.split())
_CODE_TAGS = (q("w:instrText"), q("w:delInstrText"))


@dataclass
class Code:
    """The code of a field: the texts that hold it, in order, or the w:fldSimple with it."""

    nodes: list[Any] = field(default_factory=list)
    simple: Any = None

    @property
    def text(self) -> str:
        if self.simple is not None:
            return self.simple.get(q("w:instr"), "") or ""
        return "".join(node.text or "" for node in self.nodes)

    def names(self) -> list[str]:
        """The bookmarks that the code names; a first word that is no kind of field is one too."""
        text = self.text
        return [text[start:end] for start, end in _spans(text)]

    def rename(self, old: str, new: str) -> None:
        """Let the code name the bookmark `new` where it names `old`; case does not count."""
        text = self.text
        for start, end in reversed(list(_spans(text))):
            if text[start:end].lower() == old.lower():
                self._put(start, end, new)

    def _put(self, start: int, end: int, new: str) -> None:
        """Write `new` over some characters; of several texts the one in which they begin holds it."""
        if self.simple is not None:
            self.simple.set(q("w:instr"), self.text[:start] + new + self.text[end:])
            return
        at = 0
        for node in self.nodes:
            text = node.text or ""
            first, last = max(start - at, 0), min(end - at, len(text))
            if first < last:
                node.text = text[:first] + (new if start >= at else "") + text[last:]
            at += len(text)


@dataclass(frozen=True)
class Link:
    """A w:hyperlink to a bookmark of its own document."""

    element: Any

    def names(self) -> list[str]:
        return [self.element.get(q("w:anchor"), "")]

    def rename(self, old: str, new: str) -> None:
        if self.element.get(q("w:anchor"), "").lower() == old.lower():
            self.element.set(q("w:anchor"), new)


def pointers(root: Any) -> list[Code | Link]:
    """All under a block or story that may name a bookmark."""
    links = [link for link in root.iter(q("w:hyperlink")) if link.get(q("w:anchor")) and not link.get(q("r:id"))]
    return [*codes(root), *(Link(link) for link in links)]


def codes(root: Any) -> list[Code]:
    """The codes of the fields under a block or story, also of those that end outside of it."""
    found: list[Code] = []
    stack: list[Code] = []
    for node in root.iter(*_CODE_TAGS, q("w:fldChar"), q("w:fldSimple")):
        kind = node.get(q("w:fldCharType"))
        if node.tag == q("w:fldSimple"):
            found.append(Code(simple=node))
        elif kind == "begin":
            stack.append(Code())
            found.append(stack[-1])
        elif kind == "end" and stack:
            stack.pop()
        elif node.tag in _CODE_TAGS and stack:
            stack[-1].nodes.append(node)
    return found


def _spans(code: str) -> Iterator[tuple[int, int]]:
    """Where in a code names of bookmarks stand (ECMA-376 part 1, 17.16.5)."""
    tokens = list(_TOKEN.finditer(code))
    if not tokens:
        return
    kind = tokens[0][0].upper()
    if kind.startswith("=") or kind == "IF":
        start = tokens[0].end() if kind == "IF" else tokens[0].start()
        yield from (match.span("plain") for match in _WORD.finditer(code, start) if match["plain"])
    elif kind in _BOOKMARK_SWITCHES:
        yield from _behind(tokens, _BOOKMARK_SWITCHES[kind], alone=kind == "HYPERLINK")
    elif kind == "SEQ" or kind in _FIRST_ARGUMENT_FIELDS:
        yield from (_inner(token) for token in tokens[2 if kind == "SEQ" else 1 :][:1])
    elif kind not in _KEYWORDS:
        yield _inner(tokens[0])


def _behind(tokens: list[re.Match[str]], switch: str, *, alone: bool) -> Iterator[tuple[int, int]]:
    """The word behind a switch; with `alone` only where no other file is named before it."""
    if alone and len(tokens) > 1 and not tokens[1][0].startswith("\\"):
        return
    for before, token in pairwise(tokens):
        if before[0].lower() == switch:
            yield _inner(token)


def _inner(token: re.Match[str]) -> tuple[int, int]:
    return token.span("plain" if token["plain"] else "quoted")
