"""Launch to first tools/list over stdio, against a FastMCP script of one tool on the same interpreter.

    .venv/bin/python bench/startup.py [--pairs 15] [--json]

Runs are interleaved, so that load on the machine meets all of them alike; the figure is the median of the ratios.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SERVED = {
    "calculator": ["calculator"],
    "seven": ["calculator", "files", "ocr", "plot", "prover", "sheets", "solver"],
    "all": ["all"],
}
GOALS = {"calculator": 1.3, "seven": 2.0}
"""The goal for many servers was set for these seven; the time of all grows with their tools and is only shown."""
SINGLE_TOOL = '''
from fastmcp import FastMCP

mcp = FastMCP("one")


@mcp.tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


mcp.run(show_banner=False)
'''
REQUEST = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/list",
    "params": {
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        }
    },
}


def first_list_s(command: list[str], cwd: Path) -> tuple[float, int]:
    """Seconds from launch to the answer, and the number of tools in it."""
    started = time.perf_counter()
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=cwd
    ) as process:
        process.stdin.write(json.dumps(REQUEST).encode() + b"\n")
        process.stdin.flush()
        line = process.stdout.readline()
        elapsed = time.perf_counter() - started
        process.stdin.close()
        process.wait(30)
    return elapsed, len(json.loads(line)["result"]["tools"])


def measure_pairs(pairs: int) -> dict[str, dict[str, float]]:
    with tempfile.TemporaryDirectory() as folder:
        cwd = Path(folder)
        script = cwd / "one_tool.py"
        script.write_text(SINGLE_TOOL)
        commands = {"baseline": [sys.executable, str(script)]}
        for name, servers in SERVED.items():
            commands[name] = [sys.executable, "-P", "-m", "yardkit", "serve", *servers]
        tools = {name: first_list_s(command, cwd)[1] for name, command in commands.items()}  # also warms the caches
        runs = [{name: first_list_s(command, cwd)[0] for name, command in commands.items()} for _ in range(pairs)]
    return {
        name: {
            "tools": tools[name],
            "median_s": round(statistics.median(run[name] for run in runs), 3),
            "ratio": round(statistics.median(run[name] / run["baseline"] for run in runs), 3),
        }
        for name in commands
    }


def show_figures(figures: dict[str, dict[str, float]]) -> None:
    print(f"{'served':12} {'tools':>5} {'median':>9} {'ratio':>6}  goal")
    for name, row in figures.items():
        goal = f"<= {GOALS[name]}" if name in GOALS else ""
        print(f"{name:12} {row['tools']:5} {row['median_s']:7.3f} s {row['ratio']:6.2f}  {goal}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=15, help="interleaved rounds (%(default)s)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    arguments = parser.parse_args()
    figures = measure_pairs(arguments.pairs)
    if arguments.json:
        print(json.dumps(figures, indent=2))
    else:
        show_figures(figures)
    return 0 if all(figures[name]["ratio"] <= goal for name, goal in GOALS.items()) else 1


if __name__ == "__main__":
    sys.exit(main())
