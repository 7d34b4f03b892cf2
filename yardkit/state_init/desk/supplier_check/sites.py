"""The web around a seeded company: its own site, those of its suppliers, news, a directory, and copies that are old.

What holds is on the company's and the suppliers' own pages, each with its date. The directory and the archive keep
what was said before, and say so only by their dates.
"""

import json
import random
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from html import escape

from yardkit.apps.sites import APP
from yardkit.state_init.company.cast import Cast
from yardkit.state_init.company.goods import Product
from yardkit.state_init.company.trade import Supplier
from yardkit.state_init.names import FIRST, LAST
from yardkit.world import World, save_text, skip_syncing

DIRECTORY, ARCHIVE, NEWS = "trade-directory.example", "web-archive.example", "quayside-news.example"
_LOOK = """body { font: 16px/1.5 sans-serif; margin: 0; color: #222 }
header, footer { background: #1f3864; color: #fff } header, main, footer { padding: 12px 32px }
header a { color: #fff; margin-right: 16px } table { border-collapse: collapse } label { display: block; margin: 8px 0 }
td, th { border-bottom: 1px solid #ccc; padding: 4px 12px; text-align: left }"""
_TOPICS = (
    *("harbour ferries", "a new tram line", "the library's opening hours", "the market hall", "rents in the old town"),
    *(
        "a bakery that turned hundred",
        "the river's water",
        "a museum for tools",
        "the night bus",
        "trees in the square",
    ),
)
_NEWS_SENTENCES = (
    *("The council decides next month.", "Neighbours have collected signatures.", "Nobody was hurt."),
    *("The costs are not known yet.", "It is open every day but Monday.", "More rain is expected at the weekend."),
)
Row = Sequence[str]
Menu = Sequence[tuple[str, str]]


def fill_sites(world: World, cast: Cast, rng: random.Random, news: int = 60) -> dict[str, dict[str, str]]:
    """Write the sites; what holds: by the host of each supplier its delivery days, least order and telephone.

    The directory has the same of two years ago, the archive the price list and the terms of last year.
    """
    sites = _Sites(world, cast, rng)
    with skip_syncing():
        sites.company()
        terms = {supplier.company.domain: sites.write_supplier_site(supplier) for supplier in cast.suppliers}
        sites.write_directory(terms)
        sites.write_archive()
        for number in range(news):
            sites.write_article(number)
    return terms


class _Sites:
    def __init__(self, world: World, cast: Cast, rng: random.Random) -> None:
        self.world, self.cast, self.rng = world, cast, rng
        self.today = world.now.date()
        self.seen: dict[str, list[tuple[str, str]]] = {}

    def company(self) -> None:
        """Home, products by category, terms, people, an order form."""
        cast, host = self.cast, self.cast.domain
        active = [product for product in cast.products if product.active]
        categories = sorted({product.category for product in active})
        menu = [
            ("/", "Home"),
            ("/products", "Products"),
            ("/terms", "Terms"),
            ("/contact", "Contact"),
            ("/order", "Order"),
        ]
        about = f"<p>{escape(cast.company.full)} furnishes offices from {escape(cast.company.city)}.</p>"
        self.write_page(host, "index", cast.company.name, about, menu, days=40)
        links = "".join(f'<li><a href="/products/{slug_of(name)}">{escape(name)}</a></li>' for name in categories)
        self.write_page(host, "products/index", "Products", f"<ul>{links}</ul>", menu, days=12)
        for name in categories:
            rows = [_product_row(product) for product in active if product.category == name]
            self.write_page(
                host,
                f"products/{slug_of(name)}",
                name,
                html_table(("SKU", "Product", "Price", "Stock"), rows),
                menu,
                days=6,
            )
        self.write_page(host, "terms", "Terms of sale", self.format_terms(30, 150), menu, days=75)
        people = [
            (f"{colleague.first} {colleague.last}", colleague.title, colleague.phone)
            for colleague in cast.colleagues
            if "Head" in colleague.title
        ]
        self.write_page(host, "contact", "Contact", html_table(("Name", "Office", "Telephone"), people), menu, days=20)
        self.write_page(host, "order", "Order", _build_order_form(active), menu, days=6)
        self.write_page(
            host, "thanks", "Thank you", "<p>Your order has reached us; we confirm it by mail.</p>", menu, days=6
        )
        feed = [
            {"sku": product.sku, "name": product.name, "price_cents": product.price, "stock": product.stock}
            for product in active
        ]
        self.text(
            host, "products.json", json.dumps({"updated": self.day(6), "products": feed}, indent=1, ensure_ascii=False)
        )

    def write_supplier_site(self, supplier: Supplier) -> dict[str, str]:
        """A small site with what buyers want to know."""
        firm, contact = supplier.company, supplier.contacts[0]
        terms = {
            "Delivery": f"{supplier.lead_days} working days",
            "Least order": f"EUR {self.rng.randrange(3, 30) * 50}",
            "Telephone": contact.phone,
        }
        menu = [("/", "Home"), ("/delivery", "Delivery")]
        where = "<br>".join(map(escape, firm.address))
        self.write_page(firm.domain, "index", firm.full, f"<p>{where}</p>", menu, days=self.rng.randrange(30, 300))
        body = html_table(("What", "How"), [*terms.items(), ("Payment", f"{supplier.payment_days} days")])
        self.write_page(firm.domain, "delivery", "Delivery and payment", body, menu, days=self.rng.randrange(5, 60))
        return terms

    def write_directory(self, terms: Mapping[str, Mapping[str, str]]) -> None:
        """All suppliers as they were two years ago, and strangers of nearly their names."""
        for supplier in self.cast.suppliers:
            facts = dict(terms[supplier.company.domain])
            days = int(facts["Delivery"].split()[0])
            facts["Delivery"] = f"{days + self.rng.choice((-2, 3, 5)) if days > 2 else days + 4} working days"
            facts["Telephone"] = facts["Telephone"][:-2] + f"{self.rng.randrange(10, 99)}"
            self.write_entry(supplier.company.full, facts, self.rng.randrange(600, 800))
        for supplier in self.rng.sample(self.cast.suppliers, 5):
            trade = self.rng.choice(("Trading", "Transport", "Garden"))
            stranger = f"{supplier.company.name.split()[0]} {trade} {supplier.company.form}"
            self.write_entry(
                stranger, {"Delivery": "on request", "Telephone": "not known"}, self.rng.randrange(100, 900)
            )
        entries = "".join(
            f'<li><a href="/{name}">{escape(title)}</a></li>' for name, title in sorted(self.seen[DIRECTORY])
        )
        self.write_page(DIRECTORY, "index", "Trade directory", f"<ul>{entries}</ul>", [], days=300)

    def write_entry(self, firm: str, facts: Mapping[str, str], days: int) -> None:
        """What the directory says of a firm."""
        self.write_page(
            DIRECTORY,
            slug_of(firm),
            firm,
            html_table(("What", "How"), list(facts.items())),
            [("/", "All firms")],
            days=days,
        )

    def write_archive(self) -> None:
        """The company's price list and terms as they were a year ago."""
        host = self.cast.domain
        rows = [
            (product.sku, product.name, f"EUR {product.price * self.rng.choice((0.92, 0.95, 0.97)) / 100:.2f}", "")
            for product in self.cast.products
        ]
        last = self.today.year - 1
        self.write_page(
            ARCHIVE,
            f"{last}/{host}/products",
            f"Products ({host})",
            html_table(("SKU", "Product", "Price", ""), rows),
            [],
            days=370,
        )
        self.write_page(
            ARCHIVE, f"{last}/{host}/terms", f"Terms of sale ({host})", self.format_terms(14, 90), [], days=400
        )

    def format_terms(self, returns: int, free_from: int) -> str:
        """Terms of sale: days to send back, and from how many euros delivery is free."""
        return (
            f"<p>Goods can be sent back within {returns} days.</p>"
            f"<p>Delivery is free from EUR {free_from} on, below that it costs EUR 5.90.</p>"
            f"<p>Invoices are due within {30 if returns > 20 else 21} days.</p>"
        )

    def write_article(self, number: int) -> None:
        """A piece of news that has nothing to do with it."""
        topic, days = self.rng.choice(_TOPICS), self.rng.randrange(1, 1_000)
        quotation = " ".join(self.rng.sample(_NEWS_SENTENCES, 3))
        by = f"{self.rng.choice(FIRST)} {self.rng.choice(LAST)}"
        body = f"<p>About {topic}: {quotation}</p><p>By {escape(by)}</p>"
        self.write_page(
            NEWS, f"{self.day(days)[:4]}/{slug_of(topic)}-{number}", topic.capitalize(), body, [], days=days
        )

    def write_page(self, host: str, name: str, title: str, body: str, menu: Menu, *, days: int) -> None:
        """A page that was last changed some days ago."""
        self.seen.setdefault(host, []).append((name, title))
        save_page(self.world, host, name, title, body, menu, self.day(days))

    def text(self, host: str, name: str, text: str) -> None:
        _save_page(self.world, host, name, text)

    def day(self, days: int) -> str:
        when: date = self.today - timedelta(days=days)
        return when.isoformat()


def save_page(world: World, host: str, name: str, title: str, body: str, menu: Menu, day: str) -> None:
    """A page of a site with its menu (paths and words), which says that it was last changed on a day."""
    links = "".join(f'<a href="{place}">{word}</a>' for place, word in menu)
    text = (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="date" content="{day}"><link rel="stylesheet" href="/look.css"></head>\n'
        f"<body><header>{links or escape(host)}</header><main><h1>{escape(title)}</h1>{body}</main>"
        f"<footer>Last changed on {day}</footer></body></html>\n"
    )
    _save_page(world, host, "look.css", _LOOK)
    _save_page(world, host, f"{name}.html", text)


def _save_page(world: World, host: str, name: str, text: str) -> None:
    save_text(world.root / "apps" / APP / host / name, text)


def _product_row(product: Product) -> Row:
    return product.sku, product.name, f"EUR {product.price / 100:.2f}", str(product.stock)


def html_table(head: Row, rows: Sequence[Row]) -> str:
    """A table of a page."""
    cells = ["".join(f"<td>{escape(value)}</td>" for value in row) for row in rows]
    top = "".join(f"<th>{escape(value)}</th>" for value in head)
    return f"<table><tr>{top}</tr>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def _build_order_form(products: Sequence[Product]) -> str:
    options = "".join(
        f'<option value="{product.sku}">{escape(product.name)} ({product.sku})</option>' for product in products
    )
    return (
        '<form action="/thanks" method="post">'
        f'<label>Product <select name="sku">{options}</select></label>'
        '<label>Pieces <input name="pieces" type="number" min="1" value="1" required></label>'
        '<label>Company <input name="company" required></label>'
        '<label>Mail <input name="mail" type="email" required></label>'
        '<label><input name="terms" type="checkbox" required> I have read the terms</label>'
        "<button>Send order</button></form>"
    )


def slug_of(name: str) -> str:
    """A name as a part of an address."""
    return "-".join("".join(sign if sign.isalnum() and sign.isascii() else " " for sign in name.lower()).split())
