"""The right people get the right letter, word for word, each on a page of its own."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, takewhile

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, InvalidArtifact, define_leaf, make_finding, make_group
from yardkit.evaluators.readers.answers import simplify_text
from yardkit.evaluators.readers.office.documents import Look, Paragraph, read_document
from yardkit.evaluators.readers.pages.pdf import Page
from yardkit.evaluators.readers.pages.rendered import find_tofu, render_pages
from yardkit.evaluators.submission import Submission

FILE = "letters/renewals.docx"
TEMPLATE = "letters/template_renewal.docx"
REFERENCE = "our reference:"
SMALLEST_PT = 9.0
Letters = dict[str, list[Paragraph]]


TEXT = (f"paragraphs:{FILE}", f"body:{FILE}")
LOOK = (f"styles:{FILE}", f"headers:{FILE}", f"body:{FILE}")


def _map_letters(submission: Submission) -> Letters:
    """The paragraphs of each letter below its reference, by the customer's number, in the order of the document."""
    letters_by_number: Letters = {}
    current: list[Paragraph] | None = None
    for paragraph in read_document(submission, FILE).paragraphs:
        text = simplify_text(paragraph.text)
        if text.startswith(REFERENCE):
            number = text.removeprefix(REFERENCE).strip()
            if number in letters_by_number:
                raise InvalidArtifact(f"{FILE} holds two letters to customer {number}")
            current = letters_by_number[number] = []
        elif current is not None and text:
            current.append(paragraph)
    return letters_by_number


def _list_texts(paragraphs: list[Paragraph]) -> list[str]:
    return [simplify_text(paragraph.text) for paragraph in paragraphs]


@define_leaf("recipients", "Just those who are due get a letter, in order", *TEXT, weight=3)
def _check_recipients(submission: Submission, facts: Facts) -> Finding:
    recipient_numbers, expected_numbers = (
        list(_map_letters(submission)),
        [letter["number"] for letter in facts["letters"]],
    )
    unexpected = [number for number in recipient_numbers if number not in expected_numbers] + [
        number for number in expected_numbers if number not in recipient_numbers
    ]
    return make_finding(
        recipient_numbers == expected_numbers,
        f"{len(recipient_numbers)} letters for {len(expected_numbers)}; other: {unexpected}; in order:"
        f" {not unexpected}",
    )


@define_leaf("addresses", "Each letter has the present address", *TEXT, weight=2)
def _check_addresses(submission: Submission, facts: Facts) -> Finding:
    letters_by_number = _map_letters(submission)
    wrong = [
        letter["number"]
        for letter in facts["letters"]
        if _list_texts(letters_by_number.get(letter["number"], []))[:3]
        != [simplify_text(line) for line in letter["address"]]
    ]
    return make_finding(not wrong, f"{len(wrong)} letters with another address: {wrong[:6]}")


@define_leaf("figures", "Day, prices and manager are the customer's", *TEXT, weight=2)
def _check_figures(submission: Submission, facts: Facts) -> Finding:
    """Day, prices and manager of each letter, wherever in it they stand."""
    letters_by_number, wrong = _map_letters(submission), {}
    for letter in facts["letters"]:
        text = " ".join(_list_texts(letters_by_number.get(letter["number"], [])))
        missing = [value for value in letter["terms"] if simplify_text(value) not in text]
        if missing:
            wrong[letter["number"]] = missing
    return make_finding(not wrong, f"letters with missing parts: {dict(list(wrong.items())[:4])}")


@define_leaf("wording", "The rest is word for word the template", *TEXT, weight=2)
def _check_wording(submission: Submission, facts: Facts) -> Finding:
    letters_by_number = _map_letters(submission)
    wrong = [
        letter["number"]
        for letter in facts["letters"]
        if _list_texts(letters_by_number.get(letter["number"], []))[3:]
        != [simplify_text(text) for text in letter["text"]]
    ]
    before = [text for text in _list_texts(_before_letters(read_document(submission, FILE).paragraphs)) if text]
    evidence = f"{len(wrong)} letters that differ from the template: {wrong[:6]}; before them {before[:2]}"
    return make_finding(not wrong and not before, evidence)


def _before_letters(paragraphs: Sequence[Paragraph]) -> list[Paragraph]:
    return list(takewhile(lambda paragraph: not simplify_text(paragraph.text).startswith(REFERENCE), paragraphs))


@define_leaf("pages", "Each letter is one page", *TEXT, *LOOK, kind="format", weight=3)
def _check_pages(submission: Submission, facts: Facts) -> Finding:
    """As many pages as letters, each with one reference at its top and the end of the letter at its bottom."""
    pages = [simplify_text(page.text) for page in render_pages(submission, FILE).pages]
    expected_numbers = [letter["number"] for letter in facts["letters"]]
    end = simplify_text(facts["letters"][0]["text"][-1])
    wrong = [
        number
        for number, text in enumerate(pages, 1)
        if text.count(REFERENCE) != 1 or text.count(end) != 1 or text.index(REFERENCE) > text.index(end)
    ]
    good = len(pages) == len(expected_numbers) and not wrong
    return make_finding(
        good, f"{len(pages)} pages for {len(expected_numbers)} letters; pages that are not one full letter: {wrong}"
    )


@define_leaf("readable", "No type is too small, the others keep theirs", *LOOK, kind="format")
def _check_readable(submission: Submission, facts: Facts) -> Finding:
    """No type below the limit, as printed; the short letters keep theirs; every sign is drawn."""
    letters = _map_letters(submission)
    usual = _list_type_sizes(read_document(submission.untouched, TEMPLATE).paragraphs)
    small, changed = [], []
    for letter in facts["letters"]:
        sizes = _list_type_sizes(letters.get(letter["number"], []))
        small += [letter["number"]] if not sizes or min(sizes) < SMALLEST_PT else []
        changed += [letter["number"]] if letter["number"] not in facts["long"] and sizes != usual else []
    boxes = find_tofu(render_pages(submission, FILE))
    good = not small and not changed and not boxes
    return make_finding(
        good, f"below {SMALLEST_PT:g} points: {small}; short letters changed: {changed}; boxes: {boxes[:3]}"
    )


@define_leaf("looks", "The letters look like the template", *LOOK, kind="format")
def _check_looks(submission: Submission, facts: Facts) -> Finding:
    """Type and alignment are those of the template, of the short letters the distances, too."""
    paragraphs = read_document(submission.untouched, TEMPLATE).paragraphs
    template = [paragraph for paragraph in paragraphs[len(_before_letters(paragraphs)) + 1 :] if paragraph.text.strip()]
    distances = _measure_distances(render_pages(submission.untouched, TEMPLATE).pages[0], template)
    pages, letters = render_pages(submission, FILE).pages, _map_letters(submission)
    restyled, moved = [], []
    for number, paragraphs in letters.items():
        if _describe_styles(paragraphs) != _describe_styles(template):
            restyled.append(number)
        page = next(
            (candidate for candidate in pages if f"{REFERENCE} {number}" in simplify_text(candidate.text)), None
        )
        measured_distances = _measure_distances(page, paragraphs) if page is not None else []
        if number not in facts["long"] and not (
            len(measured_distances) == len(distances)
            and all(abs(a - b) < 1.5 for a, b in zip(measured_distances, distances, strict=True))
        ):
            moved.append(number)
    good = bool(letters) and not restyled and not moved
    return make_finding(good, f"letters of other type: {restyled[:6]}; short ones with other distances: {moved[:6]}")


def _describe_styles(paragraphs: Sequence[Paragraph]) -> list[tuple[str, frozenset[Look]]]:
    """How each paragraph looks but for the size of its type, which may be smaller."""
    return [
        (
            paragraph.alignment.replace("start", "left").replace("both", "justify") or "left",
            frozenset(replace(run.look, size_pt=0.0) for run in paragraph.runs if run.text.strip()),
        )
        for paragraph in paragraphs
    ]


def _measure_distances(page: Page, paragraphs: Sequence[Paragraph]) -> list[float]:
    """From the top of one paragraph to that of the next, where the first has one line: address to text, and the end."""
    tops: list[float] = []
    for paragraph in paragraphs:
        below = tops[-1] if tops else 0.0  # A name may stand further up as well.
        tops.append(min((box[1] for box in page.find(paragraph.text) if box[1] > below), default=below))
    return [after - before for part in (tops[:6], tops[-3:]) for before, after in pairwise(part)]


def _list_type_sizes(paragraphs: Sequence[Paragraph]) -> set[float]:
    """The sizes of type in points that the paragraphs are set in."""
    return {round(run.look.size_pt, 1) for paragraph in paragraphs for run in paragraph.runs if run.text.strip()}


@define_leaf("letterhead", "Each page has the letterhead and margins", *LOOK, kind="format")
def _check_letterhead(submission: Submission, facts: Facts) -> Finding:
    """Head and foot of each page are those of the template, and so are the margins."""
    template, read = read_document(submission.untouched, TEMPLATE), read_document(submission, FILE)
    firm = simplify_text(facts["head"].rsplit(" ", 1)[0])
    bare = [
        number
        for number, page in enumerate(render_pages(submission, FILE).pages, 1)
        if simplify_text(page.text).count(firm) < 2
    ]
    margins = {tuple(round(value, 1) for value in section.margins_mm) for section in read.sections}
    expected_margins = {tuple(round(value, 1) for value in section.margins_mm) for section in template.sections}
    section = template.sections[0]
    head = re.split(r"[\t\n]|\{PAGE\}", "\n".join([*section.headers.values(), *section.footers.values()]))
    incomplete_pages = [
        number
        for number, page in enumerate(render_pages(submission, FILE).pages, 1)
        if not all(simplify_text(part) in simplify_text(page.text) for part in head)
    ]
    evidence = (
        f"pages without letterhead: {bare}, without all of it: {incomplete_pages}; margins {margins}, not"
        f" {expected_margins}"
    )
    return make_finding(not bare and not incomplete_pages and margins == expected_margins, evidence)


CHECKS = make_group(
    "mail_merge_letters",
    "The renewal letters can go to the printer",
    make_group(
        "content",
        "The letters say the right things to the right people",
        _check_recipients,
        _check_addresses,
        _check_figures,
        _check_wording,
        weight=5,
    ),
    make_group(
        "printed",
        "The letters can be printed",
        _check_pages,
        _check_readable,
        _check_looks,
        _check_letterhead,
        leaves.check_looked_at("The pages were looked at", FILE, weight=1.0),
        weight=4,
    ),
    leaves.answer_number("The answer counts the letters", lambda facts: len(facts["letters"])),
    leaves.nothing_else(FILE, statement="No other file was touched"),
)
