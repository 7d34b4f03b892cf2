"""The warehouse of a seeded company: it holds together, and it is the same for the same seed."""

import random
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from support.clouds import fill_cloud

from yardkit.apps.warehouse import TableName, bucket_folder, locate_folder, read_catalog, read_cloud
from yardkit.servers.warehouse.engine import logs
from yardkit.state_init.cast import cast_of, get_stream
from yardkit.state_init.company.stories import make_stories
from yardkit.state_init.company.warehouse import WarehouseFilled, fill_warehouse, put_table
from yardkit.world import World, skip_syncing


def seed_warehouse(root: Path, seed: int = 3, **sizes: Any) -> tuple[World, WarehouseFilled]:
    world = World.create(root, task="warehouse", seed=seed)
    cast = cast_of(world)
    stories = make_stories(cast, get_stream(world, "stories"), world.now, sales=6)
    with skip_syncing():
        filled = fill_warehouse(
            world, cast, get_stream(world, "warehouse"), stories, **{"lines": 4_000, "events": 1_000, **sizes}
        )
        fill_cloud(world, cast, get_stream(world, "cloud"), entries=300)
    return world, filled


@pytest.fixture(scope="module")
def seeded_warehouse(tmp_path_factory: pytest.TempPathFactory) -> tuple[World, WarehouseFilled]:
    return seed_warehouse(tmp_path_factory.mktemp("seeded") / "world")


def read_parquet(world: World, filled: WarehouseFilled, key: str) -> pq.ParquetFile:
    return pq.read_table(locate_folder(world) / TableName(*filled.tables[key].split(".")).path)


def test_the_same_seed_gives_the_same_bytes_and_another_one_others(
    seeded_warehouse: tuple[World, WarehouseFilled], tmp_path: Path
) -> None:
    assert seed_warehouse(tmp_path / "again")[0].state_hash() == seeded_warehouse[0].state_hash()
    assert seed_warehouse(tmp_path / "other", seed=4)[0].state_hash() != seeded_warehouse[0].state_hash()


def test_the_marks_are_true(seeded_warehouse: tuple[World, WarehouseFilled]) -> None:
    world, filled = seeded_warehouse
    lines = read_parquet(world, filled, "order_lines").to_pylist()
    assert len(lines) == filled.rows["order_lines"] > 3_500
    ids = [line["LINE_ID"] for line in lines]
    assert sorted({row_id for row_id in ids if ids.count(row_id) > 1}) == list(filled.twice)
    late = {line["LINE_ID"] for line in lines if (line["LOADED_AT"].date() - line["ORDERED_ON"]).days > 2}
    assert late == set(filled.late)
    assert set(filled.waiting) == set(read_parquet(world, filled, "order_lines_staging")["LINE_ID"].to_pylist())
    assert not set(filled.waiting) & set(ids)
    assert all(len(marked_ids) > 5 for marked_ids in (filled.twice, filled.late, filled.waiting))


def test_every_line_names_a_product_and_a_customer_and_its_amount_follows(
    seeded_warehouse: tuple[World, WarehouseFilled],
) -> None:
    world, filled = seeded_warehouse
    customers = set(read_parquet(world, filled, "customers")["CUSTOMER_ID"].to_pylist())
    skus = {sku for product in cast_of(world).products for sku in (product.sku, *(v.sku for v in product.variants))}
    for line in read_parquet(world, filled, "order_lines").to_pylist():
        assert line["CUSTOMER_ID"] in customers
        assert line["SKU"] in skus
        net = int(line["UNIT_PRICE"] * 100) * line["QUANTITY"]
        assert int(line["AMOUNT"] * 100) == round(net * (100 - line["DISCOUNT_PERCENT"]) / 100)
        assert line["LOADED_AT"].date() <= world.now.date()


def test_orders_of_the_stories_stand_in_it_with_their_sums(seeded_warehouse: tuple[World, WarehouseFilled]) -> None:
    world, filled = seeded_warehouse
    cast = cast_of(world)
    lines = read_parquet(world, filled, "order_lines")
    for sale in make_stories(cast, get_stream(world, "stories"), world.now, sales=6).sales:
        own = {row["LINE_ID"]: row for row in lines.filter(pc.equal(lines["ORDER_ID"], sale.order)).to_pylist()}
        assert {row["CUSTOMER_ID"] for row in own.values()} == {sale.customer.number}
        assert len(own) == len(sale.lines)
        assert abs(sum(int(row["AMOUNT"] * 100) for row in own.values()) - (sale.net - sale.discount)) <= len(
            sale.lines
        )


def test_names_are_those_of_the_style(tmp_path: Path) -> None:
    world = World.create(tmp_path / "world", task="warehouse", seed=1)
    filled = fill_warehouse(world, cast_of(world), random.Random(1), style="bigquery", lines=200, events=20)
    assert filled.place.endswith("-data.sales")
    assert "order_id" in read_parquet(world, filled, "order_lines").column_names
    put_table(world, f"{filled.place}.notes", {"id": "int", "cost": "money"}, [(1, 250), (2, None)], "Our own")
    table = pq.read_table(locate_folder(world) / TableName(*f"{filled.place}.notes".split(".")).path)
    assert [str(value) for value in table["cost"].to_pylist()] == ["2.50", "None"]
    assert read_catalog(world).table(TableName(*f"{filled.place}.notes".split("."))).description == "Our own"


def test_the_project_has_buckets_logs_and_machines(seeded_warehouse: tuple[World, WarehouseFilled]) -> None:
    world = seeded_warehouse[0]
    cloud = read_cloud(world)
    assert len(cloud.buckets) == 3
    assert {facts.status for facts in cloud.instances.values()} == {"RUNNING", "TERMINATED"}
    old, new = (bucket_folder(world, name) / "sales" for name in list(cloud.buckets)[1::-1])
    assert sorted(path.name for path in old.iterdir()) == sorted(path.name for path in new.iterdir())
    assert logs.filter_entries(world, "severity>=ERROR").total > 5
