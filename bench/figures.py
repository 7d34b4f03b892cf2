"""Run all benchmarks once and write their figures into docs/figures.md.

    .venv/bin/python bench/figures.py [--write]

The proof figures are read from `proofs.lock`, which `make prove` writes.
"""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from yardkit.sandbox.proofs.proofs_lock import read_lock

ROOT = Path(__file__).parents[1]
MARKED = re.compile(r"(<!-- figures -->\n).*(<!-- /figures -->)", re.DOTALL)
Row = tuple[str, str, str, str]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the table into docs/figures.md")
    arguments = parser.parse_args()
    rows = [
        *measure_startup(),
        *measure_gateway(),
        *measure_world(),
        *measure_office(),
        *measure_safety(),
        *measure_lore(),
        *measure_gta(),
        *measure_apps(),
        *measure_media(),
        *count_proofs(),
    ]
    lines = ["| Figure | Goal | Measured | Command |", "|---|---|---|---|"]
    table = "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])
    print(table)
    if arguments.write:
        page = ROOT / "docs/figures.md"
        page.write_text(MARKED.sub(lambda match: match[1] + table + "\n" + match[2], page.read_text("utf-8")), "utf-8")
    return 0


def measure_startup() -> list[Row]:
    figures = _run("bench/startup.py")
    command = "`.venv/bin/python bench/startup.py`"
    return [
        (
            "stdio launch to first `tools/list`, calculator, against a one-tool FastMCP script",
            "≤ 1.3 times",
            f"{figures['calculator']['ratio']:.2f} times",
            command,
        ),
        (
            "the same, seven servers in one process (calculator, files, ocr, plot, prover, sheets, solver)",
            "≤ 2 times",
            f"{figures['seven']['ratio']:.2f} times",
            command,
        ),
        (
            f"the same, all servers ({figures['all']['tools']} tools)",
            "",
            f"{figures['all']['ratio']:.2f} times",
            command,
        ),
    ]


def measure_gateway() -> list[Row]:
    figures = _run("bench/gateway.py")
    command = "`.venv/bin/python bench/gateway.py`"
    return [
        (
            f"memory of each further open episode with all servers ({figures['episodes open']} open)",
            "< 1 MB",
            f"{figures['RSS per further episode, kB'] / 1000:.2f} MB",
            command,
        ),
        (
            "50 clients doing 20 calls each on one gateway process, against two trivial tools on plain FastMCP",
            "no error, ≥ 0.7 times as fast",
            (
                f"{figures['failed calls']} errors, {_format_rate(figures, 'one process')}, "
                f"{figures['one process: speed against plain']:.2f} times "
                f"({figures['one process: server CPU per call, ms']:.1f} ms of CPU a call against "
                f"{figures['plain FastMCP: server CPU per call, ms']:.1f})"
            ),
            command,
        ),
        (
            "CPU of a call with two workers, against one process",
            "the same",
            (
                f"{_compare_cpu(figures, 'two workers'):.2f} times, {_format_rate(figures, 'two workers')} (all by the"
                f" front: {_compare_cpu(figures, 'two workers, by the front'):.2f} times,"
                f" {_format_rate(figures, 'two workers, by the front')})"
            ),
            command,
        ),
        (
            "open + grade of a quickstart task without agent, median",
            "< 150 ms",
            (
                f"{figures['open + grade in Python, median ms']:.0f} ms in Python, "
                f"{figures['open + grade over HTTP, median ms']:.0f} ms over HTTP"
            ),
            command,
        ),
    ]


def _format_rate(figures: dict[str, Any], kind: str) -> str:
    return f"{figures[f'{kind}: calls per second']:.0f} calls/s"


def _compare_cpu(figures: dict[str, Any], kind: str) -> float:
    """CPU of a call against that in one process."""
    return float(figures[f"{kind}: server CPU per call, ms"] / figures["one process: server CPU per call, ms"])


def measure_world() -> list[Row]:
    figures = _run("bench/world.py")
    links = figures["1,000 hard links"]
    return [
        (
            "fork of a world with 1,000 files of 100 kB, against 1,000 hard links",
            "about the same",
            f"{figures['fork'] / links:.1f} times (a full copy: {figures['full copy'] / links:.0f} times)",
            "`.venv/bin/python bench/world.py`",
        ),
        (
            "fork of a world with 20,000 records in each of five apps; hash after one of them changed",
            "< 50 ms; < 150 ms",
            f"{figures['fork of five apps']:.0f} ms; {figures['hash after one record changed']:.0f} ms",
            "`.venv/bin/python bench/world.py`",
        ),
    ]


def measure_office() -> list[Row]:
    figures = _run("bench/office/run.py")
    read, edit, edits = figures["reading"], figures["one_edit"], figures["many_edits"]
    write, words, page = figures["writing"], figures["paragraphs"], figures["first_page"]
    excel = "excel-mcp-server"

    def row(name: str, goal: str, measured: str) -> Row:
        return (name, goal, measured, "`.venv/bin/python bench/office/run.py`")

    return [
        row(
            f"sheets: read 200,000 cells, against {excel}",
            "≤ 0.5 s, ≥ 30 times faster",
            f"{read['read 200k, s']:.2f} s, {read[f'times faster than {excel}']:.0f} times",
        ),
        row("sheets: read 1,000,000 cells", "≤ 2 s", f"{read['read 1m, s']:.1f} s"),
        row("sheets: a late page of a file already seen", "≤ 20 ms", f"{read['late page of 1m, ms']:.0f} ms"),
        row(
            "sheets: one edit in 100,000 cells",
            "≤ 40 ms",
            f"{edit['one edit in 100k cells, ms']:.0f} ms, {edit['times faster']:.0f} times faster than {excel}",
        ),
        row(f"sheets: write 200,000 cells, against {excel}", "≥ 3 times faster", f"{write['times faster']:.1f} times"),
        row(
            f"sheets: 200 edits with recalculation, against {excel}",
            "≥ 3 times faster",
            f"{edits['times faster']:.1f} times",
        ),
        row(
            "documents: 200 paragraphs by 200 calls, against office-word-mcp-server",
            "≥ 3 times faster",
            f"{words['times faster']:.1f} times",
        ),
        row(
            "render: first page of a 10-page docx, against one soffice a file",
            "≤ 200 ms, 5 times faster",
            f"{page['first page of 10, ms']:.0f} ms, {page['times faster']:.0f} times",
        ),
    ]


def measure_safety() -> list[Row]:
    figures = _run("bench/office/safety.py")
    command = "`.venv/bin/python bench/office/safety.py`"
    kills, updates = (next(iter(figures.values()))[name] for name in ("kills", "updates"))
    broken = sum(figure["corrupt"] + figure["half written"] for figure in figures.values())
    lost = sum(figure["lost"] for figure in figures.values())
    kinds = ", ".join(figures)
    return [
        (f"kill -9 while saving, {kills} random moments each for {kinds}", "none broken", f"{broken} broken", command),
        (f"two processes, {updates} updates of one file each for {kinds}", "none lost", f"{lost} lost", command),
    ]


def measure_lore() -> list[Row]:
    figures = _run("bench/lore.py")
    command = "`.venv/bin/python bench/lore.py`"
    long, many = ([figure[name] for figure in figures.values()] for name in ("10,000 operations", "1,000 tasks of 50"))
    domains = ", ".join(figures)

    def seconds(costs: list[dict[str, float]], digits: int) -> str:
        return ", ".join(f"{cost['seconds']:.{digits}f}" for cost in costs)

    return [
        (
            f"generating a task of 10,000 operations ({domains})",
            "< 5 s, < 500 MB",
            f"{seconds(long, 1)} s; at most {max(run['peak_mb'] for run in long):.0f} MB",
            command,
        ),
        (f"generating 1,000 tasks of 50 operations ({domains})", "< 60 s", f"{seconds(many, 0)} s", command),
    ]


def measure_gta() -> list[Row]:
    command = "`.venv/bin/python bench/gta.py`"
    return [
        (
            f"GTA: scoring 229 tasks {mode}, a whole process",
            "< 2 s",
            f"{seconds['clock']:.1f} s",
            command,
        )
        for mode, seconds in _run("bench/gta.py").items()
    ]


def measure_apps() -> list[Row]:
    figures = _run("bench/apps.py")
    filled, records = ", ".join(figures["filling, s"]), figures["records"]
    beside = figures["records of all apps"] - records["warehouse"]
    return [
        (
            f"a call on a company of {beside:,} records and {records['warehouse']:,} rows of a warehouse ({filled}), "
            f"median of {len(figures['call, ms'])} kinds",
            "< 30 ms",
            f"{figures['median call, ms']:.0f} ms",
            "`.venv/bin/python bench/apps.py`",
        ),
        (
            "fork and first hash of that company's world",
            "< 50 ms; < 150 ms",
            f"{figures['fork, ms']:.0f} ms; {figures['first hash, ms']:.0f} ms",
            "`.venv/bin/python bench/apps.py`",
        ),
        (
            "sums by product over 500,000 rows of a warehouse, a call",
            "< 200 ms",
            f"{figures['query of 500,000 rows, ms']:.0f} ms",
            "`.venv/bin/python bench/apps.py`",
        ),
        (
            "memory of each further open episode of a desk task with all servers (501 open)",
            "< 3 MB",
            f"{figures['kB of a further open episode'] / 1e3:.1f} MB",
            "`.venv/bin/python bench/apps.py`",
        ),
    ]


def measure_media() -> list[Row]:
    figures = _run("bench/media/run.py")
    command = "`.venv/bin/python bench/media/run.py`"
    text, clip, noise, words, memory = (figures[name] for name in ("text", "clip", "noise", "words", "memory"))
    kinds = {kind: figure for kind, figure in noise.items() if isinstance(figure, dict)}
    voices = sorted({name.split(", ")[0] for name in words})

    def against(pair: dict[str, float]) -> str:
        return f"{pair['times faster']:.1f} times; {pair['times less CPU']:.1f} times less CPU"

    return [
        ("text on 20 s of 720p, against moviepy", "≥ 2.5 times faster", against(text), command),
        ("exact clip of 6.6 s out of 720p, against moviepy", "at least as fast", against(clip), command),
        (
            f"denoising speech ({', '.join(kinds)}), SI-SDR above noisereduce at its defaults; speed",
            "≥ 3 dB; 100 times real time",
            ", ".join(f"{figure['ours'] - figure['noisereduce']:.1f}" for figure in kinds.values())
            + f" dB; {noise['times as fast as the sound']:.0f} times",
            command,
        ),
        (
            f"word error rate of the embedded transcription, beside PocketSphinx ({', '.join(voices)})",
            "",
            ", ".join(
                f"{words[f'{voice}, whisper']:.2f} beside {words[f'{voice}, pocketsphinx']:.2f}" for voice in voices
            ),
            command,
        ),
        (
            "memory of writing on a picture, and on a video, of 3840 x 2160",
            "< 600 MB",
            ", ".join(f"{megabytes:.0f} MB" for megabytes in memory.values()),
            command,
        ),
        (
            "heavy modules loaded by listing the tools of the media servers",
            "none",
            figures["listing"]["loaded"].strip("[]") or "none",
            command,
        ),
    ]


def count_proofs() -> list[Row]:
    entries = read_lock()
    command = "`make prove` (`proofs.lock`)"
    counts = {
        name: sum(getattr(entry, name) for entry in entries.values()) for name in ("accepted", "caught", "killed")
    }
    return [
        (
            f"{what}, {len(entries)} proofs of {len({name for name, _ in entries})} tasks",
            "all",
            str(counts[name]),
            command,
        )
        for name, what in (
            ("accepted", "other right ways accepted"),
            ("caught", "near misses caught by the named checkpoint"),
            ("killed", "mutants noticed by a checkpoint that covers them"),
        )
    ]


def _run(script: str) -> dict[str, Any]:
    done = subprocess.run([sys.executable, script, "--json"], cwd=ROOT, capture_output=True, text=True, check=True)
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


if __name__ == "__main__":
    sys.exit(main())
