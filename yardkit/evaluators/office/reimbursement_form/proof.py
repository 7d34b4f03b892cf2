"""Solutions and near misses of office/reimbursement_form."""

import csv
import datetime
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent, Miss, Solved
from yardkit.evaluators.readers.engines.libreoffice import convert_files

CLAIM, NOTE, FORM = "claim.xlsx", "claim_note.docx", "forms/travel_expenses.xlsx"
in_claim = misses.InSheet(CLAIM, "Claim")
TYPES = {"train": "Train", "taxi": "Taxi", "hotel": "Hotel", "conference": "Fee", "tickets": "Local transport"}
CITIES = {
    "Prague": "Czechia",
    "Copenhagen": "Denmark",
    "Warsaw": "Poland",
    "Stockholm": "Sweden",
    "Zurich": "Switzerland",
}
HEADER = ["Receipt", "Paid EUR", "Reimbursed EUR", "Reason"]
Row = list[Any]


def solve(agent: Agent) -> str:
    """Read everything, copy the form, fill its cells block by block, write the note."""
    agent.call("copy_path", source=FORM, target=CLAIM)
    return _fill_form(agent, turned=False)


def alternative_other_order_and_saved_by_openpyxl(agent: Agent, files: Path) -> str:
    """Receipts the other way round, the personnel number as text, the form saved without values by another library."""
    agent.call("copy_path", source=FORM, target=CLAIM)
    answer = _fill_form(agent, turned=True)
    with open_edited(files / CLAIM) as book:
        book["Claim"]["C5"].value = str(book["Claim"]["C5"].value)
    return f"Paid out:\n**{answer} EUR**"


def alternative_cell_by_cell_and_a_plain_note(agent: Agent, files: Path) -> str:
    """Small letters and a currency in the note, made by python-docx."""
    import docx

    agent.call("copy_path", source=FORM, target=CLAIM)
    answer = _fill_form(agent, turned=False)
    old = docx.Document(str(files / NOTE)).tables[0]
    new = docx.Document()
    new.add_paragraph("Expenses not paid in full")
    table = new.add_table(0, 4)
    for row in old.rows:
        texts = [cell.text for cell in row.cells]
        amounts = [f"{text} EUR" if text[:1].isdigit() else text for text in texts[1:3]]
        for cell, text in zip(table.add_row().cells, [texts[0], *amounts, texts[3].lower()], strict=True):
            cell.text = text
    new.save(str(files / NOTE))
    return answer


def alternative_saved_by_libreoffice_and_receipts_with_their_folder(agent: Agent, files: Path) -> str:
    """The filled form as LibreOffice saves it; the note names each receipt by its path."""
    agent.call("copy_path", source=FORM, target=CLAIM)
    answer = _fill_form(agent, turned=False)
    convert_files({files / CLAIM: files / CLAIM}, "xlsx")
    with open_edited(files / NOTE) as note:
        for row in note.tables[0].rows[1:]:
            row.cells[0].text = f"receipts/{row.cells[0].text}"
    return answer


near_miss_first_cost_centre = in_claim.set_attributes(lambda sheet: sheet["C6"], "fields", value="4499 Other")


@in_claim.make_edit_decorator(caught_by=("receipts", "totals"))
def near_miss_card_slip_entered_as_well(sheet: Any) -> None:
    row = next(row for row in range(14, 26) if sheet.cell(row, 3).value == "Taxi")
    free = next(row for row in range(14, 26) if sheet.cell(row, 5).value is None)
    for column in (2, 3, 4, 5, 6, 7, 9):
        sheet.cell(free, column).value = sheet.cell(row, column).value


@in_claim.make_edit_decorator(caught_by="rates")
def near_miss_one_rate_for_all(sheet: Any) -> None:
    for row in range(14, 26):
        if sheet.cell(row, 6).value not in (None, "EUR"):
            sheet.cell(row, 7).value = round(sheet.cell(row, 7).value + 0.0007, 4)


@in_claim.make_edit_decorator(caught_by=("reimbursed", "totals"))
def near_miss_limits_not_applied(sheet: Any, work: Solved) -> None:
    for row, fact in enumerate(work.facts["expenses"], 14):
        sheet.cell(row, 9).value = fact[5]


near_miss_parts_of_a_cent_reimbursed = in_claim.edit_sheet(
    lambda sheet: setattr(sheet["I14"], "value", sheet["I14"].value + 0.0041), "reimbursed"
)


@in_claim.make_edit_decorator(caught_by="receipts")
def near_miss_row_left_empty(sheet: Any, work: Solved) -> None:
    last = 13 + len(work.facts["expenses"])
    for column in (2, 3, 4, 5, 6, 7, 9):
        sheet.cell(last + 1, column).value = sheet.cell(last, column).value
        sheet.cell(last, column).value = None


@in_claim.make_edit_decorator(caught_by="form_kept")
def near_miss_check_of_the_dates_turned_round(sheet: Any) -> None:
    for validation in sheet.data_validations.dataValidation:
        validation.operator = "lessThanOrEqual" if validation.type == "date" else validation.operator


near_miss_dinner_of_the_host_forgotten = in_claim.set_attributes(
    lambda sheet: [sheet.cell(row, 7) for row in range(30, 38)], ("days", "totals"), value=None
)


@in_claim.make_edit_decorator(caught_by="form_kept")
def near_miss_amounts_typed_over_formulas(sheet: Any, work: Solved) -> None:
    for row, fact in enumerate(work.facts["expenses"], 14):
        sheet.cell(row, 8).value = fact[5]


near_miss_protection_taken_off = in_claim.edit_sheet(lambda sheet: sheet.protection.disable(), "form_kept")


def in_note(change: Callable[[Any], object], caught_by: str) -> Miss:
    """Each row of the note's table below its headers is changed."""
    return misses.edit_file(NOTE, lambda note: [change(row) for row in list(note.tables[0].rows)[1:]], caught_by)


def _leave_out_unpaid(row: Any) -> None:
    if row.cells[2].text in ("0.00", "0"):
        row._tr.getparent().remove(row._tr)


near_miss_receipts_out_of_the_form_not_explained = in_note(_leave_out_unpaid, "explained")
near_miss_foreign_money_in_the_note = in_note(
    lambda row: setattr(row.cells[1], "text", f"{float(row.cells[1].text) * 7:.2f}"), "amounts"
)
near_miss_one_reason_for_all = in_note(lambda row: setattr(row.cells[3], "text", "LIMIT"), "explained")
near_miss_receipts_alone_as_the_answer = misses.change_answer(lambda work: f"{work.facts['totals']['receipts']:.2f}")
near_miss_empty_form_filled_in_as_well = misses.overwrite_file(FORM, CLAIM)


def _fill_form(agent: Agent, *, turned: bool) -> str:
    trip, rates, policy = _read_trip(agent), _read_rates(agent), _read_policy(agent)
    receipts = [_read_receipt(agent, path, rates) for path in _list_pdfs(agent)]
    for receipt in receipts:
        _apply_policy(receipt, trip, policy)
    entered = [receipt for receipt in receipts if receipt["kind"]]
    fields = [trip[name] for name in ("name", "number", "centre", "purpose", "country", "first", "last")]
    agent.call("write_cells", path=CLAIM, sheet="Claim", start_cell="C4", rows=[[field] for field in fields])
    rows = [
        [record["day"], record["kind"], record["shop"], record["total"], record["currency"], record["rate"]]
        for record in entered
    ]
    allowed = [[record["allowed"]] for record in entered]
    order = slice(None, None, -1 if turned else 1)
    agent.call("write_cells", path=CLAIM, sheet="Claim", start_cell="B14", rows=rows[order])
    agent.call("write_cells", path=CLAIM, sheet="Claim", start_cell="I14", rows=allowed[order])
    agent.call("write_cells", path=CLAIM, sheet="Claim", start_cell="B30", rows=_list_days(trip, receipts))
    _write_note(agent, [receipt for receipt in receipts if receipt["allowed"] < receipt["euros"]])
    return f"{agent.call('read_cells', path=CLAIM, sheet='Claim', range='H40')['rows'][0][0]:.2f}"


def _read_trip(agent: Agent) -> dict[str, Any]:
    """Who travelled when, where to, and on whose account."""
    name = re.findall(r"claim the expenses of (.+?)'s last trip", " ".join(agent.prompt.split()))[0]
    mails = (agent.call("read_file", path=f"mails/{text}.eml")["content"] for text in ("trip", "trip_2"))
    first, second = (_decode_mail(mail) for mail in mails)
    staff = list(csv.reader(agent.call("read_file", path="staff.csv")["content"].splitlines()))
    purpose = re.findall(r"back from (.+? 2026)", first)[0]
    dinner = re.findall(r"On (\d+) March .* dinner", first)[0]
    days = re.findall(r"morning of (\d+) March.*?evening of (\d+) March", first, re.S)[0]
    return {
        "name": name,
        "number": next(int(row[0]) for row in staff if f"{row[2]} {row[1]}" == name),
        "centre": re.findall(r"cost centre is (.+?)\.", second)[0],
        "purpose": purpose,
        "country": next(country for city, country in CITIES.items() if city in purpose),
        "first": f"2026-03-{int(days[0]):02d}",
        "last": f"2026-03-{int(days[1]):02d}",
        "dinner": f"2026-03-{int(dinner):02d}",
    }


def _decode_mail(mail: str) -> str:
    """The text of a mail in quoted-printable."""
    import quopri

    return " ".join(quopri.decodestring(mail.encode()).decode("utf-8").split())


def _read_rates(agent: Agent) -> dict[str, Mapping[str, str]]:
    lines = agent.call("read_file", path="rates.csv")["content"].splitlines()
    return {row["day"]: row for row in csv.DictReader(lines)}


def _read_policy(agent: Agent) -> dict[str, int]:
    blocks = agent.call("read_document", path="travel_policy.docx")["blocks"]
    rows = next(block["rows"] for block in blocks if block["kind"] == "table")
    policy_numbers = {row[0]: re.findall(r"\d+", row[1]) for row in rows}
    return {name: int(policy_numbers[name][0]) for name in ("Hotel", "Train", "Taxi")}


def _list_pdfs(agent: Agent) -> list[str]:
    entries = agent.call("list_folder", path="receipts")["entries"]
    return sorted(entry["path"] for entry in entries if entry["path"].endswith(".pdf"))


def _read_receipt(agent: Agent, path: str, rates: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    text = agent.call("read_pdf_text", path=path)["pages"][0]["text"]
    currency, total = re.findall(r"Total ([A-Z]{3}) ([\d,.]+\d)", text)[0]
    day = datetime.datetime.strptime(re.findall(r"Date: (\d+ \w+ \d+)", text)[0], "%d %B %Y").date().isoformat()  # noqa: DTZ007
    rate = 1.0 if currency == "EUR" else float(rates[max(word for word in rates if word <= day)][currency])
    amount = float(total.replace(",", ""))
    name = path.rpartition("/")[2]
    return {
        "file": name, "text": text, "shop": text.splitlines()[0].strip(), "day": day, "total": amount,
        "currency": currency, "rate": rate, "euros": _round_cents(amount * rate), "kind": "", "allowed": 0.0, "why": "",
    }  # fmt: skip


def _round_cents(amount: float) -> float:
    return int(amount * 100 + 0.5 + 1e-7) / 100


def _apply_policy(record: dict[str, Any], trip: Mapping[str, Any], policy: Mapping[str, int]) -> None:
    """What is reimbursed of a receipt, and why not all of it."""
    kind = TYPES.get(re.split(r"[_.]", record["file"])[0], "")
    if not trip["first"] <= record["day"] <= trip["last"]:
        kind, record["why"] = "", "DATE"
    elif "CUSTOMER COPY" in record["text"]:
        record["why"] = "TWICE"
    elif not kind:
        record["why"] = "MEAL"
    nights = re.findall(r"(\d+) nights", record["text"])
    limit = {"Hotel": policy["Hotel"] * int(nights[0]) if nights else 0, "Taxi": policy["Taxi"]}.get(kind, 1e9)
    share = policy["Train"] / 100 if "first class" in record["text"] else 1
    record["kind"] = kind
    if kind:
        record["allowed"] = _round_cents(min(record["euros"] * share, limit))
        record["why"] = "CLASS" if share < 1 else "LIMIT"


def _list_days(trip: Mapping[str, Any], receipts: list[dict[str, Any]]) -> list[Row]:
    lunches = next(
        re.findall(r"lunches on (\d+) and (\d+) March", receipt["text"])[0]
        for receipt in receipts
        if receipt["kind"] == "Fee"
    )
    first, last = (datetime.date.fromisoformat(trip[name]) for name in ("first", "last"))
    rows: list[Row] = []
    for number in range((last - first).days + 1):
        day = first + datetime.timedelta(days=number)
        kind = "first/last day" if day in (first, last) else "full day"
        free = (day != first, str(day.day) in lunches, day.isoformat() == trip["dinner"])
        rows.append([day.isoformat(), kind, None, *("x" if cell else None for cell in free)])
    return rows


def _write_note(agent: Agent, cut: list[dict[str, Any]]) -> None:
    rows = [
        HEADER,
        *([record["file"], f"{record['euros']:.2f}", f"{record['allowed']:.2f}", record["why"]] for record in cut),
    ]
    agent.call("create_document", path=NOTE, title="Receipts that are not reimbursed in full")
    edit = {"op": "insert", "blocks": [{"kind": "table", "rows": rows}]}
    agent.call("edit_blocks", path=NOTE, edits=[edit])
