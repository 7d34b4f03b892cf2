"""The world of studio/receipt_photo: photos of three receipts, one of them wanted, and a list of expenses."""

import datetime
import random
from typing import Any, get_args

from yardkit.state_init.names import ascii_of, make_people
from yardkit.state_init.rendering.photo import Background, photograph_on_table
from yardkit.state_init.rendering.receipts import ReceiptStyle, receipt_with_places
from yardkit.state_init.studio.receipt_photo.dinners import RESTAURANTS, find_places, make_dinner
from yardkit.state_init.studio.receipt_photo.previews import with_preview
from yardkit.state_init.workbooks import Book
from yardkit.world import World, save_bytes

SHOPS = ("Airport Bus", "City Taxi", "Copy Corner", "Hotel Anker", "Parkhaus Mitte", "Rail Desk", *RESTAURANTS)
HEAD = ["Date", "Merchant", "Photo", "Net", "VAT", "Total"]


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Photograph the receipts; the facts hold corners, places of what is secret, and the row."""
    owner = make_people(rng, 1)[0]
    holder = f"{ascii_of(owner.first)} {ascii_of(owner.last)}".upper()
    card = " ".join(f"{rng.randint(1000, 9999)}" for _ in range(4))
    shop, other = rng.sample(RESTAURANTS, 2)
    day = datetime.date(2026, 3, rng.randint(18, 27))
    numbers = sorted(rng.sample(range(4400, 4990), 3))
    earlier, facts = day - datetime.timedelta(days=rng.choice((7, 9, 14))), dict[str, Any]()
    receipt_keys = [(shop, day), (shop, earlier), (other, day)]
    backgrounds = rng.sample(get_args(Background), 3)
    for (name, date), number, ground in zip(rng.sample(receipt_keys, 3), numbers, backgrounds, strict=True):
        photo, dinner_receipt = f"receipts/IMG_{number}.jpg", make_dinner(rng, name, date, card, holder)
        sheet, places = receipt_with_places(dinner_receipt.receipt, rng.choice(get_args(ReceiptStyle)), rng)
        shot, orientation = photograph_on_table(sheet, rng, ground), rng.choice((3, 6, 8))
        taken = f"{date:%Y:%m:%d} 21:{rng.randint(10, 59)}:{rng.randint(10, 59)}"
        save_bytes(world.files / photo, with_preview(shot.image, taken, orientation=orientation))
        if (name, date) == (shop, day):
            row = dict(
                zip(
                    HEAD,
                    [
                        str(date),
                        name,
                        f"IMG_{number}.jpg",
                        dinner_receipt.net,
                        dinner_receipt.vat,
                        dinner_receipt.total,
                    ],
                    strict=True,
                )
            )
            facts = {
                "photo": photo,
                "corners": shot.corners,
                "size": [sheet.width, sheet.height],
                "number": find_places(places, card),
                "name": find_places(places, holder),
                "card": card.replace(" ", ""),
                "holder": holder.split(),
                "paid": f"{dinner_receipt.total:.2f}",
                "row": row,
            }
    sheet_rows = _earlier_rows(rng, day)
    book = Book(world.now, title="Expenses 2026", author=owner.name)
    for month, rows in (("February", _earlier_rows(rng, datetime.date(2026, 2, 24))), ("March", sheet_rows)):
        book.sheet(month, [HEAD, *rows], formats={0: "yyyy-mm-dd", 3: "0.00", 4: "0.00", 5: "0.00"})
    book.save(world.files / "expenses.xlsx")
    entered = [dict(zip(HEAD, [str(row[0]), *row[1:]], strict=True)) for row in sheet_rows] + [facts["row"]]
    total = round(sum(row["Total"] for row in entered), 2)
    return facts | {"rows": entered, "total": total, "prompt": {"shop": shop, "day": f"{day:%A, %d %B}"}}


def _earlier_rows(rng: random.Random, until: datetime.date) -> list[list[Any]]:
    """What was entered before, in order."""
    rows: list[list[Any]] = []
    for day, shop in zip(sorted(rng.sample(range(1, until.day), 7)), rng.sample(SHOPS, 7), strict=True):
        cents = rng.randint(900, 16_000)
        amounts = [value / 100 for value in (cents, cents // 5, cents + cents // 5)]
        rows.append([until.replace(day=day), shop, f"IMG_{rng.randint(4000, 4390)}.jpg", *amounts])
    return rows
