"""Figures of one gateway process: memory per episode, concurrent clients, open + grade.

python bench/gateway.py [--json] [--episodes N] [--clients N] [--calls N] [--rounds N]
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
from fastmcp import Client

from toolyard.sandbox.episode import Episode, open_new
from toolyard.sandbox.registry import server_names
from toolyard.sandbox.tasks import find_task

TOKEN = "operator-of-the-benchmark"
TASK = "quickstart/sort_inbox"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--task", default=TASK)
    parser.add_argument("--episodes", type=int, default=500)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--calls", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=30)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as runs:
        figures = {
            **memory(arguments.task, arguments.episodes, Path(runs)),
            **concurrency(arguments.task, arguments.clients, arguments.calls),
            **opening(arguments.task, arguments.rounds, Path(runs)),
        }
    if arguments.json:
        print(json.dumps(figures, indent=2))
    else:
        print("\n".join(f"{name:42} {value:>10}" for name, value in figures.items()))
    return 0 if figures["failed calls"] == 0 else 1


def memory(task_name: str, count: int, runs: Path) -> dict[str, Any]:
    """Resident memory of a process with episodes that see every server, each used once, on top of the first."""
    task = replace(find_task(task_name), servers=server_names())
    episodes: list[Episode] = []

    def add(seed: int) -> None:
        episode = open_new(task, seed, runs)
        episode.call("list_folder", path=".")
        asyncio.run(episode.tools())
        episodes.append(episode)

    add(0)
    first = _resident(os.getpid())
    for seed in range(1, count + 1):
        add(seed)
    more = _resident(os.getpid()) - first
    return {
        "episodes open": count + 1,
        "servers": len(server_names()),
        "RSS with the first episode, MB": round(first / 1e6, 1),
        "RSS per further episode, kB": round(more / count / 1e3, 1),
    }


def concurrency(task: str, clients: int, calls: int) -> dict[str, Any]:
    """MCP over HTTP to a gateway process, every client on its own episode, half the calls writing."""
    with _gateway() as http:
        opened = [_post(http, "/episodes", {"task": task, "seed": seed}) for seed in range(clients)]
        latencies, failed, seconds = asyncio.run(_work(opened, calls))
    ordered = sorted(latencies)
    return {
        "clients": clients,
        "calls": len(latencies),
        "failed calls": failed,
        "calls per second": round(len(latencies) / seconds, 1),
        "p50, ms": round(1000 * statistics.median(ordered), 1),
        "p99, ms": round(1000 * ordered[int(0.99 * (len(ordered) - 1))], 1),
    }


async def _work(opened: list[dict[str, Any]], calls: int) -> tuple[list[float], int, float]:
    latencies: list[float] = []
    failures: list[str] = []

    async def one(episode: dict[str, Any]) -> None:
        async with Client(episode["mcp_url"], auth=episode["token"]) as client:
            for number in range(calls):
                started = time.perf_counter()
                if number % 2:
                    result = await client.call_tool(
                        "write_file", {"path": f"n{number}.txt", "content": "x"}, raise_on_error=False
                    )
                else:
                    result = await client.call_tool("list_folder", {"path": "inbox"}, raise_on_error=False)
                latencies.append(time.perf_counter() - started)
                if result.is_error:
                    failures.append(str(result.content))

    started = time.perf_counter()
    done = await asyncio.gather(*(one(episode) for episode in opened), return_exceptions=True)
    failures += [repr(error) for error in done if error is not None]
    for failure in failures[:3]:
        print(failure, file=sys.stderr)
    return latencies, len(failures), time.perf_counter() - started


def opening(task: str, rounds: int, runs: Path) -> dict[str, Any]:
    """Open and grade without an agent: in this process, and over HTTP."""

    def direct() -> None:
        open_new(task, 1, runs).grade("")

    with _gateway() as http:

        def remote() -> None:
            episode = _post(http, "/episodes", {"task": task, "seed": 1})
            _post(http, f"/e/{episode['episode_id']}/grade", {"answer": ""})

        here, there = _median_ms(direct, rounds), _median_ms(remote, rounds)
    return {"open + grade in Python, median ms": here, "open + grade over HTTP, median ms": there}


def _median_ms(work: Callable[[], None], rounds: int) -> float:
    work()
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return round(1000 * statistics.median(times), 1)


@contextmanager
def _gateway() -> Iterator[httpx2.Client]:
    with tempfile.TemporaryDirectory() as runs:
        command = [sys.executable, "-m", "toolyard", "gateway", "--port", "0", "--runs", runs]
        environment = {**os.environ, "TOOLYARD_OPERATOR_TOKEN": TOKEN}
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
            assert process.stderr is not None
            address = process.stderr.readline().split("gateway at ")[1].split(",")[0]
            try:
                with httpx2.Client(base_url=address, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=120) as http:
                    yield http
            finally:
                process.terminate()


def _post(http: httpx2.Client, path: str, body: dict[str, Any]) -> Any:
    answer = http.post(path, json=body)
    answer.raise_for_status()
    return answer.json()


def _resident(process: int) -> int:
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no VmRSS")


if __name__ == "__main__":
    sys.exit(main())
