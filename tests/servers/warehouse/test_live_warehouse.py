"""The same tools on a PostgreSQL server of our own, started on loopback."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.answers import Call

from yardkit.world import World, use_world

pytestmark = [pytest.mark.drill, pytest.mark.live]


@pytest.fixture
def live(world: World, server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A user's own folder; the machine's clock, and the server's tables."""
    monkeypatch.setenv("YARDKIT_WAREHOUSE_URL", server)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "mine").mkdir()
    own = World.open_user_folder(tmp_path / "mine")
    with use_world(own):
        yield own


def test_tables_are_listed_described_and_queried(live: World, done: Call, refused: Call) -> None:
    assert "orders" in done("list_datasets")["datasets"][0]["tables"]
    reply = done("describe_table", table="orders")
    assert (reply["name"], reply["rows"], reply["description"]) == ("lab.public.orders", 3, "All orders")
    assert [column["type"] for column in reply["columns"]] == ["integer", "text", "numeric(12,2)", "date"]
    sql = "SELECT region, SUM(amount) AS total, COUNT(*) AS n FROM orders GROUP BY region ORDER BY region"
    for dialect in ("postgres", "snowflake", "bigquery", "duckdb"):
        assert done("query_warehouse", sql=sql, dialect=dialect)["rows"] == [["a", 5.5, 2], ["b", None, 1]]
    page = done("query_warehouse", sql="SELECT id, day FROM orders ORDER BY id", limit=1, offset=1)
    assert (page["rows"], page["total"], page["next_offset"]) == ([[2, "2026-03-08"]], 3, 2)
    ages = done("query_warehouse", sql="SELECT AGE(DATE '2026-03-15', DATE '2024-01-31')", dialect="postgres")
    assert ages["rows"] == [["2 years 1 mon 15 days"]]
    assert "Scan" in done("explain_query", sql="SELECT * FROM orders")["plan"]
    assert "does not exist" in refused("query_warehouse", sql="SELECT nope FROM orders", dialect="postgres")


def test_results_are_exported(live: World, done: Call) -> None:
    sql = "SELECT id, amount FROM orders ORDER BY id"
    assert done("export_result", sql=sql, target="out.csv", dialect="postgres")["rows"] == 3
    assert (live.files / "out.csv").read_text() == "id,amount\n1,1.5\n2,\n3,4.0\n"


def test_nothing_is_changed_unless_it_is_allowed(
    live: World, done: Call, refused: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    insert = {"sql": "INSERT INTO orders VALUES (9, 'z', 1, NULL)", "dialect": "postgres"}
    assert "YARDKIT_WAREHOUSE_WRITES" in refused("change_warehouse", **insert)
    monkeypatch.setenv("YARDKIT_WAREHOUSE_WRITES", "1")
    assert done("change_warehouse", **insert)["rows"] == 1
    assert done("change_warehouse", sql="DELETE FROM orders WHERE id = 9", dialect="postgres")["done"] == "deleted"


def test_an_episode_never_reaches_it(live: World, tmp_path: Path, done: Call) -> None:
    with use_world(World.create(tmp_path / "episode", task="t", seed=1)):
        assert done("list_datasets")["datasets"] == []


def test_a_server_that_is_not_there_is_told(live: World, refused: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YARDKIT_WAREHOUSE_URL", "postgresql://owner@127.0.0.1:1/lab")
    assert "the live warehouse reports: connection failed" in refused("list_datasets")


@pytest.mark.parametrize(
    ("address", "fault"),
    [("mysql://me:secret@db.example/lab", "begins with mysql://"), ("host=db password=secret", "has no scheme")],
)
def test_an_address_of_no_postgresql_database_is_refused_without_its_password(
    live: World, refused: Call, monkeypatch: pytest.MonkeyPatch, address: str, fault: str
) -> None:
    monkeypatch.setenv("YARDKIT_WAREHOUSE_URL", address)
    message = refused("list_datasets")
    assert fault in message
    assert "it must be a PostgreSQL URL such as postgresql://host/name" in message
    assert "secret" not in message
