"""A form for everybody who takes part, with the corrections in it, and every line readable."""

import datetime
import re
from collections.abc import Sequence
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, define_leaf, make_finding, make_group
from yardkit.evaluators.office.mail_forms.rendered_form import read_visible_fields
from yardkit.evaluators.office.mail_forms.same import list_changes, list_marked_boxes
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


FORMS = "registrations/*.pdf"


def _list_field_targets(*names: str) -> tuple[str, ...]:
    return (f"pages:{FORMS}", *(f"fields:{FORMS}#{name}" for name in names))


def _make_path(number: str) -> str:
    return f"registrations/{number}.pdf"


def _read_values(submission: Submission, number: str) -> dict[str, str]:
    """The fields of a form."""
    return {
        name: " ".join(blank.value.split()) for name, blank in read_pdf(submission, _make_path(number)).blanks.items()
    }


def _check_fields(submission: Submission, facts: Facts, names: Sequence[str]) -> Finding:
    problems = []
    for number, expected_values in facts["forms"].items():
        form_values = _read_values(submission, number)
        problems += [
            f"{number} {name}: {form_values.get(name, '')!r}, expected {expected_values[name]!r}"
            for name in names
            if form_values.get(name, "") != expected_values[name]
        ]
    return make_finding(not problems, "; ".join(problems[:5]) or "all as expected")


def _is_address(lines: Sequence[str], expected_address: str) -> bool:
    """Whether the lines hold the address, broken between words; a comma may go where a line ends."""
    filled = [line.split() for line in lines if line]
    words = [word for line in filled for word in line]
    ends = {sum(len(line) for line in filled[: n + 1]) - 1 for n in range(len(filled))}
    pairs = list(zip(words, expected_address.split(), strict=False))
    same = all(
        first_line == two or (n in ends and first_line.rstrip(",") == two.rstrip(","))
        for n, (first_line, two) in enumerate(pairs)
    )
    return same and len(words) == len(expected_address.split()) and not any(lines[len(filled) :])


@define_leaf(
    "person",
    "Number, name, company, phone and address of mail",
    *_list_field_targets("reg_no", "name", "company", "phone", "email"),
    weight=2,
)
def _check_person(submission: Submission, facts: Facts) -> Finding:
    return _check_fields(submission, facts, ("reg_no", "name", "company", "phone", "email"))


@define_leaf("address", "The whole address", *_list_field_targets("address?"), weight=2)
def _check_address(submission: Submission, facts: Facts) -> Finding:
    """Word by word as in the mail, in the first lines without a gap."""
    problems = []
    for number, expected_values in facts["forms"].items():
        form_values = _read_values(submission, number)
        lines = [form_values.get(line, "") for line in LINES]
        if not _is_address(lines, expected_values["address"]):
            problems.append(f"{number} address: {lines}, expected {expected_values['address']!r}")
    return make_finding(not problems, "; ".join(problems[:5]) or "all as expected")


@define_leaf("days", "Days with corrections", *_list_field_targets("received", "arrival", "departure"), weight=2)
def _check_days(submission: Submission, facts: Facts) -> Finding:
    return _check_fields(submission, facts, ("received", "arrival", "departure"))


@define_leaf(
    "choices",
    "Ticket, boxes and language with corrections",
    *_list_field_targets("ticket", "parking", "vegetarian", "access", "language"),
    weight=2,
)
def _check_choices(submission: Submission, facts: Facts) -> Finding:
    """The values, and that the boxes which are seen to be ticked are the same ones."""
    stored = _check_fields(submission, facts, ("ticket", *BOXES, "language"))
    problems = []
    for number, expected_values in facts["forms"].items():
        seen = list_marked_boxes(submission, _make_path(number), BLANK)
        right = {
            "ticket": [expected_values["ticket"]],
            **{name: ["Yes"] if expected_values[name] else [] for name in BOXES},
        }
        hidden = [name for name, blank in read_pdf(submission, _make_path(number)).blanks.items() if not blank.visible]
        if seen != right or hidden:
            problems.append(f"{number} shows {seen}, expected {right}; shown otherwise than stored: {hidden}")
    return make_finding(stored.outcome == "pass" and not problems, "; ".join([stored.evidence, *problems[:3]]))


@define_leaf("fits", "Each value is drawn whole within its line", *_list_field_targets("*"), weight=3, kind="format")
def _check_fit(submission: Submission, facts: Facts) -> Finding:
    """Each value is drawn whole within its field, is broken between words, and can be read."""
    problems = []
    for number, expected_values in facts["forms"].items():
        blank_fields, drawn = (
            read_pdf(submission, _make_path(number)).blanks,
            read_visible_fields(submission, _make_path(number)),
        )
        for name, blank in blank_fields.items():
            if blank.kind not in ("text", "choice"):
                continue
            view = drawn.get(name)
            if view is None or view.text != re.sub(r"\s", "", blank.value) or view.beyond > 0 or view.faint:
                problems.append(f"{number} {name}: {view} shows {blank.value!r}")
        lines = [" ".join(blank_fields[line].value.split()) if line in blank_fields else "" for line in LINES]
        if not _is_address(lines, expected_values["address"]):
            problems.append(f"{number} address: {lines}")
    return make_finding(not problems, "; ".join(problems[:4]) or "all values are drawn within their lines")


@define_leaf("form", "The form itself is as it was and fillable", f"pages:{FORMS}")
def _check_form(submission: Submission, facts: Facts) -> Finding:
    """Beside the values a form is the blank form: same print, same fields, still fillable."""
    differences = {number: list_changes(submission, _make_path(number), BLANK) for number in facts["forms"]}
    problems = {number: why for number, why in differences.items() if why}
    return make_finding(not problems, f"other than the blank form: {problems}")


@define_leaf(
    "overview",
    "The overview has the right rows in order",
    *tuple(f"{kind}:{OVERVIEW}" for kind in ("cells", "rows", "sheet", "formats", "looks")),
    weight=2,
)
def _check_overview(submission: Submission, facts: Facts) -> Finding:
    sheet = read_sheets(submission, OVERVIEW).get("Participants")
    rows = [row for row in sheet.values if any(cell not in (None, "") for cell in row)] if sheet else []
    header = [str(cell or "").strip() for cell in rows[0]] if rows else []
    overview_rows = [[_normalize_cell(cell) for cell in row] for row in rows[1:]]
    unexpected = [row for row in overview_rows if row not in facts["overview"]] + [
        row for row in facts["overview"] if row not in overview_rows
    ]
    hidden = find_unseen(submission, OVERVIEW, "Participants")
    holds = header == HEADER and overview_rows == facts["overview"] and not hidden
    return make_finding(holds, f"header {header}; other rows {unexpected[:4]}; {'; '.join(hidden[:4])}")


def _normalize_cell(value: Any) -> str:
    """A day as ISO; days must be real ones without an hour."""
    if isinstance(value, datetime.date):
        return str(value).removesuffix(" 00:00:00")
    text = str(value or "").strip()
    return f"text {text}" if re.fullmatch(r"\d{4}-\d\d-\d\d", text) else text


@define_leaf("looked", "The agent looked at the form with the long address", "calls", f"file:{FORMS}", kind="tool")
def _check_looked_at(submission: Submission, facts: Facts) -> Finding:
    return looked_at(submission, _make_path(facts["long"]))


CHECKS = make_group(
    "mail_forms",
    "The registrations are entered",
    make_group(
        "forms",
        "The forms are filled in",
        _check_person,
        _check_address,
        _check_days,
        _check_choices,
        _check_form,
        weight=5,
    ),
    make_group("look", "The forms can be read", _check_fit, _check_looked_at, weight=3),
    _check_overview,
    leaves.answer_number("The answer counts the parking spaces", lambda facts: facts["parking"]),
    leaves.nothing_else(
        OVERVIEW,
        also=lambda facts: tuple(map(_make_path, facts["forms"])),
        id="others",
        statement="No other file and no other form",
    ),
)
