"""Solutions and near misses of sight/delivery_notes."""

import datetime
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent
from yardkit.evaluators.solving.solver import find_paths, write_book

BOOK = "delivery_check.xlsx"
HEADS = {
    "Notes": ["Note", "Order", "Received", "Pieces", "State"],
    "Discrepancies": ["Order", "Article", "Ordered", "Delivered", "Difference"],
}
Rows = list[list[Any]]


def solve(agent: Agent) -> str:
    """Read barcodes, texts and stamps, each note once; compare with the database."""
    notes, differing = _check_notes(agent)
    write_book(agent, BOOK, {"Notes": [HEADS["Notes"], *notes], "Discrepancies": [HEADS["Discrepancies"], *differing]})
    return f"{_count_missing(differing)}"


def alternative_differences_as_formulas(agent: Agent, files: Path) -> str:
    """The other sheet first, differences as formulas, saved again by openpyxl."""
    notes, differing = _check_notes(agent)
    missing = _count_missing(differing)
    for number, row in enumerate(differing, 2):
        row[4] = f"=D{number}-C{number}"
    write_book(agent, BOOK, {"Discrepancies": [HEADS["Discrepancies"], *differing[::-1]]})
    for number, row in enumerate(differing[::-1], 2):
        row[4] = f"=D{number}-C{number}"
    write_book(
        agent, BOOK, {"Discrepancies": [HEADS["Discrepancies"], *differing[::-1]], "Notes": [HEADS["Notes"], *notes]}
    )
    with open_edited(files / BOOK):
        pass
    return f"**{missing} pieces**"


def alternative_days_by_another_program(agent: Agent, files: Path) -> str:
    """Days as dates of openpyxl, states in capitals."""
    answer = solve(agent)
    with open_edited(files / BOOK) as book:
        for row in book["Notes"].iter_rows(min_row=2):
            row[2].value = datetime.datetime.fromisoformat(str(row[2].value)[:10])
            row[4].value = row[4].value.upper()
    return f"So many are missing:\n{answer}"


in_notes, in_differing = (misses.InSheet(BOOK, name) for name in HEADS)
near_miss_note_that_was_photographed_twice = in_notes.row_doubled(caught_by="each_note")
near_miss_booked_note_left_out = in_notes.row_gone(caught_by="each_note", where=lambda row: row["State"] == "booked")
near_miss_all_called_new = in_notes.column("State", lambda _: "new", caught_by="states")
near_miss_day_of_the_note_instead_of_the_stamp = in_notes.column(
    "Received", lambda day: day - datetime.timedelta(days=1), caught_by="received"
)
near_miss_days_as_text = in_notes.column("Received", lambda day: str(day)[:10], caught_by="received")
near_miss_pieces_less_what_was_sent_back = in_notes.column("Pieces", lambda pieces: pieces - 2, caught_by="pieces")
near_miss_orders_changed_over = in_notes.column(
    "Order", lambda order: f"{order[:-1]}{9 - int(order[-1])}", caught_by="orders"
)
near_miss_article_that_was_not_ordered_left_out = in_differing.row_gone(
    caught_by="each_article", where=lambda row: row["Ordered"] == 0 or row["Difference"] > 0
)
near_miss_what_was_sent_back_counted = in_differing.column(
    "Delivered",
    lambda _pieces, row, _work: row["Ordered"],
    where=lambda row: row["Difference"] < 0,
    caught_by="amounts",
)
near_miss_too_much_set_off = misses.change_answer(
    lambda work: -sum(row["Difference"] for row in work.facts["differing"])
)
near_miss_photograph_deleted = misses.delete_file("notes/*.jpg")


def _count_missing(differing: Rows) -> int:
    return -sum(int(row[4]) for row in differing if row[4] < 0)


def _check_notes(agent: Agent) -> tuple[Rows, Rows]:
    """The rows of both sheets."""
    booked = _query_orders(agent, "SELECT note, order_number, article, pieces FROM booked")
    known = {row[0] for row in booked}
    notes: dict[str, list[Any]] = {}
    came: dict[str, Counter[str]] = {}
    for _, order, article, pieces in booked:
        came.setdefault(order, Counter())[article] += pieces
    for path in find_paths(agent, "notes"):
        number, order, day, lines, back = _read_note(agent, path)
        if number in notes:
            continue
        notes[number] = [number, order, day, sum(lines.values()), "booked" if number in known else "new"]
        if number not in known:
            came.setdefault(order, Counter()).update(lines)
            came[order].subtract(back)
    ordered: dict[str, dict[str, int]] = {}
    for order, article, pieces in _query_orders(agent, "SELECT order_number, article, pieces FROM order_lines"):
        ordered.setdefault(order, {})[article] = pieces
    differing: Rows = []
    for order in sorted({row[1] for row in notes.values()}):
        for article in sorted({*ordered[order], *came[order]}):
            ordered_count, got = ordered[order].get(article, 0), came[order][article]
            differing += [[order, article, ordered_count, got, got - ordered_count]] if got != ordered_count else []
    return [*notes.values()], differing


def _query_orders(agent: Agent, sql: str) -> Rows:
    rows: Rows = agent.call("query_database", path="orders.sqlite", sql=sql, limit=1000)["rows"]
    return rows


def _read_note(agent: Agent, path: str) -> tuple[str, str, str, Mapping[str, int], Mapping[str, int]]:
    """Number, order, day of the stamp, pieces by article, and what was sent back."""
    order = agent.call("read_barcodes", path=path)["barcodes"][0]["text"]
    pieces = agent.call("read_image_text", path=path)["pieces"]
    text = "\n".join(piece["text"] for piece in pieces)
    day, number = re.findall(r"(\d\d) ?MAR ?2026", text)[0], re.findall(r"D\d{5}", text)[0]
    counts = [piece for piece in pieces if piece["text"].isdigit()]
    lines = {
        piece["text"]: int(min(counts, key=lambda count: abs(count["bbox_px"][1] - piece["bbox_px"][1]))["text"])
        for piece in pieces
        if re.fullmatch(r"[A-Z]{2}-\d{4}", piece["text"])
    }
    back = {article: int(count) for count, article in re.findall(r"back: ?(\d+) ?[x\u00d7] ?([A-Z]{2}-\d{4})", text)}
    return number, order, f"2026-03-{day}", lines, back
