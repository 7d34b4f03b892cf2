"""A form for everybody who takes part, with the corrections in it, and every line readable."""

import datetime
import re
from collections.abc import Sequence
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, finding, group, leaf
from yardkit.evaluators.office.mail_forms.same import changed, marked
from yardkit.evaluators.office.mail_forms.shown import shown
from yardkit.evaluators.readers.calls import looked_at
from yardkit.evaluators.readers.office.visible_lists import find_unseen
from yardkit.evaluators.readers.pages.pdf import read_pdf
from yardkit.evaluators.readers.tables import read_sheets
from yardkit.evaluators.submission import Submission

BLANK = "forms/registration_2026.pdf"
OVERVIEW = "registrations/overview.xlsx"
HEADER = ["No.", "Name", "Company", "Arrival", "Departure", "Ticket", "Parking"]
LINES = ("address1", "address2", "address3")
BOXES = ("parking", "vegetarian", "access")


def _path(number: str) -> str:
    return f"registrations/{number}.pdf"


def _values(submission: Submission, number: str) -> dict[str, str]:
    """The fields of a form."""
    return {name: " ".join(blank.value.split()) for name, blank in read_pdf(submission, _path(number)).blanks.items()}


def _wrong(submission: Submission, facts: Facts, names: Sequence[str]) -> Finding:
    odd = []
    for number, wanted in facts["forms"].items():
        held = _values(submission, number)
        odd += [
            f"{number} {name}: {held.get(name, '')!r}, expected {wanted[name]!r}"
            for name in names
            if held.get(name, "") != wanted[name]
        ]
    return finding(not odd, "; ".join(odd[:5]) or "all as expected")


def _is_address(lines: Sequence[str], wanted: str) -> bool:
    """Whether the lines hold the address, broken between words; a comma may go where a line ends."""
    filled = [line.split() for line in lines if line]
    words = [word for line in filled for word in line]
    ends = {sum(len(line) for line in filled[: n + 1]) - 1 for n in range(len(filled))}
    pairs = list(zip(words, wanted.split(), strict=False))
    same = all(one == two or (n in ends and one.rstrip(",") == two.rstrip(",")) for n, (one, two) in enumerate(pairs))
    return same and len(words) == len(wanted.split()) and not any(lines[len(filled) :])


def _person(submission: Submission, facts: Facts) -> Finding:
    return _wrong(submission, facts, ("reg_no", "name", "company", "phone", "email"))


def _address(submission: Submission, facts: Facts) -> Finding:
    """Word by word as in the mail, in the first lines without a gap."""
    odd = []
    for number, wanted in facts["forms"].items():
        held = _values(submission, number)
        lines = [held.get(line, "") for line in LINES]
        if not _is_address(lines, wanted["address"]):
            odd.append(f"{number} address: {lines}, expected {wanted['address']!r}")
    return finding(not odd, "; ".join(odd[:5]) or "all as expected")


def _days(submission: Submission, facts: Facts) -> Finding:
    return _wrong(submission, facts, ("received", "arrival", "departure"))


def _choices(submission: Submission, facts: Facts) -> Finding:
    """The values, and that the boxes which are seen to be ticked are the same ones."""
    stored = _wrong(submission, facts, ("ticket", *BOXES, "language"))
    odd = []
    for number, wanted in facts["forms"].items():
        seen = marked(submission, _path(number), BLANK)
        right = {"ticket": [wanted["ticket"]], **{name: ["Yes"] if wanted[name] else [] for name in BOXES}}
        unshown = [name for name, blank in read_pdf(submission, _path(number)).blanks.items() if not blank.shown]
        if seen != right or unshown:
            odd.append(f"{number} shows {seen}, expected {right}; shown otherwise than stored: {unshown}")
    return finding(stored.outcome == "pass" and not odd, "; ".join([stored.evidence, *odd[:3]]))


def _fits(submission: Submission, facts: Facts) -> Finding:
    """Each value is drawn whole within its field, is broken between words, and can be read."""
    odd = []
    for number, wanted in facts["forms"].items():
        held, drawn = read_pdf(submission, _path(number)).blanks, shown(submission, _path(number))
        for name, blank in held.items():
            if blank.kind not in ("text", "choice"):
                continue
            view = drawn.get(name)
            if view is None or view.text != re.sub(r"\s", "", blank.value) or view.beyond > 0 or view.faint:
                odd.append(f"{number} {name}: {view} shows {blank.value!r}")
        lines = [" ".join(held[line].value.split()) if line in held else "" for line in LINES]
        if not _is_address(lines, wanted["address"]):
            odd.append(f"{number} address: {lines}")
    return finding(not odd, "; ".join(odd[:4]) or "all values are drawn within their lines")


def _form(submission: Submission, facts: Facts) -> Finding:
    """Beside the values a form is the blank form: same print, same fields, still fillable."""
    found = {number: changed(submission, _path(number), BLANK) for number in facts["forms"]}
    odd = {number: why for number, why in found.items() if why}
    return finding(not odd, f"other than the blank form: {odd}")


def _overview(submission: Submission, facts: Facts) -> Finding:
    sheet = read_sheets(submission, OVERVIEW).get("Participants")
    rows = [row for row in sheet.values if any(cell not in (None, "") for cell in row)] if sheet else []
    header = [str(cell or "").strip() for cell in rows[0]] if rows else []
    found = [[_cell(cell) for cell in row] for row in rows[1:]]
    odd = [row for row in found if row not in facts["overview"]] + [
        row for row in facts["overview"] if row not in found
    ]
    hidden = find_unseen(submission, OVERVIEW, "Participants")
    holds = header == HEADER and found == facts["overview"] and not hidden
    return finding(holds, f"header {header}; other rows {odd[:4]}; {'; '.join(hidden[:4])}")


def _cell(value: Any) -> str:
    """A day as ISO; days must be real ones without an hour."""
    if isinstance(value, datetime.date):
        return str(value).removesuffix(" 00:00:00")
    text = str(value or "").strip()
    return f"text {text}" if re.fullmatch(r"\d{4}-\d\d-\d\d", text) else text


def _looked(submission: Submission, facts: Facts) -> Finding:
    return looked_at(submission, _path(facts["long"]))


FORMS = "registrations/*.pdf"


def _fields(*names: str) -> tuple[str, ...]:
    return (f"pages:{FORMS}", *(f"fields:{FORMS}#{name}" for name in names))


CHECKS = group(
    "mail_forms",
    "The registrations are entered",
    group(
        "forms",
        "The forms are filled in",
        leaf(
            "person",
            "Number, name, company, phone and address of mail",
            _person,
            observes=_fields("reg_no", "name", "company", "phone", "email"),
            weight=2,
        ),
        leaf("address", "The whole address", _address, observes=_fields("address?"), weight=2),
        leaf("days", "Days with corrections", _days, observes=_fields("received", "arrival", "departure"), weight=2),
        leaf(
            "choices",
            "Ticket, boxes and language with corrections",
            _choices,
            observes=_fields("ticket", "parking", "vegetarian", "access", "language"),
            weight=2,
        ),
        leaf("form", "The form itself is as it was and fillable", _form, observes=(f"pages:{FORMS}",)),
        weight=5,
    ),
    group(
        "look",
        "The forms can be read",
        leaf(
            "fits", "Each value is drawn whole within its line", _fits, observes=_fields("*"), weight=3, kind="format"
        ),
        leaf("looked", "The agent looked at the form with the long address", _looked, observes=("calls",), kind="tool"),
        weight=3,
    ),
    leaf(
        "overview",
        "The overview has the right rows in order",
        _overview,
        observes=tuple(f"{kind}:{OVERVIEW}" for kind in ("cells", "rows", "sheet", "formats", "looks")),
        weight=2,
    ),
    leaves.answer_number("The answer counts the parking spaces", lambda facts: facts["parking"]),
    leaves.nothing_else(
        OVERVIEW,
        also=lambda facts: tuple(map(_path, facts["forms"])),
        id="others",
        says="No other file and no other form",
    ),
)
