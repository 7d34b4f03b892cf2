"""The right people get the right letter, word for word, each on a page of its own."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, takewhile

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, InvalidArtifact, finding, group, leaf
from yardkit.evaluators.readers.answers import fold
from yardkit.evaluators.readers.office.documents import Look, Paragraph, read_document
from yardkit.evaluators.readers.pages.pdf import Page
from yardkit.evaluators.readers.pages.rendered import find_tofu, render_pages
from yardkit.evaluators.submission import Submission

FILE = "letters/renewals.docx"
TEMPLATE = "letters/template_renewal.docx"
REFERENCE = "our reference:"
SMALLEST_PT = 9.0
Letters = dict[str, list[Paragraph]]


def _letters(submission: Submission) -> Letters:
    """The paragraphs of each letter below its reference, by the customer's number, in the order of the document."""
    found: Letters = {}
    current: list[Paragraph] | None = None
    for paragraph in read_document(submission, FILE).paragraphs:
        text = fold(paragraph.text)
        if text.startswith(REFERENCE):
            number = text.removeprefix(REFERENCE).strip()
            if number in found:
                raise InvalidArtifact(f"{FILE} holds two letters to customer {number}")
            current = found[number] = []
        elif current is not None and text:
            current.append(paragraph)
    return found


def _texts(paragraphs: list[Paragraph]) -> list[str]:
    return [fold(paragraph.text) for paragraph in paragraphs]


def _recipients(submission: Submission, facts: Facts) -> Finding:
    found, wanted = list(_letters(submission)), [letter["number"] for letter in facts["letters"]]
    odd = [number for number in found if number not in wanted] + [number for number in wanted if number not in found]
    return finding(found == wanted, f"{len(found)} letters for {len(wanted)}; other: {odd}; in order: {not odd}")


def _addresses(submission: Submission, facts: Facts) -> Finding:
    found = _letters(submission)
    wrong = [
        letter["number"]
        for letter in facts["letters"]
        if _texts(found.get(letter["number"], []))[:3] != [fold(line) for line in letter["address"]]
    ]
    return finding(not wrong, f"{len(wrong)} letters with another address: {wrong[:6]}")


def _figures(submission: Submission, facts: Facts) -> Finding:
    """Day, prices and manager of each letter, wherever in it they stand."""
    found, wrong = _letters(submission), {}
    for letter in facts["letters"]:
        text = " ".join(_texts(found.get(letter["number"], [])))
        missing = [value for value in letter["terms"] if fold(value) not in text]
        if missing:
            wrong[letter["number"]] = missing
    return finding(not wrong, f"letters with missing parts: {dict(list(wrong.items())[:4])}")


def _wording(submission: Submission, facts: Facts) -> Finding:
    found = _letters(submission)
    wrong = [
        letter["number"]
        for letter in facts["letters"]
        if _texts(found.get(letter["number"], []))[3:] != [fold(text) for text in letter["text"]]
    ]
    before = [text for text in _texts(_before_letters(read_document(submission, FILE).paragraphs)) if text]
    says = f"{len(wrong)} letters that differ from the template: {wrong[:6]}; before them {before[:2]}"
    return finding(not wrong and not before, says)


def _before_letters(paragraphs: Sequence[Paragraph]) -> list[Paragraph]:
    return list(takewhile(lambda paragraph: not fold(paragraph.text).startswith(REFERENCE), paragraphs))


def _pages(submission: Submission, facts: Facts) -> Finding:
    """As many pages as letters, each with one reference at its top and the end of the letter at its bottom."""
    pages = [fold(page.text) for page in render_pages(submission, FILE).pages]
    wanted = [letter["number"] for letter in facts["letters"]]
    end = fold(facts["letters"][0]["text"][-1])
    wrong = [
        number
        for number, text in enumerate(pages, 1)
        if text.count(REFERENCE) != 1 or text.count(end) != 1 or text.index(REFERENCE) > text.index(end)
    ]
    good = len(pages) == len(wanted) and not wrong
    return finding(good, f"{len(pages)} pages for {len(wanted)} letters; pages that are not one full letter: {wrong}")


def _readable(submission: Submission, facts: Facts) -> Finding:
    """No type below the limit, as printed; the short letters keep theirs; every sign is drawn."""
    letters = _letters(submission)
    usual = _sizes(read_document(submission.untouched, TEMPLATE).paragraphs)
    small, changed = [], []
    for letter in facts["letters"]:
        sizes = _sizes(letters.get(letter["number"], []))
        small += [letter["number"]] if not sizes or min(sizes) < SMALLEST_PT else []
        changed += [letter["number"]] if letter["number"] not in facts["long"] and sizes != usual else []
    boxes = find_tofu(render_pages(submission, FILE))
    good = not small and not changed and not boxes
    return finding(good, f"below {SMALLEST_PT:g} points: {small}; short letters changed: {changed}; boxes: {boxes[:3]}")


def _looks(submission: Submission, facts: Facts) -> Finding:
    """Type and alignment are those of the template, of the short letters the distances, too."""
    paragraphs = read_document(submission.untouched, TEMPLATE).paragraphs
    template = [paragraph for paragraph in paragraphs[len(_before_letters(paragraphs)) + 1 :] if paragraph.text.strip()]
    distances = _distances(render_pages(submission.untouched, TEMPLATE).pages[0], template)
    pages, letters = render_pages(submission, FILE).pages, _letters(submission)
    restyled, moved = [], []
    for number, paragraphs in letters.items():
        if _styled(paragraphs) != _styled(template):
            restyled.append(number)
        page = next((candidate for candidate in pages if f"{REFERENCE} {number}" in fold(candidate.text)), None)
        found = _distances(page, paragraphs) if page is not None else []
        if number not in facts["long"] and not _alike(found, distances):
            moved.append(number)
    good = bool(letters) and not restyled and not moved
    return finding(good, f"letters of other type: {restyled[:6]}; short ones with other distances: {moved[:6]}")


def _styled(paragraphs: Sequence[Paragraph]) -> list[tuple[str, frozenset[Look]]]:
    """How each paragraph looks but for the size of its type, which may be smaller."""
    return [
        (
            paragraph.alignment.replace("start", "left").replace("both", "justify") or "left",
            frozenset(replace(run.look, size_pt=0.0) for run in paragraph.runs if run.text.strip()),
        )
        for paragraph in paragraphs
    ]


def _distances(page: Page, paragraphs: Sequence[Paragraph]) -> list[float]:
    """From the top of one paragraph to that of the next, where the first has one line: address to text, and the end."""
    tops: list[float] = []
    for paragraph in paragraphs:
        below = tops[-1] if tops else 0.0  # A name may stand further up as well.
        tops.append(min((box[1] for box in page.find(paragraph.text) if box[1] > below), default=below))
    return [after - before for part in (tops[:6], tops[-3:]) for before, after in pairwise(part)]


def _alike(one: Sequence[float], two: Sequence[float]) -> bool:
    return len(one) == len(two) and all(abs(a - b) < 1.5 for a, b in zip(one, two, strict=True))


def _sizes(paragraphs: Sequence[Paragraph]) -> set[float]:
    """The sizes of type in points that the paragraphs are set in."""
    return {round(run.look.size_pt, 1) for paragraph in paragraphs for run in paragraph.runs if run.text.strip()}


def _letterhead(submission: Submission, facts: Facts) -> Finding:
    """Head and foot of each page are those of the template, and so are the margins."""
    template, read = read_document(submission.untouched, TEMPLATE), read_document(submission, FILE)
    firm = fold(facts["head"].rsplit(" ", 1)[0])
    bare = [
        number for number, page in enumerate(render_pages(submission, FILE).pages, 1) if fold(page.text).count(firm) < 2
    ]
    margins = {tuple(round(value, 1) for value in section.margins_mm) for section in read.sections}
    wanted = {tuple(round(value, 1) for value in section.margins_mm) for section in template.sections}
    section = template.sections[0]
    head = re.split(r"[\t\n]|\{PAGE\}", "\n".join([*section.headers.values(), *section.footers.values()]))
    lacking = [
        number
        for number, page in enumerate(render_pages(submission, FILE).pages, 1)
        if not all(fold(part) in fold(page.text) for part in head)
    ]
    says = f"pages without letterhead: {bare}, without all of it: {lacking}; margins {margins}, not {wanted}"
    return finding(not bare and not lacking and margins == wanted, says)


TEXT = (f"paragraphs:{FILE}", f"body:{FILE}")
LOOK = (f"styles:{FILE}", f"headers:{FILE}", f"body:{FILE}")

CHECKS = group(
    "mail_merge_letters",
    "The renewal letters can go to the printer",
    group(
        "content",
        "The letters say the right things to the right people",
        leaf("recipients", "Just those who are due get a letter, in order", _recipients, observes=TEXT, weight=3),
        leaf("addresses", "Each letter has the present address", _addresses, observes=TEXT, weight=2),
        leaf("figures", "Day, prices and manager are the customer's", _figures, observes=TEXT, weight=2),
        leaf("wording", "The rest is word for word the template", _wording, observes=TEXT, weight=2),
        weight=5,
    ),
    group(
        "printed",
        "The letters can be printed",
        leaf("pages", "Each letter is one page", _pages, observes=(*TEXT, *LOOK), kind="format", weight=3),
        leaf("readable", "No type is too small, the others keep theirs", _readable, observes=LOOK, kind="format"),
        leaf("looks", "The letters look like the template", _looks, observes=LOOK, kind="format"),
        leaf("letterhead", "Each page has the letterhead and margins", _letterhead, observes=LOOK, kind="format"),
        leaves.looked("The pages were looked at", FILE, weight=1.0),
        weight=4,
    ),
    leaves.answer_number("The answer counts the letters", lambda facts: len(facts["letters"])),
    leaves.nothing_else(FILE, says="No other file was touched"),
)
