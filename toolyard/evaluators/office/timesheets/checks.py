"""Every day worked once with its hours; a payroll that follows its entries and rates; the breaches of the rules."""

import datetime
import re
from collections.abc import Iterator, Mapping
from typing import Any

from toolyard.evaluators.checkpoints import Facts, Finding, InvalidArtifact, finding, group, leaf
from toolyard.evaluators.readers.answers import single_number, words
from toolyard.evaluators.readers.files import only_changed
from toolyard.evaluators.readers.sheets import book, number_format_meaning
from toolyard.evaluators.readers.tables import Sheet, near, recomputed, records, to_date, to_decimal, workbook
from toolyard.evaluators.submission import Submission

BOOK = "payroll.xlsx"
HEADERS = {
    "Entries": ["Personnel no.", "Name", "Date", "Hours", "Night hours"],
    "Payroll": ["Personnel no.", "Name", "Rate", "Hours", "Night hours", "Pay"],
    "Exceptions": ["Personnel no.", "Date", "Rule"],
}
SHOWN = {"Entries": ("Hours", "Night hours"), "Payroll": ("Rate", "Hours", "Night hours", "Pay")}
SUMS = {"Hours": "hours", "Night hours": "night", "Pay": "pay"}
ADDED = {"Hours": ("Entries", 2.0), "Night hours": ("Entries", 1.0), "Rate": ("Payroll", 3.0)}
"""Where and by how much the check raises one cell of each person, and more for each further one."""
NO_DATE = ("", "-", "\u2013", "\u2014")

Row = dict[str, Any]
Wanted = Mapping[str, Mapping[str, float]]


def _sheet(sheets: Mapping[str, Sheet], name: str) -> Sheet:
    if name not in sheets:
        raise InvalidArtifact(f"{BOOK} has no sheet {name!r}, only {', '.join(sheets)}")
    return sheets[name]


def _rows(sheets: Mapping[str, Sheet], name: str) -> list[Row]:
    return records(_sheet(sheets, name).values, HEADERS[name], name)


def _number(row: Row) -> str:
    """The personnel number as text, whether it is stored as a number or as text."""
    value = to_decimal(row["Personnel no."])
    return str(int(value)) if value is not None else words(str(row["Personnel no."]))


def _dated(row: Row) -> bool:
    """Whether a row has something for its date: a dash says that there is none."""
    return row["Date"] is not None and str(row["Date"]).strip() not in NO_DATE


def _day(row: Row) -> str:
    day = to_date(row["Date"])
    return f"{_number(row)} {day.isoformat() if day else row['Date']}"


def _entries(submission: Submission) -> dict[str, Row]:
    return {_day(row): row for row in _rows(workbook(submission, BOOK), "Entries")}


def _each_once(submission: Submission, facts: Facts) -> Finding:
    found = sorted(_day(row) for row in _rows(workbook(submission, BOOK), "Entries"))
    wanted = sorted(facts["entries"])
    odd = sorted(set(found) ^ set(wanted)) or sorted({each for each in found if found.count(each) > 1})
    return finding(found == wanted, f"{len(found)} rows for {len(wanted)} days worked; wrong: {', '.join(odd[:8])}")


def _of_entries(submission: Submission, facts: Facts, column: str, place: int) -> Finding:
    rows = _entries(submission)
    wrong = [
        f"{day} is {rows[day][column] if day in rows else 'missing'}, not {values[place]:g}"
        for day, values in facts["entries"].items()
        if day not in rows or not near(rows[day][column], values[place])
    ]
    return finding(not wrong, f"{len(wrong)} days with other {column.lower()}: {'; '.join(wrong[:6])}")


def _hours(submission: Submission, facts: Facts) -> Finding:
    return _of_entries(submission, facts, "Hours", 0)


def _night(submission: Submission, facts: Facts) -> Finding:
    return _of_entries(submission, facts, "Night hours", 1)


def _types(submission: Submission, facts: Facts) -> Finding:
    """Dates are dates, hours are numbers, and the names belong to their numbers."""
    sheets = workbook(submission, BOOK)
    days = [("Entries", row) for row in _rows(sheets, "Entries")]
    days += [("Exceptions", row) for row in _rows(sheets, "Exceptions") if _dated(row)]
    wrong = [
        f"{name} {_number(row)}: {row['Date']!r}" for name, row in days if not isinstance(row["Date"], datetime.date)
    ]
    for row in _rows(sheets, "Entries"):
        if words(str(row["Name"])) != words(facts["names"].get(_number(row), "")):
            wrong.append(f"{_number(row)} is not {row['Name']}")
        wrong += [f"{_day(row)}: {name} {row[name]!r}" for name in SHOWN["Entries"] if isinstance(row[name], str)]
    return finding(not wrong, "; ".join(wrong[:6]) or "dates are dates, names belong to their numbers")


def _people(submission: Submission, facts: Facts) -> Finding:
    rows = _rows(workbook(submission, BOOK), "Payroll")
    numbers = [_number(row) for row in rows]
    wanted = [*facts["sums"], "total"]
    wrong = [
        f"{_number(row)}: {row['Name']}, {row['Rate']}"
        for row in rows
        if (number := _number(row)) in facts["rates"]
        and not (words(str(row["Name"])) == words(facts["names"][number]) and near(row["Rate"], facts["rates"][number]))
    ]
    return finding(numbers == wanted and not wrong, f"rows {numbers}, expected {wanted}; wrong: {wrong[:5]}")


def _wrong(sheets: Mapping[str, Sheet], wanted: Wanted, *columns: str) -> list[str]:
    """Which cells of the payroll differ from `wanted`, by number (or total)."""
    rows = {_number(row): row for row in _rows(sheets, "Payroll")}
    tolerance = {"total": 0.065}
    return [
        f"{column} of {number} is {rows.get(number, {}).get(column)}, not {values[SUMS[column]]:.2f}"
        for number, values in wanted.items()
        for column in columns
        if not near(rows.get(number, {}).get(column), values[SUMS[column]], tolerance.get(number, 0.011))
    ]


def _found(wrong: list[str]) -> Finding:
    return finding(not wrong, f"{len(wrong)} cells are wrong: {'; '.join(wrong[:6])}" if wrong else "they are right")


def _sums(submission: Submission, facts: Facts) -> Finding:
    return _found(_wrong(workbook(submission, BOOK), facts["sums"], "Hours", "Night hours"))


def _pay(submission: Submission, facts: Facts) -> Finding:
    sheets = workbook(submission, BOOK)
    return _found([*_wrong(sheets, facts["sums"], "Pay"), *_misrounded(sheets, facts)])


def _misrounded(sheets: Mapping[str, Sheet], facts: Facts) -> list[str]:
    """Pays that are no full cents, or not the nearest ones; half a cent may go either way."""
    wrong = []
    for row in _rows(sheets, "Payroll"):
        number, pay = _number(row), to_decimal(row["Pay"])
        if number in facts["sums"] and pay is not None:
            sums = facts["sums"][number]
            exact = facts["rates"][number] * (sums["hours"] + facts["supplement"] * sums["night"])
            if abs(float(pay) - exact) > 0.00501 or abs(float(pay) - round(float(pay), 2)) > 1e-6:
                wrong.append(f"Pay of {number} is {pay}, {exact:.4f} before it is rounded")
    return wrong


def _totals(submission: Submission, facts: Facts) -> Finding:
    return _found(_wrong(workbook(submission, BOOK), {"total": facts["totals"]}, *SUMS))


def _live(submission: Submission, facts: Facts) -> Finding:
    """Add hours and night hours to a day of each person and raise the rates."""
    sheets = workbook(submission, BOOK)
    changes, expected = _changed(sheets, facts)
    wrong = _wrong(recomputed(submission, BOOK, changes), expected, *SUMS)
    says = f"after {len(changes)} corrections of entries and rates: "
    return finding(
        len(changes) == 3 * len(facts["sums"]) and not wrong, says + ("; ".join(wrong[:4]) or "everything follows")
    )


def _changed(
    sheets: Mapping[str, Sheet], facts: Facts
) -> tuple[dict[tuple[str, int, int], float | str], dict[str, dict[str, float]]]:
    """Cells to change, and the payroll that must follow."""
    changes: dict[tuple[str, int, int], float | str] = {}
    sums = {number: dict(each) for number, each in facts["sums"].items()}
    rates = dict(facts["rates"])
    for index, number in enumerate(sums):
        for column, (name, added) in ADDED.items():
            sheet, more = _sheet(sheets, name), added * (1 + index / 4)
            place = _cell(sheet, name, number, column)
            if place is None:
                continue
            row, at = place
            changes[name, row, at] = float(to_decimal(sheet.values[row][at]) or 0) + more
            if column == "Rate":
                rates[number] += more
            else:
                sums[number][SUMS[column]] += more
    for number, each in sums.items():
        each["pay"] = round(rates[number] * (each["hours"] + facts["supplement"] * each["night"]) + 1e-9, 2)
    total = {key: sum(each[key] for each in sums.values()) for key in ("hours", "night", "pay")}
    return changes, {**sums, "total": total}


def _cell(sheet: Sheet, name: str, number: str, column: str) -> tuple[int, int] | None:
    """Where the first value of a person in a column stands; the headers are those of `_rows`."""
    header = [words(str(each)) for each in sheet.values[0]]
    if not {words(column), words("Personnel no.")} <= set(header):
        raise InvalidArtifact(f"row 1 of {name} is {sheet.values[0]}; it should hold {', '.join(HEADERS[name])}")
    who = header.index(words("Personnel no."))
    rows = (row for row, cells in enumerate(sheet.values) if _number({"Personnel no.": cells[who]}) == number)
    return next(((row, header.index(words(column))) for row in rows), None)


def _listed(submission: Submission, facts: Facts, *codes: str) -> Finding:
    rows = _rows(workbook(submission, BOOK), "Exceptions")
    found = sorted([*_where(row), str(row["Rule"]).strip().upper()] for row in rows)
    known = ("LONG", "BREAK", "REST", "TOTAL")
    found = [each for each in found if each[2] in codes or each[2] not in known]
    wanted = sorted(each for each in facts["exceptions"] if each[2] in codes)
    odd = [each for each in found if each not in wanted] + [each for each in wanted if each not in found]
    return finding(found == wanted, f"{len(found)} rows for {len(wanted)} exceptions; wrong: {odd[:6]}")


def _where(row: Row) -> tuple[str, str]:
    day = to_date(row["Date"])
    return _number(row), day.isoformat() if day else str(row["Date"]).strip() if _dated(row) else ""


def _long(submission: Submission, facts: Facts) -> Finding:
    return _listed(submission, facts, "LONG")


def _breaks(submission: Submission, facts: Facts) -> Finding:
    return _listed(submission, facts, "BREAK", "REST")


def _misstated(submission: Submission, facts: Facts) -> Finding:
    return _listed(submission, facts, "TOTAL")


def _layout(submission: Submission, _facts: Facts) -> Finding:
    sheets = workbook(submission, BOOK)
    wrong = []
    for name, wanted in HEADERS.items():
        first = sheets[name].values[0] if name in sheets and sheets[name].values else []
        found = [str(each).strip() for each in first if each is not None]
        wrong += [] if found == wanted else [f"{name} has {found}, not {wanted}"]
    return finding(not wrong, "; ".join(wrong) or "sheets and headers are as asked")


def _decimals(submission: Submission, _facts: Facts) -> Finding:
    sheets, looks = workbook(submission, BOOK), book(submission, BOOK)
    wrong = [
        f"{name}!{place}"
        for name, columns in SHOWN.items()
        for place in _places(_sheet(sheets, name), columns)
        if not re.search(r"0\.00(?![0#?%])", number_format_meaning(looks.sheets[name].look(place).number_format))
    ]
    return finding(not wrong, f"{len(wrong)} cells are not shown with two decimals: {', '.join(wrong[:8])}")


def _places(sheet: Sheet, columns: tuple[str, ...]) -> Iterator[str]:
    """The addresses of all numbers in some columns."""
    wanted = {words(each) for each in columns}
    for column, head in enumerate(sheet.values[0]):
        if words(str(head)) in wanted:
            for row, cells in enumerate(sheet.values[1:], 2):
                if to_decimal(cells[column]) is not None:
                    yield f"{chr(65 + column)}{row}"


def _answer(submission: Submission, facts: Facts) -> Finding:
    found = single_number(submission.answer)
    return finding(near(found, facts["totals"]["pay"]), f"expected {facts['totals']['pay']:.2f}, found {found}")


def _kept(submission: Submission, _facts: Facts) -> Finding:
    return only_changed(submission, BOOK)


def _of(*sheets: str) -> tuple[str, ...]:
    return tuple(f"{kind}:{BOOK}#{sheet}{'!*' if kind == 'cells' else ''}" for sheet in sheets for kind in KINDS)


KINDS = ("cells", "rows", "sheet")
FORMULAS = f"formulas:{BOOK}#Payroll!*"
FORMATS = tuple(f"formats:{BOOK}#{sheet}!*" for sheet in HEADERS)

CHECKS = group(
    "timesheets",
    "February is ready to be paid",
    group(
        "entries",
        "Each day worked is an entry",
        leaf("each_once", "Each person and day worked has one row", _each_once, observes=_of("Entries"), weight=2),
        leaf("hours", "The hours of each day are right", _hours, observes=_of("Entries"), weight=3),
        leaf("night", "The night hours of each day are right", _night, observes=_of("Entries"), weight=2),
        leaf(
            "types",
            "Dates are dates, names belong to their numbers",
            _types,
            observes=(*_of("Entries", "Exceptions"), *FORMATS),
            kind="format",
        ),
        weight=4,
    ),
    group(
        "payroll",
        "The payroll adds them up",
        leaf("people", "Everybody stands there in order, with rate", _people, observes=_of("Payroll"), weight=2),
        leaf("sums", "Hours and night hours are right", _sums, observes=_of("Entries", "Payroll"), weight=2),
        leaf("pay", "Each pay is right", _pay, observes=_of("Entries", "Payroll"), weight=3),
        leaf("totals", "The totals are right", _totals, observes=_of("Entries", "Payroll")),
        leaf(
            "live",
            "The payroll follows its entries and rates",
            _live,
            observes=(*_of("Entries", "Payroll"), FORMULAS),
            weight=3,
        ),
        weight=4,
    ),
    group(
        "exceptions",
        "The breaches of the rules are listed",
        leaf("long", "Just the long days are listed", _long, observes=_of("Exceptions")),
        leaf("breaks", "Just the short breaks and rests are listed", _breaks, observes=_of("Exceptions"), weight=2),
        leaf("misstated", "Just the wrong totals are listed", _misstated, observes=_of("Exceptions")),
        weight=3,
    ),
    leaf("layout", "The sheets are laid out as asked", _layout, observes=_of(*HEADERS), kind="format", weight=0.5),
    leaf("decimals", "Hours and money have two decimals", _decimals, observes=FORMATS, kind="format", weight=0.5),
    leaf("answer", "The answer is the total pay", _answer, observes=("answer",)),
    leaf("kept", "Nothing else was touched", _kept, observes=("input:*", "stray:*"), kind="guardrail"),
)
