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


def qualify_name(name: str) -> str:
    """The tag or attribute ``w:name``."""
    return f"{{{W}}}{name}"


def append_child(parent: Any, name: str) -> Any:
    """A new element ``w:name`` at the end of `parent`."""
    from docx.oxml import OxmlElement

    new_element = OxmlElement(f"w:{name}")
    parent.append(new_element)
    return new_element


@dataclass
class Extras:
    """Collects what is attached when the document is saved. Ids and dates follow from the order of calls."""

    docx: Any
    now: datetime.datetime
    _comments: list[dict[str, Any]] = field(default_factory=list)
    _footnotes: list[str] = field(default_factory=list)
    _changes: int = 0
    _attached: bool = False

    def format_stamp(self, number: int) -> str:
        """When the change or comment `number` was made: some minutes after the one before."""
        return f"{self.now - _CHANGES_AGO + datetime.timedelta(minutes=7 * number):%Y-%m-%dT%H:%M:%SZ}"

    def make_change(self, kind: str, by: str, on: str) -> Any:
        """A new element w:ins or w:del."""
        from docx.oxml import OxmlElement

        self._changes += 1
        change_element = OxmlElement(f"w:{kind}")
        change_element.set(qualify_name("id"), str(1000 + self._changes))
        change_element.set(qualify_name("author"), by)
        change_element.set(qualify_name("date"), on or self.format_stamp(self._changes))
        return change_element

    def add_thread(self, text: str, by: str, resolved: bool, replies: Sequence[tuple[str, str]]) -> list[str]:
        """A comment and its replies; their ids."""
        first = len(self._comments)
        for number, (author, comment_text) in enumerate([(by, text), *replies]):
            parent = None if number == 0 else first
            self._comments.append({"author": author, "text": comment_text, "resolved": resolved, "parent": parent})
        return [str(number) for number in range(first, len(self._comments))]

    def add_footnote(self, text: str) -> str:
        """A footnote; its id."""
        self._footnotes.append(text)
        return str(len(self._footnotes))

    def new_list(self) -> int:
        """A list of the look of ``List Number`` that counts from 1; its id."""
        numbering = self.docx.part.numbering_part.element
        style = self.docx.styles["List Number"].element
        of_style = style.pPr.numPr.numId.val
        source = next(
            candidate
            for candidate in numbering.iter(qualify_name("num"))
            if candidate.get(qualify_name("numId")) == str(of_style)
        )
        abstract = int(source.find(qualify_name("abstractNumId")).get(qualify_name("val")))
        new_numbering = numbering.add_num(abstract)
        new_numbering.add_lvlOverride(ilvl=0).add_startOverride(1)
        return int(new_numbering.numId)

    def toc_entry(self, paragraph: Any, text: str, first: bool, last: bool) -> None:
        """One line of a table of contents, whose field begins with the first and ends with the last."""
        if first:
            for kind, code in (("begin", ""), ("", 'TOC \\o "1-3" \\h \\z \\u'), ("separate", "")):
                run = append_child(paragraph, "r")
                if kind:
                    append_child(run, "fldChar").set(qualify_name("fldCharType"), kind)
                else:
                    append_child(run, "instrText").text = code
        for number, piece in enumerate(text.split("\t")):
            run = append_child(paragraph, "r")
            if number:
                append_child(run, "tab")
            append_child(run, "t").text = piece
        if last:
            append_child(append_child(paragraph, "r"), "fldChar").set(qualify_name("fldCharType"), "end")

    def attach_parts(self) -> None:
        """Add the parts to the package, once."""
        if self._attached:
            return
        self._attached = True
        if self._comments:
            self._attach_comments()
        if self._footnotes:
            self._attach_part("footnotes", self._footnotes_xml(), f"{_REL}footnotes", f"{_TYPE}footnotes+xml")

    def _attach_comments(self) -> None:
        self._attach_part("comments", self._comments_xml(), f"{_REL}comments", f"{_TYPE}comments+xml")
        extended = f"{_TYPE}commentsExtended+xml"
        self._attach_part("commentsExtended", self._threads_xml(), f"{_REL_2011}commentsExtended", extended)

    def _attach_part(self, name: str, xml: bytes, relation: str, content_type: str) -> None:
        from docx.opc.packuri import PackURI
        from docx.opc.part import Part

        part = Part(PackURI(f"/word/{name}.xml"), content_type, xml, self.docx.part.package)
        self.docx.part.relate_to(part, relation)

    def _comments_xml(self) -> bytes:
        root = _make_root("comments")
        for number, comment in enumerate(self._comments):
            comment_element = _append_sub_element(root, "comment")
            initials = "".join(word[0] for word in comment["author"].split())
            for name, value in (
                ("id", str(number)),
                ("author", comment["author"]),
                ("date", self.format_stamp(100 + number)),
                ("initials", initials),
            ):
                comment_element.set(qualify_name(name), value)
            paragraph = _append_sub_element(comment_element, "p")
            paragraph.set(f"{{{W14}}}paraId", _paragraph_id(number))
            _append_sub_element(_append_sub_element(paragraph, "r"), "t").text = comment["text"]
        return _serialize_xml(root)

    def _threads_xml(self) -> bytes:
        from lxml import etree

        root = etree.Element(f"{{{W15}}}commentsEx", nsmap={"w15": W15})
        for number, comment in enumerate(self._comments):
            thread_element = etree.SubElement(root, f"{{{W15}}}commentEx")
            thread_element.set(f"{{{W15}}}paraId", _paragraph_id(number))
            if comment["parent"] is not None:
                thread_element.set(f"{{{W15}}}paraIdParent", _paragraph_id(comment["parent"]))
            thread_element.set(f"{{{W15}}}done", "1" if comment["resolved"] else "0")
        return _serialize_xml(root)

    def _footnotes_xml(self) -> bytes:
        root = _make_root("footnotes")
        for identity, kind, sign in (("-1", "separator", "separator"), ("0", *["continuationSeparator"] * 2)):
            footnote_element = _append_sub_element(root, "footnote")
            footnote_element.set(qualify_name("type"), kind)
            footnote_element.set(qualify_name("id"), identity)
            _append_sub_element(_append_sub_element(_append_sub_element(footnote_element, "p"), "r"), sign)
        for number, text in enumerate(self._footnotes, 1):
            footnote_element = _append_sub_element(root, "footnote")
            footnote_element.set(qualify_name("id"), str(number))
            paragraph = _append_sub_element(footnote_element, "p")
            _append_sub_element(_append_sub_element(paragraph, "pPr"), "pStyle").set(
                qualify_name("val"), "footnotetext"
            )
            run = _append_sub_element(paragraph, "r")
            _append_sub_element(_append_sub_element(run, "rPr"), "rStyle").set(qualify_name("val"), "footnotereference")
            _append_sub_element(run, "footnoteRef")
            text_element = _append_sub_element(_append_sub_element(paragraph, "r"), "t")
            text_element.text = f" {text}"
            text_element.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
        return _serialize_xml(root)


def _paragraph_id(number: int) -> str:
    return f"{0x10A00000 + 0x11 * number:08X}"


def _make_root(name: str) -> Any:
    from lxml import etree

    return etree.Element(qualify_name(name), nsmap={"w": W, "w14": W14})


def _append_sub_element(parent: Any, name: str) -> Any:
    from lxml import etree

    return etree.SubElement(parent, qualify_name(name))


def _serialize_xml(root: Any) -> bytes:
    from lxml import etree

    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True))
