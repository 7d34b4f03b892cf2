"""The warehouse of a seeded company: what its shop, its staff and its store rooms report, as tables for analysis.

Ten tables: six that say who and what there is, and four of facts. As in warehouses that people load: some facts come
days late, some twice, some lack a value; a copy of last year's lines and a table of lines that wait to be loaded look
like the table of lines. Orders of the story lines stand in it under their numbers.
"""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, Literal

from yardkit.apps.warehouse import (
    APP,
    Catalog,
    Column,
    Schema,
    Table,
    TableName,
    locate_folder,
    read_catalog,
    save_catalog,
)
from yardkit.state_init.company.cast import Cast
from yardkit.state_init.company.stories import Stories
from yardkit.world import World, save_atomically

if TYPE_CHECKING:
    import pyarrow as pa

Style = Literal["snowflake", "bigquery"]
FIRST_ORDER = 40_001
"""The number of the first order that no story line tells of."""
_DAYS = 540
_LATE, _TWICE, _NULL = 0.02, 0.004, 0.015
"""Shares of lines that were loaded late, that stand there twice, that have no channel."""
_CHANNELS = ("web", "web", "web", "phone", "field", "marketplace")
_EVENTS = ("view", "view", "view", "view", "search", "add_to_cart", "checkout", "purchase")


@dataclass(frozen=True)
class WarehouseFilled:
    """What tasks point at.

    Attributes:
        place: database and schema of the tables, as their names begin.
        tables: the whole name of each table by what it holds, such as ``order_lines``.
        rows: how many each has, by the same words.
        late: ids of lines that were loaded more than two days after they were ordered.
        twice: ids of lines that stand there twice, equal in every value.
        waiting: ids of lines that stand only in the table of those that wait.
    """

    place: str
    tables: dict[str, str]
    rows: dict[str, int]
    late: tuple[int, ...]
    twice: tuple[int, ...]
    waiting: tuple[int, ...]


@dataclass
class _Rows:
    """A table that is being made: the kinds of its columns, its rows, and what the catalogue says of it."""

    kinds: dict[str, str]
    description: str
    rows: list[tuple[Any, ...]] = field(default_factory=list)
    comments: dict[str, str] = field(default_factory=dict)
    required: tuple[str, ...] = ()


def fill_warehouse(
    world: World,
    cast: Cast,
    rng: random.Random,
    stories: Stories | None = None,
    *,
    style: Style = "snowflake",
    lines: int = 60_000,
    events: int = 20_000,
) -> WarehouseFilled:
    """The warehouse of a company, with `lines` lines of orders and `events` of its web site over a year and a half.

    In the style of Snowflake names are in upper case, in a database and the schema ``PUBLIC``; in that of BigQuery in
    lower case, in a data set of a project.
    """
    warehouse_tables, marks = _make_tables(world, cast, rng, stories, lines, events)
    word = cast.domain.partition(".")[0].replace("-", "_")
    project = f"{word.replace('_', '-')}-data"
    database, schema = (f"{word}_DW".upper(), "PUBLIC") if style == "snowflake" else (project, "sales")
    names = {key: TableName(database, schema, key.upper() if style == "snowflake" else key) for key in warehouse_tables}
    created = (world.now - timedelta(days=_DAYS)).isoformat()
    facts = Schema(created, f"Analysis of {cast.company.full}", "EU")
    for key, table in warehouse_tables.items():
        _save_rows(world, names[key], table, upper=style == "snowflake")
        facts.tables[names[key].table] = _describe_table(table, created, upper=style == "snowflake")
    catalog = read_catalog(world)
    catalog.database = catalog.database or database
    catalog.databases.setdefault(database, {})[schema] = facts
    save_catalog(world, catalog)
    warehouse_facts = {key: str(name) for key, name in names.items()}
    return WarehouseFilled(
        f"{database}.{schema}",
        warehouse_facts,
        {key: len(table.rows) for key, table in warehouse_tables.items()},
        *marks,
    )


def put_table(
    world: World,
    name: str,
    columns: Mapping[str, str],
    rows: Sequence[Sequence[Any]],
    description: str = "",
    comments: Mapping[str, str] | None = None,
) -> None:
    """One more table, such as ``SALES.PUBLIC.TARGETS``, or another one in its place; a schema that is missing is made.

    Args:
        world: where it is put.
        name: its whole name.
        columns: kinds by name: int, text, date, time, money, float, yes.
        rows: values in the order of the columns; None for null.
        description: what the catalogue says of it.
        comments: what it says of columns.
    """
    full_name = TableName(*name.split("."))
    _save_rows(world, full_name, _Rows(dict(columns), description, [tuple(row) for row in rows]), upper=False)
    catalog: Catalog = read_catalog(world)
    catalog.database = catalog.database or full_name.database
    schemas = catalog.databases.setdefault(full_name.database, {})
    schema = schemas.setdefault(full_name.schema, Schema(world.now.isoformat()))
    column_texts = {column: Column(description=text) for column, text in (comments or {}).items()}
    schema.tables[full_name.table] = Table(world.now.isoformat(), description, column_texts)
    save_catalog(world, catalog)


def build_row_facts(kinds: Mapping[str, str], row: Sequence[Any]) -> dict[str, Any]:
    """A row that `put_table` takes, by column, as facts hold it: days and times as ISO 8601, amounts in whole units."""
    row_values: dict[str, Any] = {}
    for (name, kind), value in zip(kinds.items(), row, strict=True):
        row_values[name] = value.isoformat() if isinstance(value, date | datetime) else value
        if kind == "money" and value is not None:
            row_values[name] = value / 100
    return row_values


def build_change_facts(
    kinds: Mapping[str, str], old: Sequence[tuple[Any, ...]], new: Sequence[tuple[Any, ...]]
) -> dict[str, list[dict[str, Any]]]:
    """The rows that a change of a table takes out and puts in, as facts hold them: ``removed`` and ``added``."""
    parts = {"removed": Counter(old) - Counter(new), "added": Counter(new) - Counter(old)}
    return {
        name: [build_row_facts(kinds, row) for row in sorted(row_counter.elements())]
        for name, row_counter in parts.items()
    }


def _save_rows(world: World, name: TableName, table: _Rows, *, upper: bool) -> None:
    import pyarrow.parquet as pq

    world.get_app_folder(APP)
    with save_atomically(locate_folder(world) / name.path) as draft:
        pq.write_table(_to_arrow(table, upper=upper), draft, compression="zstd", store_schema=False)


def _to_arrow(table: _Rows, *, upper: bool) -> "pa.Table":
    import pyarrow as pa

    types = {
        "int": pa.int64(),
        "text": pa.string(),
        "date": pa.date32(),
        "time": pa.timestamp("us"),
        "money": pa.decimal128(14, 2),
        "float": pa.float64(),
        "yes": pa.bool_(),
    }
    columns: list[Sequence[Any]] = list(zip(*table.rows, strict=True)) or [() for _ in table.kinds]
    arrays = [
        _to_decimals(column) if kind == "money" else pa.array(column, types[kind])
        for column, kind in zip(columns, table.kinds.values(), strict=True)
    ]
    return pa.table(dict(zip((name.upper() if upper else name for name in table.kinds), arrays, strict=True)))


def _to_decimals(cents: Sequence[int | None]) -> "pa.Array":
    """Minor units as decimals of two places."""
    from decimal import Decimal

    import pyarrow as pa
    import pyarrow.compute as pc

    major_units = pa.array(cents, pa.int64()).cast(pa.decimal128(19, 0))
    return pc.multiply(major_units, pa.scalar(Decimal("0.01"), pa.decimal128(3, 2))).cast(pa.decimal128(14, 2))


def _describe_table(table: _Rows, created: str, *, upper: bool) -> Table:
    known = {*table.comments, *table.required}
    columns = {
        name.upper() if upper else name: Column(name not in table.required, description=table.comments.get(name, ""))
        for name in table.kinds
        if name in known
    }
    return Table(created, table.description, columns)


def _make_tables(
    world: World, cast: Cast, rng: random.Random, stories: Stories | None, lines: int, events: int
) -> tuple[dict[str, _Rows], tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]]:
    today = world.now.date()
    order_lines, marks, waiting, old = _Lines(cast, rng, today).make(stories, lines)
    tables_by_name = {
        "customers": _list_customers(cast, rng),
        "products": _list_products(cast),
        "employees": _list_employees(cast),
        "suppliers": _list_suppliers(cast),
        "offices": _list_offices(cast),
        "exchange_rates": _make_rates(rng, today),
        "order_lines": order_lines,
        "order_lines_archive": old,
        "order_lines_staging": waiting,
        "stock_moves": _stock_moves(cast, rng, today, lines // 12),
        "targets": _make_targets(cast, rng, today),
        "web_events": _web_events(cast, rng, world.now, events),
    }
    return tables_by_name, marks


def _list_customers(cast: Cast, rng: random.Random) -> _Rows:
    kinds = {"customer_id": "text", "name": "text", "city": "text", "country": "text", "since": "date"}
    kinds |= {"account_manager": "text", "discount_percent": "int", "segment": "text"}
    rows = [
        (
            customer.number,
            customer.name,
            customer.company.city,
            customer.company.country,
            customer.since,
            customer.account_manager,
            customer.discount_percent,
            rng.choice(("small", "medium", "large", None)),
        )
        for customer in cast.customers
    ]
    return _Rows(kinds, "Companies that buy", rows, {"segment": "Guessed by sales; null: not yet"}, ("customer_id",))


def _list_products(cast: Cast) -> _Rows:
    kinds = {"sku": "text", "name": "text", "category": "text", "price": "money", "cost": "money"}
    kinds |= {"supplier_id": "text", "introduced": "date", "active": "yes"}
    rows = [
        (
            product.sku,
            product.name,
            product.category,
            product.price,
            product.cost,
            product.supplier,
            product.introduced,
            product.active,
        )
        for product in cast.products
    ]
    return _Rows(kinds, "What is sold, without variants", rows, {"price": f"{cast.currency}, without tax"}, ("sku",))


def _list_employees(cast: Cast) -> _Rows:
    kinds = {"employee_id": "int", "first_name": "text", "last_name": "text", "email": "text", "department": "text"}
    kinds |= {"title": "text", "office": "text", "manager_email": "text", "joined": "date"}
    rows = [
        (
            employee.number,
            employee.first,
            employee.last,
            employee.email,
            employee.department,
            employee.title,
            employee.office,
            employee.manager or None,
            employee.joined,
        )
        for employee in cast.staff
    ]
    return _Rows(kinds, "Who works here", rows, {"manager_email": "Null: the managing director"}, ("employee_id",))


def _list_suppliers(cast: Cast) -> _Rows:
    kinds = {"supplier_id": "text", "name": "text", "country": "text", "lead_days": "int", "payment_days": "int"}
    rows = [
        (supplier.number, supplier.name, supplier.company.country, supplier.lead_days, supplier.payment_days)
        for supplier in cast.suppliers
    ]
    return _Rows(kinds, "Companies that sell to ours", rows, {}, ("supplier_id",))


def _list_offices(cast: Cast) -> _Rows:
    kinds = {"city": "text", "country": "text", "country_code": "text", "time_zone": "text"}
    rows = [(office.city, office.country, office.country_code, office.time_zone) for office in cast.offices]
    return _Rows(kinds, "Where people work", rows)


def _make_rates(rng: random.Random, today: date) -> _Rows:
    """Units of a currency for one euro on working days: banks publish none at weekends."""
    kinds = {"day": "date", "currency": "text", "rate": "float"}
    level = {"USD": 1.08, "GBP": 0.85, "CHF": 0.96, "PLN": 4.3, "SEK": 11.3}
    rows: list[tuple[Any, ...]] = []
    for back in range(_DAYS, -1, -1):
        day = today - timedelta(days=back)
        if day.weekday() < 5:
            for currency in level:
                level[currency] *= 1 + rng.gauss(0, 0.003)
                rows.append((day, currency, round(level[currency], 4)))
    return _Rows(kinds, "Units of a currency for one euro", rows, {"day": "Working days only"})


def _make_targets(cast: Cast, rng: random.Random, today: date) -> _Rows:
    kinds = {"month": "date", "category": "text", "target": "money"}
    first = date(today.year - 1, 1, 1)
    months = [date(first.year + place // 12, place % 12 + 1, 1) for place in range(24)]
    categories = sorted({product.category for product in cast.products})
    rows = [(month, category, rng.randrange(20_000, 400_000) * 100) for month in months for category in categories]
    return _Rows(kinds, "What each category is to sell in a month", rows, {"month": "Its first day"})


def _stock_moves(cast: Cast, rng: random.Random, today: date, count: int) -> _Rows:
    kinds = {"move_id": "int", "sku": "text", "day": "date", "pieces": "int", "reason": "text"}
    reasons = {"delivery": (10, 200), "return": (1, 4), "loss": (-5, -1), "count": (-3, 3)}
    days = sorted(today - timedelta(days=rng.randrange(_DAYS)) for _ in range(count))
    rows = []
    for number, day in enumerate(days, 1):
        reason = rng.choice(tuple(reasons))
        rows.append((number, rng.choice(cast.products).sku, day, rng.randint(*reasons[reason]), reason))
    return _Rows(kinds, "What came into the store rooms and left them but by orders", rows, {}, ("move_id",))


def _web_events(cast: Cast, rng: random.Random, now: datetime, count: int) -> _Rows:
    kinds = {"event_id": "int", "at": "time", "session_id": "text", "event": "text", "sku": "text", "country": "text"}
    span = 90 * 86_400
    moments = sorted(rng.randrange(span) for _ in range(count))
    begin = now.astimezone(UTC).replace(tzinfo=None) - timedelta(seconds=span)
    countries = sorted({customer.company.country for customer in cast.customers})
    rows = []
    for number, moment in enumerate(moments, 1):
        event = rng.choice(_EVENTS)
        sku = None if event in ("search", "checkout") else rng.choice(cast.products).sku
        session = f"s{rng.randrange(count // 4 + 1):06d}"
        rows.append((number, begin + timedelta(seconds=moment), session, event, sku, rng.choice(countries)))
    return _Rows(kinds, "What visitors of the shop did in the last 90 days", rows, {"at": "UTC"}, ("event_id",))


class _Lines:
    """Lines of orders: those of the story lines first, then chance."""

    def __init__(self, cast: Cast, rng: random.Random, today: date) -> None:
        self._cast, self._rng, self._today = cast, rng, today
        self._goods = [product for product in cast.products if product.active]
        self._popular = [rng.randint(1, 12) for _ in self._goods]
        self._buyers = [rng.randint(1, 9) for _ in cast.customers]

    def make(
        self, stories: Stories | None, count: int
    ) -> tuple[_Rows, tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]], _Rows, _Rows]:
        """The lines, their marks, those that wait to be loaded, and a copy of those of an earlier year."""
        story_lines = self._of_stories(stories)
        drawn = self._draw_rows(count, len(story_lines))
        rng, rows, late, twice = self._rng, [], [], []
        waiting = [row for row in drawn if row[2] >= self._today - timedelta(days=1)]
        for row in (*story_lines, *drawn[: len(drawn) - len(waiting)]):
            rows.append(row)
            if row[-1].date() > row[2] + timedelta(days=2):
                late.append(row[0])
            if rng.random() < _TWICE:
                twice.append(row[0])
                rows.append(row)
        kinds = {"line_id": "int", "order_id": "int", "ordered_on": "date", "customer_id": "text", "sku": "text"}
        kinds |= {"quantity": "int", "unit_price": "money", "discount_percent": "int", "amount": "money"}
        kinds |= {"channel": "text", "loaded_at": "time"}
        comments = {"amount": "After discount, without tax", "loaded_at": "When the row came into the warehouse, UTC"}
        year = self._today.year - 2
        old = [(*row[:8], round(row[8] * 0.98), *row[9:]) for row in drawn[: count // 20]]
        old = [(row[0], row[1], row[2].replace(year=year, day=min(row[2].day, 28)), *row[3:]) for row in old]
        tables = [
            _Rows(kinds, "One row for each line of an order", rows, comments, ("line_id", "order_id")),
            _Rows(kinds, "Lines that were sent and wait to be loaded", waiting, comments),
            _Rows(kinds, "Lines of an earlier year, before prices were corrected", old, comments),
        ]
        marks = tuple(late), tuple(twice), tuple(row[0] for row in waiting)
        return tables[0], marks, tables[1], tables[2]

    def _of_stories(self, stories: Stories | None) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = []
        for sale in stories.sales if stories else ():
            day, percent = sale.ordered.date(), sale.customer.discount_percent
            for line in sale.lines:
                amount = round(line.amount * (100 - percent) / 100)
                head = (len(rows) + 1, sale.order, day, sale.customer.number, line.sku, line.quantity, line.price)
                rows.append((*head, percent, amount, "web", self._choose_load_time(day, late=False)))
        return rows

    def _draw_rows(self, count: int, before: int) -> list[tuple[Any, ...]]:
        rng = self._rng
        days = sorted(self._today - timedelta(days=int(_DAYS * rng.random() ** 1.2)) for _ in range(count // 2 + 1))
        buyers = rng.choices(self._cast.customers, self._buyers, k=len(days))
        goods = iter(rng.choices(self._goods, self._popular, k=count))
        rows: list[tuple[Any, ...]] = []
        for number, (day, buyer) in enumerate(zip(days, buyers, strict=True)):
            channel = None if rng.random() < _NULL else rng.choice(_CHANNELS)
            late = rng.random() < _LATE
            for good in (next(goods, None) for _ in range(rng.choice((1, 2, 2, 3)))):
                if good is None:
                    return rows
                quantity = rng.choice((1, 1, 2, 2, 3, 5, 10))
                amount = round(good.price * quantity * (100 - buyer.discount_percent) / 100)
                head = (before + len(rows) + 1, FIRST_ORDER + number, day, buyer.number, good.sku, quantity, good.price)
                rows.append((*head, buyer.discount_percent, amount, channel, self._choose_load_time(day, late=late)))
        return rows

    def _choose_load_time(self, day: date, *, late: bool) -> datetime:
        """The night after, or some days later, but never after today."""
        wait = self._rng.randint(4, 20) if late else 1
        loaded = min(day + timedelta(days=wait), self._today)
        return datetime.combine(loaded, time(2, 15)) + timedelta(seconds=self._rng.randrange(600))
