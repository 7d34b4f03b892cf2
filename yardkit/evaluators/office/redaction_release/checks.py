"""The private persons are out of the public version, wherever they stood; everything else is still in it."""

from __future__ import annotations

import re
import zipfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.office.redaction_release.pdf_bytes import find_raw_texts
from yardkit.evaluators.office.redaction_release.pictures import list_unreadable_words, measure_legibility
from yardkit.evaluators.office.redaction_release.seen import list_covered_words, still_seen
from yardkit.evaluators.readers.files import parse_file, require_file
from yardkit.evaluators.readers.office.visible_lists import find_unseen
from yardkit.evaluators.readers.pages.pdf import Annotation, Page, Pdf, read_pdf
from yardkit.evaluators.readers.tables import read_sheets, to_decimal
from yardkit.evaluators.submission import Submission

if TYPE_CHECKING:
    from yardkit.state_init.office.redaction_release import RedactionReleaseFacts as Facts

LOG = "release/redaction_log.xlsx"
_FIELD_TRAITS = ("kind", "value", "options", "page", "read_only", "visible")
LOST_WORDS = 2
"""Words, not numbers, that may go with their neighbours on a page where something was taken out."""


def _read_both(submission: Submission, facts: Facts) -> tuple[Pdf, Pdf]:
    """The dossier and the public version."""
    return read_pdf(submission.untouched, facts["file"]), read_pdf(submission, facts["public"])


def _compile_term(term: str) -> re.Pattern[str]:
    return re.compile(r"\s+".join(map(re.escape, term.split())), re.IGNORECASE)


def _has_private_term(text: str, facts: Facts) -> bool:
    return any(_compile_term(term).search(text) for term in facts["terms"])


def _check_removed(submission: Submission, facts: Facts) -> Finding:
    """No page has any of it as text or shows it as a picture, nor does a field or its place."""
    _, read = _read_both(submission, facts)
    visible_texts = {page.number: page.text for page in read.pages}
    for blank in read.blanks.values():
        visible_texts[blank.page] = f"{visible_texts.get(blank.page, '')}\n{blank.value}"
    left = {n: [t for t in facts["terms"] if _compile_term(t).search(text)] for n, text in visible_texts.items()}
    wrong = {number: terms for number, terms in left.items() if terms}
    seen = still_seen(submission, facts, [_compile_term(term) for term in facts["terms"]])
    return make_finding(
        not wrong and not seen, f"still on pages: {dict(list(wrong.items())[:5])}; seen there: {seen[:5]}"
    )


def _check_nowhere(submission: Submission, facts: Facts) -> Finding:
    """No object of the file holds any of it, seen or not."""
    left = find_raw_texts(submission, facts["public"], facts["terms"])
    return make_finding(not left, f"still in the file: {left[:8]}")


def _check_scan(submission: Submission, facts: Facts) -> Finding:
    """On the scanned page, and in every picture of the file, the private places are illegible, the others are not."""
    scan = facts["scan"]
    private = [measure_legibility(submission, facts, box, pictures=True) for box in scan["private"]]
    public_shares = [measure_legibility(submission, facts, box) for box in scan["kept"]]
    lost = list_unreadable_words(submission, facts)
    holds = max(private) < 0.45 and min(public_shares) > 0.6 and len(lost) <= LOST_WORDS
    evidence = f"legible: private {[f'{x:.2f}' for x in private]}, others {[f'{x:.2f}' for x in public_shares]}"
    return make_finding(holds, f"{evidence}; other words that cannot be read: {lost[:8]}")


def _check_emptied(submission: Submission, facts: Facts) -> Finding:
    before, after = _read_both(submission, facts)
    filled = [name for name in facts["emptied"] if name not in after.blanks or after.blanks[name].value]
    texts = {page.number: " ".join(page.text.split()) for page in after.pages}
    lost = []
    for name, blank in before.blanks.items():
        now = after.blanks.get(name)
        same = now is not None and all(getattr(blank, trait) == getattr(now, trait) for trait in _FIELD_TRAITS)
        flat = now is None and blank.kind == "text" and blank.value in texts.get(blank.page, "")
        if name not in facts["emptied"] and not same and not flat:
            lost.append(name)
    return make_finding(not filled and not lost, f"not empty or not there: {filled}; other fields that changed: {lost}")


def _check_text(submission: Submission, facts: Facts) -> Finding:
    """Page by page: all words but the private ones are still text, and the pages are as large and upright."""
    before, after = _read_both(submission, facts)
    if len(before.pages) != len(after.pages):
        return make_finding(holds=False, evidence=f"{len(after.pages)} pages, {len(before.pages)} expected")
    problems = [
        f"page {original_page.number}: {why}"
        for original_page, two in zip(before.pages, after.pages, strict=True)
        if (why := _compare_page(original_page, two, facts))
    ]
    for number, words in list_covered_words(submission, facts).items():
        touched = _has_private_term(before.pages[number - 1].text, facts)
        problems += [f"page {number}: {words[:8]} cannot be seen"] if len(words) > LOST_WORDS * touched else []
    return make_finding(not problems, "; ".join(problems[:6]) or "all other words are there")


def _compare_page(before: Page, after: Page, facts: Facts) -> str:
    if (before.width, before.height, before.rotation) != (after.width, after.height, after.rotation):
        return "of another size or turned"
    text = before.text
    for term in facts["terms"]:
        text = _compile_term(term).sub(" ", text)
    lost = list((_count_words(text) - _count_words(after.text)).elements())
    numbers = [word for word in lost if any(sign.isdigit() for sign in word)]
    return f"lost {lost[:8]}" if numbers or len(lost) > LOST_WORDS * (text != before.text) else ""


def _count_words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.casefold()))


def _check_named(submission: Submission, facts: Facts) -> Finding:
    """Officials, and who agreed to be named, stand where they stood."""
    before, after = _read_both(submission, facts)
    pages, problems = list(zip(before.pages, after.pages, strict=False)), []
    for name in facts["named"]:
        first, _, last = name.partition(" ")
        for spelling in map(_compile_term, (name, f"{last}, {first}", f"Mr {last}")):
            lost = [
                was.number for was, now in pages if len(spelling.findall(was.text)) > len(spelling.findall(now.text))
            ]
            problems += [f"{name} on page {number}" for number in lost]
    return make_finding(not problems and len(before.pages) == len(after.pages), f"no longer named: {problems[:6]}")


def _check_rest(submission: Submission, facts: Facts) -> Finding:
    """Bookmarks, comments, attached files, title and author without private data are as they were, and no more."""
    before, after = _read_both(submission, facts)
    expected_outline = [pair for pair in before.outline if not _has_private_term(pair[1], facts)]
    marks = [pair for pair in after.outline if pair in expected_outline]
    lost = [*_lost_notes(before, after, facts), *([] if marks == expected_outline else [f"bookmarks {after.outline}"])]
    files = parse_file(submission.untouched, facts["file"], _read_attachments, "PDF file")
    files = {name: data for name, data in files.items() if name not in facts["dropped"]}
    attached_files = parse_file(submission, facts["public"], _read_attachments, "PDF file")
    differing_files = sorted(name for name in {*files, *attached_files} if files.get(name) != attached_files.get(name))
    changed = [name for name in ("Title", "Author") if before.properties.get(name) != after.properties.get(name)]
    more = len(after.outline) > len(before.outline)
    holds = not lost and not differing_files and not changed and not more
    return make_finding(
        holds, f"lost: {lost[:4]}; attached files: {differing_files}; properties: {changed}; more bookmarks: {more}"
    )


def _lost_notes(before: Pdf, after: Pdf, facts: Facts) -> list[str]:
    """Comments that are not as they were, and pages with more of them than before."""
    notes = [
        _describe_note(annotation) for annotation in before.annotations if not _has_private_term(annotation.text, facts)
    ]
    remaining_notes = [_describe_note(annotation) for annotation in after.annotations]
    counts = Counter(annotation.page for annotation in after.annotations if annotation.text.strip())
    counts.subtract(annotation.page for annotation in before.annotations)
    more = [f"more comments on page {page}" for page, count in counts.items() if count > 0]
    return [f"comment {note}" for note in notes if note not in remaining_notes] + more


def _describe_note(note: Annotation) -> tuple[Any, ...]:
    return note.page, note.kind, note.text, note.visible, round(note.box[0] / 4), round(note.box[1] / 4)


def _read_attachments(path: Path) -> dict[str, bytes]:
    import pikepdf

    with pikepdf.open(path) as opened:
        return {name: opened.attachments[name].get_file().read_bytes() for name in opened.attachments}


def _read_log_rows(submission: Submission) -> list[list[Any]]:
    sheet = read_sheets(submission, LOG).get("Log")
    rows = [row for row in sheet.values if any(cell not in (None, "") for cell in row)] if sheet else []
    return [[*row, None] for row in rows]


def _check_log(submission: Submission, facts: Facts) -> Finding:
    rows = _read_log_rows(submission)
    log_rows = [(str(to_decimal(row[0])), _parse_page_list(row[1])) for row in rows[1:]]
    expected_rows = sorted(((number, pages) for number, pages in facts["log"].items()), key=lambda item: int(item[0]))
    unexpected = [pair for pair in log_rows if pair not in expected_rows] + [
        pair for pair in expected_rows if pair not in log_rows
    ]
    header = [str(cell).strip() for cell in rows[0] if cell is not None] if rows else []
    more = [row[2:] for row in rows if any(cell not in (None, "") for cell in row[2:])]
    hidden = find_unseen(submission, LOG, "Log")
    holds = log_rows == expected_rows and header == ["No.", "Pages"] and not more and not hidden
    return make_finding(
        holds, f"header {header}; other rows: {unexpected[:5]}; more columns: {more[:3]}; {'; '.join(hidden[:4])}"
    )


def _parse_page_list(cell: Any) -> list[int]:
    """Page numbers with commas between them; one alone may be a number."""
    number = to_decimal(cell) if isinstance(cell, int | float) else None
    text = str(int(number)) if number is not None else str(cell or "").strip()
    return [int(part) for part in re.split(r"\s*[,;]\s*", text)] if re.fullmatch(r"\d+(\s*[,;]\s*\d+)*", text) else []


def _log_clean(submission: Submission, facts: Facts) -> Finding:
    """Its package is searched whole, properties and hidden sheets too."""
    read_sheets(submission, LOG)
    with zipfile.ZipFile(require_file(submission, LOG)) as package:
        text = "\n".join(package.read(name).decode("utf-8", "ignore") for name in package.namelist())
    left = [term for term in [*facts["terms"], *facts["named"]] if _compile_term(term).search(text)]
    return make_finding(not left and "Log" in read_sheets(submission, LOG), f"the log holds {left[:5]}")


PUBLIC = "release/public_*.pdf"
PAGES, FIELDS = f"pages:{PUBLIC}", f"fields:{PUBLIC}"
SHEET = tuple(f"{kind}:{LOG}" for kind in ("cells", "rows", "sheet"))

CHECKS = make_group(
    "redaction_release",
    "The dossier is published without the private persons",
    make_group(
        "removed",
        "Private data is removed",
        make_checkpoint(
            "gone", "No page or field shows any of it as text", _check_removed, covers=(PAGES, FIELDS), weight=3
        ),
        make_checkpoint("nowhere", "No object of the file holds any of it", _check_nowhere, covers=(PAGES,), weight=3),
        make_checkpoint("scan", "It is illegible on the scanned page", _check_scan, covers=(PAGES,), weight=2),
        make_checkpoint(
            "emptied", "Its form fields are empty, the others as they were", _check_emptied, covers=(PAGES, FIELDS)
        ),
        weight=5,
    ),
    make_group(
        "kept",
        "Everything else is still there",
        make_checkpoint("text", "The other words of each page are still text", _check_text, covers=(PAGES,), weight=2),
        make_checkpoint(
            "named", "Officials and persons who agreed are still named", _check_named, covers=(PAGES,), weight=2
        ),
        make_checkpoint(
            "rest", "Bookmarks, comments, attached files, title and author are kept", _check_rest, covers=(PAGES,)
        ),
        weight=4,
    ),
    make_group(
        "log",
        "The log says which persons were removed on which pages",
        make_checkpoint("rows", "Each person has the right pages", _check_log, covers=SHEET, weight=2),
        make_checkpoint("clean", "The log names no one", _log_clean, covers=(f"sheet:{LOG}",)),
        weight=3,
    ),
    leaves.answer_number(
        "The answer counts the pages", lambda facts: len({page for pages in facts["log"].values() for page in pages})
    ),
    leaves.nothing_else(LOG, also=lambda facts: (facts["public"],), id="others", statement="No other file was touched"),
)
