"""A wide price list that was never printed, and a supplier's catalogue with the prices of April."""

import datetime
import random
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any, TypedDict

from yardkit.state_init.csv_files import save_csv
from yardkit.state_init.days import some_day
from yardkit.state_init.mails import mail_name, send_mail
from yardkit.state_init.names import PRODUCTS, make_people
from yardkit.state_init.spellings import format_german
from yardkit.state_init.workbooks import Book, Formula
from yardkit.world import World, save_text

SHEET = "Price list"
FIRST_ROW = 5
CATEGORIES = {"office": "Office", "home": "Home & kitchen", "lab": "Laboratory", "outdoor": "Outdoor & camping"}
VARIANTS = (
    "", "small", "large", "black", "white", "grey, recycled", "with case", "set of 4", "second generation",
    "refill pack, climate neutral",
)  # fmt: skip
REMARKS = (
    "", "", "", "New", "Only while stocks last", "Deposit of 15 euros for the returnable box",
    "Delivered in two parcels; please state a telephone number at which the carrier can reach you by day",
    "Dangerous goods class 9: no express delivery, islands and airports excluded, signature of an adult required",
    "Replaces the model of 2024",
)  # fmt: skip
HEAD = (
    "Item no.", "Description", "Category", "Unit", "EAN", "Pack", "Weight kg", "Net price", "Pack price",
    "Gross price", "Dealer price", "Valid from", "Delivery days", "Remark",
)  # fmt: skip
GROUPS = (("Article", 4), ("Packing", 3), ("Prices in EUR", 4), ("Logistics", 2), ("", 1))
WIDTHS = (8, 20, 11, 5, 9, 5, 6, 6.5, 8, 8, 8, 8, 7, 14)
FORMATS = {4: "0", 6: "0.00", 7: "#,##0.00", 8: "#,##0.00", 9: "#,##0.00", 10: "#,##0.00", 11: "yyyy-mm-dd"}
APRIL = datetime.date(2026, 4, 1)
Line = tuple[str, datetime.date, Decimal, str]


@dataclass(frozen=True)
class Article:
    """A row of the list; `price` in euros."""

    number: str
    description: str
    category: str
    unit: str
    ean: int
    pack: int
    weight: float
    price: Decimal
    since: datetime.date
    days: int
    remark: str


class PriceListPrintFacts(TypedDict):
    """By number of the article: row, price and day in April, pack, discount, description and remark, EAN."""

    prompt: dict[str, str]
    rows: dict[str, int]
    prices: dict[str, float]
    since: dict[str, str]
    changed: list[str]
    packs: dict[str, int]
    discounts: dict[str, float]
    texts: dict[str, list[str]]
    eans: dict[str, int]


def seed(world: World, rng: random.Random) -> PriceListPrintFacts:
    """Write the list, the catalogue and what lies beside them; the facts hold the prices that must stand there."""
    articles = _make_articles(rng)
    discounts = {name: rng.randrange(15, 36) / 100 for name in CATEGORIES.values()}
    rate = Decimal(rng.randrange(107, 116)) / 100
    lines, prices = _make_catalogue(rng, articles, rate)
    _save_list(world.files / "price_list_2026.xlsx", articles, discounts, world.now)
    older = [_make_cheaper(article, rng) for article in articles[: len(articles) - 9]]
    _save_list(world.files / "archive" / "price_list_2025.xlsx", older, discounts, world.now)
    _write_incoming(world, rng, lines, rate)
    _write_mails(world, rng)
    changed = {number: price for number, price in prices.items() if price is not None}
    return {
        "prompt": {"sheet": SHEET},
        "rows": {article.number: FIRST_ROW + index for index, article in enumerate(articles)},
        "prices": {article.number: float(changed.get(article.number, article.price)) for article in articles},
        "since": {
            article.number: (APRIL if article.number in changed else article.since).isoformat() for article in articles
        },
        "changed": sorted(changed),
        "packs": {article.number: article.pack for article in articles},
        "discounts": {article.number: discounts[article.category] for article in articles},
        "texts": {article.number: [article.description, article.remark] for article in articles},
        "eans": {article.number: article.ean for article in articles},
    }


def _make_articles(rng: random.Random) -> list[Article]:
    new_articles: list[Article] = []
    for assortment, category in CATEGORIES.items():
        names = [f"{name}, {variant}".rstrip(", ") for name in PRODUCTS[assortment] for variant in VARIANTS]
        for name in sorted(rng.sample(names, rng.randint(18, 21))):
            price = Decimal(rng.choice((rng.randrange(800, 9_900), rng.randrange(12_000, 240_000)))) / 100
            new_articles.append(
                Article(
                    number=f"{rng.randrange(1, 60):02d}-{len(new_articles) * 37 + 1004:05d}",
                    description=name,
                    category=category,
                    unit=rng.choice(("piece", "set", "box")),
                    ean=4_000_000_000_000 + rng.randrange(10**11),
                    pack=rng.choice((1, 2, 4, 6, 10, 12)),
                    weight=rng.randrange(10, 2800) / 100,
                    price=price,
                    since=datetime.date(2025, rng.choice((1, 4, 7, 10)), 1),
                    days=rng.choice((2, 3, 5, 10, 21)),
                    remark=rng.choice(REMARKS),
                )
            )
    return new_articles


def _make_cheaper(article: Article, rng: random.Random) -> Article:
    price = (article.price * Decimal(rng.randrange(90, 99)) / 100).quantize(Decimal("0.01"))
    return Article(**{**vars(article), "price": price})


def _make_catalogue(
    rng: random.Random, articles: Sequence[Article], rate: Decimal
) -> tuple[list[Line], dict[str, Decimal | None]]:
    """The supplier's lines, and the new price by number (None where the old one stays)."""
    lines: list[Line] = []
    prices: dict[str, Decimal | None] = {}
    for number, article in enumerate(articles):
        factors = (1015, 1012, 985, 988, 1000) if number % 5 < 2 else (1023, 1026, 1048, 977, 950, 1120)
        factor = Decimal(rng.choice(factors))
        if number % 11 == 7:
            prices[article.number] = None  # Not listed any more.
            continue
        currency = "USD" if number % 4 == 3 else "EUR"
        price = _round_to_cents(article.price * factor / 1000 * (rate if currency == "USD" else 1))
        key = article.number.replace("-", "").lstrip("0")
        lines.append((key, _choose_day(rng, 2026, 1, 60), price, currency))
        lines.append((key, _choose_day(rng, 2024, 6, 300), _round_to_cents(price * Decimal("0.9")), currency))
        if number % 3 == 1:
            later = _choose_day(rng, 2026, 4, 70) + datetime.timedelta(days=1)
            lines.append((key, later, _round_to_cents(price * Decimal("1.1")), currency))
        if number % 7 == 2:
            lines.append((key, _choose_day(rng, 2025, 3, 250), _round_to_cents(price * Decimal("0.93")), currency))
        euros = _round_to_cents(price / rate) if currency == "USD" else price
        prices[article.number] = euros if abs(euros - article.price) > article.price * Decimal("0.02") else None
    known = {line[0] for line in lines} | {entry.number.replace("-", "").lstrip("0") for entry in articles}
    while len(lines) < 2400:
        key = str(rng.randrange(100_000, 6_000_000))
        if key not in known:
            lines.append((key, _choose_day(rng, 2025, 1, 420), Decimal(rng.randrange(300, 90_000)) / 100, "EUR"))
    rng.shuffle(lines)
    return lines, prices


def _round_to_cents(amount: Decimal) -> Decimal:
    return amount.quantize(Decimal("0.01"), ROUND_HALF_UP)


def _choose_day(rng: random.Random, year: int, month: int, spread: int) -> datetime.date:
    return some_day(rng, datetime.date(year, month, 1), spread)


def _save_list(path: Path, articles: Sequence[Article], discounts: dict[str, float], now: datetime.datetime) -> None:
    book = Book(now, title="Price list", author="Sales")
    rows: list[list[Any]] = [list(HEAD)]
    for row, article in enumerate(articles, FIRST_ROW):
        price = float(article.price)
        dealer = price * (1 - discounts[article.category])
        rows.append(
            [
                *list(vars(article).values())[:7],
                price,
                Formula(f"=F{row}*H{row}", article.pack * price),
                Formula(f"=H{row}*(1+Conditions!$B$2)", price * 1.19),
                Formula(f"=ROUND(H{row}*(1-VLOOKUP(C{row},Conditions!$A$5:$B$8,2,FALSE)),2)", round(dealer, 2)),
                *(article.since, article.days, article.remark or None),
            ]
        )
    widths = dict(enumerate(WIDTHS))
    sheet = book.sheet(SHEET, rows, title=f"Price list {now.year}", groups=GROUPS, formats=FORMATS, widths=widths)
    for row in range(FIRST_ROW, FIRST_ROW + len(articles)):
        sheet.set_row(row - 1, 15)
    sheet.set_paper(9)
    sheet.print_area(0, 0, 59, 9)
    sheet.set_h_pagebreaks([22, 41])
    sheet.set_v_pagebreaks([6])
    sheet.repeat_rows(0)
    terms: list[list[Any]] = [["Condition", "Value"], ["VAT", 0.19], ["", ""], ["Category", "Dealer discount"]]
    terms += [[name, value] for name, value in discounts.items()]
    book.sheet("Conditions", terms, formats={1: "0%"}, widths={0: 22, 1: 16})
    book.save(path)


def _write_incoming(world: World, rng: random.Random, lines: Sequence[Line], rate: Decimal) -> None:
    folder = world.files / "incoming"
    _save_catalogue(folder / "supplier_prices.csv", lines)
    old = [
        (key, day - datetime.timedelta(days=365), _round_to_cents(price * Decimal("0.97")), c)
        for key, day, price, c in lines
    ]
    _save_catalogue(folder / "supplier_prices_2025.csv", old[:1800])
    save_text(folder / "rates.txt", f"Rates of the day for April 2026\n1 EUR = {rate} USD\n1 EUR = 0.85 GBP\n")
    save_text(folder / "rates_2025.txt", f"1 EUR = {rate - Decimal('0.06')} USD\n")
    stock = "".join(f"{key};{rng.randrange(0, 900)}\n" for key, *_ in lines[:300])
    save_text(folder / "stock.csv", f"article;stock\n{stock}")


def _save_catalogue(path: Path, lines: Sequence[Line]) -> None:
    rows = [[key, f"{day:%d.%m.%Y}", format_german(price), currency] for key, day, price, currency in lines]
    head = ["article", "valid_from", "price", "cur"]
    save_csv(path, [head, *rows], delimiter=";", newline="\r\n", encoding="utf-8-sig")


def _write_mails(world: World, rng: random.Random) -> None:
    first_person, two = make_people(rng, 2)
    texts = (
        (first_person, "Print run", "The printers take A4 landscape, PDF or workbook, until eight tonight.\n"),
        (two, "Prices", "The supplier says that two percent more or less is not worth a new price. I agree.\n"),
    )
    for number, (sender, subject, body) in enumerate(texts, 1):
        sent = world.now - datetime.timedelta(hours=30 - number)
        send_mail(world.files / "mails" / mail_name(number, subject), sender, "sales@example.com", subject, body, sent)
