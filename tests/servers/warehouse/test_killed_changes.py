"""A process that is killed in a change leaves the old rows or the new ones, and no file that the catalogue lacks."""

import subprocess
import sys
import time

import pytest
from support.answers import Call

from yardkit.apps.warehouse import locate_folder, read_catalog
from yardkit.world import World

CHANGES = """
import sys
from pathlib import Path
from yardkit.servers.warehouse.engine.stored_warehouse import Warehouse
from yardkit.world import World
work = Warehouse(World.open(Path(sys.argv[1])))
while True:
    work.change("UPDATE orders SET pieces = pieces + 1", "duckdb")
    work.change("CREATE OR REPLACE TABLE sales.public.copy AS SELECT * FROM orders", "duckdb")
    work.change("CREATE TABLE sales.public.made AS SELECT 1 AS one", "duckdb")
    work.change("ALTER TABLE sales.public.made RENAME TO renamed", "duckdb")
    work.change("DROP TABLE sales.public.renamed", "duckdb")
    print("done", flush=True)
"""


@pytest.mark.drill
@pytest.mark.parametrize("wait_s", [0.0, 0.05, 0.11, 0.17, 0.23, 0.31, 0.39])
def test_rows_are_all_old_or_all_new(shop: World, rows: Call, done: Call, wait_s: float) -> None:
    before = rows("SELECT id, pieces FROM orders ORDER BY id, pieces")
    with subprocess.Popen(
        [sys.executable, "-c", CHANGES, str(shop.root)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "done\n"
        time.sleep(wait_s)
        process.kill()
    names = {name.path for name in read_catalog(World.open(shop.root)).tables()}
    assert {
        path.relative_to(locate_folder(shop)).as_posix() for path in locate_folder(shop).rglob("*.parquet")
    } == names
    after = rows("SELECT id, pieces FROM orders ORDER BY id, pieces")
    assert len({new[1] - old[1] for new, old in zip(after, before, strict=True)}) == 1
    assert len(rows("SELECT * FROM sales.public.copy")) == 5
    assert done("change_warehouse", sql="DELETE FROM orders WHERE id = 1")["rows"] == 1
