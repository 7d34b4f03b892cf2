"""Fork of a world with 1,000 files of 100 kB against 1,000 hard links and a full copy, and hashing it; and both for a
world with 20,000 records in each of five apps.

    .venv/bin/python bench/world.py [--rounds 7] [--json]

Rounds are interleaved, so that load on the machine meets all of them alike; times are medians in milliseconds.
"""

import argparse
import json
import os
import shutil
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from yardkit.world import World, remove_world, save_bytes
from yardkit.world.hashing import TreeHasher

FILES, FILE_BYTES = 1_000, 100_000
LINKS, FORK, COPY = "1,000 hard links", "fork", "full copy"
FIRST, AGAIN = "hash, first", "hash after a fork"
HASH_AFTER_FILE = "hash after one file changed"
APPS, RECORDS = 5, 20_000
FORK_APPS, HASH_AFTER_RECORD = "fork of five apps", "hash after one record changed"


def create_seeded_world(root: Path) -> World:
    """A world with files in ten folders, all of different content."""
    world = World.create(root, task="bench", seed=0)
    for number in range(FILES):
        path = world.files / f"folder{number % 10}" / f"file{number:04}.bin"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(number.to_bytes(4, "big") * (FILE_BYTES // 4))
        os.utime(path, (0, 0))
    return world


def create_stored_world(root: Path) -> World:
    """A world with the databases of apps, 4 MB each."""
    world = World.create(root, task="bench", seed=0)
    for number in range(APPS):
        with closing(sqlite3.connect(database_of(world, number))) as database:
            database.execute("CREATE TABLE records (id INTEGER PRIMARY KEY, name TEXT, words TEXT, price REAL)")
            rows = ((row, f"name {row % 977}", "x" * 150 + str(row), row / 7) for row in range(RECORDS))
            database.executemany("INSERT INTO records VALUES (?, ?, ?, ?)", rows)
            database.commit()
    return world


def database_of(world: World, number: int) -> Path:
    return world.get_app_folder(f"app{number}") / "store.sqlite"


def change_record(world: World, row: int, hasher: TreeHasher) -> None:
    path = database_of(world, 0)
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE records SET price = price + 1 WHERE id = ?", [row])
        database.commit()
    hasher.mark_changed([path])


def change_file(world: World, number: int, hasher: TreeHasher) -> None:
    path = world.files / "folder0" / "file0000.bin"
    save_bytes(path, number.to_bytes(4, "big") * (FILE_BYTES // 4))
    hasher.mark_changed([path])


def hard_links(world: World, target: Path) -> None:
    target.mkdir()
    for number, path in enumerate(sorted(world.files.glob("*/*"))):
        os.link(path, target / str(number))


def full_copy(world: World, target: Path) -> None:
    shutil.copytree(world.root, target)


def fork_world(world: World, target: Path) -> None:
    world.fork(target)


def elapsed_ms(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - started)


def measure_forks(rounds: int) -> dict[str, float]:
    """Median milliseconds by what was done."""
    names = (LINKS, FORK, COPY, FIRST, AGAIN, HASH_AFTER_FILE, FORK_APPS, HASH_AFTER_RECORD)
    times: dict[str, list[float]] = {name: [] for name in names}
    with tempfile.TemporaryDirectory() as directory:
        world, target = create_seeded_world(Path(directory) / "world"), Path(directory) / "target"
        apps, kept_hasher, kept_apps = (
            create_stored_world(Path(directory) / "apps"),
            TreeHasher(replaced=True),
            TreeHasher(replaced=True),
        )
        world.state_hash(kept_hasher)
        apps.state_hash(kept_apps)
        for number in range(1, rounds + 1):
            for name, work in ((LINKS, hard_links), (FORK, fork_world), (COPY, full_copy)):
                times[name].append(elapsed_ms(lambda work=work: work(world, target)))
                remove_world(target)
            hasher = TreeHasher(replaced=True)
            times[FIRST].append(elapsed_ms(lambda hasher=hasher: world.state_hash(hasher)))
            fork_world(world, target)
            times[AGAIN].append(elapsed_ms(lambda hasher=hasher: world.state_hash(hasher)))
            remove_world(target)
            times[FORK_APPS].append(elapsed_ms(lambda: fork_world(apps, target)))
            remove_world(target)
            change_file(world, number, kept_hasher)
            times[HASH_AFTER_FILE].append(elapsed_ms(lambda: world.state_hash(kept_hasher)))
            change_record(apps, number, kept_apps)
            times[HASH_AFTER_RECORD].append(elapsed_ms(lambda: apps.state_hash(kept_apps)))
    return {name: round(statistics.median(values), 1) for name, values in times.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    arguments = parser.parse_args()
    results = measure_forks(arguments.rounds)
    if arguments.json:
        print(json.dumps(results, indent=2))
        return
    for name, milliseconds in results.items():
        print(f"{name:30} {milliseconds:8.1f} ms   {milliseconds / results[LINKS]:6.2f} x hard links")


if __name__ == "__main__":
    main()
