"""Parts of Word documents that python-docx does not write: threads of comments, footnotes, changes, lists."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
W14 = "http://schemas.microsoft.com/office/word/2010/wordml"
W15 = "http://schemas.microsoft.com/office/word/2012/wordml"
_REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
_REL_2011 = "http://schemas.microsoft.com/office/2011/relationships/"
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_CHANGES_AGO = datetime.timedelta(days=2)


def w(name: str) -> str:
    """The tag or attribute ``w:name``."""
    return f"{{{W}}}{name}"


def child(parent: Any, name: str) -> Any:
    """A new element ``w:name`` at the end of `parent`."""
    from docx.oxml import OxmlElement

    made = OxmlElement(f"w:{name}")
    parent.append(made)
    return made


@dataclass
class Extras:
    """Collects what is attached when the document is saved. Ids and dates follow from the order of calls."""

    docx: Any
    now: datetime.datetime
    _comments: list[dict[str, Any]] = field(default_factory=list)
    _footnotes: list[str] = field(default_factory=list)
    _changes: int = 0
    _attached: bool = False

    def stamp(self, number: int) -> str:
        """When the change or comment `number` was made: some minutes after the one before."""
        return f"{self.now - _CHANGES_AGO + datetime.timedelta(minutes=7 * number):%Y-%m-%dT%H:%M:%SZ}"

    def change(self, kind: str, by: str, on: str) -> Any:
        """A new element w:ins or w:del."""
        from docx.oxml import OxmlElement

        self._changes += 1
        made = OxmlElement(f"w:{kind}")
        made.set(w("id"), str(1000 + self._changes))
        made.set(w("author"), by)
        made.set(w("date"), on or self.stamp(self._changes))
        return made

    def thread(self, text: str, by: str, resolved: bool, replies: Sequence[tuple[str, str]]) -> list[str]:
        """A comment and its replies; their ids."""
        first = len(self._comments)
        for number, (author, said) in enumerate([(by, text), *replies]):
            parent = None if number == 0 else first
            self._comments.append({"author": author, "text": said, "resolved": resolved, "parent": parent})
        return [str(number) for number in range(first, len(self._comments))]

    def footnote(self, text: str) -> str:
        """A footnote; its id."""
        self._footnotes.append(text)
        return str(len(self._footnotes))

    def new_list(self) -> int:
        """A list of the look of ``List Number`` that counts from 1; its id."""
        numbering = self.docx.part.numbering_part.element
        style = self.docx.styles["List Number"].element
        of_style = style.pPr.numPr.numId.val
        source = next(candidate for candidate in numbering.iter(w("num")) if candidate.get(w("numId")) == str(of_style))
        abstract = int(source.find(w("abstractNumId")).get(w("val")))
        made = numbering.add_num(abstract)
        made.add_lvlOverride(ilvl=0).add_startOverride(1)
        return int(made.numId)

    def toc_entry(self, paragraph: Any, text: str, first: bool, last: bool) -> None:
        """One line of a table of contents, whose field begins with the first and ends with the last."""
        if first:
            for kind, code in (("begin", ""), ("", 'TOC \\o "1-3" \\h \\z \\u'), ("separate", "")):
                run = child(paragraph, "r")
                if kind:
                    child(run, "fldChar").set(w("fldCharType"), kind)
                else:
                    child(run, "instrText").text = code
        for number, piece in enumerate(text.split("\t")):
            run = child(paragraph, "r")
            if number:
                child(run, "tab")
            child(run, "t").text = piece
        if last:
            child(child(paragraph, "r"), "fldChar").set(w("fldCharType"), "end")

    def attach(self) -> None:
        """Add the parts to the package, once."""
        if self._attached:
            return
        self._attached = True
        if self._comments:
            self._attach_comments()
        if self._footnotes:
            self._attach("footnotes", self._footnotes_xml(), f"{_REL}footnotes", f"{_TYPE}footnotes+xml")

    def _attach_comments(self) -> None:
        self._attach("comments", self._comments_xml(), f"{_REL}comments", f"{_TYPE}comments+xml")
        extended = f"{_TYPE}commentsExtended+xml"
        self._attach("commentsExtended", self._threads_xml(), f"{_REL_2011}commentsExtended", extended)

    def _attach(self, name: str, xml: bytes, relation: str, content_type: str) -> None:
        from docx.opc.packuri import PackURI
        from docx.opc.part import Part

        part = Part(PackURI(f"/word/{name}.xml"), content_type, xml, self.docx.part.package)
        self.docx.part.relate_to(part, relation)

    def _comments_xml(self) -> bytes:
        root = _root("comments")
        for number, comment in enumerate(self._comments):
            made = _sub(root, "comment")
            initials = "".join(word[0] for word in comment["author"].split())
            for name, value in (
                ("id", str(number)),
                ("author", comment["author"]),
                ("date", self.stamp(100 + number)),
                ("initials", initials),
            ):
                made.set(w(name), value)
            paragraph = _sub(made, "p")
            paragraph.set(f"{{{W14}}}paraId", _paragraph_id(number))
            _sub(_sub(paragraph, "r"), "t").text = comment["text"]
        return _bytes(root)

    def _threads_xml(self) -> bytes:
        from lxml import etree

        root = etree.Element(f"{{{W15}}}commentsEx", nsmap={"w15": W15})
        for number, comment in enumerate(self._comments):
            made = etree.SubElement(root, f"{{{W15}}}commentEx")
            made.set(f"{{{W15}}}paraId", _paragraph_id(number))
            if comment["parent"] is not None:
                made.set(f"{{{W15}}}paraIdParent", _paragraph_id(comment["parent"]))
            made.set(f"{{{W15}}}done", "1" if comment["resolved"] else "0")
        return _bytes(root)

    def _footnotes_xml(self) -> bytes:
        root = _root("footnotes")
        for identity, kind, sign in (("-1", "separator", "separator"), ("0", *["continuationSeparator"] * 2)):
            made = _sub(root, "footnote")
            made.set(w("type"), kind)
            made.set(w("id"), identity)
            _sub(_sub(_sub(made, "p"), "r"), sign)
        for number, text in enumerate(self._footnotes, 1):
            made = _sub(root, "footnote")
            made.set(w("id"), str(number))
            paragraph = _sub(made, "p")
            _sub(_sub(paragraph, "pPr"), "pStyle").set(w("val"), "footnotetext")
            run = _sub(paragraph, "r")
            _sub(_sub(run, "rPr"), "rStyle").set(w("val"), "footnotereference")
            _sub(run, "footnoteRef")
            said = _sub(_sub(paragraph, "r"), "t")
            said.text = f" {text}"
            said.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
        return _bytes(root)


def _paragraph_id(number: int) -> str:
    return f"{0x10A00000 + 0x11 * number:08X}"


def _root(name: str) -> Any:
    from lxml import etree

    return etree.Element(w(name), nsmap={"w": W, "w14": W14})


def _sub(parent: Any, name: str) -> Any:
    from lxml import etree

    return etree.SubElement(parent, w(name))


def _bytes(root: Any) -> bytes:
    from lxml import etree

    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True))
