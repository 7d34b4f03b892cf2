"""The private persons are out of the public version, wherever they stood; everything else is still in it."""

import re
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, finding, group, leaf
from yardkit.evaluators.office.redaction_release.pictures import legible, unread
from yardkit.evaluators.office.redaction_release.seen import covered, still_seen
from yardkit.evaluators.readers.answers import read_number
from yardkit.evaluators.readers.files import parse_file, require_file
from yardkit.evaluators.readers.office.visible_lists import find_unseen
from yardkit.evaluators.readers.pages.pdf import Annotation, Blank, Page, Pdf, read_pdf
from yardkit.evaluators.readers.pages.pdf_bytes import find_raw_texts
from yardkit.evaluators.readers.tables import read_sheets, to_decimal
from yardkit.evaluators.submission import Submission

LOG = "release/redaction_log.xlsx"
LOST_WORDS = 2
"""Words, not numbers, that may go with their neighbours on a page where something was taken out."""


def _before(submission: Submission, facts: Facts) -> Pdf:
    return read_pdf(submission.untouched, facts["file"])


def _after(submission: Submission, facts: Facts) -> Pdf:
    return read_pdf(submission, facts["public"])


def _pattern(term: str) -> re.Pattern[str]:
    return re.compile(r"\s+".join(map(re.escape, term.split())), re.IGNORECASE)


def _private(text: str, facts: Facts) -> bool:
    return any(_pattern(term).search(text) for term in facts["terms"])


def _gone(submission: Submission, facts: Facts) -> Finding:
    """No page has any of it as text or shows it as a picture, nor does a field or its place."""
    read = _after(submission, facts)
    shown = {page.number: page.text for page in read.pages}
    for blank in read.blanks.values():
        shown[blank.page] = f"{shown.get(blank.page, '')}\n{blank.value}"
    left = {n: [t for t in facts["terms"] if _pattern(t).search(text)] for n, text in shown.items()}
    wrong = {number: terms for number, terms in left.items() if terms}
    seen = still_seen(submission, facts, [_pattern(term) for term in facts["terms"]])
    return finding(not wrong and not seen, f"still on pages: {dict(list(wrong.items())[:5])}; seen there: {seen[:5]}")


def _nowhere(submission: Submission, facts: Facts) -> Finding:
    """No object of the file holds any of it, seen or not."""
    left = find_raw_texts(submission, facts["public"], facts["terms"])
    return finding(not left, f"still in the file: {left[:8]}")


def _scan(submission: Submission, facts: Facts) -> Finding:
    """On the scanned page, and in every picture of the file, the private places are illegible, the others are not."""
    scan = facts["scan"]
    private = [legible(submission, facts, box, pictures=True) for box in scan["private"]]
    kept = [legible(submission, facts, box) for box in scan["kept"]]
    lost = unread(submission, facts)
    holds = max(private) < 0.45 and min(kept) > 0.6 and len(lost) <= LOST_WORDS
    shown = f"legible: private {[f'{x:.2f}' for x in private]}, others {[f'{x:.2f}' for x in kept]}"
    return finding(holds, f"{shown}; other words that cannot be read: {lost[:8]}")


def _emptied(submission: Submission, facts: Facts) -> Finding:
    before, after = _before(submission, facts).blanks, _after(submission, facts)
    filled = [name for name in facts["emptied"] if name not in after.blanks or after.blanks[name].value]
    texts = {page.number: " ".join(page.text.split()) for page in after.pages}
    lost = []
    for name, blank in before.items():
        now = after.blanks.get(name)
        same = now is not None and _same_field(blank, now)
        flat = now is None and blank.kind == "text" and blank.value in texts.get(blank.page, "")
        if name not in facts["emptied"] and not same and not flat:
            lost.append(name)
    return finding(not filled and not lost, f"not empty or not there: {filled}; other fields that changed: {lost}")


def _same_field(one: Blank, two: Blank) -> bool:
    return (one.kind, one.value, one.options, one.page, one.read_only, one.shown) == (
        two.kind, two.value, two.options, two.page, two.read_only, two.shown,
    )  # fmt: skip


def _text(submission: Submission, facts: Facts) -> Finding:
    """Page by page: all words but the private ones are still text, and the pages are as large and upright."""
    before, after = _before(submission, facts), _after(submission, facts)
    if len(before.pages) != len(after.pages):
        return finding(holds=False, evidence=f"{len(after.pages)} pages, {len(before.pages)} expected")
    odd = [f"page {one.number}: {why}" for one, two in zip(before.pages, after.pages, strict=True)
           if (why := _page(one, two, facts))]  # fmt: skip
    for number, words in covered(submission, facts).items():
        touched = _private(before.pages[number - 1].text, facts)
        odd += [f"page {number}: {words[:8]} cannot be seen"] if len(words) > LOST_WORDS * touched else []
    return finding(not odd, "; ".join(odd[:6]) or "all other words are there")


def _page(before: Page, after: Page, facts: Facts) -> str:
    if (before.width, before.height, before.rotation) != (after.width, after.height, after.rotation):
        return "of another size or turned"
    text = before.text
    for term in facts["terms"]:
        text = _pattern(term).sub(" ", text)
    lost = list((_words(text) - _words(after.text)).elements())
    numbers = [word for word in lost if any(sign.isdigit() for sign in word)]
    return f"lost {lost[:8]}" if numbers or len(lost) > LOST_WORDS * (text != before.text) else ""


def _words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.casefold()))


def _named(submission: Submission, facts: Facts) -> Finding:
    """Officials, and who agreed to be named, stand where they stood."""
    before, after = _before(submission, facts), _after(submission, facts)
    odd = []
    for name in facts["kept"]:
        first, _, last = name.partition(" ")
        spellings = [_pattern(text) for text in (name, f"{last}, {first}", f"Mr {last}")]
        for one, two in zip(before.pages, after.pages, strict=False):
            if any(len(spelling.findall(one.text)) > len(spelling.findall(two.text)) for spelling in spellings):
                odd.append(f"{name} on page {one.number}")
    return finding(not odd and len(before.pages) == len(after.pages), f"no longer named: {odd[:6]}")


def _rest(submission: Submission, facts: Facts) -> Finding:
    """Bookmarks, comments, attached files, title and author without private data are as they were, and no more."""
    before, after = _before(submission, facts), _after(submission, facts)
    wanted = [pair for pair in before.outline if not _private(pair[1], facts)]
    marks = [pair for pair in after.outline if pair in wanted]
    lost = [*_lost_notes(before, after, facts), *([] if marks == wanted else [f"bookmarks {after.outline}"])]
    files = parse_file(submission.untouched, facts["file"], _attached, "PDF file")
    files = {name: data for name, data in files.items() if name not in facts["dropped"]}
    held = parse_file(submission, facts["public"], _attached, "PDF file")
    odd = sorted(name for name in {*files, *held} if files.get(name) != held.get(name))
    changed = [name for name in ("Title", "Author") if before.properties.get(name) != after.properties.get(name)]
    more = len(after.outline) > len(before.outline)
    holds = not lost and not odd and not changed and not more
    return finding(holds, f"lost: {lost[:4]}; attached files: {odd}; properties: {changed}; more bookmarks: {more}")


def _lost_notes(before: Pdf, after: Pdf, facts: Facts) -> list[str]:
    """Comments that are not as they were, and pages with more of them than before."""
    notes = [_note(annotation) for annotation in before.annotations if not _private(annotation.text, facts)]
    held = [_note(annotation) for annotation in after.annotations]
    counts = Counter(annotation.page for annotation in after.annotations if annotation.text.strip())
    counts.subtract(annotation.page for annotation in before.annotations)
    more = [f"more comments on page {page}" for page, count in counts.items() if count > 0]
    return [f"comment {note}" for note in notes if note not in held] + more


def _note(note: Annotation) -> tuple[Any, ...]:
    return note.page, note.kind, note.text, note.shown, round(note.box[0] / 4), round(note.box[1] / 4)


def _attached(path: Path) -> dict[str, bytes]:
    import pikepdf

    with pikepdf.open(path) as opened:
        return {name: opened.attachments[name].get_file().read_bytes() for name in opened.attachments}


def _rows(submission: Submission) -> list[list[Any]]:
    sheet = read_sheets(submission, LOG).get("Log")
    rows = [row for row in sheet.values if any(cell not in (None, "") for cell in row)] if sheet else []
    return [[*row, None] for row in rows]


def _log(submission: Submission, facts: Facts) -> Finding:
    rows = _rows(submission)
    found = [(str(to_decimal(row[0])), _listed(row[1])) for row in rows[1:]]
    wanted = sorted(((number, pages) for number, pages in facts["log"].items()), key=lambda item: int(item[0]))
    odd = [pair for pair in found if pair not in wanted] + [pair for pair in wanted if pair not in found]
    header = [str(cell).strip() for cell in rows[0] if cell is not None] if rows else []
    more = [row[2:] for row in rows if any(cell not in (None, "") for cell in row[2:])]
    hidden = find_unseen(submission, LOG, "Log")
    holds = found == wanted and header == ["No.", "Pages"] and not more and not hidden
    return finding(holds, f"header {header}; other rows: {odd[:5]}; more columns: {more[:3]}; {'; '.join(hidden[:4])}")


def _listed(cell: Any) -> list[int]:
    """Page numbers with commas between them; one alone may be a number."""
    number = to_decimal(cell) if isinstance(cell, int | float) else None
    text = str(int(number)) if number is not None else str(cell or "").strip()
    return [int(part) for part in re.split(r"\s*[,;]\s*", text)] if re.fullmatch(r"\d+(\s*[,;]\s*\d+)*", text) else []


def _log_clean(submission: Submission, facts: Facts) -> Finding:
    """Its package is searched whole, properties and hidden sheets too."""
    read_sheets(submission, LOG)
    with zipfile.ZipFile(require_file(submission, LOG)) as package:
        text = "\n".join(package.read(name).decode("utf-8", "ignore") for name in package.namelist())
    left = [term for term in [*facts["terms"], *facts["kept"]] if _pattern(term).search(text)]
    return finding(not left and "Log" in read_sheets(submission, LOG), f"the log holds {left[:5]}")


def _answer(submission: Submission, facts: Facts) -> Finding:
    pages = {page for pages in facts["log"].values() for page in pages}
    return finding(read_number(submission.answer) == len(pages), f"expected {len(pages)}: {sorted(pages)}")


PUBLIC = "release/public_*.pdf"
PAGES, FIELDS = f"pages:{PUBLIC}", f"fields:{PUBLIC}"
SHEET = tuple(f"{kind}:{LOG}" for kind in ("cells", "rows", "sheet"))

CHECKS = group(
    "redaction_release",
    "The dossier is published without the private persons",
    group(
        "removed",
        "Private data is removed",
        leaf("gone", "No page or field shows any of it as text", _gone, observes=(PAGES, FIELDS), weight=3),
        leaf("nowhere", "No object of the file holds any of it", _nowhere, observes=(PAGES,), weight=3),
        leaf("scan", "It is illegible on the scanned page", _scan, observes=(PAGES,), weight=2),
        leaf("emptied", "Its form fields are empty, the others as they were", _emptied, observes=(PAGES, FIELDS)),
        weight=5,
    ),
    group(
        "kept",
        "Everything else is still there",
        leaf("text", "The other words of each page are still text", _text, observes=(PAGES,), weight=2),
        leaf("named", "Officials and persons who agreed are still named", _named, observes=(PAGES,), weight=2),
        leaf("rest", "Bookmarks, comments, attached files, title and author are kept", _rest, observes=(PAGES,)),
        weight=4,
    ),
    group(
        "log",
        "The log says which persons were removed on which pages",
        leaf("rows", "Each person has the right pages", _log, observes=SHEET, weight=2),
        leaf("clean", "The log names no one", _log_clean, observes=(f"sheet:{LOG}",)),
        weight=3,
    ),
    leaf("answer", "The answer counts the pages", _answer, observes=("answer",)),
    leaves.nothing_else(LOG, also=lambda facts: (facts["public"],), id="others", says="No other file was touched"),
)
