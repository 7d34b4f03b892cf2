"""Solutions and near misses of desk/stock_count."""

import re
from collections import Counter
from collections.abc import Mapping
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.checkpoints import Facts
from yardkit.evaluators.proof import Agent, Miss
from yardkit.evaluators.readers.mails import Mail
from yardkit.evaluators.solving.desk import list_products, read_mails, read_note, read_orders

BOOK, ENDED = "count/2026-04-17.xlsx", "2026-04-17T18:00:00+00:00"
Stocks = dict[str, tuple[Mapping[str, Any], int]]
"""By SKU the product as the shop has it, and its right stock."""


def solve(agent: Agent) -> str:
    """The rules, the count as it holds, the orders, the mails; each stock that is wrong, and a table."""
    stocks = _compute_stocks(agent)
    for product, right in stocks.values():
        if product["stock"] != right:
            agent.call("save_product", product_id=product["id"], stock=right)
    rows = [
        f"{sku}: {shop_stock} -> {right} ({right - shop_stock:+})" for sku, shop_stock, right in _list_wrong(stocks)
    ]
    _send_report(agent, "\n".join(["Hello,", "", "these were wrong by more than we allow:", "", *rows]))
    return f"{len(rows)} SKUs were wrong by more than 5 %."


def alternative_the_mail_first_as_a_table(agent: Agent, _files: Path) -> str:
    """The mail goes first, with names and in HTML, too; every stock is saved, whether it was wrong or not."""
    stocks = _compute_stocks(agent)
    names = {sku: product["name"] for sku, (product, _) in stocks.items()}
    cells = [
        (sku, names[sku], shop_stock, right, right - shop_stock)
        for sku, shop_stock, right in sorted(_list_wrong(stocks), reverse=True)
    ]
    table = "".join(f"| {' | '.join(map(str, row))} |\n" for row in cells)
    lines = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in cells)
    _send_report(
        agent, f"| SKU | Item | Shop | Right | Difference |\n|---|---|---|---|---|\n{table}", f"<table>{lines}</table>"
    )
    for product, right in stocks.values():
        agent.call("save_product", product_id=product["id"], stock=right)
    return ""


def alternative_in_two_steps(agent: Agent, _files: Path) -> str:
    """Stocks are saved by SKU from the last on, some at first with what was counted; the mail was a draft."""
    stocks = _compute_stocks(agent)
    for product, right in [*stocks.values()][::-1]:
        for stock in {right + 5: 0, right: 0} if product["stock"] != right else ():
            agent.call("save_product", product_id=product["id"], stock=stock)
    rows = "\n".join(
        f"{sku}\t{shop_stock}\t{right}\t{right - shop_stock:+d}" for sku, shop_stock, right in _list_wrong(stocks)
    )
    draft = agent.call("save_draft", to=[_find_head(agent)], subject="Count", text=rows)
    agent.call("send_draft", message_id=draft["id"])
    return "Done"


def _list_wrong(stocks: Stocks) -> list[tuple[str, int, int]]:
    """What the shop had wrong by more than 5 % of its own figure: SKU, its figure, the right one."""
    figures = ((sku, int(product["stock"]), right) for sku, (product, right) in stocks.items())
    return [(sku, shop_stock, right) for sku, shop_stock, right in figures if abs(right - shop_stock) * 20 > shop_stock]


def _compute_stocks(agent: Agent) -> Stocks:
    counted, mails = _read_counts(agent), read_mails(agent, since="2026-04-17T18:00:00", until="2026-04-20T09:00:00")
    for mail in mails:
        text = " ".join(mail["text"].split())
        for sku, pieces in re.findall(r"for (\S+?)\. It is (\d+), I swapped the digits", text):
            counted[sku] = int(pieces)
        for pieces, sku in re.findall(r"(\d+) pieces of (\S+) came in on Saturday", text):
            counted[sku] += int(pieces)
    sold = _count_sold(agent)
    products = {product["sku"]: product for product in list_products(agent, with_variants=True)}
    return {sku: (products[sku], pieces - sold[sku]) for sku, pieces in counted.items()}


def _read_counts(agent: Agent) -> dict[str, int]:
    """Pieces by SKU, with what was counted once more."""
    recounts = re.findall(r"\((\w{3})\) it has (\d+)", read_note(agent, "Stock counts"))
    sizes = {prefix: int(size) for prefix, size in recounts}
    first, second = (
        agent.call("read_records", path=BOOK, sheet=sheet, limit=400)["records"] for sheet in ("Count", "Recounts")
    )
    again = {(row["Shelf"], row["SKU"]): row["Counted"] for row in second}
    pieces = Counter[str]()
    for row in first:
        if row["Counted"] is not None:
            size = sizes[row["SKU"].partition("-")[0]] if row["Unit"] == "case" else 1
            pieces[row["SKU"]] += again.get((row["Shelf"], row["SKU"]), row["Counted"] * size)
    return dict(pieces)


def _count_sold(agent: Agent) -> Counter[str]:
    """By SKU the units of orders that had taken their stock and were on the shelf at the count."""
    views = read_orders(agent, statuses=["processing", "on-hold"])
    views += read_orders(agent, statuses=["completed"], since="2026-04-01")
    sold = Counter[str]()
    for view in views:
        if view["order"].get("completed", "9") > ENDED:
            for line in view["lines"]:
                sold[line["sku"]] += line["quantity"]
    return sold


def _find_head(agent: Agent) -> str:
    name = re.findall(r"one mail to (.+?) alone", " ".join(agent.prompt.split()))[0]
    messages = agent.call("search_messages", sender=name, limit=1)["messages"]
    return str(messages[0]["sender"])


def _send_report(agent: Agent, text: str, html: str = "") -> None:
    agent.call("send_message", to=[_find_head(agent)], subject="Differences in the count", text=text, html=html)


def _change_stock(trap: str, change: str) -> Miss:
    """The stock of the product that a fact names is another one."""
    return misses.change_records("shop", f"UPDATE products SET stock = {change} WHERE id = :{trap}", caught_by="stock")  # noqa: S608


near_miss_sent_after_the_count_forgotten = _change_stock("late", "stock + 1")
near_miss_swapped_digits_kept = _change_stock("corrected", "stock + 27")
near_miss_first_count_kept = _change_stock("recounted", "stock - 6")
near_miss_second_shelf_forgotten = _change_stock("two_shelves", "stock - 13")
near_miss_goods_of_saturday_forgotten = _change_stock("came", "stock - 12")
near_miss_goods_of_thursday_added = _change_stock("came_before", "stock + 12")
near_miss_cases_taken_for_pieces = _change_stock("in_cases", "stock - 20")
near_miss_blocked_shelf_taken_for_empty = misses.change_records(
    "shop", "UPDATE products SET stock = 0, stock_status = 'outofstock' WHERE id = :blocked", caught_by="records"
)


def _is_report(mail: Mail, facts: Facts) -> bool:
    return mail.subject == "Differences in the count" and facts["head"] in mail.people


def _add_further_line(message: EmailMessage, facts: Facts) -> None:
    message.set_content(f"{message.get_content()}{facts['exactly_sku']}: 40 -> 38 (-2)\n")


def _drop_listed_line(message: EmailMessage, facts: Facts) -> None:
    message.set_content(re.sub(rf"(?m)^{facts['listed'][0][0]}:.*\n?", "", message.get_content()))


def _swap_figures(message: EmailMessage, _facts: Facts) -> None:
    message.set_content(re.sub(r"(\d+) -> (\d+)", r"\2 -> \1", message.get_content()))


def _copy_to_other(message: EmailMessage, facts: Facts) -> None:
    message["Cc"] = facts["other"]


near_miss_just_five_per_cent_listed = misses.mail_edited(_is_report, _add_further_line, caught_by="table")
near_miss_a_difference_left_out = misses.mail_edited(_is_report, _drop_listed_line, caught_by="table")
near_miss_figures_the_wrong_way_round = misses.mail_edited(_is_report, _swap_figures, caught_by="table")
near_miss_a_counter_gets_a_copy = misses.mail_edited(_is_report, _copy_to_other, caught_by="sent")
