"""Generated tasks: time and peak memory of a whole process of `yardkit lore generate` for tasks of growing length.

    .venv/bin/python bench/lore.py [--domain D,...] [--json]

Each figure is of one process from its start to its end, which prints all of its tasks as JSON: prompt, documents,
trajectory and answer.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from dataclasses import asdict, dataclass

from yardkit.benchmarks.lore.generated import of_documents
from yardkit.sandbox.tasks.suites import find_tasks

LENGTHS = (100, 1_000, 10_000)
MANY, SHORT = 1_000, 50


@dataclass(frozen=True)
class Cost:
    """What a process took."""

    seconds: float
    peak_mb: float


def measure_cost(domain: str, ops: int, tasks: int = 1) -> Cost:
    """Generate so many tasks of a domain in a process of its own."""
    command = [sys.executable, "-m", "yardkit", "lore", "generate", "--domain", domain, "--ops", str(ops)]
    started = time.perf_counter()
    # Waited for by hand: only so does the system tell what this one process took.
    process = subprocess.Popen([*command, "--seeds", str(tasks), "--format", "json"], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return Cost(round(seconds, 2), round(used.ru_maxrss / 1000, 1))


def measure_domains(domains: list[str]) -> dict[str, dict[str, Cost]]:
    """Costs by domain and by what was generated."""
    return {
        domain: {
            **{f"{ops:,} operations": measure_cost(domain, ops) for ops in LENGTHS},
            f"{MANY:,} tasks of {SHORT}": measure_cost(domain, SHORT, MANY),
        }
        for domain in domains
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--domain", metavar="D,...", help="only these domains; default: all that are of documents")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    arguments = parser.parse_args()
    known = [task.name for task in of_documents(find_tasks(["lore"]))[0]]
    results = measure_domains(arguments.domain.split(",") if arguments.domain else known)
    if arguments.json:
        print(
            json.dumps(
                {name: {what: asdict(measured) for what, measured in of.items()} for name, of in results.items()}
            )
        )
        return
    for name, costs in results.items():
        for what, spent in costs.items():
            print(f"{name:12} {what:20} {spent.seconds:8.2f} s {spent.peak_mb:8.1f} MB")


if __name__ == "__main__":
    main()
