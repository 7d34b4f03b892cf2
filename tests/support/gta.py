"""Sets and predictions in the forms of GTA, made up by counts."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from yardkit.benchmarks.gta.sets.atomic import GoldAnswer, GoldCall, Objective, Sample
from yardkit.benchmarks.gta.sets.predictions import Predicted

CALLS, ANSWERS, SAMPLES = 557, 172, 229
"""Gold calls, samples that expect words, and samples of GTA."""


def make_synthetic_set() -> list[Sample]:
    """As many samples, gold calls and expected answers as GTA has; those without an answer expect a picture."""
    samples, left = [], CALLS
    for number in range(SAMPLES):
        count = left // (SAMPLES - number)
        left -= count
        calls = tuple(GoldCall("OCR", {"image": f"{number}-{call}.png"}) for call in range(count))
        words = number < ANSWERS
        answer = Objective(((f"word{number}",),)) if words else None
        end = (GoldAnswer(f"It is word{number}."),) if words else ()
        samples.append(Sample(str(number), ("OCR", "Plot"), (), "What is it?", (*calls, *end), answer))
    return samples


def predicted_with(samples: Sequence[Sample], exact: int, tool: int, kind: int) -> dict[str, list[Predicted]]:
    """Predictions with so many exact calls, calls of the right tool, and steps of the right kind; answers are right."""
    predictions: dict[str, list[Predicted]] = {}
    number = 0
    for sample in samples:
        steps = []
        for step in sample.steps:
            if isinstance(step, GoldAnswer):
                steps.append(Predicted(text=step.text))
                continue
            steps.append(_predict_call(step, number, exact, tool, kind - ANSWERS))
            number += 1
        predictions[sample.id] = steps
    return predictions


def _predict_call(gold: GoldCall, number: int, exact: int, tool: int, kind: int) -> Predicted:
    if number < exact:
        return Predicted(gold.tool, gold.arguments)
    if number < tool:
        return Predicted(gold.tool, {"image": "another.png"})
    if number < kind:
        return Predicted("Plot", {})
    return Predicted("NoAction", {}, error="Please follow the format", error_type="ARGS_ERROR")


def make_leaf(name: str, weight: float = 1, needs: str = "it holds") -> dict[str, Any]:
    return {"id": name, "weight": weight, "requirements": needs}


def workflow_task(tree: list[dict[str, Any]], **changed: Any) -> dict[str, Any]:
    base = {
        "workflow_category_6class": "Data Analysis",
        "tools": ["OCR", "PdfFileGenerator"],
        "files": [],
        "dialogs": [{"role": "user", "content": "Make report.pdf."}],
        "sub_tasks": tree,
    }
    return {**base, **changed}


def write_judged(folder: Path, **tasks: Mapping[str, Any]) -> Path:
    """Judged results in a folder: of each task its root, and points and outcomes of its leaves."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "judged.json").write_text(json.dumps(tasks))
    return folder


def judged_task(root: float | None, files: Sequence[str] = ("report.pdf",), **points: float | None) -> dict[str, Any]:
    leaves = [
        {"id": name, "requirements": "", "points": value, "outcome": _judge_outcome(value, files), "why": ""}
        for name, value in points.items()
    ]
    return {"id": "", "root": root, "leaves": leaves, "files": list(files), "unopened": []}


def _judge_outcome(points: float | None, files: Sequence[str]) -> str:
    if points is None:
        return "observer_invalid"
    return "insufficient_evidence" if not files else "pass" if points > 7 else "fail"
