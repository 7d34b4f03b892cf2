"""What no recording of Toolathlon's calls shows: long answers put together, settings, and records changed between."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from compat.toolathlon.worlds import AT, FILLERS
from support.answers import make_caller, read_facts, read_text

from yardkit.apps.shop import APP, RECORDS, Product
from yardkit.apps.store import open_store
from yardkit.sandbox.serving.registry import load_server
from yardkit.world import World, use_world


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    new_world = World.create(tmp_path / "world", task="toolathlon", seed=1, now="2026-03-16T10:00:00+01:00")
    with use_world(new_world):
        yield new_world


def test_a_long_page_of_the_shop_is_cut_between_items_and_says_where_it_goes_on(world: World) -> None:
    FILLERS["shop"](world)
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        for number in range(100, 150):
            store.put(Product(number, "Thing", "thing", "simple", "publish", f"T-{number}", AT, AT))
    call, seen, offset = make_caller(load_server("shop", "toolathlon")), list[int](), 0
    for _ in range(9):
        reply = read_text(call("woo_products_list", search="thing", perPage=50, offset=offset))
        text, _, note = reply.partition("\n[cut: ")
        assert len(text) <= 50_000
        seen += [product["id"] for product in json.loads(text)]
        if not note:
            break
        offset = int(note.removesuffix("]").rsplit("=", 1)[1])
    assert sorted(seen) == list(range(100, 150))


def test_variations_without_their_product_are_cleared(world: World) -> None:
    FILLERS["shop"](world)
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        store.remove(store.get(Product, 12))
    call = make_caller(load_server("shop", "toolathlon"))
    run = read_facts(call("woo_system_tools_run", toolId="clear_orphaned_variations"))
    assert (run["success"], run["message"]) == (True, "2 orphaned variations deleted")


def test_a_long_answer_of_snowflake_goes_on(world: World) -> None:
    FILLERS["warehouse"](world)
    call, parts = make_caller(load_server("warehouse", "toolathlon")), list[str]()
    asked: dict[str, Any] = {
        "query": "SELECT SEQ4() AS N, REPEAT('x', 90) AS X FROM TABLE(GENERATOR(ROWCOUNT => 1000))", "offset": 0
    }  # fmt: skip
    while asked["offset"] is not None:
        page = call("read_query", **asked).structured_content
        parts.append(page["text"])
        asked["offset"] = page["next_offset"]
    assert len(yaml.safe_load("".join(parts))["data"]) == 1000


def test_only_buckets_that_are_allowed_are_used(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    FILLERS["cloud"](world)
    monkeypatch.setenv("YARDKIT_WAREHOUSE_ALLOWED_BUCKETS", "spare, team-*")
    call = make_caller(load_server("warehouse", "toolathlon"))
    refused = call("storage_list_objects", bucket_name="office-data")
    assert refused.is_error
    assert read_text(refused) == "Access denied: Bucket 'office-data' is not in allowed buckets list"
    assert read_text(call("storage_list_buckets")) == "Found 0 buckets:"
    assert read_text(call("storage_create_bucket", bucket_name="team-a")).startswith("Successfully created")
