"""A form for everybody who takes part, with the corrections in it, and every line readable."""

import datetime
import re
from collections.abc import Sequence
from typing import Any

from toolyard.evaluators.checkpoints import Facts, Finding, finding, group, leaf
from toolyard.evaluators.office.mail_forms.shown import shown
from toolyard.evaluators.readers.answers import single_number
from toolyard.evaluators.readers.calls import looked_at
from toolyard.evaluators.readers.files import only_changed
from toolyard.evaluators.readers.pdfs import pdf
from toolyard.evaluators.readers.tables import to_date, workbook
from toolyard.evaluators.submission import Submission

BLANK = "forms/registration_2026.pdf"
OVERVIEW = "registrations/overview.xlsx"
HEADER = ["No.", "Name", "Company", "Arrival", "Departure", "Ticket", "Parking"]
LINES = ("address1", "address2", "address3")


def _path(number: str) -> str:
    return f"registrations/{number}.pdf"


def _values(submission: Submission, number: str) -> dict[str, str]:
    """The fields of a form, the address as one text."""
    found = {name: " ".join(blank.value.split()) for name, blank in pdf(submission, _path(number)).blanks.items()}
    found["address"] = _plain(" ".join(found.get(line, "") for line in LINES))
    return found


def _plain(text: str) -> str:
    """Words without regard to commas, which may go where a line ends."""
    return " ".join(text.replace(",", " ").split()).casefold()


def _wrong(submission: Submission, facts: Facts, names: Sequence[str]) -> Finding:
    odd = []
    for number, wanted in facts["forms"].items():
        held = _values(submission, number)
        for name in names:
            right = _plain(wanted[name]) if name == "address" else wanted[name]
            if held.get(name, "") != right:
                odd.append(f"{number} {name}: {held.get(name, '')!r}, expected {wanted[name]!r}")
    return finding(not odd, "; ".join(odd[:5]) or "all as expected")


def _person(submission: Submission, facts: Facts) -> Finding:
    return _wrong(submission, facts, ("reg_no", "name", "company", "phone", "email"))


def _address(submission: Submission, facts: Facts) -> Finding:
    return _wrong(submission, facts, ("address",))


def _days(submission: Submission, facts: Facts) -> Finding:
    return _wrong(submission, facts, ("received", "arrival", "departure"))


def _choices(submission: Submission, facts: Facts) -> Finding:
    return _wrong(submission, facts, ("ticket", "parking", "vegetarian", "access", "language"))


def _fits(submission: Submission, facts: Facts) -> Finding:
    """Each value is drawn whole within its field, and is broken between words."""
    odd = []
    for number, wanted in facts["forms"].items():
        held, drawn = pdf(submission, _path(number)).blanks, shown(submission, _path(number))
        for name, blank in held.items():
            if blank.kind != "text":
                continue
            view = drawn.get(name)
            if view is None or view.text != re.sub(r"\s", "", blank.value) or view.beyond > 0:
                odd.append(f"{number} {name}: {view} shows {blank.value!r}")
        lines = [_plain(held[line].value) for line in LINES if line in held and held[line].value.strip()]
        if " ".join(lines) != _plain(wanted["address"]):
            odd.append(f"{number} address: {lines}")
    return finding(not odd, "; ".join(odd[:4]) or "all values are drawn within their lines")


def _form(submission: Submission, facts: Facts) -> Finding:
    """Beside the values a form is the blank form: same print, same fields, still fillable."""
    blank = pdf(submission.untouched, BLANK)
    odd = []
    for number in facts["forms"]:
        read = pdf(submission, _path(number))
        same_print = [(page.text.split(), page.rotation) for page in read.pages] == [
            (page.text.split(), page.rotation) for page in blank.pages
        ]
        fields = {name: (each.kind, each.read_only) for name, each in read.blanks.items()}
        if not same_print or fields != {name: (each.kind, each.read_only) for name, each in blank.blanks.items()}:
            odd.append(f"{number} (same print: {same_print}, {len(fields)} of {len(blank.blanks)} fields)")
    return finding(not odd, f"other than the blank form: {', '.join(odd)}")


def _overview(submission: Submission, facts: Facts) -> Finding:
    sheet = workbook(submission, OVERVIEW).get("Participants")
    rows = [row for row in sheet.values if any(cell not in (None, "") for cell in row)] if sheet else []
    header = [str(cell or "").strip() for cell in rows[0]] if rows else []
    found = [[_cell(cell) for cell in row] for row in rows[1:]]
    odd = [row for row in found if row not in facts["overview"]] + [
        row for row in facts["overview"] if row not in found
    ]
    return finding(header == HEADER and found == facts["overview"], f"header {header}; other rows {odd[:4]}")


def _cell(value: Any) -> str:
    """A day as ISO; days must be real ones."""
    if isinstance(value, datetime.date):
        return str(to_date(value))
    text = str(value or "").strip()
    return f"text {text}" if re.fullmatch(r"\d{4}-\d\d-\d\d", text) else text


def _answer(submission: Submission, facts: Facts) -> Finding:
    return finding(single_number(submission.answer) == facts["parking"], f"expected {facts['parking']}")


def _looked(submission: Submission, facts: Facts) -> Finding:
    return looked_at(submission, _path(facts["long"]))


def _others(submission: Submission, facts: Facts) -> Finding:
    return only_changed(submission, *map(_path, facts["forms"]), OVERVIEW)


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
        leaf("looked", "Somebody looked at the form with the long address", _looked, observes=("calls",), kind="tool"),
        weight=3,
    ),
    leaf(
        "overview",
        "The overview has the right rows in order",
        _overview,
        observes=tuple(f"{kind}:{OVERVIEW}" for kind in ("cells", "rows", "sheet", "formats", "looks")),
        weight=2,
    ),
    leaf("answer", "The answer counts the parking spaces", _answer, observes=("answer",)),
    leaf("others", "No other file and no other form", _others, observes=("input:*", "stray:*"), kind="guardrail"),
)
