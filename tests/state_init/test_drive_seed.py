"""The seeded drive: what matters lies beside what it is easily taken for, the same each time."""

from pathlib import Path

import openpyxl
from support.answers import make_caller, read_facts

from yardkit.apps.drive import Grant, Item, content_of, opened_drive
from yardkit.servers.drive.server import mcp
from yardkit.state_init.cast import cast_of, get_stream
from yardkit.state_init.desk.sharing_review.drive import fill_drive
from yardkit.world import World, use_world


def seed_drive(folder: Path, seed: int = 1, files: int = 40) -> tuple[World, dict[str, Item]]:
    world = World.create(folder, task="t", seed=seed)
    return world, fill_drive(world, cast_of(world), get_stream(world, "drive"), files)


def test_the_drive_is_full_and_each_workbook_can_be_read(tmp_path: Path) -> None:
    world, drive_items = seed_drive(tmp_path / "world")
    with opened_drive(world) as store:
        items, grants = store.find(Item, "suffix != ''"), store.find(Grant)
    assert len(items) == 40
    assert len(grants) > 5
    for item in items:
        if item.suffix == ".xlsx":
            book = openpyxl.load_workbook(content_of(world, item), read_only=True)
            assert all(sheet.max_row > 1 for sheet in book.worksheets), item.name
    with use_world(world):
        matches = read_facts(make_caller(mcp)("search_drive", query=f"budget {world.now.year}"))["items"]
    assert len(matches) == 2
    assert [drive_item["id"] for drive_item in matches if drive_item.get("can_write", True)] == [
        drive_items["budget"].id
    ]


def test_a_seed_gives_the_same_drive_and_another_another(tmp_path: Path) -> None:
    hashes = [seed_drive(tmp_path / str(place), seed, 12)[0].state_hash() for place, seed in enumerate((1, 1, 2))]
    assert hashes[0] == hashes[1] != hashes[2]
