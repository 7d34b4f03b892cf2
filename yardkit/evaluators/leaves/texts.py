"""Leaves about what stands in a document, presentation, PDF file, web page or text file."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePosixPath

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, finding, leaf
from yardkit.evaluators.readers import files
from yardkit.evaluators.readers.answers import find_numbers
from yardkit.evaluators.readers.office.documents import read_document
from yardkit.evaluators.readers.office.presentations import read_deck
from yardkit.evaluators.readers.pages.pdf import read_pdf
from yardkit.evaluators.readers.tables import near
from yardkit.evaluators.readers.web.html import read_html
from yardkit.evaluators.submission import Submission
from yardkit.world.wording import counted

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
    """What a reader of a delivered file reads, whatever its type.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it cannot be read.
    """
    return _TEXT_READERS.get(PurePosixPath(path).suffix.lower(), files.read_text)(submission, path)


def says(
    id: str,
    sentence: str,
    path: str,
    wanted: Callable[[Facts], Iterable[str]],
    *,
    never: Callable[[Facts], Iterable[str]] = lambda _facts: (),
    weight: float = 1.0,
) -> Checkpoint:
    """Some texts stand in a file as whole words, and others, such as what had to be replaced, do not.

    Letter case, line breaks and white space do not matter.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        text = _plain(text_of(submission, path))
        lacking = [name for name in wanted(facts) if not _stands(name, text)]
        left = [name for name in never(facts) if _stands(name, text)]
        return finding(not lacking and not left, f"missing: {lacking[:6]}; still there: {left[:6]}")

    return leaf(id, sentence, check, observes=_targets(path), weight=weight)


def figures(
    id: str,
    sentence: str,
    path: str,
    wanted: Callable[[Facts], Iterable[float]],
    tolerance: float = 0.005,
    *,
    weight: float = 1.0,
) -> Checkpoint:
    """Some numbers stand in a file, in any way of writing thousands."""

    def check(submission: Submission, facts: Facts) -> Finding:
        found = find_numbers(text_of(submission, path))
        lacking = [value for value in wanted(facts) if not any(near(number, value, tolerance) for number in found)]
        return finding(not lacking, f"{counted(len(found), 'number')}; missing: {lacking[:8]}")

    return leaf(id, sentence, check, observes=_targets(path), weight=weight)


def headings(
    id: str,
    sentence: str,
    path: str,
    wanted: Callable[[Facts], Sequence[tuple[int, str]]],
    *,
    weight: float = 1.0,
) -> Checkpoint:
    """The headings of a document or web page are just these, each with its level, in order: real ones, by style."""

    def check(submission: Submission, facts: Facts) -> Finding:
        read = read_html(submission, path) if path.endswith(".html") else read_document(submission, path)
        found = [(level, _plain(text)) for level, text in read.headings]
        truth = [(level, _plain(text)) for level, text in wanted(facts)]
        return finding(found == truth, f"{counted(len(found), 'heading')} for {len(truth)}: {found[:8]}")

    kinds = ("text", "headings") if path.endswith(".html") else ("body", "paragraphs", "styles")
    observes = tuple(f"{kind}:{path}{'' if kind == 'body' else '*'}" for kind in kinds)
    return leaf(id, sentence, check, observes=observes, kind="format", weight=weight)


def _targets(path: str) -> tuple[str, ...]:
    kinds = _OBSERVED_KINDS.get(PurePosixPath(path).suffix.lower(), ("text",))
    return (f"file:{path}", *(f"{kind}:{path}" for kind in kinds))


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _stands(text: str, where: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(_plain(text))}(?!\w)", where) is not None
