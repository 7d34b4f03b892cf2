"""Leaves about the text of a document, presentation, PDF file, web page or text file."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePosixPath

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, make_checkpoint, make_finding
from yardkit.evaluators.readers import files
from yardkit.evaluators.readers.answers import find_numbers
from yardkit.evaluators.readers.office.documents import read_document
from yardkit.evaluators.readers.office.presentations import read_deck
from yardkit.evaluators.readers.pages.pdf import read_pdf
from yardkit.evaluators.readers.tables import is_near
from yardkit.evaluators.readers.web.html import read_html
from yardkit.evaluators.submission import Submission
from yardkit.world.wording import format_count

_TEXT_READERS: dict[str, Callable[[Submission, str], str]] = {
    ".docx": lambda submission, path: read_document(submission, path).text,
    ".html": lambda submission, path: read_html(submission, path).text,
    ".pdf": lambda submission, path: "\n".join(page.text for page in read_pdf(submission, path).pages),
    ".pptx": lambda submission, path: "\n".join(slide.text for slide in read_deck(submission, path).slides),
}
_OBSERVED_KINDS = {
    ".docx": ("body", "paragraphs", "rows"),
    ".html": ("text", "words", "headings", "rows"),
    ".pdf": ("pages",),
    ".pptx": ("slides", "titles", "texts"),
}


def text_of(submission: Submission, path: str) -> str:
    """Return the text that a reader of a delivered file sees, for any type.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it cannot be read.
    """
    return _TEXT_READERS.get(PurePosixPath(path).suffix.lower(), files.read_text)(submission, path)


def check_texts(
    id: str,
    sentence: str,
    path: str,
    expected: Callable[[Facts], Iterable[str]],
    *,
    never: Callable[[Facts], Iterable[str]] = lambda _facts: (),
    weight: float = 1.0,
) -> Checkpoint:
    """A file contains some texts as whole words, and does not contain others, such as replaced ones.

    Letter case, line breaks and white space do not matter.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        text = _normalize_text(text_of(submission, path))
        missing_texts = [name for name in expected(facts) if not _has_text(name, text)]
        left = [name for name in never(facts) if _has_text(name, text)]
        return make_finding(not missing_texts and not left, f"missing: {missing_texts[:6]}; still there: {left[:6]}")

    return make_checkpoint(id, sentence, check, covers=_list_targets(path), weight=weight)


def check_numbers(
    id: str,
    sentence: str,
    path: str,
    expected: Callable[[Facts], Iterable[float]],
    tolerance: float = 0.005,
    *,
    weight: float = 1.0,
) -> Checkpoint:
    """A file contains some numbers, with any thousands separator."""

    def check(submission: Submission, facts: Facts) -> Finding:
        numbers = find_numbers(text_of(submission, path))
        missing_numbers = [
            value for value in expected(facts) if not any(is_near(number, value, tolerance) for number in numbers)
        ]
        return make_finding(
            not missing_numbers, f"{format_count(len(numbers), 'number')}; missing: {missing_numbers[:8]}"
        )

    return make_checkpoint(id, sentence, check, covers=_list_targets(path), weight=weight)


def check_headings(
    id: str,
    sentence: str,
    path: str,
    expected: Callable[[Facts], Sequence[tuple[int, str]]],
    *,
    weight: float = 1.0,
) -> Checkpoint:
    """The headings of a document or web page are exactly these, by style, each with its level, in order."""

    def check(submission: Submission, facts: Facts) -> Finding:
        read = read_html(submission, path) if path.endswith(".html") else read_document(submission, path)
        headings = [(level, _normalize_text(text)) for level, text in read.headings]
        truth = [(level, _normalize_text(text)) for level, text in expected(facts)]
        return make_finding(
            headings == truth, f"{format_count(len(headings), 'heading')} for {len(truth)}: {headings[:8]}"
        )

    kinds = ("text", "headings") if path.endswith(".html") else ("body", "paragraphs", "styles")
    covers = tuple(f"{kind}:{path}{'' if kind == 'body' else '*'}" for kind in kinds)
    return make_checkpoint(id, sentence, check, covers=covers, kind="format", weight=weight)


def _list_targets(path: str) -> tuple[str, ...]:
    kinds = _OBSERVED_KINDS.get(PurePosixPath(path).suffix.lower(), ("text",))
    return (f"file:{path}", *(f"{kind}:{path}" for kind in kinds))


def _normalize_text(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _has_text(text: str, where: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(_normalize_text(text))}(?!\w)", where) is not None
