"""Solutions and near misses of sight/meter_readings."""

import datetime
import re
from pathlib import Path
from typing import Any, NamedTuple

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent
from yardkit.evaluators.solving.sheet_layout import format_sheets
from yardkit.evaluators.solving.solver import find_paths, read_csv_records, write_book

BOOK = "readings.xlsx"
READINGS = ["Meter", "Date", "Reading", "Days", "Used", "Per day"]
FLAGGED = ["Photo", "Meter", "Date", "Reading", "Reason"]
SUMMARY = ["Meter", "Used", "Per day", "Price", "Cost"]
Rows = list[list[Any]]
Meters = dict[str, dict[str, str]]


class Shot(NamedTuple):
    """What a photo shows; by time, since that stands first."""

    taken: str
    name: str
    number: str
    reading: float
    register: str


def solve(agent: Agent) -> str:
    """Read each photo, leave out what does not count, write formulas."""
    meters, counted, flagged = _sorted_out(agent)
    summary = []
    for row, number in enumerate(sorted(meters), 2):
        first, *_, last = (place for place, entry in enumerate(counted, 2) if entry[0] == number)
        used, days = (f"Readings!{column}{last}-Readings!{column}{first}" for column in "CB")
        summary.append([number, f"={used}", f"=B{row}/({days})", float(meters[number]["price_eur"]), f"=B{row}*D{row}"])
    _write_workbook(agent, counted, flagged, summary)
    return f"{_compute_cost(meters, counted):.2f}"


def alternative_with_lookups_and_other_formulas(agent: Agent, files: Path) -> str:
    """Flagged photos in another order, sums of uses instead of differences, a cost rounded in its cell."""
    meters, counted, flagged = _sorted_out(agent)
    summary = [
        [number, f"=SUMIF(Readings!A:A,A{row},Readings!E:E)", f"=B{row}/SUMIF(Readings!A:A,A{row},Readings!D:D)",
         float(meter["price_eur"]), f"=ROUND(B{row}*D{row},2)"]
        for row, (number, meter) in enumerate(sorted(meters.items(), reverse=True), 2)
    ]  # fmt: skip
    _write_workbook(agent, counted, flagged[::-1], summary)
    with open_edited(files / BOOK):
        pass
    return f"Both meters together:\n\n**{_compute_cost(meters, counted):.2f} EUR**"


def alternative_with_the_sheets_in_another_order(agent: Agent, files: Path) -> str:
    """The summary first, as openpyxl saves it; photos with their folder; one formula for all rows."""
    answer = solve(agent)
    with open_edited(files / BOOK) as book:
        book.move_sheet("Summary", -2)
        for row in range(2, book["Flagged"].max_row + 1):
            book["Flagged"].cell(row, 1).value = f"photos/{book['Flagged'].cell(row, 1).value}"
        for row in range(2, book["Readings"].max_row + 1):
            for column, formula in ((4, "B{0}-B{1}"), (5, "C{0}-C{1}"), (6, "E{0}/D{0}")):
                same = f"A{row}=A{row - 1}"
                book["Readings"].cell(row, column).value = f'=IF({same},{formula.format(row, row - 1)},"")'
    return answer


in_readings, in_flagged, in_summary = (misses.InSheet(BOOK, name) for name in ("Readings", "Flagged", "Summary"))
near_miss_red_digits_read_as_whole_ones = in_readings.column(
    "Reading",
    lambda reading: reading * 1000,
    where=lambda row: str(row["Meter"]).startswith("8AQT"),
    caught_by="values",
)
near_miss_last_digit_left_out = in_readings.column("Reading", int, caught_by="values")
near_miss_last_reading_forgotten = in_readings.row_gone(
    caught_by="each_once", where=lambda row: str(row["Date"])[:10] > "2026-02-20"
)
near_miss_use_as_numbers = in_readings.frozen("Used", "Per day", caught_by="live")
near_miss_neighbour_not_told = in_flagged.row_gone(caught_by="told", where=lambda row: row["Reason"] == "other meter")
near_miss_all_are_called_too_much = in_flagged.column("Reason", lambda _: "too much", caught_by="reasons")
near_miss_the_number_of_our_meter_for_the_neighbours = in_flagged.column(
    "Meter",
    lambda _number, _row, work: work.facts["readings"][-1][0],
    where=lambda row: row["Reason"] == "other meter",
    caught_by="shown",
)
near_miss_prices_of_last_year = in_summary.column("Price", lambda price: round(price * 0.9, 2), caught_by="sums")
near_miss_cost_as_a_number = in_summary.frozen("Cost", caught_by="live")
near_miss_days_as_text = in_readings.column("Date", lambda day: str(day)[:10], caught_by="dates")
near_miss_decimals_lost = in_summary.number_format_lost("Cost", caught_by="decimals")
near_miss_cost_of_one_meter = misses.change_answer(lambda work: f"{work.facts['total'] / 2:.2f}")
near_miss_photo_deleted = misses.delete_file("photos/*.jpg")


def _write_workbook(agent: Agent, counted: Rows, flagged: Rows, summary: Rows) -> None:
    rows: Rows = [READINGS]
    for number, (before, row) in enumerate(zip([["", ""], *counted], counted, strict=False), 2):
        formulas = [f"=C{number}-C{number - 1}", f"=E{number}/D{number}"]
        rows.append([*row, *([_count_days(before[1], row[1]), *formulas] if before[0] == row[0] else [])])
    write_book(agent, BOOK, {"Readings": rows, "Flagged": [FLAGGED, *flagged], "Summary": [SUMMARY, *summary]})
    column_formats = (("Readings", "B:B", "yyyy-mm-dd"), ("Flagged", "C:C", "yyyy-mm-dd"), ("Readings", "F:F", "0.00"),
             ("Summary", "C:C", "0.00"), ("Summary", "E:E", "0.00"))  # fmt: skip
    for sheet, cells, code in column_formats:
        agent.call("format_cells", path=BOOK, sheet=sheet, range=cells, number_format=code)
    format_sheets(agent, BOOK, "Readings", right="C1:F1")
    format_sheets(agent, BOOK, "Flagged", right="D1:D1", separator="E:E")
    format_sheets(agent, BOOK, "Summary", right="B1:E1")


def _compute_cost(meters: Meters, counted: Rows) -> float:
    own: dict[str, list[float]] = {number: [row[2] for row in counted if row[0] == number] for number in meters}
    return sum((own[number][-1] - own[number][0]) * float(meter["price_eur"]) for number, meter in meters.items())


def _sorted_out(agent: Agent) -> tuple[Meters, Rows, Rows]:
    """Our meters, the readings that count in order, and the photos that do not, with the reason."""
    meters = {row["number"]: row for row in read_csv_records(agent, "meters.csv")}
    register = re.findall(r"Ours is ([\d.]+\d)", agent.call("read_file", path="reading_rules.md")["content"])[0]
    last = read_csv_records(agent, "last_month.csv")
    counted: dict[str, Rows] = {row["number"]: [[row["number"], row["date"], float(row["reading"])]] for row in last}
    flagged = []
    for shot in sorted(_read_shot(agent, path) for path in find_paths(agent, "photos", ".jpg")):
        entry, reason = [shot.number, shot.taken[:10], shot.reading], _find_reason(shot, meters, register, counted)
        if reason:
            flagged.append([shot.name, *entry, reason])
        else:
            counted[shot.number].append(entry)
    return meters, [row for number in sorted(counted) for row in counted[number]], flagged


def _find_reason(shot: Shot, meters: Meters, register: str, counted: dict[str, Rows]) -> str:
    if shot.number not in meters:
        return "other meter"
    if shot.register not in ("", register):
        return "other register"
    _, day, reading = counted[shot.number][-1]
    used, highest = shot.reading - reading, float(meters[shot.number]["highest_per_day"])
    return "backwards" if used < 0 else "too much" if used / _count_days(day, shot.taken[:10]) > highest else ""


def _count_days(first: str, last: str) -> int:
    return (datetime.date.fromisoformat(last) - datetime.date.fromisoformat(first)).days


def _read_shot(agent: Agent, path: str) -> Shot:
    lines = [piece["text"] for piece in agent.call("read_image_text", path=path)["pieces"]]
    text = "\n".join(lines)
    number, (day, time) = (
        re.findall(r"(?:8AQT|1EMH)\d+", text)[0],
        re.findall(r"(2026-\d\d-\d\d) ?(\d\d:\d\d)", text)[0],
    )
    digits = next(re.sub(r"\D", "", line) for line in lines if re.fullmatch(r"[\d. ]{7,}", line))
    registers = re.findall(r"(?m)^\d\.\d\.\d$", text)
    reading = int(digits) / (10 if registers else 1000)
    return Shot(f"{day} {time}", path.rpartition("/")[2], number, reading, "".join(registers))
