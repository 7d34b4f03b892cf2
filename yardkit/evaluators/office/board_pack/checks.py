"""The papers of the agenda in their order, in one PDF whose page numbers and stamps stand where there is room."""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, define_leaf, make_finding, make_group
from yardkit.evaluators.readers.answers import read_number
from yardkit.evaluators.readers.files import parse_file
from yardkit.evaluators.readers.pages.pdf import Box, Page, Pdf, Word, draw_pdf_page, read_pdf
from yardkit.evaluators.readers.pages.rendered import find_cut_cells, is_legible
from yardkit.evaluators.submission import Submission

PACK = "board_pack.pdf"
STAMP = "CONFIDENTIAL"
MARGIN, LEAST_PT = 0.13, 48
"""Part of the height of a page that is its margin, at the top and at the bottom; on small pages so many points."""
SCALE = 2.0
_LEAST_STAMP_PT = 7.7
_OWN_NUMBER = re.compile(r"\d[\d,]{4,}")


PAGES: tuple[Any, ...] = (f"pages:{PACK}",)


def _squeeze_text(text: str) -> str:
    return "".join(text.split()).casefold()


def _list_text_pages(read: Pdf, facts: Facts) -> list[list[list[int]]]:
    """For each item and each of its texts the pages where it stands."""
    pages = [(page.number, _squeeze_text(page.text)) for page in read.pages]
    return [
        [[number for number, text in pages if _squeeze_text(wanted_text) in text] for wanted_text in item["texts"]]
        for item in facts["items"]
    ]


def _list_start_pages(read: Pdf, facts: Facts) -> list[int]:
    """The first page of each item, 0 where nothing of it is there."""
    return [min((pages[0] for pages in item if pages), default=0) for item in _list_text_pages(read, facts)]


@define_leaf("order", "Every page of every paper in the order of the agenda, legibly", *PAGES, weight=4)
def _check_order(submission: Submission, facts: Facts) -> Finding:
    """Every text once, item after item and in its order, and no page without any."""
    read = read_pdf(submission, PACK)
    places = _list_text_pages(read, facts)
    lost = [
        text
        for item, pages in zip(facts["items"], places, strict=True)
        for text, at in zip(item["texts"], pages, strict=True)
        if len(at) != 1
    ]
    if lost:
        return make_finding(holds=False, evidence=f"missing, or there twice: {lost[:4]}")
    runs = [[at[0] for at in item] for item in places]
    falls = [n for n, run in enumerate(runs, 1) if run != sorted(run)]
    mixed = [n for n, (first_run, two) in enumerate(pairwise(runs), 1) if first_run[-1] >= two[0]]
    empty = [page.number for page in read.pages if page.number not in {n for run in runs for n in run}]
    if falls or mixed or empty:
        evidence = f"items out of order inside {falls}, after {mixed}; pages of nothing: {empty}"
        return make_finding(holds=False, evidence=evidence)
    unseen = [text for item in facts["items"] for text in item["texts"] if not _is_seen(submission, read, text)]
    return make_finding(not unseen, f"covered or pale: {unseen[:4]}" if unseen else "each text once, in its order")


def _is_seen(submission: Submission, read: Pdf, text: str) -> bool:
    """Whether the number in a text, which no other text has, can be read on the page."""
    number = next(iter(_OWN_NUMBER.findall(text)), text)
    number_boxes = [(page.number, word.box) for page in read.pages for word in page.words if number in word.text]
    return any(is_legible(draw_pdf_page(submission, PACK, page, SCALE), box, SCALE) for page, box in number_boxes)


@define_leaf("latest", "No page of an older version", f"file:{PACK}")
def _check_latest(submission: Submission, facts: Facts) -> Finding:
    """Nothing of an older version is there."""
    read = read_pdf(submission, PACK)
    stale = [name for name in facts["stale"] if _squeeze_text(name) in _squeeze_text(read.text)]
    return make_finding(
        not stale and not read.attachments, f"from older versions: {stale[:5]}; inside: {read.attachments}"
    )


@define_leaf("sheets", "Each sheet is on one page, A4 landscape", f"file:{PACK}", weight=2)
def _check_sheets(submission: Submission, facts: Facts) -> Finding:
    """The table of results stands on one page, first to last column, and no cell is cut; so does the other sheet."""
    read = read_pdf(submission, PACK)
    *totals, code = next(item for item in facts["items"] if "Financials" in item["title"])["texts"]
    expected_rows = [[*totals, *facts["row"]], [code, *facts["columns"]]]
    pages = [
        [page for page in read.pages if all(_squeeze_text(text) in _squeeze_text(page.text) for text in sheet)]
        for sheet in expected_rows
    ]
    sheet_page_numbers = [page.number for sheet_pages in pages for page in sheet_pages]
    small = [
        page.number
        for sheet_pages in pages
        for page in sheet_pages
        if not (abs(page.width - 841.9) < 4 and abs(page.height - 595.3) < 4)
    ]
    cut = find_cut_cells(read)
    holds = (
        [len(page) for page in pages] == [1, 1]
        and sheet_page_numbers[0] + 1 == sheet_page_numbers[1]
        and not cut
        and not small
    )
    return make_finding(
        holds,
        f"pages with a whole sheet: {sheet_page_numbers}; of them not A4 landscape: {small}; cut cells: {cut[:4]}",
    )


@define_leaf("upright", "All pages are upright", *PAGES, weight=2)
def _check_upright(submission: Submission, facts: Facts) -> Finding:  # noqa: ARG001 - all pages are alike
    sideways_pages = [page.number for page in read_pdf(submission, PACK).pages if not _reads_across(page)]
    return make_finding(not sideways_pages, f"pages that are rotated: {sideways_pages}")


def _reads_across(page: Page) -> bool:
    """Whether words follow each other to the right, the words of the number in any case, and none of ours lies over."""
    pairs = list(pairwise(page.words))
    right = [
        two.box[0] >= first_word.box[2] - 1 and two.box[1] < first_word.box[3] and two.box[3] > first_word.box[1]
        for first_word, two in pairs
    ]
    ours = [
        ok
        for ok, (first_word, two) in zip(right, pairs, strict=True)
        if (first_word.text, two.text) == ("Board", "pack")
    ]
    over = [word for word in page.words if word.text == STAMP and not word.forward]
    return sum(right) > 0.4 * len(pairs) and all(ours) and not over


@define_leaf("bookmarks", "A bookmark for each item", f"file:{PACK}", weight=2)
def _check_bookmarks(submission: Submission, facts: Facts) -> Finding:
    read = read_pdf(submission, PACK)
    bookmarks = [(" ".join(title.split()), page) for level, title, page in read.outline if level == 0]
    expected_bookmarks = list(
        zip((item["title"] for item in facts["items"]), _list_start_pages(read, facts), strict=True)
    )
    return make_finding(bookmarks == expected_bookmarks, f"found {bookmarks[:8]}, expected {expected_bookmarks}")


@define_leaf("numbers", "Each page has its number", *PAGES, weight=2)
def _check_numbers(submission: Submission, facts: Facts) -> Finding:  # noqa: ARG001 - all pages are alike
    read = read_pdf(submission, PACK)
    problems = []
    for page in read.pages:
        expected_text = f"Board pack {page.number} / {len(read.pages)}"
        words = _find_written(page, expected_text)
        if len(page.find("Board pack")) != 1 or " ".join(word.text for word in words) != expected_text:
            problems.append(f"page {page.number} says {[word.text for word in words]}")
        elif not all(7.7 <= word.size_pt <= 11.3 for word in words):
            problems.append(f"page {page.number}: {words[0].size_pt:g} points")
        elif not all(is_legible(draw_pdf_page(submission, PACK, page.number, SCALE), w.box, SCALE) for w in words[:2]):
            problems.append(f"page {page.number}: not to be read")
    return make_finding(not problems, "; ".join(problems[:6]) or "each page has its number once")


def _find_written(page: Page, text: str) -> list[Word]:
    """The words of the one place where a page says a text, as they are written; none where there are several."""
    boxes = page.find(text)
    return [word for word in page.words if _is_inside(word.box, boxes[0])] if len(boxes) == 1 else []


def _list_secret_pages(read: Pdf, facts: Facts) -> list[int]:
    """The pages of confidential items."""
    starts = [*_list_start_pages(read, facts), len(read.pages) + 1]
    spans = zip(facts["items"], starts, starts[1:], strict=False)
    return [number for item, first, after in spans if item["confidential"] for number in range(first, after)]


@define_leaf("stamps", "Just the confidential pages are stamped, legibly and in red", *PAGES, weight=2)
def _check_stamps(submission: Submission, facts: Facts) -> Finding:
    read = read_pdf(submission, PACK)
    stamped_pages = [page.number for page in read.pages if any(word.text == STAMP for word in page.words)]
    expected_pages = _list_secret_pages(read, facts)
    pale = (
        [n for n in stamped_pages if n in expected_pages and not _is_red_stamp(submission, read.pages[n - 1])]
        if stamped_pages == expected_pages
        else []
    )
    return make_finding(
        stamped_pages == expected_pages and bool(stamped_pages) and not pale,
        f"on pages {stamped_pages}, expected {expected_pages}; not red: {pale}",
    )


def _is_red_stamp(submission: Submission, page: Page) -> bool:
    """Whether the letters of the stamp are red, and large enough."""
    pixels = draw_pdf_page(submission, PACK, page.number, SCALE)
    for word in page.words:
        if word.text == STAMP:
            left, top, right, bottom = (int(side * SCALE) for side in word.box)
            part = pixels[max(top, 0) : bottom + 1, max(left, 0) : right + 1].astype(int)
            others = part[..., 1:].max(axis=2)
            red = (part[..., 0] > 130) & (others < 130) & (part[..., 0] - others > 70)
            return bool(part.size) and bool(red.mean() > 0.05) and word.size_pt >= _LEAST_STAMP_PT
    return False


def _list_added_boxes(page: Page, pages: int) -> Iterator[Box]:
    """What was put on a page: its number and its stamp."""
    yield from page.find(f"Board pack {page.number} / {pages}")
    yield from (word.box for word in page.words if word.text == STAMP)


@define_leaf("clear", "Numbers and stamps are where there is room", *PAGES, weight=3, kind="format")
def _check_clear(submission: Submission, facts: Facts) -> Finding:
    """Number and stamp touch no word, stand within the page and in its margin, and read across."""
    read = read_pdf(submission, PACK)
    secret = _list_secret_pages(read, facts)
    problems = []
    for page in read.pages:
        boxes = list(_list_added_boxes(page, len(read.pages)))
        if len(boxes) != 1 + (page.number in secret):
            problems.append(f"page {page.number} has {len(boxes)} of ours")
        tokens = {"board", "pack", str(page.number), "/", str(len(read.pages)), STAMP.casefold()}
        for box in boxes:
            others = [
                w for w in page.words if not (w.text.casefold() in tokens and any(_is_inside(w.box, b) for b in boxes))
            ]
            hit = [word.text for word in others if _boxes_overlap(word.box, box)]
            hit += ["each other"] if any(_boxes_overlap(box, other) for other in boxes if other != box) else []
            problems += [f"page {page.number} touches {hit[:3]}"] if hit else []
            problems += [] if _in_margin(page, box) else [f"page {page.number}: not in the margin {box}"]
    return make_finding(not problems, "; ".join(problems[:5]) or "all are where there is room")


def _boxes_overlap(first: Box, two: Box) -> bool:
    return min(first[2], two[2]) - max(first[0], two[0]) > 0.2 and min(first[3], two[3]) - max(first[1], two[1]) > 0.2


def _is_inside(inner: Box, two: Box) -> bool:
    return (
        inner[0] >= two[0] - 0.1 and inner[1] >= two[1] - 0.1 and inner[2] <= two[2] + 0.1 and inner[3] <= two[3] + 0.1
    )


def _in_margin(page: Page, box: Box) -> bool:
    within = box[0] > 0 and box[1] > 0 and box[2] < page.width and box[3] < page.height
    margin = max(MARGIN * page.height, LEAST_PT)
    outer = box[3] <= margin or box[1] >= page.height - margin
    return within and outer and box[2] - box[0] > box[3] - box[1]


@define_leaf("title", "The document has its title", f"file:{PACK}")
def _check_title(submission: Submission, facts: Facts) -> Finding:  # noqa: ARG001 - the prompt states it
    """The title stands in one of the two places where programs look for it, and nothing else in the other."""
    titles = {name.strip() for name in parse_file(submission, PACK, _read_titles, "PDF file")} - {""}
    return make_finding(titles == {"Board pack 26 March 2026"}, f"the title is {titles}")


def _read_titles(path: Path) -> tuple[str, str]:
    import pikepdf

    with pikepdf.open(path) as opened:
        metadata_title = opened.open_metadata().get("dc:title", "") if "/Metadata" in opened.Root else ""
        return str(opened.docinfo.get("/Title", "")), str(metadata_title)


@define_leaf("answer", "The answer counts the pages", "answer")
def _check_answer(submission: Submission, facts: Facts) -> Finding:  # noqa: ARG001 - the pack tells it
    count = len(read_pdf(submission, PACK).pages)
    return make_finding(read_number(submission.answer) == count, f"the pack has {count} pages")


CHECKS = make_group(
    "board_pack",
    "The pack is put together",
    make_group(
        "papers",
        "The right papers are in the right order",
        _check_order,
        _check_latest,
        _check_sheets,
        _check_upright,
        weight=5,
    ),
    make_group(
        "finding_ones_way",
        "Bookmarks, numbers and stamps are right",
        _check_bookmarks,
        _check_numbers,
        _check_stamps,
        _check_title,
        weight=4,
    ),
    make_group(
        "look",
        "It looks tidy",
        _check_clear,
        leaves.check_looked_at("The agent looked at the pack", PACK, weight=1.0),
        weight=3,
    ),
    _check_answer,
    leaves.nothing_else(PACK, id="others", statement="No other file was touched"),
)
