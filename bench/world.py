"""Fork of a world with 1,000 files of 100 kB against 1,000 hard links and a full copy; and hashing it.

    .venv/bin/python bench/world.py [--rounds 7] [--json]

Rounds are interleaved, so that load on the machine meets all of them alike; times are medians in milliseconds.
"""

import argparse
import json
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from toolyard.world import World, remove_world
from toolyard.world.hashing import TreeHasher

FILES, FILE_BYTES = 1_000, 100_000
LINKS, FORK, COPY = "1,000 hard links", "fork", "full copy"
FIRST, AGAIN = "hash, first", "hash after a fork"


def seeded(root: Path) -> World:
    """A world with files in ten folders, all of different content."""
    world = World.create(root, task="bench", seed=0)
    for number in range(FILES):
        path = world.files / f"folder{number % 10}" / f"file{number:04}.bin"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(number.to_bytes(4, "big") * (FILE_BYTES // 4))
        os.utime(path, (0, 0))
    return world


def hard_links(world: World, target: Path) -> None:
    target.mkdir()
    for number, path in enumerate(sorted(world.files.glob("*/*"))):
        os.link(path, target / str(number))


def full_copy(world: World, target: Path) -> None:
    shutil.copytree(world.root, target)


def fork(world: World, target: Path) -> None:
    world.fork(target)


def elapsed_ms(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - started)


def measure(rounds: int) -> dict[str, float]:
    """Median milliseconds by what was done."""
    times: dict[str, list[float]] = {name: [] for name in (LINKS, FORK, COPY, FIRST, AGAIN)}
    with tempfile.TemporaryDirectory() as directory:
        world, target = seeded(Path(directory) / "world"), Path(directory) / "target"
        for _ in range(rounds):
            for name, work in ((LINKS, hard_links), (FORK, fork), (COPY, full_copy)):
                times[name].append(elapsed_ms(lambda work=work: work(world, target)))
                remove_world(target)
            hasher = TreeHasher(replaced=True)
            times[FIRST].append(elapsed_ms(lambda hasher=hasher: world.state_hash(hasher)))
            fork(world, target)
            times[AGAIN].append(elapsed_ms(lambda hasher=hasher: world.state_hash(hasher)))
            remove_world(target)
    return {name: round(statistics.median(values), 1) for name, values in times.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    arguments = parser.parse_args()
    results = measure(arguments.rounds)
    if arguments.json:
        print(json.dumps(results, indent=2))
        return
    for name, milliseconds in results.items():
        print(f"{name:20} {milliseconds:8.1f} ms   {milliseconds / results[LINKS]:6.2f} x hard links")


if __name__ == "__main__":
    main()
