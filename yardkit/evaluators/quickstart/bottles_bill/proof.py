"""Solutions and near misses of quickstart/bottles_bill."""

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.checkpoints import Facts
from yardkit.evaluators.proof import Agent, Miss, Solved, caught_by_leaf

HEADER = ("item", "count", "unit_price", "amount")
Row = tuple[str, int, str, float]


def solve(agent: Agent) -> str:
    """Count the labels and the faces, read the menu that counts, apply the rules."""
    rows = _compute_bill(agent)
    lines = [",".join(HEADER), *(f"{name},{count},{price},{amount:.2f}" for name, count, price, amount in rows)]
    agent.call("write_file", path="bill.csv", content="\n".join([*lines, ""]))
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
    with (files / "bill.csv").open("w", encoding="utf-8", newline="") as handle:
        writer = csv.writer(handle, quoting=csv.QUOTE_ALL)
        writer.writerow(["amount", "remark", *HEADER[:3]])
        writer.writerows([amount, "from the photo", name, f"{count}.0", price] for name, count, price, amount in rows)
    return f"{_sum_amounts(agent, rows):.2f}"


def set_rows(rows: Callable[[Facts], Mapping[str, Sequence[float]]], *caught_by: str) -> Miss:
    """Another bill, with its sum as the answer."""

    def corrupt_world(work: Solved) -> None:
        bill = rows(work.facts)
        lines = [f"{name},{count},{unit_price:.2f},{amount:.2f}" for name, (count, unit_price, amount) in bill.items()]
        (work.files / "bill.csv").write_text("\n".join([",".join(HEADER), *lines, ""]), "utf-8")
        work.answer = f"{sum(row[2] for row in bill.values()):.2f}"

    return caught_by_leaf(*caught_by)(corrupt_world)


def _overlook_bottle(facts: Facts) -> dict[str, list[float]]:
    rows = dict(facts["rows"])
    name = max((name for name in rows if name not in ("Deposit", "Cover")), key=lambda row: rows[row][0])
    for item in (name, "Deposit"):
        count, unit_price, amount = rows[item]
        rows[item] = [count - 1, unit_price, amount * (count - 1) / count]
    return rows


def _count_pictures(facts: Facts) -> dict[str, list[float]]:
    unit_price, shots = facts["rows"]["Cover"][1], facts["shots"]
    return {**facts["rows"], "Cover": [shots, unit_price, shots * unit_price]}


near_miss_the_older_menu = set_rows(lambda facts: facts["rows_of_the_older_menu"], "total", "prices")
near_miss_discount_at_the_wrong_time = set_rows(lambda facts: facts["rows_with_the_other_discount"], "total", "amounts")
near_miss_the_other_table = set_rows(lambda facts: facts["rows_of_the_other_table"], "counts", "cover")
near_miss_one_bottle_overlooked = set_rows(_overlook_bottle, "counts", "amounts", "deposit", "total")
near_miss_pictures_counted_as_guests = set_rows(_count_pictures, "cover", "total")
near_miss_deposit_forgotten = set_rows(
    lambda facts: {name: row for name, row in facts["rows"].items() if name != "Deposit"}, "items", "deposit", "total"
)
near_miss_amounts_in_place_of_unit_prices = misses.csv_changed(
    "bill.csv", lambda row: row.update(unit_price=row["amount"]), "prices"
)
near_miss_every_amount_listed_as_the_answer = misses.change_answer(
    lambda work: ", ".join([*(f"{row[2]:.2f}" for row in work.facts["rows"].values()), work.answer.split()[-1]]),
    "total",
)


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
