"""Figures of the apps: filling a company's world, calls on it, fork and hash, a large table, memory of open episodes.

    .venv/bin/python bench/apps.py [--rounds 5] [--episodes 500] [--json]

Times are medians; those of filling are of a processor.
"""

import argparse
import asyncio
import json
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
from fastmcp import Client

from yardkit.sandbox.serving.registry import load_server
from yardkit.state_init.cast import Cast, cast_of, get_stream
from yardkit.state_init.company.courses import fill_courses
from yardkit.state_init.company.mail import fill_mail
from yardkit.state_init.company.notes import fill_notes
from yardkit.state_init.company.shop import fill_shop
from yardkit.state_init.company.stories import Stories, make_stories
from yardkit.state_init.company.warehouse import fill_warehouse
from yardkit.state_init.desk.restated_month.finance import fill_finance
from yardkit.state_init.desk.sharing_review.drive import fill_drive
from yardkit.world import World, remove_world, use_world
from yardkit.world.hashing import TreeHasher

MAILS = 1_000
LINES = 500_000
TASK = "desk/fraud_review"
"""Of which many episodes are opened."""
SUMS = ("warehouse", "query_warehouse", {"sql": "SELECT sku, sum(amount) FROM order_lines GROUP BY sku"})


def _make_world_stories(world: World, cast: Cast) -> Stories:
    return make_stories(cast, get_stream(world, "stories"), world.now)


Fill = Callable[[World, Cast], object]
FILLS: Mapping[str, Fill] = {
    "mail": lambda world, cast: fill_mail(
        world, cast, get_stream(world, "mail"), count=MAILS, stories=_make_world_stories(world, cast)
    ),
    "shop": lambda world, cast: fill_shop(
        world, cast, get_stream(world, "shop"), _make_world_stories(world, cast), orders=1_500
    ),
    "drive": lambda world, cast: fill_drive(world, cast, get_stream(world, "drive")),
    "warehouse": lambda world, cast: fill_warehouse(
        world, cast, get_stream(world, "warehouse"), _make_world_stories(world, cast)
    ),
    "finance": lambda world, cast: fill_finance(world, cast, get_stream(world, "finance")),
    "courses": lambda world, cast: fill_courses(world, cast, get_stream(world, "courses")),
    "notes": lambda world, cast: fill_notes(world, cast, get_stream(world, "notes"), _make_world_stories(world, cast)),
}
CALLS: tuple[tuple[str, str, Mapping[str, Any]], ...] = (
    ("mail", "list_messages", {}),
    ("mail", "search_messages", {"query": "invoice"}),
    ("shop", "find_orders", {}),
    ("shop", "find_products", {"query": "desk"}),
    ("shop", "report_sales", {}),
    ("drive", "list_drive", {}),
    SUMS,
    ("finance", "find_tickers", {"query": "ltd"}),
    ("courses", "find_courses", {}),
    ("notes", "search_notes", {"query": "plan"}),
)
"""What an agent asks first of each app."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--episodes", type=int, default=500, help="open at once, of one task of suite desk; 0: none")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        figures = measure_apps(Path(directory), arguments.rounds)
        figures[f"query of {LINES:,} rows, ms"] = measure_query(Path(directory) / "large", arguments.rounds)
    if arguments.episodes:
        figures["kB of a further open episode"] = measure_memory(arguments.episodes)
    print(json.dumps(figures, indent=2) if arguments.json else _format_table(figures))
    return 0


def measure_apps(directory: Path, rounds: int) -> dict[str, Any]:
    """The figures of one world."""
    world = World.create(directory / "world", task="bench", seed=0)
    cast, seconds = cast_of(world), dict[str, float]()
    for app, fill in FILLS.items():
        started = time.process_time()
        fill(world, cast)
        seconds[app] = round(time.process_time() - started, 2)
    records = count_records(world.root / "apps")
    hashed = _elapsed_ms(lambda: world.state_hash(TreeHasher(replaced=True)))
    forks, calls = [], dict[str, float]()
    for number in range(rounds):
        target = directory / f"fork{number}"
        forks.append(_elapsed_ms(lambda target=target: world.fork(target)))
        remove_world(target)
    for server, tool, given in CALLS:
        calls[tool] = asyncio.run(_measure_call(world, server, tool, given, rounds))
    return {
        "records": records,
        "records of all apps": sum(records.values()),
        "filling, s": seconds,
        "call, ms": calls,
        "median call, ms": round(statistics.median(calls.values()), 1),
        "fork, ms": round(statistics.median(forks), 1),
        "first hash, ms": round(hashed, 1),
    }


def count_records(apps: Path) -> dict[str, int]:
    """By app the messages, the rows of all tables that its server reads, and the rows of the warehouse."""
    counts = Counter(path.relative_to(apps).parts[0] for path in apps.rglob("*.yardkit:2,*"))
    metadata = duckdb.execute("SELECT sum(num_rows) FROM parquet_file_metadata(?)", [f"{apps}/**/*.parquet"])
    counts["warehouse"] = metadata.fetchall()[0][0]
    for path in apps.glob("*/*.sqlite"):
        with closing(sqlite3.connect(path)) as connection:
            tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            sums = [connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0] for table in tables]
        counts[path.parent.name] += sum(sums)
    return dict(counts)


def measure_query(root: Path, rounds: int) -> float:
    """Median milliseconds of sums by product over a table of `LINES` rows, in memory, after the first."""
    world = World.create(root, task="bench", seed=0)
    fill_warehouse(world, cast_of(world), get_stream(world, "warehouse"), lines=LINES)
    return asyncio.run(_measure_call(world, *SUMS, rounds))


async def _measure_call(world: World, server: str, tool: str, given: Mapping[str, Any], rounds: int) -> float:
    """Median milliseconds of a call, in memory; what the server keeps of a world is warm."""
    times = []
    with use_world(world):
        async with Client(load_server(server)) as client:
            for _ in range(rounds + 1):
                started = time.perf_counter()
                await client.call_tool(tool, dict(given))
                times.append(1000 * (time.perf_counter() - started))
    return round(statistics.median(times[1:]), 1)


def measure_memory(episodes: int) -> float:
    """What `bench/gateway.py` says of open episodes of `TASK`, each with all servers."""
    command = ["--only", "memory", "--task", TASK, "--episodes", str(episodes), "--json"]
    done = subprocess.run([sys.executable, "bench/gateway.py", *command], capture_output=True, text=True, check=True)
    return float(json.loads(done.stdout)["RSS per further episode, kB"])


def _elapsed_ms(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - started)


def _format_table(figures: Mapping[str, Any]) -> str:
    return "\n".join(f"{name:32} {value}" for name, value in figures.items())


if __name__ == "__main__":
    sys.exit(main())
