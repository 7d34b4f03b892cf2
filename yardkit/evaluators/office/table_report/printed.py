"""The report on paper: header and footer of each page, empty pages, words of the register that cannot be read."""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from yardkit.evaluators.readers.office.documents import Document, Table
from yardkit.evaluators.readers.office.packages import open_parts, parse_file
from yardkit.evaluators.readers.pages.pdf import Page, Pdf
from yardkit.evaluators.readers.pages.rendered import draw_printed, is_legible
from yardkit.evaluators.submission import Submission

SCALE = 1.5
_PAGE = "{PAGE}"
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def list_furniture(read: Document, number: int) -> list[str]:
    """The words that the header and footer of the report's first section have on a page."""
    first = read.sections[0]
    furniture_text = " ".join((*first.headers.values(), *first.footers.values()))
    return furniture_text.replace(_PAGE, str(number)).split()


def without_furniture(pdf: Pdf, read: Document) -> list[int]:
    """Pages on which the header or the footer with the number of the page is not whole."""
    return [
        page.number
        for page in pdf.pages
        if Counter(list_furniture(read, page.number)) - Counter(word.text for word in page.words)
    ]


def list_empty_pages(pdf: Pdf, read: Document) -> list[int]:
    """Pages that have nothing but a header and a footer."""
    return [
        page.number
        for page in pdf.pages
        if not Counter(word.text for word in page.words) - Counter(list_furniture(read, page.number))
    ]


def lost_words(table: Table, pages: Sequence[Page], read: Document) -> list[str]:
    """Words of the table that are not printed, as often as they are not; one broken over lines is printed."""
    expected_words = _count_words(" ".join(cell.text for row in table.cells for cell in row))
    printed_words = _count_words(" ".join(word.text for page in pages for word in page.words))
    for page in pages:
        printed_words.subtract(_count_words(" ".join(list_furniture(read, page.number))))
    run_on = "".join("".join(re.findall(r"\w+", word.text)) for page in pages for word in page.words).casefold()
    lost = expected_words - printed_words
    return [word for word, count in lost.items() for _ in range(count) if run_on.count(word) < expected_words[word]]


def faint_words(submission: Submission, relative: str, pages: Sequence[Page]) -> list[str]:
    """Words on the pages that have nearly the colour of their ground, or lie below something."""
    faint = []
    for page in pages:
        picture = draw_printed(submission, relative, page.number, SCALE)
        faint += [word.text for word in page.words if len(word.text) > 1 and not is_legible(picture, word.box, SCALE)]
    return faint


def find_squeezing(submission: Submission, relative: str) -> list[str]:
    """By what the letters of the document's tables are made narrower without a smaller size."""
    return parse_file(submission, relative, _read_squeezing, "document")


def _read_squeezing(path: Path) -> list[str]:
    squeezings = set()
    for table in open_parts(path).xml("word/document.xml").iter(f"{_W}tbl"):
        for element in table.iter(f"{_W}tcFitText", f"{_W}fitText", f"{_W}w", f"{_W}spacing"):
            name, value = element.tag.removeprefix(_W), element.get(f"{_W}val", "")
            narrow = {"w": value not in ("", "100", "100%"), "spacing": value.startswith("-")}
            if narrow.get(name, value not in ("0", "false", "off")):
                squeezings.add(name)
    return sorted(squeezings)


def _count_words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.casefold()))
