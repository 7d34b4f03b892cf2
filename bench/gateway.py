"""Figures of the gateway: memory per episode, concurrent clients against plain FastMCP, open + grade.

python bench/gateway.py [--json] [--only memory|clients|opening] [--episodes N] [--clients N] [--calls N] [--rounds N]
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx2
from fastmcp import Client

from yardkit.sandbox.episodes.episode import Episode, open_new
from yardkit.sandbox.serving.registry import server_names
from yardkit.sandbox.tasks.suites import find_task

TOKEN = "operator-of-the-benchmark"
TASK = "quickstart/sort_inbox"
WORKERS = 2
FASTMCP_ALONE, SINGLE_PROCESS, MANY, FRONT = KINDS = (
    "plain FastMCP",
    "one process",
    "two workers",
    "two workers, by the front",
)
DRIVERS = 2
"""Processes that the clients share."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--task", default=TASK)
    parser.add_argument("--episodes", type=int, default=500)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--calls", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3, help="of the clients on each kind of server (%(default)s)")
    parser.add_argument("--openings", type=int, default=30)
    parser.add_argument("--only", choices=["memory", "clients", "opening"])
    arguments = parser.parse_args()
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as runs:
        if arguments.only in (None, "memory"):
            figures |= measure_memory(arguments.task, arguments.episodes, Path(runs))
        if arguments.only in (None, "clients"):
            figures |= measure_concurrency(arguments.task, arguments.clients, arguments.calls, arguments.rounds)
        if arguments.only in (None, "opening"):
            figures |= measure_opening(arguments.task, arguments.openings, Path(runs))
    if arguments.json:
        print(json.dumps(figures, indent=2))
    else:
        print("\n".join(f"{name:52} {value:>10}" for name, value in figures.items()))
    return 1 if figures.get("failed calls") else 0


def measure_memory(task_name: str, count: int, runs: Path) -> dict[str, Any]:
    """Resident memory of a process with episodes that see every server, each used once, on top of the first."""
    task = replace(find_task(task_name), servers=server_names())
    episodes: list[Episode] = []

    def add(seed: int) -> None:
        episode = open_new(task, seed, runs)
        episode.call("list_folder", path=".")
        asyncio.run(episode.tools())
        episodes.append(episode)

    add(0)
    first = _read_resident_memory(os.getpid())
    for seed in range(1, count + 1):
        add(seed)
    more = _read_resident_memory(os.getpid()) - first
    return {
        "episodes open": count + 1,
        "servers": len(server_names()),
        "RSS with the first episode, MB": round(first / 1e6, 1),
        "RSS per further episode, kB": round(more / count / 1e3, 1),
    }


def measure_concurrency(task: str, clients: int, calls: int, rounds: int) -> dict[str, Any]:
    """MCP over HTTP, every client on its own episode, half the calls writing: against two trivial tools without us.

    Rounds are interleaved. Clients are processes of their own, which need as much of the machine as what they measure.
    """
    runs: dict[str, list[Run]] = {name: [] for name in KINDS}
    with ProcessPoolExecutor(DRIVERS, mp_context=multiprocessing.get_context("spawn")) as drivers:
        list(drivers.map(_drive_clients, [([], 0)] * DRIVERS))
        for _ in range(rounds):
            for name in KINDS:
                runs[name].append(_measure_server(name, task, clients, calls, drivers))
    figures: dict[str, Any] = {"clients": clients, "calls": clients * calls, "client processes": DRIVERS}
    for name, done in runs.items():
        figures[f"{name}: calls per second"] = round(statistics.median(run.per_second for run in done), 1)
        figures[f"{name}: server CPU per call, ms"] = round(statistics.median(run.cpu_ms for run in done), 2)
        ordered = sorted(latency for run in done for latency in run.latencies)
        figures[f"{name}: p50, ms"] = round(1000 * statistics.median(ordered), 1)
        figures[f"{name}: p99, ms"] = round(1000 * ordered[int(0.99 * (len(ordered) - 1))], 1)
    for name in KINDS[1:]:
        pairs = list(zip(runs[name], runs[FASTMCP_ALONE], strict=True))
        speed, cpu = [a.per_second / b.per_second for a, b in pairs], [a.cpu_ms / b.cpu_ms for a, b in pairs]
        figures[f"{name}: speed against plain"] = round(statistics.median(speed), 2)
        figures[f"{name}: CPU against plain"] = round(statistics.median(cpu), 2)
    return {**figures, "failed calls": sum(run.failed for done in runs.values() for run in done)}


@dataclass(frozen=True)
class Run:
    """Figures of all clients on one server, once."""

    latencies: list[float]
    failed: int
    per_second: float
    cpu_ms: float


def _measure_server(name: str, task: str, clients: int, calls: int, drivers: ProcessPoolExecutor) -> Run:
    with _run_server(name) as (http, process):
        opened = [_open_client_episode(name, http, task, seed) for seed in range(clients)]
        _drive_clients((opened[: 2 * WORKERS], 2))
        before = _cpu_s(process)
        done = list(drivers.map(_drive_clients, [(opened[number::DRIVERS], calls) for number in range(DRIVERS)]))
        latencies = [latency for own, _, _, _ in done for latency in own]
        seconds = max(ended for _, _, _, ended in done) - min(started for _, _, started, _ in done)
        cpu_ms = 1000 * (_cpu_s(process) - before) / len(latencies)
    return Run(latencies, sum(failed for _, failed, _, _ in done), len(latencies) / seconds, cpu_ms)


def _open_client_episode(name: str, http: httpx2.Client, task: str, seed: int) -> tuple[str, str]:
    """Address and token for one client."""
    base = str(http.base_url).rstrip("/")
    if name == FASTMCP_ALONE:
        return f"{base}/mcp", "none"
    episode = _post_json(http, "/episodes", {"task": task, "seed": seed})
    return f"{base}/e/{episode['episode_id']}/mcp" if name == FRONT else episode["mcp_url"], episode["token"]


def _drive_clients(share: tuple[list[tuple[str, str]], int]) -> tuple[list[float], int, float, float]:
    """Latencies, number of failures, start and end of some clients that do their calls at a time."""
    addresses, calls = share
    started = time.time()
    latencies, failed = asyncio.run(_make_calls(addresses, calls))
    return latencies, failed, started, time.time()


async def _make_calls(addresses: list[tuple[str, str]], calls: int) -> tuple[list[float], int]:
    latencies: list[float] = []
    failures: list[str] = []

    async def call_as_client(address: str, token: str) -> None:
        async with Client(address, auth=token) as client:
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

    done = await asyncio.gather(*(call_as_client(*address) for address in addresses), return_exceptions=True)
    failures += [repr(error) for error in done if error is not None]
    for failure in failures[:3]:
        print(failure, file=sys.stderr)
    return latencies, len(failures)


@contextmanager
def _run_server(name: str) -> Iterator[tuple[httpx2.Client, int]]:
    """A running server of a kind: a client for the operator, and the number of its process."""
    if name == FASTMCP_ALONE:
        command = [sys.executable, str(Path(__file__).with_name("plain_server.py"))]
        with _start_process(command, "plain at ") as started:
            yield started
    else:
        with _run_gateway(1 if name == SINGLE_PROCESS else WORKERS) as started:
            yield started


def _cpu_s(process: int) -> float:
    """Processor time of a process and its children so far, seconds."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return own + sum(_cpu_s(int(child)) for child in children)


def measure_opening(task: str, rounds: int, runs: Path) -> dict[str, Any]:
    """Open and grade without an agent: in this process, and over HTTP."""

    def direct() -> None:
        open_new(task, 1, runs).grade("")

    with _run_gateway() as (http, _):

        def remote() -> None:
            episode = _post_json(http, "/episodes", {"task": task, "seed": 1})
            _post_json(http, f"/e/{episode['episode_id']}/grade", {"answer": ""})

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
def _run_gateway(workers: int = 1) -> Iterator[tuple[httpx2.Client, int]]:
    with tempfile.TemporaryDirectory() as runs:
        gateway = ["gateway", "--port", "0", "--runs", runs, "--workers", str(workers)]
        with _start_process([sys.executable, "-m", "yardkit", *gateway], "gateway at ") as started:
            yield started


@contextmanager
def _start_process(command: list[str], ready_text: str) -> Iterator[tuple[httpx2.Client, int]]:
    environment = {**os.environ, "YARDKIT_OPERATOR_TOKEN": TOKEN}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stderr is not None
        address = process.stderr.readline().split(ready_text)[1].split(",")[0].strip()
        try:
            with httpx2.Client(base_url=address, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=120) as http:
                yield http, process.pid
        finally:
            process.terminate()


def _post_json(http: httpx2.Client, path: str, body: dict[str, Any]) -> Any:
    answer = http.post(path, json=body)
    answer.raise_for_status()
    return answer.json()


def _read_resident_memory(process: int) -> int:
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no VmRSS")


if __name__ == "__main__":
    sys.exit(main())
