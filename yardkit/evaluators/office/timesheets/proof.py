"""Solutions and near misses of office/timesheets."""

import datetime
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent, Solved
from yardkit.evaluators.solving.sheet_layout import format_sheets
from yardkit.evaluators.solving.solver import find_paths, read_mail_files, write_book

BOOK = "payroll.xlsx"
FOLDER = "timesheets/2026-02"
ENTRIES = ["Personnel no.", "Name", "Date", "Hours", "Night hours"]
PAYROLL = ["Personnel no.", "Name", "Rate", "Hours", "Night hours", "Pay"]
EXCEPTIONS = ["Personnel no.", "Date", "Rule"]
NIGHTS = ((0, 360), (1320, 1800), (2760, 3240))
Row = list[Any]
Work = dict[str, Any]
"""A day as read: date, net minutes, and where known start, end and break in minutes from midnight."""


def solve(agent: Agent) -> str:
    """Read every form in its own way, apply the approved corrections, let SUMIFS add the entries up."""
    return _deliver_payroll(agent, backwards=False)


def alternative_backwards_with_extra_sheet_and_by_openpyxl(agent: Agent, files: Path) -> str:
    """Entries the other way round, SUMPRODUCT, text numbers, saved without values by another library."""
    answer = _deliver_payroll(agent, backwards=True)
    with open_edited(files / BOOK) as book:
        last = book["Entries"].max_row
        for row in book["Payroll"].iter_rows(min_row=2, max_row=13):
            row[3].value = f"=SUMPRODUCT((Entries!$A$2:$A${last}=A{row[0].row})*Entries!$D$2:$D${last})"
        book.create_sheet("About").append(["Made from twelve timesheets"])
    return f"The payroll is ready.\n\n**{answer} EUR**"


def alternative_saved_by_libreoffice_with_dates_of_midnight(agent: Agent, files: Path) -> str:
    """Dates with a time of midnight, a dash where there is no date, other formats with two decimals."""
    answer = _deliver_payroll(agent, backwards=False)
    with open_edited(files / BOOK) as book:
        for row in book["Entries"].iter_rows(min_row=2):
            row[2].value = datetime.datetime.combine(row[2].value, datetime.time())
            row[3].number_format = "#,##0.00"
        for row in book["Exceptions"].iter_rows(min_row=2):
            row[0].value, row[1].value = str(row[0].value), row[1].value or "\u2013"
    return answer


def _is_person(row: Mapping[str, Any]) -> bool:
    return bool(row["Personnel no."] != "Total")


def _ten_hours(work: Solved) -> Row:
    """An exception for a day of exactly ten hours, which is none."""
    number, day = next(entry for entry, hours in work.facts["entries"].items() if hours[0] == 10).split()
    return [int(number), datetime.date.fromisoformat(day), "LONG"]


def _last_of_january(work: Solved) -> Row:
    return [int(min(work.facts["names"])), "x", datetime.date(2026, 1, 31), 7.75, 7.5]


in_payroll, in_entries, in_exceptions = (misses.InSheet(BOOK, name) for name in ("Payroll", "Entries", "Exceptions"))
near_miss_sums_pasted_as_values = in_payroll.frozen("Hours", "Night hours", caught_by="live")
near_miss_rate_written_into_the_pay = in_payroll.column(
    "Pay", lambda pay, row, _: re.sub(r"C\d+", str(row["Rate"]), pay), caught_by="live", where=_is_person
)
near_miss_pay_not_rounded = in_payroll.column("Pay", (r"ROUND\((.*),2\)", r"\1"), caught_by="pay")
near_miss_pay_rounded_down = in_payroll.column("Pay", (r"ROUND\(", "ROUNDDOWN("), caught_by="pay")
near_miss_breaks_not_taken_off = in_entries.column(
    "Hours", lambda hours: hours + 0.5, caught_by=("hours", "sums", "pay")
)
near_miss_breaks_taken_off_the_night = in_entries.column(
    "Night hours", lambda hours: max(0, hours - 0.5), caught_by=("night", "pay")
)
near_miss_night_shift_on_the_day_it_ends = in_entries.column(
    "Date",
    lambda day: day + datetime.timedelta(days=1),
    caught_by="each_once",
    where=lambda row: row["Night hours"] > 4,
)
near_miss_day_of_january_kept = in_entries.row_added(_last_of_january, caught_by="each_once")
near_miss_rest_not_checked = in_exceptions.row_gone(
    where=lambda row: row["Rule"] == "REST", all_of=True, caught_by="breaks"
)
near_miss_totals_believed = in_exceptions.row_gone(
    where=lambda row: row["Rule"] == "TOTAL", all_of=True, caught_by="misstated"
)
near_miss_ten_hours_taken_as_too_long = in_exceptions.row_added(_ten_hours, caught_by="long")
near_miss_rates_of_last_year = in_payroll.column(
    "Rate", lambda rate: round(rate * 0.96, 2), caught_by=("pay", "people")
)
near_miss_total_hours_as_the_answer = misses.change_answer(lambda work: f"{work.facts['totals']['hours']:.2f}")
near_miss_first_versions_deleted = misses.delete_file(f"{FOLDER}/*_v1.xlsx", all_of=True)


def _deliver_payroll(agent: Agent, *, backwards: bool) -> str:
    staff = _read_staff(agent)
    rules = agent.call("read_document", path="payroll_rules.docx")["blocks"]
    supplement = int(re.findall(r"paid (\d+) %", " ".join(block.get("text", "") for block in rules))[0]) / 100
    newest = {re.sub(r"_v\d+\.xlsx$|\.xlsx$", "", path): path for path in find_paths(agent, FOLDER)}
    forms = [_read_form(agent, path, staff) for path in newest.values()]
    exceptions = [[number, None, "TOTAL"] for number, days, stated in forms if abs(_sum_hours(days) - stated) > 0.005]
    fixes = _read_corrections(agent)
    entries = []
    for number, days, _ in forms:
        for day in days:
            day.update(_correct_day(day, fixes.get((number, day["date"]))))
        exceptions += _list_breaches(number, days)
        entries += [[number, staff[number][0], *_make_entry(day)] for day in days]
    entries.sort(reverse=backwards)
    rows = _build_payroll(sorted(number for number, _, _ in forms), staff, supplement, len(entries) + 1)
    last, end = len(entries) + 1, len(rows) + 1
    sheets: dict[str, list[Row]] = {
        "Entries": [ENTRIES, *entries],
        "Payroll": [PAYROLL, *rows],
        "Exceptions": [EXCEPTIONS, *exceptions],
    }
    write_book(agent, BOOK, sheets, {"Entries": f"D2:E{last}", "Payroll": f"C2:F{end}"})
    agent.call("format_cells", path=BOOK, sheet="Payroll", range=f"A{end}:F{end}", bold=True)
    format_sheets(agent, BOOK, "Entries", left="A:A", right="C1:E1")
    format_sheets(agent, BOOK, "Payroll", left="A:A", right="C1:F1")
    format_sheets(agent, BOOK, "Exceptions", left="A:B")
    total = agent.call("read_cells", path=BOOK, sheet="Payroll", range=f"F{end}")["rows"][0][0]
    return f"{total:.2f}"


def _read_staff(agent: Agent) -> dict[int, tuple[str, float]]:
    records = agent.call("read_records", path="staff.xlsx", sheet="Rates 2026")["records"]
    return {
        int(record["Personnel no."]): (f"{record['First name']} {record['Last name']}", record["Rate EUR/h"])
        for record in records
    }


def _read_form(agent: Agent, path: str, staff: dict[int, tuple[str, float]]) -> tuple[int, list[Work], float]:
    """The personnel number, the days of February and the stated total in hours."""
    names = [known["name"] for known in agent.call("inspect_workbook", path=path)["sheets"]]
    sheet = "Februar" if "Februar" in names else names[0]
    rows = agent.call("read_cells", path=path, sheet=sheet)["rows"]
    title = str(rows[0][0])
    number = next((number for number, (name, _) in staff.items() if title.endswith(f" {name}")), 0)
    number = number or int(re.findall(r"\b(\d{4})(?!\d)", title.replace("2026", ""))[0])
    head = next(place for place, row in enumerate(rows) if row[0] in READERS)
    days = READERS[str(rows[head][0])](rows[head + 1 : -1])
    stated = next(cell for cell in rows[-1][1:] if cell is not None)
    return number, [day for day in days if day["date"].startswith("2026-02")], _parse_hours(stated)


def _parse_hours(stated: Any) -> float:
    text = str(stated).replace(",", ".")
    hours, _, minutes = text.partition(":")
    return float(hours) + float(minutes or 0) / 60


def _clock_form(rows: list[Row]) -> list[Work]:
    return [_make_shift(row[0], _to_minutes(row[1]), _to_minutes(row[2]), row[3]) for row in rows if row[1] is not None]


def _make_shift(date: str, start: int, end: int, pause: int) -> Work:
    end += 1440 if end <= start else 0
    return {"date": date, "start": start, "end": end, "pause": pause, "net": end - start - pause}


def _to_minutes(clock: str) -> int:
    return int(clock[:2]) * 60 + int(clock[3:5])


def _decimal_form(rows: list[Row]) -> list[Work]:
    return [{"date": "-".join(row[0].split(".")[::-1]), "net": round(60 * _parse_hours(row[2]))} for row in rows]


def _duration_form(rows: list[Row]) -> list[Work]:
    """US dates and h:mm, or weekday and two spans: the first row tells which."""
    if "/" in rows[0][0]:
        dates = [row[0].split("/") for row in rows]
        return [
            {"date": f"{year}-{month}-{day}", "net": round(60 * _parse_hours(row[1]))}
            for (month, day, year), row in zip(dates, rows, strict=True)
        ]
    spans = [[_to_minutes(cell) for cell in row[1:5]] for row in rows]
    return [
        _make_shift(f"2026-02-{row[0][4:6]}", first, last, back - gone)
        for row, (first, gone, back, last) in zip(rows, spans, strict=True)
    ]


def _grid_form(rows: list[Row]) -> list[Work]:
    mondays = [(datetime.date.fromisoformat(row[0]), row[1:8]) for row in rows]
    return [
        {"date": (monday + datetime.timedelta(days=n)).isoformat(), "net": net}
        for monday, week in mondays
        for n, net in enumerate(week)
        if net
    ]


READERS: dict[str, Callable[[list[Row]], list[Work]]] = {
    "Date": _clock_form,
    "Datum": _decimal_form,
    "Day": _duration_form,
    "Week from": _grid_form,
}


def _sum_hours(days: list[Work]) -> float:
    return float(sum(day["net"] for day in days) / 60)


def _read_corrections(agent: Agent) -> dict[tuple[int, str], int]:
    """The approved new ends by personnel number and date."""
    manager = re.findall(r"counts if (.+?) approved", " ".join(agent.prompt.split()))[0]
    mails = read_mail_files(agent, "mails")
    approved = {
        mail["In-Reply-To"]
        for mail in mails
        if mail["From"].addresses[0].display_name == manager and mail.get_content().startswith("Approved")
    }
    corrections = {}
    for mail in mails:
        text = " ".join(mail.get_content().split())
        match = re.search(r"on (\d+) February .* left at (\d\d:\d\d)\..*Personnel no\. (\d+)", text)
        if match and mail["Message-ID"] in approved:
            corrections[int(match.group(3)), f"2026-02-{int(match.group(1)):02d}"] = _to_minutes(match.group(2))
    return corrections


def _correct_day(day: Work, end: int | None) -> Work:
    return day if end is None else _make_shift(day["date"], day["start"], end, day["pause"])


def _make_entry(day: Work) -> Row:
    night = (
        sum(max(0, min(day["end"], last) - max(day["start"], first)) for first, last in NIGHTS) if "end" in day else 0
    )
    return [day["date"], day["net"] / 60, night / 60]


def _list_breaches(number: int, days: list[Work]) -> list[Row]:
    breaches = []
    for before, day in zip([None, *days[:-1]], days, strict=True):
        if day["net"] > 600:
            breaches.append([number, day["date"], "LONG"])
        if "end" in day and day["net"] > 360 and day["pause"] < 30:
            breaches.append([number, day["date"], "BREAK"])
        if before and "end" in day:
            day_gap = datetime.date.fromisoformat(day["date"]) - datetime.date.fromisoformat(before["date"])
            if day_gap.days * 1440 + day["start"] - before["end"] < 660:
                breaches.append([number, day["date"], "REST"])
    return breaches


def _build_payroll(numbers: list[int], staff: dict[int, tuple[str, float]], supplement: float, last: int) -> list[Row]:
    rows: list[Row] = []
    for row, number in enumerate(numbers, 2):
        sums = [f"=SUMIFS(Entries!${name}$2:${name}${last},Entries!$A$2:$A${last},A{row})" for name in "DE"]
        pay = f"=ROUND(C{row}*(D{row}+{supplement}*E{row}),2)"
        rows.append([number, *staff[number], *sums, pay])
    end = len(rows) + 1
    return [*rows, ["Total", None, None, *(f"=SUM({name}2:{name}{end})" for name in "DEF")]]
