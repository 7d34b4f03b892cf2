"""The shared drive of a seeded company: folders, workbooks and texts of its owner, and what colleagues share."""

import csv
import io
import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from yardkit.apps.drive import (
    FOLDER,
    KINDS,
    ROOT,
    SPREADSHEET,
    Account,
    Grant,
    Item,
    Role,
    add_item,
    content_of,
    opened_drive,
)
from yardkit.apps.store import Store
from yardkit.state_init.company.cast import Cast
from yardkit.state_init.company.persons import Colleague
from yardkit.state_init.workbooks import save_workbook
from yardkit.world import World, save_text

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_TEAM = ("Holiday plan", "Onboarding list", "Meeting rooms", "Phone list", "Training hours", "Desk plan")
_STATES = ("", "draft", "old", "copy")
Rows = list[list[Any]]


def fill_drive(world: World, cast: Cast, rng: random.Random, files: int = 40) -> dict[str, Item]:
    """Fill the drive with some `files` spreadsheets and texts; those that matter, by what they are.

    Of each yearly file there are last year's, a draft and a copy of a colleague's, which are easily mixed up with the
    one that holds. ``prices``, ``budget`` and ``contacts`` of what comes back are the ones that hold; ``archive`` is
    the folder of what is out of date.
    """
    with opened_drive(world, writes=True) as store:
        store.put(Account(cast.owner.email, f"{cast.owner.first} {cast.owner.last}"))
        drive = _Drive(world, store, cast, rng)
        signal_files = drive.signal()
        while store.count(Item, "kind != ?", [FOLDER]) < files:
            drive.add_noise_file()
        return signal_files


class _Drive:
    def __init__(self, world: World, store: Store, cast: Cast, rng: random.Random) -> None:
        self.world, self.store, self.cast, self.rng = world, store, cast, rng
        self.year = world.now.year
        self.folders = {name: self.add_folder(name) for name in ("Finance", "Sales", "Purchasing", "Team", "Projects")}
        self.archive = self.add_folder("Archive")

    def signal(self) -> dict[str, Item]:
        """What is asked for, each with its near misses."""
        prices, budget, contacts = self.list_prices(), self.list_budget(self.year), self.list_contacts()
        drive_files = {
            "prices": self.add_book(f"Price list {self.year}", {"Prices": prices}, self.folders["Sales"]),
            "budget": self.add_book(
                f"Budget {self.year}", {"Budget": budget, "Notes": self.list_notes()}, self.folders["Finance"]
            ),
            "contacts": self.add_book("Customer contacts", {"Contacts": contacts}, self.folders["Sales"]),
            "archive": self.archive,
        }
        old_prices = [prices[0], *([*row[:2], round(row[2] * 0.96, 2), *row[3:]] for row in prices[1:])]
        self.add_book(f"Price list {self.year - 1}", {"Prices": old_prices}, self.archive, days=400)
        self.add_book(f"Price list {self.year} draft", {"Prices": old_prices}, self.folders["Sales"], days=60)
        self.add_book(f"Budget {self.year - 1}", {"Budget": self.list_budget(self.year - 1)}, self.archive, days=380)
        colleague = next(colleague for colleague in self.cast.colleagues if colleague.title.startswith("Head of"))
        hers = self.add_book(
            f"Budget {self.year}", {"Budget": self.list_budget(self.year)}, None, days=20, owner=colleague
        )
        self.grant(hers, self.cast.owner, "reader")
        for other_colleague, role in zip(
            self.rng.sample(self.cast.colleagues, 3), ("reader", "commenter", "writer"), strict=True
        ):
            self.grant(drive_files["budget"], other_colleague, role)  # type: ignore[arg-type]
        return drive_files

    def add_noise_file(self) -> None:
        """Something else: of a team, of a project, an export."""
        days, folder = self.rng.randrange(3, 700), self.rng.choice([*self.folders.values(), self.archive])
        kind = self.rng.choice(("team", "project", "export", "note"))
        if kind == "team":
            state = self.rng.choice(_STATES)
            people = [
                [f"{colleague.first} {colleague.last}", colleague.department, colleague.office, colleague.phone]
                for colleague in self._choose_colleagues()
            ]
            name = f"{self.rng.choice(_TEAM)} {self.rng.choice(self.cast.departments)} {state}".strip()
            item = self.add_book(
                name, {"List": [["Name", "Department", "Office", "Phone"], *people]}, folder, days=days
            )
            self.grant(item, self.rng.choice(self.cast.colleagues), self.rng.choice(("reader", "writer")))
        elif kind == "project":
            project = self.rng.choice(self.cast.projects)
            rows = [
                [f"{project.code}-{n:02}", self.rng.choice(("open", "done", "late")), self.rng.randrange(1, 40)]
                for n in range(1, 12)
            ]
            owner = self.cast.find_colleague(project.lead)
            item = self.add_book(
                f"{project.name} tasks {days % 9 + 1}",
                {"Tasks": [["Task", "State", "Hours"], *rows]},
                self.folders["Projects"],
                days=days,
                owner=owner,
            )
            self.grant(item, self.cast.owner, self.rng.choice(("reader", "writer")))
        elif kind == "export":
            rows = [
                [product.sku, product.stock + self.rng.randrange(-20, 20)]
                for product in self.rng.sample(self.cast.products, 30)
            ]
            month = self.world.now - timedelta(days=days)
            self.text(f"stock_{month:%b_%Y}.csv".lower(), _write_csv([["sku", "stock"], *rows]), folder, days)
        else:
            contact = self.rng.choice(self.cast.contacts)
            call_note = (
                f"Call with {contact.first} {contact.last} ({contact.company})\n\nWants an offer by"
                f" {self._format_day(days - 9)}.\n"
            )
            self.text(f"call {contact.last} {self._format_day(days)}.md", call_note, folder, days)

    def list_prices(self) -> Rows:
        rows = [
            [product.sku, product.name, product.price / 100, product.stock]
            for product in self.cast.products
            if product.active
        ]
        return [["SKU", "Product", "Price", "Stock"], *rows]

    def list_budget(self, year: int) -> Rows:
        rows: Rows = [["Department", *_MONTHS]]
        for department in self.cast.departments:
            base = self.rng.randrange(8, 60) * 500
            rows.append(
                [department, *(base + self.rng.randrange(-8, 9) * 50 + (year - self.year) * 100 for _ in _MONTHS)]
            )
        return rows

    def list_contacts(self) -> Rows:
        rows = [
            [customer.number, customer.name, f"{contact.first} {contact.last}", contact.email, contact.phone]
            for customer in self.cast.customers
            for contact in customer.contacts
        ]
        return [["Customer", "Company", "Contact", "Mail", "Phone"], *rows]

    def list_notes(self) -> Rows:
        return [["Note"], [f"Approved on {self._format_day(30)}; earlier drafts are void."]]

    def add_folder(self, name: str) -> Item:
        return self._date_item(add_item(self.store, name, FOLDER), 720)

    def add_book(
        self, name: str, sheets: dict[str, Rows], folder: Item | None, days: int = 5, owner: Colleague | None = None
    ) -> Item:
        """A spreadsheet that was last changed some days ago."""
        parent = folder.id if folder is not None and owner is None else ROOT
        item = add_item(self.store, name, SPREADSHEET, parent, ".xlsx", owner.email if owner else "")
        item = self._date_item(item, days)
        save_workbook(content_of(self.world, item), sheets, datetime.fromisoformat(item.modified))
        return item

    def text(self, name: str, text: str, folder: Item, days: int) -> Item:
        suffix = name[name.rindex(".") :]
        item = self._date_item(add_item(self.store, name, KINDS[suffix], folder.id, suffix), days)
        save_text(content_of(self.world, item), text)
        return item

    def grant(self, item: Item, person: Colleague, role: Role) -> None:
        if person.email != item.owner and not self.store.find(
            Grant, "item_id = ? AND email = ?", [item.id, person.email]
        ):
            self.store.put(Grant(self.store.next_id(Grant), item.id, person.email, role))

    def _date_item(self, item: Item, days: int) -> Item:
        changed = self.world.now - timedelta(days=days, minutes=self.rng.randrange(600))
        created_at = changed - timedelta(days=self.rng.randrange(1, 40))
        return self.store.change(item, created=created_at.isoformat(), modified=changed.isoformat())

    def _choose_colleagues(self) -> Sequence[Colleague]:
        return self.rng.sample(self.cast.colleagues, self.rng.randrange(6, 16))

    def _format_day(self, days: int) -> str:
        return (self.world.now - timedelta(days=days)).date().isoformat()


def _write_csv(rows: Rows) -> str:
    data = io.StringIO()
    csv.writer(data, lineterminator="\n").writerows(rows)
    return data.getvalue()
