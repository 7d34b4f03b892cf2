"""Solutions and near misses of desk/price_rise."""

import re
from collections.abc import Mapping
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.desk_steps import list_products, read_mails, read_today
from yardkit.evaluators.note_steps import find_note, grid_text
from yardkit.evaluators.proof import Agent, Miss
from yardkit.evaluators.solver_steps import find_paths

HEAD = ("SKU", "Old", "New", "From")
Change = tuple[Mapping[str, Any], int, str]
"""A product, its new price in cents, and the day from which it holds."""


def solve(agent: Agent) -> str:
    """The list that holds, the mail that mends it, the products with their sales; then prices and page."""
    changes = _changes(agent)
    _set(agent, changes)
    rows = [(one["sku"], _euros(one["price_cents"]), _euros(new), day) for one, new, day in changes]
    title, above = _place(agent)
    agent.call("create_note_page", title=title, parent_id=above, markdown=grid_text([HEAD, *rows]))
    return f"{len(rows)} prices are new."


def also_the_page_first(agent: Agent, _files: Path) -> str:
    """The page comes first, at the top, from the last SKU on, and is moved; its table is put in later."""
    changes = _changes(agent)[::-1]
    title, above = _place(agent)
    page = agent.call("create_note_page", title=title, markdown="By the list.\n\nIt follows.")["id"]
    rows = [(f"`{one['sku']}`", one["price_cents"] / 100, new / 100, day) for one, new, day in changes]
    agent.call("edit_note_page", page_id=page, edits=[{"find": "It follows.", "text": grid_text([HEAD, *rows])}])
    agent.call("move_note_page", page_id=page, parent_id=above)
    _set(agent, changes)
    return ""


def also_prices_in_two_steps(agent: Agent, _files: Path) -> str:
    """Prices are first a cent lower; the page has a heading and a last word, and amounts their currency."""
    changes = _changes(agent)
    _set(agent, [(one, new - 1, day) for one, new, day in changes])
    _set(agent, changes)
    rows = [(one["sku"], f"EUR {_euros(one['price_cents'])}", f"EUR {_euros(new)}", day) for one, new, day in changes]
    title, above = _place(agent)
    agent.call(
        "create_note_page", title=title, parent_id=above, markdown=f"# New\n\n{grid_text([HEAD, *rows])}\n\nDone."
    )
    return "Done"


def _changes(agent: Agent) -> list[Change]:
    """What becomes dearer, by SKU."""
    today, told = f"{read_today(agent)}", {}
    path = find_paths(agent, "price_lists", ".xlsx")[-1]
    for row in agent.call("read_records", path=path, limit=400)["records"]:
        told[row["SKU"]] = round(row["Recommended price EUR"] * 100), row["Tax 20 %"] == "included"
    for mail in read_mails(agent, subject="Recommended prices"):
        text = " ".join(mail["text"].split())
        for sku, price, tax in re.findall(r"that of (\S+)\. It is EUR ([\d,.]+), (tax included|without tax)", text):
            told[sku] = round(float(price.replace(",", "")) * 100), tax == "tax included"
    ids = {one["sku"]: one["id"] for one in list_products(agent, with_variants=True, status="any")}
    found: list[Change] = []
    for sku, (cents, taxed) in sorted(told.items()):
        if sku in ids:
            product = agent.call("read_product", product_id=ids[sku])["product"]
            new = ceil((cents * (Fraction(5, 6) if taxed else Fraction(1)) - 90) / 100) * 100 + 90
            if new > product["price_cents"]:
                found.append((product, new, _from(product, today)))
    return found


def _from(product: Mapping[str, Any], today: str) -> str:
    """Today, or the day on which a sale that is on is over."""
    begins, ends = (str(product.get(name) or "")[:10] for name in ("sale_from", "sale_until"))
    return ends if product.get("sale_price_cents") and begins <= today < ends else today


def _set(agent: Agent, changes: list[Change]) -> None:
    today = f"{read_today(agent)}"
    for product, new, day in changes:
        if day == today:
            agent.call("save_product", product_id=product["id"], price_cents=new)


def _place(agent: Agent) -> tuple[str, int]:
    """The title of the note, and the page in which it stands."""
    supplier = re.findall(r"\d{4}\. (.+?) has new prices", agent.prompt)[0]
    return f"Price change {read_today(agent)}, {supplier}", find_note(agent, "Price changes")["id"]


def _euros(cents: int) -> str:
    return f"{cents / 100:.2f}"


def _priced(trap: str, cents: str) -> Miss:
    """The product that a fact names has another price."""
    return misses.records("shop", f"UPDATE products SET price_cents = {cents} WHERE id = :{trap}", kills="prices")  # noqa: S608


def _told(change: str, kills: str = "table") -> Miss:
    """The table of the page, which came last, is another one."""
    return misses.records("notes", f"UPDATE {change}", kills=kills)


LAST_ROW = "(SELECT max(id) FROM blocks WHERE kind = 'table_row')"
miss_tax_left_in = _priced("successor", "price_cents * 6 / 5")
miss_sale_overlooked = _priced("on_sale", "price_cents + 400")
miss_long_sale_overlooked = _priced("on_sale_too", "price_cents + 400")
miss_price_lowered = _priced("lower", "price_cents - 300")
miss_price_of_the_older_list = _priced("outdated", "price_cents + 1000")
miss_mail_overlooked = _priced("mended", "price_cents + 800")
miss_rounded_past_the_price = _priced("exactly", "price_cents + 100")
miss_hidden_product_forgotten = _priced("hidden", "price_cents - 200")
miss_sale_ended = misses.records(
    "shop", "UPDATE products SET sale_price_cents = NULL WHERE id = :on_sale", kills="records"
)
miss_day_of_another_year = _told(f"blocks SET data = replace(data, '\"2026', '\"2027') WHERE id = {LAST_ROW}")
miss_row_gone = misses.records("notes", f"DELETE FROM blocks WHERE id = {LAST_ROW}", kills="table")  # noqa: S608
miss_page_elsewhere = _told("pages SET parent_id = NULL WHERE title = :title", "page")
miss_page_called_otherwise = _told("pages SET title = 'New prices' WHERE title = :title", "page")
