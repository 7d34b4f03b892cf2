"""Near misses in documents, presentations and plain text."""

from collections.abc import Callable, Iterator
from typing import Any

from yardkit.evaluators.misses.edits import Leaves, edit_file, make_miss
from yardkit.evaluators.misses.pdf_words import reset_pdf
from yardkit.evaluators.proof import Miss, Solved

_OFFICE_SUFFIXES = (".docx", ".pptx")


def text_changed(path: str, change: Callable[[str, Solved], str] | tuple[str, str], caught_by: Leaves) -> Miss:
    """The text of a file is changed: in a document or presentation each paragraph, in a PDF file each printed line, in
    other files all of it.

    `change` returns the new text, or is an old piece of text and the new one. The old text must exist: a near miss that
    changes nothing is a fault of the proof.
    """

    def read(text: str, work: Solved) -> str:
        return text.replace(*change) if isinstance(change, tuple) else change(text, work)

    def corrupt_world(work: Solved) -> None:
        if path.endswith(".pdf"):
            _require_condition(reset_pdf(work.files / path, lambda text: read(text, work)), path, "no line changed")
            return
        if not path.endswith(_OFFICE_SUFFIXES):
            text = (work.files / path).read_text("utf-8")
            (work.files / path).write_text(_require_other(text, read(text, work), path), "utf-8")
            return
        edit_file(
            path, lambda document, _work: _rewrite_paragraphs(document, path, lambda text: read(text, work)), caught_by
        )(work)

    return make_miss(caught_by, corrupt_world)


def style_lost(path: str, text: str, caught_by: Leaves, style: str = "Normal") -> Miss:
    """The paragraphs of a document with a text lose their style; any manual formatting stays."""

    def edit(document: Any, _work: Solved) -> None:
        matching_paragraphs = [paragraph for paragraph in document.paragraphs if text in paragraph.text]
        _require_condition(bool(matching_paragraphs), path, f"no paragraph holds {text!r}")
        for paragraph in matching_paragraphs:
            paragraph.style = document.styles[style]

    return edit_file(path, edit, caught_by)


def picture_gone(path: str, caught_by: Leaves) -> Miss:
    """The first picture of a document or presentation is missing."""

    def edit(document: Any, _work: Solved) -> None:
        tag = "}pic" if path.endswith(".pptx") else "}drawing"
        parts = [slide.shapes.element for slide in document.slides] if path.endswith(".pptx") else [document.element]
        matching_elements = [element for part in parts for element in part.iter() if str(element.tag).endswith(tag)]
        _require_condition(bool(matching_elements), path, "it has no picture")
        matching_elements[0].getparent().remove(matching_elements[0])

    return edit_file(path, edit, caught_by)


def _rewrite_paragraphs(document: Any, path: str, read: Callable[[str], str]) -> None:
    changed = 0
    for paragraph in _slide_paragraphs(document) if path.endswith(".pptx") else _list_paragraphs(document):
        text = "".join(run.text for run in paragraph.runs)
        new = read(text)
        if new != text and paragraph.runs:
            first, *others = paragraph.runs
            first.text = new
            for run in others:
                run.text = ""
            changed += 1
    _require_condition(changed > 0, path, "no paragraph changed")


def _list_paragraphs(document: Any) -> Iterator[Any]:
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


def _require_other(before: str, after: str, path: str) -> str:
    _require_condition(before != after, path, "the text is the same")
    return after


def _require_condition(holds: bool, path: str, problem_text: str) -> None:
    if not holds:
        raise AssertionError(f"this near miss changes nothing in {path}: {problem_text}")
