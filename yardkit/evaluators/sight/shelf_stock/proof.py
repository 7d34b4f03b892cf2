"""Solutions and near misses of sight/shelf_stock."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent
from yardkit.evaluators.solving.sheet_layout import format_sheets
from yardkit.evaluators.solving.solver import find_paths

BOOK = "stock.xlsx"
REORDER = ["EAN", "Product", "Size", "Missing", "Cartons"]
Records = list[dict[str, Any]]


def solve(agent: Agent) -> str:
    """Read the codes of the latest pictures, leave out damaged packs, fill in the list, order cartons."""
    records, short = _count_stock(agent)
    counts = [[record["Counted"], f"=E{row}-D{row}"] for row, record in enumerate(records, 2)]
    agent.call("write_cells", path=BOOK, sheet="Stock", start_cell="E2", rows=counts)
    agent.call("write_cells", path=BOOK, sheet="Reorder", rows=[REORDER, *short])
    format_sheets(agent, BOOK, "Reorder", right="D1:E1")
    return f"{sum(row[-1] for row in short)}"


def alternative_with_formulas_in_the_order(agent: Agent, files: Path) -> str:
    """What is missing and the cartons are formulas, in another order, saved by openpyxl."""
    records, short = _count_stock(agent)
    with open_edited(files / BOOK) as book:
        sheet, order = book["Stock"], book.create_sheet("Reorder", 0)
        for row, record in enumerate(records, 2):
            sheet.cell(row, 5).value, sheet.cell(row, 6).value = record["Counted"], f"=SUM(E{row},-D{row})"
        order.append(REORDER)
        for number, row in enumerate(reversed(short), 2):
            place = next(place for place, record in enumerate(records, 2) if record["EAN"] == row[0])
            order.append([*row[:3], f"=Stock!H{place}-Stock!E{place}", f"=ROUNDUP(D{number}/Stock!I{place},0)"])
    return f"We order\n\n**{sum(row[-1] for row in short)} cartons**"


def alternative_with_lookups(agent: Agent, files: Path) -> str:
    """Names by lookup; differences that are shown with their sign."""
    answer = solve(agent)
    with open_edited(files / BOOK) as book:
        for row in range(2, book["Reorder"].max_row + 1):
            book["Reorder"].cell(row, 2).value = f"=VLOOKUP(A{row},Stock!A:C,2,FALSE)"
        for row in range(2, book["Stock"].max_row + 1):
            book["Stock"].cell(row, 6).number_format = "+0;-0;0"
    return answer


in_stock, in_order = misses.InSheet(BOOK, "Stock"), misses.InSheet(BOOK, "Reorder")
near_miss_price_tags_counted = in_stock.column("Counted", lambda count: count + 1, caught_by="counted")
near_miss_sold_out_left_empty = in_stock.column(
    "Counted", lambda _count: "", where=lambda row: row["Counted"] == 0, caught_by="counted"
)
near_miss_differences_as_numbers = in_stock.frozen("Difference", caught_by="live")
near_miss_difference_the_other_way_round = in_stock.column(
    "Difference", (r"=(E\d+)-(D\d+)", r"=\2-\1"), caught_by="live"
)
near_miss_book_put_right = in_stock.column(
    "Book",
    lambda _book, row, _work: row["Counted"] + 1,
    where=lambda row: row["Book"] != row["Counted"],
    caught_by="rest",
)
near_miss_one_below_its_minimum_forgotten = in_order.row_gone(caught_by="products")
near_miss_up_to_the_minimum_only = in_order.column("Missing", lambda missing: missing - 3, caught_by="missing")
near_miss_pieces_ordered_in_place_of_cartons = in_order.column(
    "Cartons", lambda _cartons, row, _work: row["Missing"] + 1, caught_by="cartons"
)
near_miss_other_size = in_order.column("Size", lambda _size: "5 kg", caught_by="names")
near_miss_answer_in_pieces = misses.change_answer(lambda work: work.facts["cartons"] + 7)
near_miss_older_picture_deleted = misses.delete_file("shelves/*.jpg")
near_miss_last_week_overwritten = misses.overwrite_file("archive/stock_last_week.xlsx", BOOK)


@in_order.make_edit_decorator(caught_by="products")
def near_miss_at_the_minimum_reordered(sheet: Any, work: Any) -> None:
    """What has just its minimum is ordered as well."""
    level = next(row for row in work.facts["stock"] if row["Counted"] == row["Minimum"])
    sheet.append([level["EAN"], level["Product"], level["Size"], 5, 1])


def _count_stock(agent: Agent) -> tuple[Records, list[list[Any]]]:
    """The products with what was counted, and the rows of the order."""
    latest: dict[str, tuple[str, Counter[str]]] = {}
    for path in find_paths(agent, "shelves", ".jpg"):
        sign, taken, codes = _read_shelf(agent, path)
        latest[sign] = max(latest.get(sign, ("", Counter())), (taken, codes), key=lambda shot: shot[0])
    count = sum((codes for _, codes in latest.values()), Counter[str]())
    records: Records = agent.call("read_records", path=BOOK, sheet="Stock")["records"]
    short = []
    for record in records:
        record["Counted"] = count[str(record["EAN"])]
        if record["Counted"] < record["Minimum"]:
            missing = record["Target"] - record["Counted"]
            cartons = math.ceil(missing / record["Carton"])
            short.append([record["EAN"], record["Product"], record["Size"], missing, cartons])
    return records, short


def _read_shelf(agent: Agent, path: str) -> tuple[str, str, Counter[str]]:
    """The sign, when it was taken, and the codes of the packs that are not damaged."""
    barcode_reply = agent.call("read_barcodes", path=path)
    width, height, codes = barcode_reply["width_px"], barcode_reply["height_px"], barcode_reply["barcodes"]
    sign, taken = (
        " ".join(piece["text"] for piece in _read_region(agent, path, [0, top, width, bottom]))
        for top, bottom in ((0, height // 11), (height - height // 14, height))
    )
    rows = {round(code["box"][1]) // 100: round(code["box"][1]) for code in codes}
    stickers = [piece for top in rows.values() for piece in _read_region(agent, path, [0, top - 66, width, top - 8])]
    damaged = [piece["bbox_px"] for piece in stickers if "DAMAGED" in piece["text"]]
    undamaged_codes = [code["text"] for code in codes if not any(_is_on(sticker, code["box"]) for sticker in damaged)]
    return sign, re.findall(r"2026-\d\d-\d\d ?\d\d:\d\d", taken)[0], Counter(undamaged_codes)


def _read_region(agent: Agent, path: str, part: list[int]) -> list[dict[str, Any]]:
    pieces: list[dict[str, Any]] = agent.call("read_image_text", path=path, bbox_px=part)["pieces"]
    return pieces


def _is_on(sticker: Sequence[float], code: Sequence[float]) -> bool:
    """Whether a sticker is on the pack of a code below it."""
    return code[0] < (sticker[0] + sticker[2]) / 2 < code[2] and 0 < code[1] - sticker[1] < 120
