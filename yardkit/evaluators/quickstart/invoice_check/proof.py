"""Solutions and near misses of quickstart/invoice_check."""

import csv
import difflib
import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent
from yardkit.evaluators.solving.solver import find_paths, read_csv_records, read_picture_lines

HEADER = ["file", "invoice", "order", "finding", "billed", "correct"]
Row = dict[str, Any]
_MONEY = r"(\d[\d,]*\.\d\d)"


@dataclass(frozen=True)
class Records:
    """What the bills are compared with."""

    prices: dict[str, tuple[float, int]]
    ordered: dict[tuple[str, str], int]
    orders: set[str]
    paid: set[str]


def solve(agent: Agent) -> str:
    """Read each photo, compare it with the records, write the report and the note."""
    rows = _check_bills(agent)
    agent.call("write_file", path="report.csv", content=_build_csv(rows))
    agent.call("write_file", path="note.txt", content="".join(f"{line}\n" for line in _list_notes(rows)))
    return _sum_payable(agent, rows)


def alternative_backwards_with_semicolons(agent: Agent, files: Path) -> str:
    """Other order of rows and columns, paths as names, currency signs, and whole sentences in the note."""
    rows = _check_bills(agent)[::-1]
    lines = [";".join(reversed(HEADER))]
    for row in rows:
        cells = [f"{row['correct']:.2f} €", f"{row['billed']:.2f} €", row["finding"].upper(), row["order"]]
        lines.append(";".join([*cells, row["invoice"], f"invoices/{row['file']}"]))
    (files / "report.csv").write_bytes("\r\n".join(lines).encode("utf-8-sig"))
    notes = [
        f"Invoice {row['invoice']} ({row['finding']}): billed {row['billed']:,.2f} EUR, "
        f"which is {row['billed'] - row['correct']:,.2f} EUR too high."
        for row in rows
        if row["finding"] != "ok"
    ]
    (files / "note.txt").write_text("Dear colleague,\n\n" + "\n".join(notes) + "\n", "utf-8")
    return f"**We should pay {_sum_payable(agent, rows)} EUR in all.**"


def alternative_with_more_columns(agent: Agent, files: Path) -> str:
    """A column of remarks and quoted cells, as another program writes them; a list in the note."""
    rows = _check_bills(agent)
    with (files / "report.csv").open("w", newline="") as handle:
        writer = csv.writer(handle, quoting=csv.QUOTE_ALL)
        writer.writerow([*HEADER, "remark"])
        writer.writerows([*row.values(), "see note"] for row in rows)
    agent.call("write_file", path="note.txt", content="\n\n".join(f"- {line} EUR" for line in _list_notes(rows)))
    return _sum_payable(agent, rows)


in_report = partial(misses.csv_changed, "report.csv")
near_miss_everything_found_ok = in_report(
    lambda row: row.update(finding="ok", correct=row["billed"]), ("findings", "correct")
)
near_miss_only_net_amounts_corrected = in_report(
    lambda row: row.update(correct=round(float(row["correct"]) / 1.07, 2)), "correct"
)
near_miss_rejected_bills_to_be_paid = in_report(
    lambda row: row.update(correct=row["billed"] if row["correct"] == "0.00" else row["correct"]), "correct"
)
near_miss_billed_is_the_correct_amount = in_report(lambda row: row.update(billed=row["correct"]), "billed")
near_miss_one_photo_left_out = misses.text_changed(
    "report.csv", lambda text, _: "".join(text.splitlines(keepends=True)[:-1]), "each_once"
)
near_miss_note_lists_every_invoice = misses.text_changed(
    "note.txt",
    lambda text, work: (
        text
        + "".join(f"{bill['invoice']} ok 0.00\n" for bill in work.facts["bills"].values() if bill["finding"] == "ok")
    ),
    "note",
)
near_miss_note_with_every_finding_in_one_line = misses.text_changed("note.txt", ("\n", ", "), "note")
near_miss_answer_is_what_was_billed = misses.change_answer(
    lambda work: f"{sum(bill['billed'] for bill in work.facts['bills'].values()):.2f}"
)


def _build_csv(rows: list[Row]) -> str:
    lines = [[*(row[name] for name in HEADER[:4]), f"{row['billed']:.2f}", f"{row['correct']:.2f}"] for row in rows]
    return "".join(f"{','.join(line)}\n" for line in [HEADER, *lines])


def _list_notes(rows: list[Row]) -> list[str]:
    faulty = [row for row in rows if row["finding"] != "ok"]
    return [f"{row['invoice']} {row['finding']} {row['billed'] - row['correct']:.2f}" for row in faulty]


def _sum_payable(agent: Agent, rows: list[Row]) -> str:
    total = agent.call("evaluate_expression", expression=" + ".join(f"{row['correct']:.2f}" for row in rows))
    return f"{float(total['value']):.2f}"


def _check_bills(agent: Agent) -> list[Row]:
    """A row of the report for each photo."""
    known = _read_records(agent)
    return [_judge_bill(agent, path, known) for path in find_paths(agent, "invoices", ".jpg")]


def _read_records(agent: Agent) -> Records:
    listed = read_csv_records(agent, "price_list_2026.csv")
    prices = {row["code"]: (float(row["unit_price_eur"]), int(row["tax_percent"])) for row in listed}
    orders = agent.call("read_records", path="ledger.xlsx", sheet="Orders")["records"]
    paid = agent.call("read_records", path="ledger.xlsx", sheet="Paid")["records"]
    ordered = {(row["Order"], row["Code"]): int(row["Quantity"]) for row in orders}
    return Records(prices, ordered, {row["Order"] for row in orders}, {row["Invoice"] for row in paid})


def _judge_bill(agent: Agent, path: str, known: Records) -> Row:
    text = "\n".join(read_picture_lines(agent, path))
    invoice = re.findall(r"Invoice\s*no\.?\s*([A-Z]{2}\d{5})", text)[0]
    order = re.findall(r"order\s*(HW-\d{5})", text)[0]
    net, total = (
        _parse_number(re.findall(rf"{label}\D*{_MONEY}", text)[0]) for label in ("Net\\s*amount", "Total\\s*EUR")
    )
    rate = int(re.findall(r"VAT\s*(\d+)", text)[0])
    lines = _parse_goods_lines(text, known)
    finding = _determine_finding(known, invoice, order, (net, rate), lines)
    correct = 0.0 if finding in ("no order", "paid before") else _compute_correct_total(agent, order, lines, known)
    return dict(zip(HEADER, [path.split("/")[-1], invoice, order, finding, total, correct], strict=True))


def _parse_goods_lines(text: str, known: Records) -> list[tuple[str, int, float]]:
    """Code, quantity and unit price of each line of goods; the code is the nearest one of the price list."""
    matches = re.findall(rf"^(\w\w-?\s?\d{{3}})\b.*?(\d+)\s+{_MONEY}\s*{_MONEY}$", text, re.MULTILINE)
    return [
        (difflib.get_close_matches(code, known.prices, 1)[0], int(count), _parse_number(price))
        for code, count, price, _ in matches
    ]


def _determine_finding(
    known: Records, invoice: str, order: str, printed: tuple[float, int], lines: list[tuple[str, int, float]]
) -> str:
    net, rate = printed
    faults = {
        "paid before": invoice in known.paid,
        "no order": order not in known.orders,
        "price": any(price != known.prices[code][0] for code, _, price in lines),
        "quantity": any(count > known.ordered.get((order, code), 0) for code, count, _ in lines),
        "sum": abs(sum(count * price for _, count, price in lines) - net) > 0.005,
        "tax": any(known.prices[code][1] != rate for code, _, _ in lines),
    }
    return next((name for name, present in faults.items() if present), "ok")


def _compute_correct_total(agent: Agent, order: str, lines: list[tuple[str, int, float]], known: Records) -> float:
    net = " + ".join(f"{known.ordered[order, code]} * {known.prices[code][0]:.2f}" for code, _, _ in lines)
    tax = known.prices[lines[0][0]][1]
    exact = agent.call("evaluate_expression", expression=f"({net}) * (100 + {tax}) / 100 + 1e-9")
    return round(float(exact["value"]), 2)


def _parse_number(text: str) -> float:
    return float(text.replace(",", ""))
