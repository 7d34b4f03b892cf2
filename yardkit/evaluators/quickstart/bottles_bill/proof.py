"""Solutions and near misses of quickstart/bottles_bill."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from yardkit.evaluators.proof import Agent, Solved, caught_by_leaf

HEADER = ("item", "count", "unit_price", "amount")
Row = tuple[str, int, str, float]


def solve(agent: Agent) -> str:
    """Count the labels and the faces, read the menu that counts, apply the rules."""
    rows = _compute_bill(agent)
    lines = [HEADER, *((name, str(count), price, f"{amount:.2f}") for name, count, price, amount in rows)]
    agent.call("write_file", path="bill.csv", content="".join(f"{','.join(line)}\n" for line in lines))
    return f"I counted {rows[-2][1]} bottles and {rows[-1][1]} guests.\n\n{_sum_amounts(agent, rows):.2f}"


def alternative_with_dollar_signs_and_the_deposit_first(agent: Agent, files: Path) -> str:
    """Other order, semicolons, capitals, currency signs, Windows line ends."""
    rows = _compute_bill(agent)
    lines = [f"{name.upper()};{count};${price};${amount:.2f}" for name, count, price, amount in reversed(rows)]
    (files / "bill.csv").write_bytes("\r\n".join([";".join(HEADER), *lines]).encode("utf-8-sig"))
    return f"**We have to pay ${_sum_amounts(agent, rows):.2f}.**"


def alternative_with_more_columns(agent: Agent, files: Path) -> str:
    """Quoted cells, another order of columns and a remark, by Python's csv module."""
    rows = _compute_bill(agent)
    buffer = io.StringIO()
    writer = csv.writer(buffer, quoting=csv.QUOTE_ALL)
    writer.writerow(["amount", "remark", *HEADER[:3]])
    writer.writerows([amount, "from the photo", name, f"{count}.0", price] for name, count, price, amount in rows)
    (files / "bill.csv").write_text(buffer.getvalue(), "utf-8")
    return f"{_sum_amounts(agent, rows):.2f}"


@caught_by_leaf("total", "prices")
def near_miss_the_older_menu(work: Solved) -> None:
    _deliver_bill(work, work.facts["rows_of_the_older_menu"])


@caught_by_leaf("total", "amounts")
def near_miss_discount_at_the_wrong_time(work: Solved) -> None:
    _deliver_bill(work, work.facts["rows_with_the_other_discount"])


@caught_by_leaf("counts", "cover")
def near_miss_the_other_table(work: Solved) -> None:
    _deliver_bill(work, work.facts["rows_of_the_other_table"])


@caught_by_leaf("counts", "amounts", "deposit", "total")
def near_miss_one_bottle_overlooked(work: Solved) -> None:
    rows = dict(work.facts["rows"])
    name = max((name for name in rows if name not in ("Deposit", "Cover")), key=lambda row: rows[row][0])
    for item in (name, "Deposit"):
        count, unit_price, amount = rows[item]
        rows[item] = [count - 1, unit_price, amount * (count - 1) / count]
    _deliver_bill(work, rows)


@caught_by_leaf("cover", "total")
def near_miss_pictures_counted_as_guests(work: Solved) -> None:
    _, unit_price, _ = work.facts["rows"]["Cover"]
    shots = work.facts["shots"]
    _deliver_bill(work, {**work.facts["rows"], "Cover": [shots, unit_price, shots * unit_price]})


@caught_by_leaf("items", "deposit", "total")
def near_miss_deposit_forgotten(work: Solved) -> None:
    _deliver_bill(work, {name: row for name, row in work.facts["rows"].items() if name != "Deposit"})


@caught_by_leaf("prices")
def near_miss_amounts_in_place_of_unit_prices(work: Solved) -> None:
    total = work.answer
    _deliver_bill(work, {name: [count, amount, amount] for name, (count, _, amount) in work.facts["rows"].items()})
    work.answer = total


@caught_by_leaf("total")
def near_miss_every_amount_listed_as_the_answer(work: Solved) -> None:
    work.answer = ", ".join(f"{row[2]:.2f}" for row in work.facts["rows"].values()) + f", {work.answer.split()[-1]}"


def _deliver_bill(work: Solved, rows: Mapping[str, Sequence[float]]) -> None:
    lines = [f"{name},{count},{unit_price:.2f},{amount:.2f}" for name, (count, unit_price, amount) in rows.items()]
    (work.files / "bill.csv").write_text("\n".join([",".join(HEADER), *lines, ""]), "utf-8")
    work.answer = f"{sum(row[2] for row in rows.values()):.2f}"


def _compute_bill(agent: Agent) -> list[Row]:
    """Name, count, menu price and amount of each kind; deposit and cover at the end."""
    rules = agent.call("read_file", path="house_rules.md")["content"]
    season = re.findall(r"the (\w+) menu counts", rules)[0]
    opens, closes = re.findall(r"from (\d+):00 to (\d+):00", rules)[0]
    off, deposit = re.findall(r"(\d+) % less", rules)[0], re.findall(r"deposit of ([\d.]+) dollars", rules)[0]
    table, hour = re.findall(r"table (\d+) .* at (\d+):\d+", agent.prompt)[0]
    menu = _read_menu(agent, season)
    drunk = _count_labels(agent, f"photos/table_{table}.jpg", {name for _, name in menu})
    rows: list[Row] = []
    for name, count in drunk.items():
        section, price = next((section, price) for (section, bottle), price in menu.items() if bottle == name)
        reduced = section == "Bottled beer" and int(opens) <= int(hour) < int(closes)
        part = f"(1 - {off}/100)" if reduced else "1"
        rows.append((name, count, price, _evaluate_rounded(agent, f"{count} * {price} * {part}")))
    bottles = sum(drunk.values())
    rows.append(("Deposit", bottles, deposit, _evaluate_rounded(agent, f"{bottles} * {deposit}")))
    cover = re.findall(r"cover is ([\d.]+) dollars", rules)[0]
    guests = len(agent.call("find_faces", path=f"photos/booth_{table}.jpg")["faces"])
    return [*rows, ("Cover", guests, cover, _evaluate_rounded(agent, f"{guests} * {cover}"))]


def _evaluate_rounded(agent: Agent, expression: str) -> float:
    return float(agent.call("evaluate_expression", expression=f"round({expression}, 2)")["value"])


def _sum_amounts(agent: Agent, rows: Iterable[Row]) -> float:
    return _evaluate_rounded(agent, " + ".join(f"{amount:.2f}" for _, _, _, amount in rows))


def _count_labels(agent: Agent, photo: str, names: set[str]) -> Counter[str]:
    """How often each name stands on a label."""
    pieces = agent.call("read_image_text", path=photo, level="words")["pieces"]
    labels = [re.sub(r"\W", "", piece["text"]).capitalize() for piece in pieces]
    return Counter(label for label in labels if label in names)


def _read_menu(agent: Agent, season: str) -> dict[tuple[str, str], str]:
    """Prices of what comes in bottles, by section and name, from the photo of the menu of this season."""
    for entry in agent.call("list_folder", path="photos")["entries"]:
        if "menu" in entry["path"]:
            pieces = agent.call("read_image_text", path=entry["path"])["pieces"]
            if any(f"{season} menu" in piece["text"].lower() for piece in pieces):
                return _bottle_prices(pieces)
    raise LookupError(f"there is no {season} menu")


def _bottle_prices(pieces: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str], str]:
    """Each price belongs to the nearest name to its left, the name to the nearest heading above it."""
    headings = [piece for piece in pieces if re.match("Draught|Bottled|Wine by", piece["text"])]
    prices = {}
    for piece in pieces:
        amount = re.search(r"\d+\.\d\d$", piece["text"])
        if not amount:
            continue
        row = [other for other in pieces if other["row"] == piece["row"] and _get_left(other) <= _get_left(piece)]
        name = max((other for other in row if re.match("[A-Z][a-z]", other["text"])), key=_get_left)
        above = [
            heading
            for heading in headings
            if abs(_get_left(heading) - _get_left(name)) < 60 and _get_top(heading) < _get_top(name)
        ]
        section = max(above, key=_get_top)["text"]
        if "ottle" in section:
            prices[section, re.findall("[A-Za-z]+", name["text"])[0]] = amount.group()
    return prices


def _get_left(piece: Mapping[str, Any]) -> int:
    return int(piece["bbox_px"][0])


def _get_top(piece: Mapping[str, Any]) -> int:
    return int(piece["bbox_px"][1])
