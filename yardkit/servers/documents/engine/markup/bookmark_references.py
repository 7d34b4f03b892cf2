"""What names a bookmark, codes of fields and links within the document, and how it comes to name another one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from yardkit.servers.documents.engine.markup.names import qualify_name

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
_CODE_TAGS = (qualify_name("w:instrText"), qualify_name("w:delInstrText"))


@dataclass
class Code:
    """The code of a field: the texts that hold it, in order, or the w:fldSimple with it."""

    nodes: list[Any] = field(default_factory=list)
    simple: Any = None

    @property
    def text(self) -> str:
        if self.simple is not None:
            return self.simple.get(qualify_name("w:instr"), "") or ""
        return "".join(node.text or "" for node in self.nodes)

    def names(self) -> list[str]:
        """The bookmarks that the code names; a first word that is no kind of field is one too."""
        text = self.text
        return [text[start:end] for start, end in _iter_name_spans(text)]

    def rename(self, old: str, new: str) -> None:
        """Let the code name the bookmark `new` where it names `old`; case does not count."""
        text = self.text
        for start, end in reversed(list(_iter_name_spans(text))):
            if text[start:end].lower() == old.lower():
                self._put_text(start, end, new)

    def _put_text(self, start: int, end: int, new: str) -> None:
        """Write `new` over some characters; of several texts the one in which they begin holds it."""
        if self.simple is not None:
            self.simple.set(qualify_name("w:instr"), self.text[:start] + new + self.text[end:])
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
        return [self.element.get(qualify_name("w:anchor"), "")]

    def rename(self, old: str, new: str) -> None:
        if self.element.get(qualify_name("w:anchor"), "").lower() == old.lower():
            self.element.set(qualify_name("w:anchor"), new)


def list_pointers(root: Any) -> list[Code | Link]:
    """All under a block or story that may name a bookmark."""
    links = [
        link
        for link in root.iter(qualify_name("w:hyperlink"))
        if link.get(qualify_name("w:anchor")) and not link.get(qualify_name("r:id"))
    ]
    return [*list_codes(root), *(Link(link) for link in links)]


def list_codes(root: Any) -> list[Code]:
    """The codes of the fields under a block or story, also of those that end outside of it."""
    field_codes: list[Code] = []
    stack: list[Code] = []
    for node in root.iter(*_CODE_TAGS, qualify_name("w:fldChar"), qualify_name("w:fldSimple")):
        kind = node.get(qualify_name("w:fldCharType"))
        if node.tag == qualify_name("w:fldSimple"):
            field_codes.append(Code(simple=node))
        elif kind == "begin":
            stack.append(Code())
            field_codes.append(stack[-1])
        elif kind == "end" and stack:
            stack.pop()
        elif node.tag in _CODE_TAGS and stack:
            stack[-1].nodes.append(node)
    return field_codes


def _iter_name_spans(code: str) -> Iterator[tuple[int, int]]:
    """Where in a code names of bookmarks stand (ECMA-376 part 1, 17.16.5)."""
    tokens = list(_TOKEN.finditer(code))
    if not tokens:
        return
    kind = tokens[0][0].upper()
    if kind.startswith("=") or kind == "IF":
        start = tokens[0].end() if kind == "IF" else tokens[0].start()
        yield from (match.span("plain") for match in _WORD.finditer(code, start) if match["plain"])
    elif kind in _BOOKMARK_SWITCHES:
        yield from _iter_switch_words(tokens, _BOOKMARK_SWITCHES[kind], alone=kind == "HYPERLINK")
    elif kind == "SEQ" or kind in _FIRST_ARGUMENT_FIELDS:
        yield from (_get_inner_span(token) for token in tokens[2 if kind == "SEQ" else 1 :][:1])
    elif kind not in _KEYWORDS:
        yield _get_inner_span(tokens[0])


def _iter_switch_words(tokens: list[re.Match[str]], switch: str, *, alone: bool) -> Iterator[tuple[int, int]]:
    """The word behind a switch; with `alone` only where no other file is named before it."""
    if alone and len(tokens) > 1 and not tokens[1][0].startswith("\\"):
        return
    for before, token in pairwise(tokens):
        if before[0].lower() == switch:
            yield _get_inner_span(token)


def _get_inner_span(token: re.Match[str]) -> tuple[int, int]:
    return token.span("plain" if token["plain"] else "quoted")
