"""GTA: seconds of a whole process of `yardkit gta score` for a made-up set of the size of the real one.

.venv/bin/python bench/gta.py [--json]
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

SAMPLES, ANSWERS, SUBJECTIVE, CALLS = 229, 172, 16, 557
"""Of the set Atomic: samples, those that expect words, those whose meaning counts, gold calls."""
TRIES = 5
WORDS = ("menu", "tea", "cup", "price", "chart", "street", "two", "seven", "red", "left", "right", "total", "year")


def write_set(folder: Path) -> Path:
    """A set of that size, with predictions of which every other one is right; the file of predictions."""
    rng = random.Random("gta")
    samples = {str(number): _make_sample(number, rng) for number in range(SAMPLES)}
    (folder / "dataset.json").write_text(json.dumps(samples), "utf-8")
    prediction_list = {
        key: {"prediction": [_predict_step(step, rng) for step in _list_steps(sample)]}
        for key, sample in samples.items()
    }
    predictions = folder / "predictions.json"
    predictions.write_text(json.dumps(prediction_list), "utf-8")
    return predictions


def _make_sample(number: int, rng: random.Random) -> dict[str, Any]:
    count = CALLS * (number + 1) // SAMPLES - CALLS * number // SAMPLES
    turns: list[dict[str, Any]] = [{"role": "user", "content": _make_sentence(rng, 20)}]
    for place in range(count):
        function = {"name": "OCR", "arguments": {"image": f"image/image_{number}.jpg", "text": _make_sentence(rng, 3)}}
        result = {"type": "text", "content": _make_sentence(rng, 60)}
        turns += [
            {"role": "assistant", "tool_calls": [{"type": "function", "function": function}], "thought": f"{place}"},
            {"role": "tool", "name": "OCR", "content": result},
        ]
    turns.append({"role": "assistant", "content": _make_sentence(rng, 30)})
    gold: Any = {"whitelist": [[rng.choice(WORDS)], [rng.choice(WORDS)]], "blacklist": None}
    if number < SUBJECTIVE:
        gold = [_make_sentence(rng, 60) for _ in range(3)]
    return {"tools": [{"name": "OCR"}], "files": [], "dialogs": turns, "gt_answer": gold if number < ANSWERS else None}


def _list_steps(sample: dict[str, Any]) -> list[dict[str, Any]]:
    return [turn for turn in sample["dialogs"] if turn["role"] == "assistant"]


def _predict_step(step: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    if rng.random() < 0.5:
        return step
    if "content" in step:
        return {"role": "assistant", "content": _make_sentence(rng, 30)}
    called = {"type": "function", "function": {"name": "NoAction", "arguments": {}}}
    return {"role": "assistant", "tool_calls": [called], "error": {"type": "ARGS_ERROR", "msg": "no action"}}


def _make_sentence(rng: random.Random, words: int) -> str:
    return " ".join(rng.choices(WORDS, k=words))


def measure_scoring() -> dict[str, dict[str, float]]:
    """Seconds by the clock and of a processor, by what was done: medians of some tries."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        predictions = write_set(folder)
        command = [sys.executable, "-m", "yardkit", "gta", "score", str(predictions), "--data", str(folder)]
        return {
            "step by step": _time_command([*command, "--mode", "step"]),
            "end to end": _time_command([*command, "--mode", "run"]),
        }


def _time_command(command: list[str]) -> dict[str, float]:
    clock, processor = [], []
    for _ in range(TRIES):
        started, used = time.perf_counter(), _processor_seconds()
        subprocess.run(command, check=True, capture_output=True)
        clock.append(time.perf_counter() - started)
        processor.append(_processor_seconds() - used)
    return {"clock": median(clock), "processor": median(processor)}


def _processor_seconds() -> float:
    """Of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    arguments = parser.parse_args()
    figures = measure_scoring()
    if arguments.json:
        print(json.dumps(figures))
        return
    for what, seconds in figures.items():
        print(f"{SAMPLES} tasks {what}: {seconds['clock']:.2f} s, {seconds['processor']:.2f} s of a processor")


if __name__ == "__main__":
    main()
