"""Solutions and near misses of quickstart/equation_from_image."""

import json
import re
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent, Solved, caught_by_leaf

RING = """
from PIL import Image
import numpy
pixels = numpy.asarray(Image.open({path!r}).convert("RGB")).astype(int)
red = (pixels[..., 0] > 120) & (pixels[..., 0] - pixels[..., 1:].max(axis=2) > 70)
rows = numpy.flatnonzero(red.sum(axis=1) > 3)
print(rows.min(), rows.max())
"""
Lines = dict[int, list[str]]
"""Equations by the number of the exercise."""


def solve(agent: Agent) -> str:
    """Read the sheet, find the ring by its colour, put in the correction, solve."""
    solutions, ringed = _solve_sheet(agent)
    agent.call("write_file", path="solutions.json", content=json.dumps(solutions, indent=2))
    return f"Solved; all solutions are in solutions.json.\n\n{max(solutions[ringed]):g}"


def alternative_compact_with_more_decimals(agent: Agent, files: Path) -> str:
    """No white space, keys in another order, more decimals, a byte order mark; a sentence as the last line."""
    solutions, ringed = _solve_sheet(agent)
    more = {key: [value + 0.00003 for value in values] for key, values in reversed(list(solutions.items()))}
    (files / "solutions.json").write_text(json.dumps(more, separators=(",", ":")), "utf-8-sig")
    return f"**The larger solution is x = {max(solutions[ringed]):.4f}.**"


def alternative_by_a_program(agent: Agent, _files: Path) -> str:
    """SymPy in the isolated runner instead of the solver's own tool."""
    lines, ringed = _read_sheet(agent)
    code = (
        "import json, sympy\nfrom sympy import *\nx, y = symbols('x y')\n"
        f"found = {{}}\nfor number, lines in {_to_python(lines)!r}.items():\n"
        "    done = solve([Eq(*map(sympify, line.split('='))) for line in lines], [x, y][:len(lines)], dict=True)\n"
        "    values = sorted(one[x] for one in done) if len(lines) == 1 else [done[0][x], done[0][y]]\n"
        "    found[str(number)] = [round(float(value), 4) for value in values]\n"
        "print(json.dumps(found))\n"
    )
    printed = agent.call("run_solver_code", code=code)["output"]
    agent.call("write_file", path="solutions.json", content=printed)
    return f"{max(json.loads(printed)[ringed])}"


@caught_by_leaf("crossed")
def near_miss_the_misprint_solved(work: Solved) -> None:
    """The exercise as it stands on the sheet."""
    _rewrite_solutions(work, {work.facts["crossed"]: work.facts["misprinted"]})


near_miss_the_smaller_solution = misses.change_answer(
    lambda work: f"{min(work.facts['solutions'][work.facts['ringed']])}"
)


near_miss_both_solutions_as_the_answer = misses.change_answer(
    lambda work: f"x = {' or x = '.join(map(str, work.facts['solutions'][work.facts['ringed']]))}"
)


@caught_by_leaf("ringed")
def near_miss_one_root_left_out(work: Solved) -> None:
    """Only the positive solution."""
    _rewrite_solutions(work, {work.facts["ringed"]: work.facts["solutions"][work.facts["ringed"]][1:]})


@caught_by_leaf("ringed")
def near_miss_signs_exchanged(work: Solved) -> None:
    """The roots with the wrong sign."""
    key = work.facts["ringed"]
    _rewrite_solutions(work, {key: sorted(-value for value in work.facts["solutions"][key])})


@caught_by_leaf("pair")
def near_miss_x_and_y_exchanged(work: Solved) -> None:
    """[y, x]."""
    key = work.facts["pair"]
    _rewrite_solutions(work, {key: work.facts["solutions"][key][::-1]})


@caught_by_leaf("ringed", "crossed", "pair")
def near_miss_numbers_as_text(work: Solved) -> None:
    """Strings instead of numbers."""
    _rewrite_solutions(work, {key: [str(value) for value in values] for key, values in work.facts["solutions"].items()})


@caught_by_leaf("keys")
def near_miss_a_fourth_exercise(work: Solved) -> None:
    """More than was asked for."""
    _rewrite_solutions(work, {"99": [1.0]})


def _rewrite_solutions(work: Solved, changes: dict[str, Any]) -> None:
    (work.files / "solutions.json").write_text(json.dumps({**work.facts["solutions"], **changes}), "utf-8")


def _solve_sheet(agent: Agent) -> tuple[dict[str, list[float]], str]:
    lines, ringed = _read_sheet(agent)
    return {str(number): _solve(agent, equations) for number, equations in lines.items()}, ringed


def _solve(agent: Agent, equations: list[str]) -> list[float]:
    unknowns = ["x", "y"][: len(equations)]
    done = agent.call("solve_equations", equations=equations, unknowns=unknowns, domain="real")
    solutions = [
        {name: float(value["number"]) for name, value in solution["values"].items()} for solution in done["solutions"]
    ]
    values = (
        sorted(solution["x"] for solution in solutions)
        if len(equations) == 1
        else [solutions[0]["x"], solutions[0]["y"]]
    )
    return [round(value, 4) for value in values]


def _read_sheet(agent: Agent) -> tuple[Lines, str]:
    """The equations of the three exercises, and the number of the ringed one."""
    sheet = re.findall(r"`Sheet (\d+)`", agent.prompt)[0]
    asked = [int(number) for number in re.findall(r"exercises (\d+) and (\d+)", agent.prompt)[0]]
    path, pieces = _find_photo(agent, sheet)
    low, high = map(int, agent.call("run_solver_code", code=RING.format(path=path))["output"].split())
    lines, middles = _group_exercises(pieces)
    ringed = min(middles, key=lambda number: abs(middles[number] - (low + high) / 2))
    corrections = agent.call("read_file", path="corrections.md")["content"]
    for number, equation in re.findall(rf"Sheet {sheet}, exercise (\d+): (.*)", corrections):
        lines[int(number)] = [equation]
    return {number: lines[number] for number in sorted([ringed, *asked])}, str(ringed)


def _find_photo(agent: Agent, sheet: str) -> tuple[str, list[Any]]:
    for entry in agent.call("list_folder", path="sheets")["entries"]:
        pieces = agent.call("read_image_text", path=entry["path"])["pieces"]
        if any(piece["text"].replace(" ", "") == f"Sheet{sheet}" for piece in pieces):
            return entry["path"], pieces
    raise LookupError(f"there is no photo of sheet {sheet}")


def _group_exercises(pieces: list[Any]) -> tuple[Lines, dict[int, float]]:
    """Equations and the middle of each exercise, from the numbers at the left."""
    texts = [(piece["text"].replace(" ", ""), (piece["bbox_px"][1] + piece["bbox_px"][3]) / 2) for piece in pieces]
    heads = [(re.match(r"Ex[.,]?(\d)", text), middle) for text, middle in texts]
    starts = {int(head[1]): middle for head, middle in heads if head}
    lines: Lines = {}
    for text, middle in sorted(texts, key=lambda placed: placed[1]):
        if "=" in text:
            number = min(starts, key=lambda start: abs(starts[start] - middle))
            lines.setdefault(number, []).append(_normalize_signs(re.sub(r"Ex[.,]?\d", "", text)))
    return lines, starts


def _normalize_signs(text: str) -> str:
    """Signs as the solver wants them; a raised 2 is read as ² or 2."""
    text = text.replace("\N{MINUS SIGN}", "-").replace("\N{EN DASH}", "-").replace("²", "2").replace("X", "x")
    return re.sub(r"x(?=2)", "x^", text)


def _to_python(lines: Lines) -> dict[int, list[str]]:
    """With all signs of multiplication and powers."""
    return {
        number: [re.sub(r"(?<=[\dxy)])(?=[xy(])", "*", line).replace("^", "**") for line in equations]
        for number, equations in lines.items()
    }
