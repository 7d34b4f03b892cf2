"""The workspaces in which the calls of `recorded/` were made."""

import datetime
import os
import subprocess
from collections.abc import Callable
from typing import Any

import pyarrow as pa
from support.schools import make_school
from support.warehouses import make_orders, write_parquet

from yardkit.apps import notes, shop
from yardkit.apps.mail import Accounts, Mailbox, save_accounts
from yardkit.apps.notes import Block, Column, Option, Page, Person, Span
from yardkit.apps.shop import (
    Address,
    Category,
    Coupon,
    Customer,
    Gateway,
    Order,
    OrderLine,
    Product,
    Review,
    Settings,
    ShippingMethod,
    ShippingZone,
    TaxRate,
    Webhook,
)
from yardkit.apps.store import open_store
from yardkit.apps.warehouse import (
    Bucket,
    Catalog,
    Cloud,
    Entry,
    Instance,
    Job,
    Schema,
    Table,
    bucket_folder,
    log_file,
    save_catalog,
    save_cloud,
    write_entries,
)
from yardkit.apps.warehouse import (
    Column as WarehouseColumn,
)
from yardkit.state_init.mails import build_mail
from yardkit.world import World, save_bytes, save_text

AT = "2026-03-02T10:00:00+01:00"


def fill_school(world: World) -> None:
    """A school with courses and people, and a file to hand in."""
    make_school(world)
    (world.files / "essay.pdf").write_bytes(b"%PDF-1.4")


def fill_shop(world: World) -> None:
    """A lamp, a vest in two sizes, one order of a customer, one of a guest."""
    ada = Address("Ada", "Berg", street="1 Hill", city="Graz", country="AT", email="ada@x.example", phone="1")
    lamp = Product(11, "Lamp", "lamp", "simple", "publish", "LMP", AT, AT, price_cents=4900, stock=10, category_ids=[1],
                   tags=["new"], images=["https://s.example/lamp.jpg"], meta={"lot": "A7"})  # fmt: skip
    lamp = Product(**{**vars(lamp), "sale_price_cents": 3900, "sale_until": "2026-03-20T00:00:00+01:00"})
    vest = Product(12, "Vest", "vest", "variable", "draft", "VST", AT, AT, options={"Size": ["S", "M"]})
    terms: dict[str, Any] = {"currency": "EUR", "prices_include_tax": False}
    with open_store(shop.APP, *shop.RECORDS, writes=True, world=world) as store:
        records: list[Any] = [
            Settings(1, "Shop", "https://s.example", country="AT", prices_include_tax=False),
            Category(1, "Light", "light"), Category(2, "Desk light", "desk-light", "", 1), lamp, vest,
            *(Product(13 + place, f"Vest - {size}", f"vest-{size}", "variation", "publish", f"VST-{size}", AT, AT, 12,
                      price_cents=2000, stock=3 - place, options={"Size": [size]}) for place, size in enumerate("SM")),
            Customer(5, "ada@x.example", "Ada", "Berg", "ada", AT, AT, billing=ada, meta={"newsletter": True}),
            Order(21, "processing", 5, AT, AT, billing=ada, shipping=ada, shipping_cents=500, shipping_tax_cents=100,
                  tax_cents=1080, total_cents=6480, paid=AT, **terms),
            OrderLine(1, 21, 11, None, "LMP", "Lamp", 1, 4900, 4900, 980, 4900, 980, from_stock=1),
            Order(22, "pending", None, "2026-02-10T09:00:00+01:00", AT, billing=ada, shipping=ada, total_cents=2400,
                  tax_cents=400, **terms),
            OrderLine(2, 22, 12, 13, "VST-S", "Vest - S", 1, 2000, 2000, 400, 2000, 400),
            Coupon(7, "spring", "percent", AT, AT, 12.5, expires="2026-04-01T00:00:00+02:00"),
            Review(3, 11, AT, "Ada B.", "ada@x.example", 4, "Bright"),
            Gateway("bacs", "Transfer", "By bank", enabled=True, position=0),
            Review(4, 11, AT, "Bot", "b@x.example", 1, "Spam", "spam"), TaxRate(1, "AT", 20.0, "VAT"),
            ShippingZone(1, "Austria", 1, ["AT"]), ShippingMethod(1, 1, "flat_rate", "Parcel", 590),
            Webhook(1, "Ledger", "order.created", "https://l.example", "active", AT),
        ]  # fmt: skip
        for record in records:
            store.put(record)


def fill_notes(world: World) -> None:
    """A page with three blocks, and in it a table of tasks with three rows."""
    status = [Option("Open", "blue"), Option("Done", "green")]
    columns = [
        Column("Task", "title"), Column("Status", "status", status), Column("Due", "date"), Column("Hours", "number"),
        Column("Owner", "people"), Column("Part of", "relation", table_id=1), Column("Tags", "multi_select"),
        Column("Text", "text"), Column("Paid", "checkbox"),
    ]  # fmt: skip
    values: tuple[dict[str, Any], ...] = (
        {"Status": "Open", "Due": "2026-03-20", "Hours": 3, "Owner": [1], "Text": "first"},
        {"Status": "Done", "Due": "2026-03-10/2026-03-12", "Part of": [2], "Paid": True},
        {},
    )
    rows = [
        Page(2 + place, title, AT, AT, table_id=1, position=place + 1, author_id=1, values=row_values)
        for place, (title, row_values) in enumerate(zip(("Write", "Read", "Rest"), values, strict=True))
    ]
    spans = [Span("We "), Span("ship", bold=True, link="page:2")]
    with open_store(notes.APP, *notes.RECORDS, writes=True, world=world) as store:
        record: Any
        for record in (
            Person(1, "Ada Berg", "ada@x.example"), Person(2, "Helper", "bot@x.example", "bot"),
            Page(1, "Plan", AT, AT, icon="📌", author_id=1, editor_id=1),
            notes.Table(1, "Tasks", columns, AT, AT, 1), *rows,
            Block(1, 1, None, 1, "paragraph", "We ship", spans, {}, AT, AT),
            Block(2, 1, None, 2, "to_do", "Pack", [], {"checked": True}, AT, AT),
            Block(3, 1, 2, 1, "bulleted_list_item", "Tape", [], {}, AT, AT),
        ):  # fmt: skip
            store.put(record)


def fill_warehouse(world: World) -> None:
    """A table of orders and one of regions."""
    place = world.get_app_folder("warehouse") / "SALES" / "PUBLIC"
    save_bytes(place / "ORDERS.parquet", write_parquet(make_orders()))
    save_bytes(place / "REGIONS.parquet", write_parquet(pa.table({"name": ["North"], "head": ["Ada"]})))
    columns = {"ID": WarehouseColumn(nullable=False, description="Number"), "PIECES": WarehouseColumn(default="1")}
    tables = {"ORDERS": Table("2026-01-05", "All orders", columns), "REGIONS": Table("2026-01-05")}
    save_catalog(world, Catalog("SALES", {"SALES": {"PUBLIC": Schema("2026-01-05", tables=tables)}}))


def fill_cloud(world: World) -> None:
    """A table, a bucket, an instance, two jobs and a log."""
    sold = pa.table({"id": [1, 2, 3], "region": ["a", "b", "a"], "amount": [1.5, None, 4.0]})
    save_bytes(world.get_app_folder("warehouse") / "office-1" / "sales" / "orders.parquet", write_parquet(sold))
    schema = Schema(
        "2026-01-05T08:00:00+00:00", "Sold goods", "EU", tables={"orders": Table("2026-02-01T00:00:00+00:00")}
    )
    save_catalog(world, Catalog("office-1", {"office-1": {"sales": schema}}))
    instance = Instance("europe-west3-a", "e2-medium", "RUNNING", "2026-01-02T03:04:05Z", "10.0.0.2", tags=["web"])
    cloud = Cloud(
        "office-1",
        {"office-data": Bucket("2026-01-05T08:00:00Z", "EU", labels={"team": "data"})},
        instances={"europe-west3-a/web-1": instance},
        jobs={
            "job-7": Job("RUNNING", "query", "2026-03-16T08:00:00Z"),
            "job-6": Job("DONE", "load", "2026-03-15", "bad row"),
        },
    )
    save_cloud(world, cloud)
    save_text(bucket_folder(world, "office-data") / "in" / "a.csv", "id,region\n9,z\n")
    entries = [Entry("2026-03-15T10:00:00Z", "INFO", "started"), Entry("2026-03-16T08:00:00Z", "ERROR", "disk full")]
    write_entries(log_file(world, "app"), entries)


def fill_mailbox(world: World) -> None:
    """Three mails of Ben's to Ada."""
    ada, ben = "Ada Berg <ada@berg.example>", "Ben Moser <ben@berg.example>"
    day = datetime.datetime(2026, 3, 10, 9, 0, tzinfo=datetime.UTC)
    names = {"ada@berg.example": "Ada Berg", "ben@berg.example": "Ben Moser"}
    save_accounts(world, Accounts("ada@berg.example", names, ["berg.example"]))
    box = Mailbox(world, "ada@berg.example")
    for number in range(3):
        sent = day + datetime.timedelta(hours=number)
        files = {"a.csv": b"1,2\n"} if number == 1 else {}
        body = f"Text {number}"
        box.add(
            "INBOX",
            build_mail(sender=ben, to=[ada], subject=f"Number {number}", body=body, sent=sent, attachments=files),
            arrived=sent,
        )


def fill_repository(world: World) -> None:
    """A repository of two commits, a branch, a tag and changes."""
    top = world.files / "repo"
    date = {"GIT_AUTHOR_DATE": "@1773651600 +0000", "GIT_COMMITTER_DATE": "@1773651600 +0000"}
    environment = {**os.environ, **date, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}

    def git(*words: str) -> None:
        subprocess.run(["git", *words], cwd=top, env=environment, check=True, capture_output=True)

    (top / "sub").mkdir(parents=True)
    (top / "a.txt").write_text("one\ntwo\nthree\n")
    (top / "sub" / "é b.csv").write_text("x,y\n1,2\n")
    (top / "pic.bin").write_bytes(b"\0\1\2")
    git("init", "-b", "main")
    git("config", "user.name", "Ann Lee")
    git("config", "user.email", "ann@x.example")
    git("add", ".")
    git("commit", "-m", "First commit\n\nWith a body")
    git("tag", "v1")
    git("branch", "side")
    (top / "a.txt").write_text("one\nTWO\nthree\n")
    git("mv", "sub/é b.csv", "sub/c.csv")
    git("rm", "-q", "--cached", "pic.bin")
    git("commit", "-am", "Second")
    (top / "a.txt").write_text("one\nTWO\nthree\nfour")


FILLERS: dict[str, Callable[[World], None]] = {
    "cloud": fill_cloud, "mailbox": fill_mailbox, "notes": fill_notes, "repository": fill_repository,
    "school": fill_school, "shop": fill_shop, "warehouse": fill_warehouse,
}  # fmt: skip
