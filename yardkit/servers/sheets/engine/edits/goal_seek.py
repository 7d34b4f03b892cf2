"""Goal seek: the input that makes a formula say what is wanted."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from yardkit.servers.sheets.engine.cells.dependencies import Place
from yardkit.servers.sheets.engine.compute.calculator import SECONDS
from yardkit.servers.sheets.engine.compute.computed_values import compute_values, feed_changes, load_model
from yardkit.servers.sheets.engine.compute.formula_index import FormulaIndex
from yardkit.servers.sheets.engine.edits.operation import Operation
from yardkit.servers.sheets.engine.edits.session import Session
from yardkit.servers.sheets.engine.notation.references import Cell
from yardkit.world import Problem

_STEPS = 100


def seek_goal(session: Session, operation: Operation) -> str:
    """Change the cell in `by` until the formula in `range` is `value`.

    Raises:
        Problem: there is no formula or no number to begin with, or no input was found.
    """
    (text,) = operation.require_fields("range")
    goal = operation.value
    if not isinstance(goal, int | float) or isinstance(goal, bool) or len(operation.by) != 1:
        raise Problem("the operation 'seek_goal' needs a number in 'value' and one cell in 'by', such as ['B2']")
    target = _resolve_cell(session, operation.sheet, text)
    changing = _resolve_cell(session, operation.sheet or target[0], operation.by[0])
    evaluate = _make_function(session, target, changing)
    grid = session.grid(changing[0])
    element = grid.find(changing[1])
    start = grid.content(changing[1], element).value if element is not None else 0
    if not isinstance(start, int | float | None) or (element is not None and element.find("{*}f") is not None):
        raise Problem(f"{changing[1]} contains {start!r}; goal seek needs a cell with a number")
    solution = solve(lambda x: evaluate(x) - goal, float(start or 0), tolerance=1e-9 * max(1.0, abs(goal)))
    if solution is None:
        raise Problem(f"no value of {changing[1]} was found for {target[1]} = {goal}; start closer to the solution")
    grid = session.grid(changing[0])
    rounded = round(solution, 9)
    exact = rounded if abs(evaluate(rounded) - goal) <= abs(evaluate(solution) - goal) else solution
    grid.set_value(changing[1], int(exact) if exact.is_integer() else exact)
    session.mark_changed(grid, {changing[1]})
    return f"{changing[0]}!{changing[1]} = {exact:g} makes {target[0]}!{target[1]} {evaluate(exact):.10g}"


def _resolve_cell(session: Session, sheet: str | None, text: str) -> Place:
    """The one cell that is meant; it may stand on another sheet (``Prices!B4``) or have a name."""
    grid, area = session.find_area(sheet, text)
    if area.size != 1:
        raise Problem(f"{text!r} has {area.size} cells; goal seek needs one, such as B4 or Prices!B4")
    return grid.info.name, Cell(area.top, area.left)


def _make_function(session: Session, target: Place, changing: Place) -> Callable[[float], float]:
    """The formula as a function of the input; not a number where it has no value."""
    for grid in session.grids.values():
        grid.save()
    draft = session.scratch.with_name("goal.xlsx")
    index = FormulaIndex(session.book, session.grids)
    model = load_model(draft, session.book, index)
    if isinstance(model, str):
        raise Problem(f"goal seek is not possible: {model}")
    if index.get(target) is None:
        raise Problem(f"{target[0]}!{target[1]} contains no formula; give a cell with a formula as range")

    ends = time.monotonic() + SECONDS

    def evaluate(x: float) -> float:
        feed_changes(model, index, {changing: x})
        value = compute_values(model, session.book, index, {target}, session.now, draft).values.get(target)
        if not model.engine.is_usable() or time.monotonic() > ends:
            raise Problem(
                f"goal seek was stopped: the workbook takes too long to compute (over {SECONDS:g} s in total)"
            )
        return float(value) if isinstance(value, int | float) else math.nan

    return evaluate


def solve(function: Callable[[float], float], start: float, *, tolerance: float) -> float | None:
    """A zero of `function` near `start`: secant steps, and halving once two points lie on both sides."""
    a, fa = start, function(start)
    b = start + (abs(start) * 0.01 or 1.0)
    fb = function(b)
    below = above = None
    for _ in range(_STEPS):
        for x, y in ((a, fa), (b, fb)):
            below = x if y < 0 else below
            above = x if y > 0 else above
            if abs(y) <= tolerance:
                return x
        if math.isnan(fa) or math.isnan(fb):
            return _bisect_interval(function, below, above, tolerance)
        step = None if fb == fa else b - fb * (b - a) / (fb - fa)
        if step is None or not math.isfinite(step):
            step = b + (b - a or 1.0) * 2
        a, fa = b, fb
        b, fb = step, function(step)
    return _bisect_interval(function, below, above, tolerance)


def _bisect_interval(
    function: Callable[[float], float], below: float | None, above: float | None, tolerance: float
) -> float | None:
    if below is None or above is None:
        return None
    for _ in range(200):
        middle = (below + above) / 2
        value = function(middle)
        if abs(value) <= tolerance or middle in (below, above):
            return middle if abs(value) <= max(tolerance, 1e-6) else None
        below, above = (middle, above) if value < 0 else (below, middle)
    return None
