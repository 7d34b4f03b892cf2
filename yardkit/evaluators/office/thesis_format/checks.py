"""A thesis after the faculty's rules: its structure in the file, its pages as they are printed."""

import re
from collections.abc import Iterator
from itertools import groupby, pairwise

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, define_leaf, make_finding, make_group
from yardkit.evaluators.office.thesis_format.looks import closer_lines, other_looks, other_pictures, small_in_tables
from yardkit.evaluators.readers.answers import find_last_line, simplify_text
from yardkit.evaluators.readers.office.documents import Document, Look, Paragraph, Table, read_document
from yardkit.evaluators.readers.pages.pdf import Page, Word
from yardkit.evaluators.readers.pages.rendered import render_pages
from yardkit.evaluators.submission import Submission

FILE = "thesis/thesis_final.docx"
MARGINS_MM = (30.0, 25.0, 25.0, 35.0)
FONTS = {"times new roman": "Times New Roman", "arial": "Arial"}
HEADING_PT = {1: 16.0, 2: 14.0, 3: 12.0}
ROMAN = ("i", "ii", "iii", "iv", "v", "vi")
LINES_PT = (19.0, 22.5)
"""The pitch of 12-point lines with a spacing of 1.5."""
LINE_PT = 8
"""By less than this the words of one line end lower or higher than others."""
PT = 72 / 25.4
EDGE_PT = 6
CAPTION = re.compile(r"(tab\.|fig\.|table|figure) \d+", re.I)


BODY = f"body:{FILE}"
TEXTS = (f"paragraphs:{FILE}", BODY)


def _read_thesis(submission: Submission) -> Document:
    return read_document(submission, FILE)


def _join_white_space(text: str) -> str:
    return " ".join(text.split())


def _heading_blocks(read: Document) -> list[Paragraph]:
    return [
        paragraph
        for paragraph in read.paragraphs
        if paragraph.level and paragraph.style == f"Heading {paragraph.level}"
    ]


@define_leaf("headings", "Each heading has its level and number", *TEXTS, f"styles:{FILE}", weight=3)
def _check_headings(submission: Submission, facts: Facts) -> Finding:
    headings = [
        [block.level, _join_white_space(block.text)]
        for block in _heading_blocks(_read_thesis(submission))
        if block.text.strip()
    ]
    unexpected = [heading for heading in headings if heading not in facts["headings"]]
    unexpected += [heading for heading in facts["headings"] if heading not in headings]
    return make_finding(
        headings == facts["headings"], f"{len(headings)} headings for {len(facts['headings'])}; other: {unexpected[:6]}"
    )


@define_leaf("captions", "Captions are numbered and in their places", *TEXTS, weight=2)
def _check_captions(submission: Submission, facts: Facts) -> Finding:
    """Each caption in its style, of a table right above it, of a figure right below it."""
    blocks = _read_thesis(submission).blocks
    captions: dict[str, list[str]] = {"Table": [], "Figure": []}
    misplaced = []
    for place, block in enumerate(blocks):
        if not isinstance(block, Paragraph) or block.style.casefold() != "caption" or not block.text.strip():
            continue
        kind, neighbour = block.text.split()[0], place + (1 if block.text.startswith("Table") else -1)
        captions.setdefault(kind, []).append(_join_white_space(block.text))
        beside = blocks[neighbour] if 0 <= neighbour < len(blocks) else None
        fits = (
            isinstance(beside, Table) if kind == "Table" else isinstance(beside, Paragraph) and not beside.text.strip()
        )
        misplaced += [] if fits else [block.text]
    expected_captions = {"Table": facts["tables"], "Figure": facts["figures"]}
    return make_finding(
        captions == expected_captions and not misplaced,
        f"captions {captions}, expected {expected_captions}; misplaced {misplaced}",
    )


@define_leaf("contents", "The contents are automatic and right", *TEXTS, weight=2)
def _check_contents(submission: Submission, facts: Facts) -> Finding:
    """A field lists the headings with the numbers of the pages on which they are printed."""
    read = _read_thesis(submission)
    codes = [field for field in read.fields if field.code.upper().startswith("TOC")]
    typed = [paragraph.text for paragraph in read.paragraphs if "....." in paragraph.text]
    if len(codes) != 1 or typed:
        return make_finding(holds=False, evidence=f"{len(codes)} tables of contents; typed by hand: {typed[:2]}")
    lines = [_split_entry(line) for line in codes[0].result.splitlines() if line.strip()]
    printed = _map_heading_pages(submission)
    expected_entries = [
        (_join_white_space(block.text), printed.get(_join_white_space(block.text), "?"))
        for block in _heading_blocks(read)
    ]
    right = [text for text, _ in lines] == [text for _, text in facts["headings"]] and lines == expected_entries
    unexpected = [pair for pair in zip(lines, expected_entries, strict=False) if pair[0] != pair[1]]
    return make_finding(right, f"{len(lines)} lines; contents and print: {unexpected[:4]}")


def _split_entry(line: str) -> tuple[str, str]:
    text, _, page = line.rpartition("\t")
    return _join_white_space(text), page.strip()


@define_leaf("no_empties", "Spacing is not made of empty paragraphs", BODY, kind="format")
def _no_empties(submission: Submission, _facts: Facts) -> Finding:
    read = _read_thesis(submission)
    empty = sum(not paragraph.text.strip() and not paragraph.page_break for paragraph in read.paragraphs)
    needed = len(read.pictures) + len(read.sections) + 2
    return make_finding(empty <= needed, f"{empty} paragraphs without text, {needed} at most for pictures and breaks")


@define_leaf("setup", "Paper and margins", BODY, kind="format")
def _check_page_setup(submission: Submission, _facts: Facts) -> Finding:
    wrong = []
    for number, section in enumerate(_read_thesis(submission).sections, 1):
        margins = max(abs(a - b) for a, b in zip(section.margins_mm, MARGINS_MM, strict=True)) > 1
        wrong += [number] if margins or abs(section.width_mm - 210) > 1 or abs(section.height_mm - 297) > 1 else []
    return make_finding(not wrong, f"sections with another paper or other margins: {wrong}")


def _list_text_paragraphs(submission: Submission, facts: Facts) -> list[Paragraph]:
    """The paragraphs of running text, those of the title page left out."""
    running = {_join_white_space(text) for text in facts["texts"] if len(text) > 80}
    return [
        paragraph for paragraph in _read_thesis(submission).paragraphs if _join_white_space(paragraph.text) in running
    ]


@define_leaf("type", "The running text", BODY, kind="format", weight=2)
def _check_type(submission: Submission, facts: Facts) -> Finding:
    paragraphs = _list_text_paragraphs(submission, facts)
    looks = {
        (run.look.font, run.look.size_pt) for paragraph in paragraphs for run in paragraph.runs if run.text.strip()
    }
    unexpected_looks = sorted(look for look in looks if look[0].casefold() != "times new roman" or look[1] != 12.0)
    uneven = sum(paragraph.alignment != "both" for paragraph in paragraphs)
    pitch = _measure_pitch(submission)
    running = {_join_white_space(paragraph.text) for paragraph in paragraphs}
    close = [text[:40] for text in closer_lines(submission, FILE) if text in running]
    holds = (
        bool(paragraphs) and not unexpected_looks and not uneven and not close and LINES_PT[0] <= pitch <= LINES_PT[1]
    )
    evidence = f"not justified: {uneven}; lines are {pitch:.1f} point spacing, and not 1.5 lines in {close[:3]}"
    return make_finding(holds, f"other type: {unexpected_looks[:4]}; {evidence}")


def _measure_pitch(submission: Submission) -> float:
    """The usual distance of lines in the chapters."""
    distances: list[float] = []
    for page in _chapter_pages(submission):
        lines: list[float] = []
        for bottom in sorted((word.box[3] for word in _body_words(page)), reverse=True):
            lines += [] if lines and lines[-1] - bottom < LINE_PT else [bottom]
        distances += [a - b for a, b in pairwise(lines)]
    return sorted(distances)[len(distances) // 2] if distances else 0.0


@define_leaf("heading_type", "The headings' type", f"styles:{FILE}", BODY, kind="format")
def _heading_type(submission: Submission, facts: Facts) -> Finding:
    problems = []
    headings = _heading_blocks(_read_thesis(submission))
    for heading in headings:
        looks = {run.look for run in heading.runs if run.text.strip()}
        problems += [heading.text for look in looks if not _right_heading(look, heading.level or 0)]
        problems += [f"{heading.text}, with its own number"] if heading.list_kind else []
    holds = len(headings) >= len(facts["headings"]) and not problems
    return make_finding(holds, f"{len(headings)} headings; not in Arial, bold, black, of their size: {problems[:5]}")


def _right_heading(look: Look, level: int) -> bool:
    is_regular = not look.italic and not look.underline
    return (
        is_regular
        and look.font.casefold() == "arial"
        and look.bold
        and not look.color
        and look.size_pt == HEADING_PT.get(level)
    )


@define_leaf("front", "Front matter page by page", *TEXTS)
def _check_front(submission: Submission, facts: Facts) -> Finding:
    """Title page, abstract and contents are pages of their own; two titles in their style."""
    styled = [
        _join_white_space(paragraph.text)
        for paragraph in _read_thesis(submission).paragraphs
        if paragraph.style.casefold() == "toc heading"
    ]
    title, *others = render_pages(submission, FILE).pages[:3]
    first = [min(_body_words(page), key=lambda word: word.box[1]).text for page in others if _body_words(page)]
    alone = bool(title.find(facts["front"][0])) and first == ["Abstract", "Contents"] and not title.find("Abstract")
    return make_finding(
        alone and styled == ["Abstract", "Contents"], f"in TOC Heading: {styled}; pages 2 and 3 begin {first}"
    )


@define_leaf("numbers", "Roman and Arabic page numbers", BODY, weight=2)
def _check_page_numbers(submission: Submission, _facts: Facts) -> Finding:
    pages = render_pages(submission, FILE).pages
    chapters = {page.number for page in _chapter_pages(submission)}
    front = [page.number for page in pages if page.number not in chapters]
    wrong = []
    for page in pages:
        expected_number = str(page.number - len(front)) if page.number in chapters else ROMAN[min(page.number - 1, 5)]
        below = [word for word in page.words if word.box[1] > page.height - MARGINS_MM[2] * PT]
        foot_words = [word.text for word in below]
        middle = page.width / 2 + (MARGINS_MM[3] - MARGINS_MM[1]) / 2 * PT
        centred = all(abs((word.box[0] + word.box[2]) / 2 - middle) < 24 for word in below)
        wrong += (
            []
            if foot_words == ([] if page.number == 1 else [expected_number]) and centred
            else [(page.number, foot_words)]
        )
    return make_finding(bool(chapters) and not wrong, f"pages with another number in the footer: {wrong[:5]}")


def _chapter_pages(submission: Submission) -> list[Page]:
    """The pages from the first chapter on: where its heading is printed above its text."""
    pages = render_pages(submission, FILE).pages
    pairs = list(_with_text(submission))
    first = next((page.number for page in pages if pairs and _stands_above(page, *pairs[0])), len(pages) + 1)
    return list(pages[first - 1 :])


def _with_text(submission: Submission) -> Iterator[tuple[str, str]]:
    """Each heading with the first words of the text that follows it."""
    paragraphs = [paragraph for paragraph in _read_thesis(submission).paragraphs if paragraph.text.strip()]
    for paragraph, following in pairwise(paragraphs):
        if paragraph.level and paragraph.style == f"Heading {paragraph.level}":
            yield _join_white_space(paragraph.text), " ".join(following.text.split()[:5])


def _map_heading_pages(submission: Submission) -> dict[str, str]:
    """The number that the page of each heading bears."""
    pages = _chapter_pages(submission)
    heading_pages: dict[str, str] = {}
    for text, _ in _with_text(submission):
        at = next((number for number, page in enumerate(pages, 1) if page.find(text)), None)
        heading_pages[text] = str(at) if at else "?"
    return heading_pages


@define_leaf("together", "No heading stands alone", BODY, kind="format", weight=2)
def _check_headings_with_text(submission: Submission, facts: Facts) -> Finding:
    """Below each heading its text begins on the same page."""
    pages, pairs = _chapter_pages(submission), list(_with_text(submission))
    alone = [text for text, below in pairs if not any(_stands_above(page, text, below) for page in pages)]
    holds = len(pairs) >= len(facts["headings"]) and not alone
    return make_finding(holds, f"{len(pairs)} headings; alone at the end of a page: {alone}")


def _stands_above(page: Page, text: str, below: str) -> bool:
    return any(upper_box[1] < other[1] for upper_box in page.find(text) for other in page.find(below))


@define_leaf("new_pages", "Each chapter begins on a new page", BODY, kind="format")
def _new_pages(submission: Submission, facts: Facts) -> Finding:
    pages = _chapter_pages(submission)
    chapters = [text for level, text in facts["headings"] if level == 1]
    starts = [page for page in pages if _body_words(page)]
    begun = [text for text in chapters if any(_begins_page(page, text) for page in starts)]
    late = [text for text in chapters if text not in begun]
    return make_finding(not late, f"chapters that do not begin on a new page: {late}")


def _begins_page(page: Page, text: str) -> bool:
    top = min(word.box[1] for word in _body_words(page))
    return any(box[1] <= top + 4 for box in page.find(text))


def _body_words(page: Page) -> list[Word]:
    """The words between the margins at top and bottom."""
    top, bottom = MARGINS_MM[0] * PT - 4, page.height - MARGINS_MM[2] * PT + 2
    return [word for word in page.words if word.text.strip() and word.box[1] >= top and word.box[3] <= bottom]


@define_leaf("inside", "Nothing is in the margins", BODY, kind="format")
def _check_inside(submission: Submission, _facts: Facts) -> Finding:
    left, right = MARGINS_MM[3] * PT - EDGE_PT, (210 - MARGINS_MM[1]) * PT + EDGE_PT
    pages = _chapter_pages(submission)
    beyond = [word.text for page in pages for word in page.words if word.box[0] < left or word.box[2] > right]
    small = small_in_tables(_read_thesis(submission))
    evidence = f"{len(beyond)} words beyond the margins: {beyond[:6]}; too small in tables: {small[:4]}"
    return make_finding(bool(pages) and not beyond and not small, evidence)


@define_leaf("answer", "The answer is the page of the last chapter", "answer", weight=0.5)
def _check_answer(submission: Submission, facts: Facts) -> Finding:
    last = [text for level, text in facts["headings"] if level == 1][-1]
    expected_page = _map_heading_pages(submission).get(last, "?")
    return make_finding(
        simplify_text(find_last_line(submission.answer)) == expected_page,
        f"{last!r} is printed on page {expected_page}",
    )


@define_leaf("wording", "The text is word for word what it was", *TEXTS, kind="guardrail")
def _check_wording(submission: Submission, facts: Facts) -> Finding:
    """The running text is complete and in order, and nothing was added to it."""
    texts = [
        _join_white_space(paragraph.text) for paragraph in _read_thesis(submission).paragraphs if paragraph.text.strip()
    ]
    expected_texts = [_join_white_space(text) for text in facts["texts"]]
    known = set(expected_texts)
    others = [text for text in texts if text not in known and not _of_the_frame(text, facts)]
    known_texts = [text for text in texts if text in known]
    lost = [text[:60] for text in expected_texts if text not in known_texts]
    return make_finding(
        known_texts == expected_texts and not others, f"lost: {lost[:3]}; added: {[text[:60] for text in others[:3]]}"
    )


def _of_the_frame(text: str, facts: Facts) -> bool:
    """Whether a text is a heading, a caption or a line of the contents."""
    title = re.sub(r"^[\d.]+\s+", "", re.sub(r"[\s.]*\d+$", "", text)) if text not in facts["titles"] else text
    captioned = CAPTION.match(text) and any(
        text.endswith(caption.partition(": ")[2]) for caption in [*facts["tables"], *facts["figures"]]
    )
    before_2010 = re.sub(r"^[\d.]+\s+", "", text)
    return text == "Contents" or title in facts["titles"] or before_2010 in facts["titles"] or bool(captioned)


@define_leaf(
    "things",
    "Tables, figures and footnotes are as they were",
    f"rows:{FILE}",
    f"pictures:{FILE}",
    f"notes:{FILE}",
    BODY,
    kind="guardrail",
)
def _check_other_content(submission: Submission, facts: Facts) -> Finding:
    """Cells, pictures, footnotes."""
    read, before = _read_thesis(submission), read_document(submission.untouched, FILE)
    cells = [[[_join_white_space(cell) for cell in row] for row in table.rows] for table in read.tables]
    pictures = [picture.digest for picture in read.pictures] == [picture.digest for picture in before.pictures]
    notes = [_join_white_space(note.text) for note in read.notes] == [
        _join_white_space(note.text) for note in before.notes
    ]
    same = cells == facts["cells"]
    return make_finding(same and pictures and notes, f"tables kept: {same}, pictures: {pictures}, footnotes: {notes}")


@define_leaf("italics", "Italic text is still italic", BODY, kind="guardrail")
def _check_italics(submission: Submission, facts: Facts) -> Finding:
    slanted_texts = [
        text for paragraph in _list_text_paragraphs(submission, facts) for text in _list_slanted(paragraph)
    ]
    return make_finding(
        slanted_texts == facts["italics"], f"{len(slanted_texts)} texts in italics, expected {len(facts['italics'])}"
    )


def _list_slanted(paragraph: Paragraph) -> list[str]:
    """The texts in italics; programs part them into several runs."""
    runs = [run for run in paragraph.runs if run.text]
    parts = [(slanted, "".join(run.text for run in some)) for slanted, some in groupby(runs, lambda r: r.look.italic)]
    return [_join_white_space(text) for slanted, text in parts if slanted and text.strip()]


@define_leaf("dressed", "Text outside the rules looks as it did", BODY, kind="guardrail")
def _check_unruled_looks(submission: Submission, _facts: Facts) -> Finding:
    """What the rules do not speak of looks as it did."""
    now, before = _read_thesis(submission), read_document(submission.untouched, FILE)
    unexpected, pictures = list(other_looks(now, before)), other_pictures(now, before)
    return make_finding(
        not unexpected and not pictures, f"look different: {unexpected[:5]}; pictures of another size: {pictures}"
    )


CHECKS = make_group(
    "thesis_format",
    "The thesis follows the rules",
    make_group(
        "structure",
        "It is built as the rules say",
        _check_headings,
        _check_captions,
        _check_contents,
        _check_front,
        _no_empties,
        weight=4,
    ),
    make_group(
        "format",
        "Its type and pages are as the rules say",
        _check_page_setup,
        _check_page_numbers,
        _check_type,
        _heading_type,
        weight=3,
    ),
    make_group("print", "It can be printed", _check_headings_with_text, _new_pages, _check_inside, weight=2),
    _check_answer,
    leaves.check_looked_at("The pages were looked at", FILE),
    _check_wording,
    _check_other_content,
    _check_italics,
    _check_unruled_looks,
    leaves.nothing_else(FILE, id="others", statement="No other file was touched"),
)
