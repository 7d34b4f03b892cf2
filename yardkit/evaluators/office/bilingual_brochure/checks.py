"""A brochure in two languages: its terms, and its two pages as they are printed."""

import re
from itertools import pairwise

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, InvalidArtifact, make_checkpoint, make_finding, make_group
from yardkit.evaluators.office.bilingual_brochure.dressed import fixed_rows, other_looks, too_wide
from yardkit.evaluators.readers.answers import read_number
from yardkit.evaluators.readers.files import require_file
from yardkit.evaluators.readers.office.document_styles import qualify_word_name, read_attribute
from yardkit.evaluators.readers.office.documents import Document, Paragraph, Table, read_document
from yardkit.evaluators.readers.office.packages import open_parts
from yardkit.evaluators.readers.pages.pdf import Page, Word
from yardkit.evaluators.readers.pages.rendered import draw_printed, find_outside, find_tofu, is_legible, render_pages
from yardkit.evaluators.side_effects import check_unchanged_outside
from yardkit.evaluators.submission import Submission

FILE = "brochure/brochure_2026.docx"
FEATURES, DATA = ["English", "中文"], ["Property", "中文", "Value"]
STARTS = ("Water that flows", "For forty years")
"""The English above the holes."""
HOLES = ("[中文标语]", "[中文说明]")
CJK_FONT = "Noto Sans CJK SC"
CJK = re.compile(r"[\u4e00-\u9fff]")
SCALE = 2.0
SIZE_PT, LINE_PT, ROW_PT = 10.0, 20, 20
"""Type of the tables; more than the height of one line, less than that of a row with its distances."""


def _read_brochure(submission: Submission) -> Document:
    return read_document(submission, FILE)


def _find_table(submission: Submission, head: list[str]) -> Table:
    tables = [
        table for table in _read_brochure(submission).tables if table.rows and _normalize_row(table.rows[0]) == head
    ]
    if len(tables) != 1:
        raise InvalidArtifact(f"{len(tables)} tables have the header {', '.join(head)}; there should be one")
    return tables[0]


def _normalize_row(row: list[str]) -> list[str]:
    return [" ".join(cell.split()) for cell in row]


def _check_features(submission: Submission, facts: Facts) -> Finding:
    return _compare_rows(_find_table(submission, FEATURES), facts["features"])


def _check_data(submission: Submission, facts: Facts) -> Finding:
    return _compare_rows(_find_table(submission, DATA), facts["data"])


def _compare_rows(table: Table, expected_rows: list[list[str]]) -> Finding:
    table_rows = [_normalize_row(row) for row in table.rows[1:]]
    unexpected = [row for row in table_rows if row not in expected_rows]
    return make_finding(
        table_rows == expected_rows, f"{len(table_rows)} rows for {len(expected_rows)}; other: {unexpected[:5]}"
    )


def _check_texts(submission: Submission, facts: Facts) -> Finding:
    """Slogan and text stand below their English, the marks are gone."""
    lines = [
        block.text.strip()
        for block in _read_brochure(submission).blocks
        if isinstance(block, Paragraph) and block.text.strip()
    ]
    pairs = list(zip(STARTS, (facts["slogan"], facts["text"]), strict=True))
    below = {line[: len(start)]: two for start, _ in pairs for line, two in pairwise(lines) if line.startswith(start)}
    wrong = [below.get(start) for start, text in pairs if below.get(start) != text]
    left = [hole for hole in HOLES if any(hole in line for line in lines)]
    return make_finding(not wrong and not left, f"other texts: {wrong}; marks left: {left}")


def _check_answer(submission: Submission, facts: Facts) -> Finding:
    answered_number = read_number(submission.answer)
    return make_finding(
        answered_number == len(facts["new"]), f"answered {answered_number}, expected {len(facts['new'])}"
    )


def _squeeze_page_text(page: Page) -> str:
    return "".join(page.text.split())


def _two_pages(submission: Submission, facts: Facts) -> Finding:
    """All that belongs on a page is printed on it, in two pages."""
    pages = render_pages(submission, FILE).pages
    if len(pages) != 2:
        return make_finding(holds=False, evidence=f"{len(pages)} pages, expected 2")
    first = [cell for row in facts["features"] for cell in row] + [facts["slogan"], facts["text"]]
    second = ["Technical data", *(cell for row in facts["data"] for cell in row), "Contact"]
    lost = [
        text
        for page, texts in zip(pages, (first, second), strict=True)
        for text in texts
        if not _is_on_page(page, text)
    ]
    late = [text for text in ("Technical data", "Contact") if _is_on_page(pages[0], text)]
    return make_finding(not lost and not late, f"not on their page: {lost[:6]}; on the first page: {late}")


def _is_on_page(page: Page, text: str) -> bool:
    return "".join(text.split()) in _squeeze_page_text(page)


def _check_single_lines(submission: Submission, facts: Facts) -> Finding:
    terms = [row[1] for row in (*facts["features"], *facts["data"])]
    words = [word for page in render_pages(submission, FILE).pages for word in page.words]
    visible_words = {word.text for word in words if word.box[3] - word.box[1] < LINE_PT}
    broken = [term for term in terms if term not in visible_words]
    return make_finding(not broken, f"Chinese terms on several lines, or missing: {broken[:6]}")


def _check_uncut(submission: Submission, facts: Facts) -> Finding:
    """Rows stand far enough apart for their text, nothing is over the edges, each sign has a shape."""
    pdf = render_pages(submission, FILE)
    terms = [[row[1] for row in facts[name]] for name in ("features", "data")]
    tops = [
        [box.box[1] for term in column for page in pdf.pages for box in page.words if box.text == term]
        for column in terms
    ]
    close = sum(b - a < ROW_PT for column in tops for a, b in pairwise(column) if b > a)
    complete = all(len(column) >= len(expected_terms) for column, expected_terms in zip(tops, terms, strict=True))
    problems = find_tofu(pdf) + [text for page in pdf.pages for text in find_outside(page, 30)]
    problems += [word.text for page in pdf.pages for word in _list_illegible(submission, page)]
    holds = complete and not close and not problems
    return make_finding(
        holds, f"rows too close: {close}; all terms shown: {complete}; cut off or without shape: {problems[:5]}"
    )


def _list_illegible(submission: Submission, page: Page) -> list[Word]:
    picture = draw_printed(submission, FILE, page.number, SCALE)
    return [word for word in page.words if CJK.search(word.text) and not is_legible(picture, word.box, SCALE)]


def _check_growing_rows(submission: Submission, _facts: Facts) -> Finding:
    """Rows grow with their text, and the tables stay within the margins."""
    parts = open_parts(require_file(submission, FILE))
    root, section = parts.xml(parts.find_main()), _read_brochure(submission).sections[0]
    fixed = fixed_rows(root)
    wide = too_wide(root, section.width_mm - section.margins_mm[1] - section.margins_mm[3])
    return make_finding(not fixed and not wide, f"rows of a fixed height: {fixed}; tables wider than the page: {wide}")


def _check_type_size(submission: Submission, _facts: Facts) -> Finding:
    """All Chinese cells are filled, in the size of the tables."""
    cells = [cell for head in (FEATURES, DATA) for row in _find_table(submission, head).cells for cell in row]
    runs = [run for cell in cells for paragraph in cell.paragraphs for run in paragraph.runs if run.text.strip()]
    unexpected = [run.text for run in runs if run.look.size_pt != SIZE_PT]
    empty = sum(not cell.text.strip() for cell in cells)
    return make_finding(not unexpected and not empty, f"not in {SIZE_PT:g} pt: {unexpected[:5]}; empty cells: {empty}")


def _check_font(submission: Submission, _facts: Facts) -> Finding:
    """No Chinese run asks for another East Asian font, and the styles keep theirs."""
    parts = open_parts(require_file(submission, FILE))
    root, styles = parts.xml(parts.find_main()), parts.xml(parts.list_related(parts.find_main(), "styles")[0])
    wrong = []
    for run in root.iter(qualify_word_name("r")):
        text = "".join(piece.text or "" for piece in run.iter(qualify_word_name("t")))
        theme = read_attribute(run, "rPr/rFonts", "eastAsiaTheme")
        font = f"theme {theme}" if theme else read_attribute(run, "rPr/rFonts", "eastAsia") or CJK_FONT
        wrong += [text] if CJK.search(text) and font != CJK_FONT else []
    normal = next(
        style
        for style in styles.iter(qualify_word_name("style"))
        if style.get(qualify_word_name("styleId")) == "Normal"
    )
    font_unchanged = read_attribute(normal, "rPr/rFonts", "eastAsia") == CJK_FONT
    return make_finding(
        not wrong and font_unchanged,
        f"in another East Asian font: {wrong[:5]}; style Normal keeps it: {font_unchanged}",
    )


def _check_looks(submission: Submission, _facts: Facts) -> Finding:
    """New text looks as what stood there or stands beside it, the rest of the tables as it did."""
    unexpected_looks = list(
        other_looks(_read_brochure(submission), read_document(submission.untouched, FILE), list(STARTS))
    )
    return make_finding(not unexpected_looks, f"look different: {unexpected_looks[:6]}")


def _check_unchanged(submission: Submission, _facts: Facts) -> Finding:
    return check_unchanged_outside(submission, FILE, "table#1", "table#2", *(f"paragraph#{hole}" for hole in HOLES))


BODY = f"body:{FILE}"
TEXT = tuple(f"{kind}:{FILE}" for kind in ("paragraphs", "body", "styles", "headers"))

CHECKS = make_group(
    "bilingual_brochure",
    "The brochure is complete in both languages",
    make_group(
        "text",
        "The Chinese is complete and right",
        make_checkpoint(
            "features",
            "The features bear the approved terms",
            _check_features,
            covers=(f"rows:{FILE}#1", BODY),
            weight=3,
        ),
        make_checkpoint(
            "data",
            "The technical data bear the approved terms",
            _check_data,
            covers=(f"rows:{FILE}#2", BODY),
            weight=3,
        ),
        make_checkpoint(
            "texts",
            "Slogan and text are those of the later mail",
            _check_texts,
            covers=(f"paragraphs:{FILE}", BODY),
            weight=2,
        ),
        make_checkpoint("answer", "The answer counts the cells", _check_answer, covers=("answer",)),
        weight=4,
    ),
    make_group(
        "look",
        "Its two pages can be read",
        make_checkpoint(
            "two_pages",
            "Two pages, each with what belongs to it",
            _two_pages,
            covers=(BODY,),
            kind="format",
            weight=2,
        ),
        make_checkpoint(
            "one_line", "Each Chinese term has one line", _check_single_lines, covers=(BODY,), kind="format", weight=2
        ),
        make_checkpoint("uncut", "Nothing is cut off", _check_uncut, covers=(BODY,), kind="format"),
        make_checkpoint(
            "growing", "Rows grow, tables keep within the margins", _check_growing_rows, covers=(BODY,), kind="format"
        ),
        make_checkpoint("type", "The tables are in their size", _check_type_size, covers=(BODY,), kind="format"),
        weight=3,
    ),
    leaves.check_looked_at("The pages were looked at", FILE),
    make_checkpoint("font", "The Chinese has its font", _check_font, covers=(BODY,), kind="guardrail"),
    make_checkpoint("dressed", "New text looks as the old", _check_looks, covers=(BODY,), kind="guardrail"),
    make_checkpoint("kept", "The rest of the brochure is as it was", _check_unchanged, covers=TEXT, kind="guardrail"),
    leaves.nothing_else(FILE, id="others", statement="No other file was touched"),
)
