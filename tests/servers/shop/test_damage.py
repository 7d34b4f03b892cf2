"""Apps whose state is damaged, of another version, or changed by a process that is killed."""

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.answers import Call, read_text

from yardkit.world import World

KILLED = """
import os, signal, sys
from pathlib import Path
from yardkit.apps import store
from yardkit.world import World, use_world
from yardkit.servers.shop.engine.order_changes import Goods, Request, create_order

put = store.Store.put
count = 0

def counted(self, record):
    global count
    count += 1
    if count == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
    return put(self, record)

store.Store.put = counted
create_order(World.open(Path(sys.argv[1])), Request([Goods(1, 2)], status="processing"))
"""


@pytest.fixture
def lamp(done: Call) -> dict[str, Any]:
    product: dict[str, Any] = done("save_product", name="Lamp", sku="LMP", price_cents=4900, stock=5)["product"]
    return product


def test_a_damaged_shop_is_refused_by_name(world: World, lamp: dict[str, Any], call: Call) -> None:
    path = world.root / "apps" / "shop" / "shop.sqlite"
    path.write_bytes(path.read_bytes()[:512] + b"\xff" * 4_000)
    for tool, arguments in (("find_products", {}), ("create_order", {"goods": [{"product_id": 1}]})):
        answer = call(tool, **arguments)
        assert answer.is_error
        assert "the state of the app 'shop' is damaged" in read_text(answer)


def test_a_table_of_another_version_is_named(world: World, lamp: dict[str, Any], refused: Call) -> None:
    with sqlite3.connect(world.root / "apps" / "shop" / "shop.sqlite") as connection:
        connection.execute("ALTER TABLE products ADD COLUMN colour TEXT")
    assert "its table 'products' has the columns id, name" in refused("find_products")


@pytest.mark.drill
@pytest.mark.parametrize("record", range(1, 6))
def test_a_process_that_is_killed_in_an_order_leaves_the_shop_as_it_was(
    world: World, lamp: dict[str, Any], done: Call, tmp_path: Path, record: int
) -> None:
    before = world.state_hash()
    program = tmp_path / "killed.py"
    program.write_text(KILLED)
    ended = subprocess.run([sys.executable, program, world.root, str(record)], env=os.environ, check=False)
    assert ended.returncode == -signal.SIGKILL
    assert done("find_orders")["total"] == 0
    assert done("read_product", product_id=1)["product"]["stock"] == 5
    assert World.open(world.root).state_hash() == before
