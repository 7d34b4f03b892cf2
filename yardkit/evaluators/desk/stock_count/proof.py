"""Solutions and near misses of desk/stock_count."""

import re
from collections import Counter
from collections.abc import Mapping
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.checkpoints import Facts
from yardkit.evaluators.desk_steps import list_products, read_mails, read_note, read_orders
from yardkit.evaluators.proof import Agent, Miss
from yardkit.evaluators.readers.mails import Mail

BOOK, ENDED = "count/2026-04-17.xlsx", "2026-04-17T18:00:00+00:00"
Stocks = dict[str, tuple[Mapping[str, Any], int]]
"""By SKU the product as the shop has it, and its right stock."""


def solve(agent: Agent) -> str:
    """The rules, the count as it holds, the orders, the mails; each stock that is wrong, and a table."""
    stocks = _stocks(agent)
    for product, right in stocks.values():
        if product["stock"] != right:
            agent.call("save_product", product_id=product["id"], stock=right)
    rows = [f"{sku}: {said} -> {right} ({right - said:+})" for sku, said, right in _wrong(stocks)]
    _write(agent, "\n".join(["Hello,", "", "these were wrong by more than we allow:", "", *rows]))
    return f"{len(rows)} SKUs were wrong by more than 5 %."


def also_the_mail_first_as_a_table(agent: Agent, _files: Path) -> str:
    """The mail goes first, with names and in HTML, too; every stock is saved, whether it was wrong or not."""
    stocks = _stocks(agent)
    names = {sku: product["name"] for sku, (product, _) in stocks.items()}
    cells = [(sku, names[sku], said, right, right - said) for sku, said, right in sorted(_wrong(stocks), reverse=True)]
    table = "".join(f"| {' | '.join(map(str, row))} |\n" for row in cells)
    lines = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in cells)
    _write(
        agent, f"| SKU | Item | Shop | Right | Difference |\n|---|---|---|---|---|\n{table}", f"<table>{lines}</table>"
    )
    for product, right in stocks.values():
        agent.call("save_product", product_id=product["id"], stock=right)
    return ""


def also_in_two_steps(agent: Agent, _files: Path) -> str:
    """Stocks are saved by SKU from the last on, some at first with what was counted; the mail was a draft."""
    stocks = _stocks(agent)
    for product, right in [*stocks.values()][::-1]:
        for stock in {right + 5: 0, right: 0} if product["stock"] != right else ():
            agent.call("save_product", product_id=product["id"], stock=stock)
    rows = "\n".join(f"{sku}\t{said}\t{right}\t{right - said:+d}" for sku, said, right in _wrong(stocks))
    draft = agent.call("save_draft", to=[_head(agent)], subject="Count", text=rows)
    agent.call("send_draft", message_id=draft["id"])
    return "Done"


def _wrong(stocks: Stocks) -> list[tuple[str, int, int]]:
    """What the shop had wrong by more than 5 % of its own figure: SKU, its figure, the right one."""
    figures = ((sku, int(product["stock"]), right) for sku, (product, right) in stocks.items())
    return [(sku, said, right) for sku, said, right in figures if abs(right - said) * 20 > said]


def _stocks(agent: Agent) -> Stocks:
    counted, mails = _counted(agent), read_mails(agent, since="2026-04-17T18:00:00", until="2026-04-20T09:00:00")
    for mail in mails:
        text = " ".join(mail["text"].split())
        for sku, pieces in re.findall(r"for (\S+?)\. It is (\d+), I swapped the digits", text):
            counted[sku] = int(pieces)
        for pieces, sku in re.findall(r"(\d+) pieces of (\S+) came in on Saturday", text):
            counted[sku] += int(pieces)
    sold = _sold(agent)
    products = {product["sku"]: product for product in list_products(agent, with_variants=True)}
    return {sku: (products[sku], pieces - sold[sku]) for sku, pieces in counted.items()}


def _counted(agent: Agent) -> dict[str, int]:
    """Pieces by SKU, with what was counted once more."""
    told = re.findall(r"\((\w{3})\) it has (\d+)", read_note(agent, "Stock counts"))
    sizes = {prefix: int(size) for prefix, size in told}
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


def _sold(agent: Agent) -> Counter[str]:
    """By SKU the units of orders that had taken their stock and were on the shelf at the count."""
    views = read_orders(agent, statuses=["processing", "on-hold"])
    views += read_orders(agent, statuses=["completed"], since="2026-04-01")
    sold = Counter[str]()
    for view in views:
        if view["order"].get("completed", "9") > ENDED:
            for line in view["lines"]:
                sold[line["sku"]] += line["quantity"]
    return sold


def _head(agent: Agent) -> str:
    name = re.findall(r"one mail to (.+?) alone", " ".join(agent.prompt.split()))[0]
    found = agent.call("search_messages", sender=name, limit=1)["messages"]
    return str(found[0]["sender"])


def _write(agent: Agent, text: str, html: str = "") -> None:
    agent.call("send_message", to=[_head(agent)], subject="Differences in the count", text=text, html=html)


def _off(trap: str, change: str) -> Miss:
    """The stock of the product that a fact names is another one."""
    return misses.records("shop", f"UPDATE products SET stock = {change} WHERE id = :{trap}", kills="stock")  # noqa: S608


miss_sent_after_the_count_forgotten = _off("late", "stock + 1")
miss_swapped_digits_kept = _off("corrected", "stock + 27")
miss_first_count_kept = _off("recounted", "stock - 6")
miss_second_shelf_forgotten = _off("two_shelves", "stock - 13")
miss_goods_of_saturday_forgotten = _off("came", "stock - 12")
miss_goods_of_thursday_added = _off("came_before", "stock + 12")
miss_cases_taken_for_pieces = _off("in_cases", "stock - 20")
miss_blocked_shelf_taken_for_empty = misses.records(
    "shop", "UPDATE products SET stock = 0, stock_status = 'outofstock' WHERE id = :blocked", kills="records"
)


def _report(mail: Mail, facts: Facts) -> bool:
    return mail.subject == "Differences in the count" and facts["head"] in mail.people


def _with_one_more(message: EmailMessage, facts: Facts) -> None:
    message.set_content(f"{message.get_content()}{facts['exactly_sku']}: 40 -> 38 (-2)\n")


def _with_one_less(message: EmailMessage, facts: Facts) -> None:
    message.set_content(re.sub(rf"(?m)^{facts['listed'][0][0]}:.*\n?", "", message.get_content()))


def _turned(message: EmailMessage, _facts: Facts) -> None:
    message.set_content(re.sub(r"(\d+) -> (\d+)", r"\2 -> \1", message.get_content()))


def _copied(message: EmailMessage, facts: Facts) -> None:
    message["Cc"] = facts["other"]


miss_just_five_per_cent_listed = misses.mail_edited(_report, _with_one_more, kills="table")
miss_a_difference_left_out = misses.mail_edited(_report, _with_one_less, kills="table")
miss_figures_the_wrong_way_round = misses.mail_edited(_report, _turned, kills="table")
miss_a_counter_gets_a_copy = misses.mail_edited(_report, _copied, kills="sent")
