"""Solutions and near misses of desk/price_rise."""

import re
from collections.abc import Mapping
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent, Miss
from yardkit.evaluators.solving.desk import list_products, read_mails, read_today
from yardkit.evaluators.solving.notes import find_note, grid_text
from yardkit.evaluators.solving.solver import find_paths

HEAD = ("SKU", "Old", "New", "From")
Change = tuple[Mapping[str, Any], int, str]
"""A product, its new price in cents, and the day from which it holds."""


def solve(agent: Agent) -> str:
    """The list that holds, the mail that mends it, the products with their sales; then prices and page."""
    changes = _list_changes(agent)
    _set_prices(agent, changes)
    rows = [
        (product["sku"], _format_euros(product["price_cents"]), _format_euros(new), day)
        for product, new, day in changes
    ]
    title, above = _find_note_page(agent)
    agent.call("create_note_page", title=title, parent_id=above, markdown=grid_text([HEAD, *rows]))
    return f"{len(rows)} prices are new."


def alternative_the_page_first(agent: Agent, _files: Path) -> str:
    """The page comes first, at the top, from the last SKU on, and is moved; its table is put in later."""
    changes = _list_changes(agent)[::-1]
    title, above = _find_note_page(agent)
    page = agent.call("create_note_page", title=title, markdown="By the list.\n\nIt follows.")["id"]
    rows = [(f"`{product['sku']}`", product["price_cents"] / 100, new / 100, day) for product, new, day in changes]
    agent.call("edit_note_page", page_id=page, edits=[{"find": "It follows.", "text": grid_text([HEAD, *rows])}])
    agent.call("move_note_page", page_id=page, parent_id=above)
    _set_prices(agent, changes)
    return ""


def alternative_prices_in_two_steps(agent: Agent, _files: Path) -> str:
    """Prices are first a cent lower; the page has a heading and a last word, and amounts their currency."""
    changes = _list_changes(agent)
    _set_prices(agent, [(product, new - 1, day) for product, new, day in changes])
    _set_prices(agent, changes)
    rows = [
        (product["sku"], f"EUR {_format_euros(product['price_cents'])}", f"EUR {_format_euros(new)}", day)
        for product, new, day in changes
    ]
    title, above = _find_note_page(agent)
    agent.call(
        "create_note_page", title=title, parent_id=above, markdown=f"# New\n\n{grid_text([HEAD, *rows])}\n\nDone."
    )
    return "Done"


def _list_changes(agent: Agent) -> list[Change]:
    """What becomes dearer, by SKU."""
    today, price_list = f"{read_today(agent)}", {}
    path = find_paths(agent, "price_lists", ".xlsx")[-1]
    for row in agent.call("read_records", path=path, limit=400)["records"]:
        price_list[row["SKU"]] = round(row["Recommended price EUR"] * 100), row["Tax 20 %"] == "included"
    for mail in read_mails(agent, subject="Recommended prices"):
        text = " ".join(mail["text"].split())
        for sku, price, tax in re.findall(r"that of (\S+)\. It is EUR ([\d,.]+), (tax included|without tax)", text):
            price_list[sku] = round(float(price.replace(",", "")) * 100), tax == "tax included"
    ids = {product["sku"]: product["id"] for product in list_products(agent, with_variants=True, status="any")}
    changes: list[Change] = []
    for sku, (cents, taxed) in sorted(price_list.items()):
        if sku in ids:
            product = agent.call("read_product", product_id=ids[sku])["product"]
            new = ceil((cents * (Fraction(5, 6) if taxed else Fraction(1)) - 90) / 100) * 100 + 90
            if new > product["price_cents"]:
                changes.append((product, new, _find_start_day(product, today)))
    return changes


def _find_start_day(product: Mapping[str, Any], today: str) -> str:
    """Today, or the day on which a sale that is on is over."""
    begins, ends = (str(product.get(name) or "")[:10] for name in ("sale_from", "sale_until"))
    return ends if product.get("sale_price_cents") and begins <= today < ends else today


def _set_prices(agent: Agent, changes: list[Change]) -> None:
    today = f"{read_today(agent)}"
    for product, new, day in changes:
        if day == today:
            agent.call("save_product", product_id=product["id"], price_cents=new)


def _find_note_page(agent: Agent) -> tuple[str, int]:
    """The title of the note, and the page in which it stands."""
    supplier = re.findall(r"\d{4}\. (.+?) has new prices", agent.prompt)[0]
    return f"Price change {read_today(agent)}, {supplier}", find_note(agent, "Price changes")["id"]


def _format_euros(cents: int) -> str:
    return f"{cents / 100:.2f}"


def _change_price(trap: str, cents: str) -> Miss:
    """The product that a fact names has another price."""
    change = f"UPDATE products SET price_cents = {cents} WHERE id = :{trap}"  # noqa: S608 - our own words
    return misses.change_records("shop", change, caught_by="prices")


def _change_table(change: str, caught_by: str = "table") -> Miss:
    """The table of the page, which came last, is another one."""
    return misses.change_records("notes", f"UPDATE {change}", caught_by=caught_by)


LAST_ROW = "(SELECT max(id) FROM blocks WHERE kind = 'table_row')"
near_miss_tax_left_in = _change_price("successor", "price_cents * 6 / 5")
near_miss_sale_overlooked = _change_price("on_sale", "price_cents + 400")
near_miss_long_sale_overlooked = _change_price("on_sale_too", "price_cents + 400")
near_miss_price_lowered = _change_price("lower", "price_cents - 300")
near_miss_price_of_the_older_list = _change_price("outdated", "price_cents + 1000")
near_miss_mail_overlooked = _change_price("mended", "price_cents + 800")
near_miss_rounded_past_the_price = _change_price("exactly", "price_cents + 100")
near_miss_hidden_product_forgotten = _change_price("hidden", "price_cents - 200")
near_miss_sale_ended = misses.change_records(
    "shop", "UPDATE products SET sale_price_cents = NULL WHERE id = :on_sale", caught_by="records"
)
near_miss_day_of_another_year = _change_table(
    f"blocks SET data = replace(data, '\"2026', '\"2027') WHERE id = {LAST_ROW}"
)
near_miss_row_gone = misses.change_records("notes", f"DELETE FROM blocks WHERE id = {LAST_ROW}", caught_by="table")  # noqa: S608
near_miss_page_elsewhere = _change_table("pages SET parent_id = NULL WHERE title = :title", "page")
near_miss_page_called_otherwise = _change_table("pages SET title = 'New prices' WHERE title = :title", "page")
