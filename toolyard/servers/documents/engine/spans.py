"""The text of a paragraph and the runs that hold it: offsets count the characters that a reader sees."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
XML_SPACE = "{http://www.w3.org/XML/1998/namespace}space"


def w(name: str) -> str:
    """The qualified name of an element or attribute of WordprocessingML."""
    return f"{{{W}}}{name}"


_CONTAINERS = {
    w(name) for name in ("hyperlink", "ins", "moveTo", "smartTag", "sdt", "sdtContent", "fldSimple", "customXml")
} | {w("dir"), w("bdo")}
_MARKS = {
    w("tab"): "\t",
    w("ptab"): "\t",
    w("br"): "\n",
    w("cr"): "\n",
    w("noBreakHyphen"): "\N{NON-BREAKING HYPHEN}",
    w("softHyphen"): "\N{SOFT HYPHEN}",
}


@dataclass(frozen=True)
class Atom:
    """A child of a run that shows text.

    Attributes:
        run: the w:r it stands in.
        node: the w:t, w:tab, w:br ...
        start: offset of its first character in the text of the paragraph.
        text: what it shows.
    """

    run: Any
    node: Any
    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def runs(parent: Any) -> Iterator[Any]:
    """The runs of a paragraph (or of one of its containers) that a reader sees; deleted ones are left out."""
    for child in parent:
        if child.tag == w("r"):
            yield child
        elif child.tag in _CONTAINERS:
            yield from runs(child)


def atoms(paragraph: Any) -> list[Atom]:
    """What shows text in a paragraph, in order."""
    found: list[Atom] = []
    position = 0
    for run in runs(paragraph):
        for node in run:
            text = _shown(node)
            if text is not None:
                found.append(Atom(run, node, position, text))
                position += len(text)
    return found


def text_of(paragraph: Any) -> str:
    """The text of a paragraph as a reader sees it: insertions in, deletions out; a tab is one character."""
    return "".join(atom.text for atom in atoms(paragraph))


def runs_between(paragraph: Any, start: int, end: int) -> list[Any]:
    """The runs that hold the characters from `start` to `end`; runs are split at both where needed."""
    split_at(paragraph, end)
    split_at(paragraph, start)
    found: list[Any] = []
    for atom in atoms(paragraph):
        inside = atom.start >= start and atom.end <= end and (atom.text or start < atom.start < end)
        if inside and (not found or found[-1] is not atom.run):
            found.append(atom.run)
    return found


def run_before(paragraph: Any, offset: int) -> Any | None:
    """The run that ends at `offset`, after a split there where needed; None where no text stands before."""
    split_at(paragraph, offset)
    before = [atom.run for atom in atoms(paragraph) if atom.end <= offset and atom.text]
    return before[-1] if before else None


def split_at(paragraph: Any, offset: int) -> None:
    """Make sure that a run ends at `offset`; both halves keep the properties of the run."""
    for atom in atoms(paragraph):
        if atom.start < offset < atom.end:
            _split_node(atom.node, offset - atom.start)
            _split_run(atom.run, atom.node)
            return
        if atom.start == offset and atom.text and _text_before(atom):
            _split_run(atom.run, atom.node, before=True)
            return


def make_run(text: str, like: Any | None = None) -> Any:
    """A new run with `text` (tabs and line breaks as their elements) and the properties of the run `like`."""
    from lxml import etree

    run = etree.Element(w("r"), nsmap={"w": W})
    properties = None if like is None else like.find(w("rPr"))
    if properties is not None:
        kept = copy.deepcopy(properties)
        for name in ("ins", "del", "moveFrom", "moveTo", "rPrChange", "rStyle"):
            for old in kept.findall(w(name)):
                if name != "rStyle" or old.get(w("val"), "").endswith("Reference"):
                    kept.remove(old)
        run.append(kept)
    add_text(run, text)
    return run


def add_text(run: Any, text: str) -> None:
    """Append `text` to a run."""
    from lxml import etree

    word = ""
    for letter in [*text, None]:
        if letter in ("\t", "\n", None):
            if word:
                node = etree.SubElement(run, w("t"))
                set_text(node, word)
                word = ""
            if letter is not None:
                etree.SubElement(run, w("tab" if letter == "\t" else "br"))
        else:
            word += str(letter)


def set_text(node: Any, text: str) -> None:
    """Set the text of a w:t or w:delText so that its outer spaces are kept."""
    node.text = text
    if text != text.strip():
        node.set(XML_SPACE, "preserve")


def _shown(node: Any) -> str | None:
    if node.tag == w("t"):
        return node.text or ""
    if node.tag == w("br") and node.get(w("type")) in ("page", "column"):
        return None
    return _MARKS.get(node.tag)


def _split_node(node: Any, at: int) -> None:
    text = node.text
    second = copy.deepcopy(node)
    set_text(node, text[:at])
    set_text(second, text[at:])
    node.addnext(second)


def _split_run(run: Any, node: Any, *, before: bool = False) -> None:
    """Move what follows `node` (or begins with it, with `before`) to a new run behind."""
    from lxml import etree

    second = etree.Element(run.tag, run.attrib, nsmap=run.nsmap)
    properties = run.find(w("rPr"))
    if properties is not None:
        second.append(copy.deepcopy(properties))
    moved = [node, *node.itersiblings()] if before else list(node.itersiblings())
    for each in moved:
        second.append(each)
    run.addnext(second)


def _text_before(atom: Atom) -> bool:
    return any(_shown(node) for node in atom.node.itersiblings(preceding=True))
