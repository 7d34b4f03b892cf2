"""A brochure in two languages: its terms, and its two pages as they are printed."""

import re
from itertools import pairwise

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, InvalidArtifact, finding, group, leaf
from yardkit.evaluators.collateral import kept_outside
from yardkit.evaluators.office.bilingual_brochure.dressed import fixed_rows, other_looks, too_wide
from yardkit.evaluators.readers.answers import read_number
from yardkit.evaluators.readers.files import require_file
from yardkit.evaluators.readers.office.document_styles import val, w
from yardkit.evaluators.readers.office.documents import Document, Paragraph, Table, read_document
from yardkit.evaluators.readers.office.packages import open_parts
from yardkit.evaluators.readers.pages.pdf import Page, Word
from yardkit.evaluators.readers.pages.rendered import draw_printed, find_outside, find_tofu, is_legible, render_pages
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


def _read(submission: Submission) -> Document:
    return read_document(submission, FILE)


def _table(submission: Submission, head: list[str]) -> Table:
    found = [table for table in _read(submission).tables if table.rows and _plain(table.rows[0]) == head]
    if len(found) != 1:
        raise InvalidArtifact(f"{len(found)} tables have the header {', '.join(head)}; there should be one")
    return found[0]


def _plain(row: list[str]) -> list[str]:
    return [" ".join(cell.split()) for cell in row]


def _features(submission: Submission, facts: Facts) -> Finding:
    return _same(_table(submission, FEATURES), facts["features"])


def _data(submission: Submission, facts: Facts) -> Finding:
    return _same(_table(submission, DATA), facts["data"])


def _same(table: Table, wanted: list[list[str]]) -> Finding:
    found = [_plain(row) for row in table.rows[1:]]
    odd = [row for row in found if row not in wanted]
    return finding(found == wanted, f"{len(found)} rows for {len(wanted)}; other: {odd[:5]}")


def _texts(submission: Submission, facts: Facts) -> Finding:
    """Slogan and text stand below their English, the marks are gone."""
    lines = [
        block.text.strip() for block in _read(submission).blocks if isinstance(block, Paragraph) and block.text.strip()
    ]
    pairs = list(zip(STARTS, (facts["slogan"], facts["text"]), strict=True))
    below = {one[: len(start)]: two for start, _ in pairs for one, two in pairwise(lines) if one.startswith(start)}
    wrong = [below.get(start) for start, text in pairs if below.get(start) != text]
    left = [hole for hole in HOLES if any(hole in line for line in lines)]
    return finding(not wrong and not left, f"other texts: {wrong}; marks left: {left}")


def _answer(submission: Submission, facts: Facts) -> Finding:
    found = read_number(submission.answer)
    return finding(found == len(facts["new"]), f"answered {found}, expected {len(facts['new'])}")


def _squeezed(page: Page) -> str:
    return "".join(page.text.split())


def _two_pages(submission: Submission, facts: Facts) -> Finding:
    """All that belongs on a page is printed on it, in two pages."""
    pages = render_pages(submission, FILE).pages
    if len(pages) != 2:
        return finding(holds=False, evidence=f"{len(pages)} pages, expected 2")
    first = [cell for row in facts["features"] for cell in row] + [facts["slogan"], facts["text"]]
    second = ["Technical data", *(cell for row in facts["data"] for cell in row), "Contact"]
    lost = [text for page, texts in zip(pages, (first, second), strict=True) for text in texts if not _on(page, text)]
    late = [text for text in ("Technical data", "Contact") if _on(pages[0], text)]
    return finding(not lost and not late, f"not on their page: {lost[:6]}; on the first page: {late}")


def _on(page: Page, text: str) -> bool:
    return "".join(text.split()) in _squeezed(page)


def _one_line(submission: Submission, facts: Facts) -> Finding:
    terms = [row[1] for row in (*facts["features"], *facts["data"])]
    words = [word for page in render_pages(submission, FILE).pages for word in page.words]
    shown = {word.text for word in words if word.box[3] - word.box[1] < LINE_PT}
    broken = [term for term in terms if term not in shown]
    return finding(not broken, f"Chinese terms on several lines, or missing: {broken[:6]}")


def _uncut(submission: Submission, facts: Facts) -> Finding:
    """Rows stand far enough apart for their text, nothing is over the edges, each sign has a shape."""
    pdf = render_pages(submission, FILE)
    terms = [[row[1] for row in facts[name]] for name in ("features", "data")]
    tops = [
        [box.box[1] for term in column for page in pdf.pages for box in page.words if box.text == term]
        for column in terms
    ]
    close = sum(b - a < ROW_PT for column in tops for a, b in pairwise(column) if b > a)
    complete = all(len(column) >= len(wanted) for column, wanted in zip(tops, terms, strict=True))
    odd = find_tofu(pdf) + [text for page in pdf.pages for text in find_outside(page, 30)]
    odd += [word.text for page in pdf.pages for word in _unseen(submission, page)]
    holds = complete and not close and not odd
    return finding(holds, f"rows too close: {close}; all terms shown: {complete}; cut off or without shape: {odd[:5]}")


def _unseen(submission: Submission, page: Page) -> list[Word]:
    picture = draw_printed(submission, FILE, page.number, SCALE)
    return [word for word in page.words if CJK.search(word.text) and not is_legible(picture, word.box, SCALE)]


def _growing(submission: Submission, _facts: Facts) -> Finding:
    """Rows grow with their text, and the tables stay within the margins."""
    parts = open_parts(require_file(submission, FILE))
    root, section = parts.xml(parts.main()), _read(submission).sections[0]
    fixed = fixed_rows(root)
    wide = too_wide(root, section.width_mm - section.margins_mm[1] - section.margins_mm[3])
    return finding(not fixed and not wide, f"rows of a fixed height: {fixed}; tables wider than the page: {wide}")


def _type(submission: Submission, _facts: Facts) -> Finding:
    """All Chinese cells are filled, in the size of the tables."""
    cells = [cell for head in (FEATURES, DATA) for row in _table(submission, head).cells for cell in row]
    runs = [run for cell in cells for paragraph in cell.paragraphs for run in paragraph.runs if run.text.strip()]
    odd = [run.text for run in runs if run.look.size_pt != SIZE_PT]
    empty = sum(not cell.text.strip() for cell in cells)
    return finding(not odd and not empty, f"not in {SIZE_PT:g} pt: {odd[:5]}; empty cells: {empty}")


def _font(submission: Submission, _facts: Facts) -> Finding:
    """No Chinese run asks for another East Asian font, and the styles keep theirs."""
    parts = open_parts(require_file(submission, FILE))
    root, styles = parts.xml(parts.main()), parts.xml(parts.related(parts.main(), "styles")[0])
    wrong = []
    for run in root.iter(w("r")):
        text = "".join(piece.text or "" for piece in run.iter(w("t")))
        theme = val(run, "rPr/rFonts", "eastAsiaTheme")
        font = f"theme {theme}" if theme else val(run, "rPr/rFonts", "eastAsia") or CJK_FONT
        wrong += [text] if CJK.search(text) and font != CJK_FONT else []
    normal = next(style for style in styles.iter(w("style")) if style.get(w("styleId")) == "Normal")
    kept = val(normal, "rPr/rFonts", "eastAsia") == CJK_FONT
    return finding(not wrong and kept, f"in another East Asian font: {wrong[:5]}; style Normal keeps it: {kept}")


def _dressed(submission: Submission, _facts: Facts) -> Finding:
    """New text looks as what stood there or stands beside it, the rest of the tables as it did."""
    odd = list(other_looks(_read(submission), read_document(submission.untouched, FILE), list(STARTS)))
    return finding(not odd, f"look different: {odd[:6]}")


def _kept(submission: Submission, _facts: Facts) -> Finding:
    return kept_outside(submission, FILE, "table#1", "table#2", *(f"paragraph#{hole}" for hole in HOLES))


BODY = f"body:{FILE}"
TEXT = tuple(f"{kind}:{FILE}" for kind in ("paragraphs", "body", "styles", "headers"))

CHECKS = group(
    "bilingual_brochure",
    "The brochure is complete in both languages",
    group(
        "text",
        "The Chinese is complete and right",
        leaf(
            "features", "The features bear the approved terms", _features, observes=(f"rows:{FILE}#1", BODY), weight=3
        ),
        leaf("data", "The technical data bear the approved terms", _data, observes=(f"rows:{FILE}#2", BODY), weight=3),
        leaf(
            "texts",
            "Slogan and text are those of the later mail",
            _texts,
            observes=(f"paragraphs:{FILE}", BODY),
            weight=2,
        ),
        leaf("answer", "The answer counts the cells", _answer, observes=("answer",)),
        weight=4,
    ),
    group(
        "look",
        "Its two pages can be read",
        leaf(
            "two_pages",
            "Two pages, each with what belongs to it",
            _two_pages,
            observes=(BODY,),
            kind="format",
            weight=2,
        ),
        leaf("one_line", "Each Chinese term has one line", _one_line, observes=(BODY,), kind="format", weight=2),
        leaf("uncut", "Nothing is cut off", _uncut, observes=(BODY,), kind="format"),
        leaf("growing", "Rows grow, tables keep within the margins", _growing, observes=(BODY,), kind="format"),
        leaf("type", "The tables are in their size", _type, observes=(BODY,), kind="format"),
        weight=3,
    ),
    leaves.looked("The pages were looked at", FILE),
    leaf("font", "The Chinese has its font", _font, observes=(BODY,), kind="guardrail"),
    leaf("dressed", "New text looks as the old", _dressed, observes=(BODY,), kind="guardrail"),
    leaf("kept", "The rest of the brochure is as it was", _kept, observes=TEXT, kind="guardrail"),
    leaves.nothing_else(FILE, id="others", says="No other file was touched"),
)
