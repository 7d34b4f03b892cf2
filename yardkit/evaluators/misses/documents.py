"""Near misses in documents, presentations and plain text."""

from collections.abc import Callable, Iterator
from typing import Any

from yardkit.evaluators.misses.edits import Leaves, edited, miss
from yardkit.evaluators.misses.pdf_words import reset_pdf
from yardkit.evaluators.proof import Miss, Solved

_OFFICE_SUFFIXES = (".docx", ".pptx")


def text_changed(path: str, change: Callable[[str, Solved], str] | tuple[str, str], kills: Leaves) -> Miss:
    """The text of a file reads otherwise: in a document or presentation each paragraph, in a PDF file each line that is
    printed, in other files all of it.

    `change` gives the new text, or is an old piece of text and the new one. What is changed must be there: a miss that
    changes nothing is a fault of the proof.
    """

    def read(text: str, work: Solved) -> str:
        return text.replace(*change) if isinstance(change, tuple) else change(text, work)

    def spoil(work: Solved) -> None:
        if path.endswith(".pdf"):
            _expect(reset_pdf(work.files / path, lambda text: read(text, work)), path, "no line changed")
            return
        if not path.endswith(_OFFICE_SUFFIXES):
            text = (work.files / path).read_text("utf-8")
            (work.files / path).write_text(_other(text, read(text, work), path), "utf-8")
            return
        edited(path, lambda document, _work: _rewrite(document, path, lambda text: read(text, work)), kills)(work)

    return miss(kills, spoil)


def style_lost(path: str, text: str, kills: Leaves, style: str = "Normal") -> Miss:
    """The paragraphs of a document that hold a text have another style, and look as before by hand at best."""

    def edit(document: Any, _work: Solved) -> None:
        found = [paragraph for paragraph in document.paragraphs if text in paragraph.text]
        _expect(bool(found), path, f"no paragraph holds {text!r}")
        for paragraph in found:
            paragraph.style = document.styles[style]

    return edited(path, edit, kills)


def picture_gone(path: str, kills: Leaves) -> Miss:
    """The first picture of a document or presentation is missing."""

    def edit(document: Any, _work: Solved) -> None:
        tag = "}pic" if path.endswith(".pptx") else "}drawing"
        parts = [slide.shapes.element for slide in document.slides] if path.endswith(".pptx") else [document.element]
        found = [element for part in parts for element in part.iter() if str(element.tag).endswith(tag)]
        _expect(bool(found), path, "it has no picture")
        found[0].getparent().remove(found[0])

    return edited(path, edit, kills)


def _rewrite(document: Any, path: str, read: Callable[[str], str]) -> None:
    changed = 0
    for paragraph in _slide_paragraphs(document) if path.endswith(".pptx") else _paragraphs(document):
        text = "".join(run.text for run in paragraph.runs)
        new = read(text)
        if new != text and paragraph.runs:
            first, *others = paragraph.runs
            first.text = new
            for run in others:
                run.text = ""
            changed += 1
    _expect(changed > 0, path, "no paragraph changed")


def _paragraphs(document: Any) -> Iterator[Any]:
    yield from document.paragraphs
    for table in document.tables:
        for row in table.rows:
            for cell in row.cells:
                yield from cell.paragraphs


def _slide_paragraphs(deck: Any) -> Iterator[Any]:
    for slide in deck.slides:
        for shape in slide.shapes:
            if shape.has_text_frame:
                yield from shape.text_frame.paragraphs
            if shape.has_table:
                for row in shape.table.rows:
                    for cell in row.cells:
                        yield from cell.text_frame.paragraphs


def _other(before: str, after: str, path: str) -> str:
    _expect(before != after, path, "the text is the same")
    return after


def _expect(holds: bool, path: str, says: str) -> None:
    if not holds:
        raise AssertionError(f"this near miss changes nothing in {path}: {says}")
