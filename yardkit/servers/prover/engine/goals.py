"""Goals: does a conclusion follow, which models are there, do two formulas say the same."""

from dataclasses import dataclass, field
from typing import Any, Literal

from yardkit.servers.prover.engine.formulas import Language
from yardkit.world import Problem
from yardkit.world.wording import format_count

PRELOAD = ("z3",)
MAX_PREMISES = 500
MAX_MODELS = 100
Verdict = Literal["proved", "counterexample", "unknown"]


@dataclass(frozen=True)
class Proof:
    """Whether a conclusion follows.

    Attributes:
        verdict: ``proved``: it holds whenever the premises hold; ``counterexample``: `model` fulfils the premises and
            not the conclusion; ``unknown``: see `reason`.
        model: of the counter-example, the value of each name.
        used: the premises that the proof needs.
        contradictory: the premises contradict each other, so that everything follows from them.
        reason: why it is unknown.
    """

    verdict: Verdict
    model: dict[str, str] = field(default_factory=dict)
    used: list[str] = field(default_factory=list)
    contradictory: bool = False
    reason: str = ""

    def __str__(self) -> str:
        if self.verdict == "unknown":
            return f"unknown: {self.reason}"
        if self.verdict == "counterexample":
            return "\n".join(["not proved; a counter-example:", *_list_assignments(self.model)])
        lines = ["proved" + (f", from: {'; '.join(self.used)}" if self.used else ", without any premise")]
        if self.contradictory:
            lines.append("WARNING: these premises contradict each other, so that everything follows from them")
        return "\n".join(lines)


@dataclass(frozen=True)
class Models:
    """Assignments that fulfil all constraints.

    Attributes:
        status: ``found``; ``none`` when it is proven that there is none; ``unknown``.
        models: value of each name.
        complete: there are no others.
        conflict: constraints that contradict each other when there is none.
        reason: why it is unknown.
    """

    status: Literal["found", "none", "unknown"]
    models: list[dict[str, str]]
    complete: bool
    conflict: list[str] = field(default_factory=list)
    reason: str = ""

    def __str__(self) -> str:
        if self.status == "none":
            return f"no model: these contradict each other: {'; '.join(self.conflict)}"
        if self.status == "unknown" and not self.models:
            return f"unknown: {self.reason}"
        others = "no others exist" if self.complete else "there may be others"
        lines = [f"{format_count(len(self.models), 'model')}, {others}" + (f" ({self.reason})" if self.reason else "")]
        for number, model in enumerate(self.models, 1):
            lines += [f"model {number}:", *_list_assignments(model)]
        return "\n".join(lines)


@dataclass(frozen=True)
class Comparison:
    """How two formulas relate.

    Attributes:
        relation: ``equivalent``; ``left_implies_right``; ``right_implies_left``; ``independent``: none implies the
            other; ``unknown``.
        left_only: an assignment that fulfils only the left formula.
        right_only: an assignment that fulfils only the right formula.
        reason: why it is unknown.
    """

    relation: Literal["equivalent", "left_implies_right", "right_implies_left", "independent", "unknown"]
    left_only: dict[str, str] = field(default_factory=dict)
    right_only: dict[str, str] = field(default_factory=dict)
    reason: str = ""

    def __str__(self) -> str:
        lines = [self.relation.replace("_", " ") + (f": {self.reason}" if self.reason else "")]
        for name, model in (("left", self.left_only), ("right", self.right_only)):
            if model:
                lines += [f"fulfils only the {name} formula:", *_list_assignments(model)]
        return "\n".join(lines)


def _list_assignments(model: dict[str, str]) -> list[str]:
    return [f"  {name} = {value}" for name, value in model.items()] or ["  (any values)"]


def prove_conclusion(declarations: list[str], premises: list[str], conclusion: str, seconds: float) -> Proof:
    """Try to prove `conclusion` from `premises`: by refuting its negation.

    Raises:
        Problem: something cannot be read.
    """
    import z3

    language, formulas = _read_formulas(declarations, [*premises, conclusion])
    solver = _make_solver(language, seconds)
    for number, formula in enumerate(formulas[:-1]):
        solver.assert_and_track(formula, _make_tag(language, number))
    goal = _make_tag(language, len(premises))
    solver.assert_and_track(z3.Not(formulas[-1]), goal)
    answer = solver.check()
    if answer == z3.unsat:
        core = {str(tag) for tag in solver.unsat_core()}
        used = [text for number, text in enumerate(premises) if str(_make_tag(language, number)) in core]
        return Proof("proved", used=used, contradictory=str(goal) not in core)
    if answer == z3.sat:
        return Proof("counterexample", model=_list_values(language, solver.model()))
    return Proof("unknown", reason=_explain_unknown(solver, seconds))


def find_models(declarations: list[str], constraints: list[str], count: int, seconds: float) -> Models:
    """Up to `count` assignments that differ in some constant and fulfil all constraints.

    Raises:
        Problem: something cannot be read.
    """
    import z3

    language, formulas = _read_formulas(declarations, constraints)
    solver = _make_solver(language, seconds)
    for number, formula in enumerate(formulas):
        solver.assert_and_track(formula, _make_tag(language, number))
    models: list[dict[str, str]] = []
    while len(models) < count:
        answer = solver.check()
        if answer != z3.sat:
            break
        model = solver.model()
        models.append(_list_values(language, model))
        solver.add(_make_difference(language, model))
    else:
        return Models("found", models, complete=False)
    if answer == z3.unknown:
        return Models(
            "found" if models else "unknown", models, complete=False, reason=_explain_unknown(solver, seconds)
        )
    if models:
        return Models("found", models, complete=_only_constants(language))
    core = {str(tag) for tag in solver.unsat_core()}
    conflict = [text for number, text in enumerate(constraints) if str(_make_tag(language, number)) in core]
    return Models("none", [], complete=True, conflict=conflict)


def compare_formulas(declarations: list[str], left: str, right: str, seconds: float) -> Comparison:
    """Which of two formulas implies the other.

    Raises:
        Problem: something cannot be read.
    """
    forth, back = (
        prove_conclusion(declarations, [premise], other, seconds / 2)
        for premise, other in ((left, right), (right, left))
    )
    if "unknown" in (forth.verdict, back.verdict):
        return Comparison("unknown", forth.model, back.model, forth.reason or back.reason)
    if forth.verdict == back.verdict == "proved":
        return Comparison("equivalent")
    if forth.verdict == "proved":
        return Comparison("left_implies_right", right_only=back.model)
    if back.verdict == "proved":
        return Comparison("right_implies_left", left_only=forth.model)
    return Comparison("independent", forth.model, back.model)


def _read_formulas(declarations: list[str], texts: list[str]) -> tuple[Language, list[Any]]:
    import z3

    if len(texts) > MAX_PREMISES or len(declarations) > MAX_PREMISES:
        raise Problem(
            f"there are {len(texts)} formulas and {len(declarations)} declarations; the limit is {MAX_PREMISES} each"
        )
    language = Language(z3.Context())
    for line in declarations:
        language.declare(line)
    return language, [language.formula(text) for text in texts]


def _make_solver(language: Language, seconds: float) -> Any:
    import z3

    solver = z3.Solver(ctx=language.context)
    solver.set("timeout", max(1, int(seconds * 1000)))
    solver.set("random_seed", 0)
    solver.set("core.minimize", True)  # noqa: FBT003 - Z3's way to set an option
    return solver


def _make_tag(language: Language, number: int) -> Any:
    import z3

    return z3.Bool(f"formula!{number}", language.context)


def _explain_unknown(solver: Any, seconds: float) -> str:
    reason = str(solver.reason_unknown())
    if reason in ("timeout", "canceled"):
        return f"the time limit of {seconds:g} s was reached; allow more time or simplify"
    return f"Z3 gives up ({reason}); quantifiers and products of unknowns are undecidable in general"


def _list_values(language: Language, model: Any) -> dict[str, str]:
    import z3

    values_by_name = {}
    for name, symbol in language.names.items():
        if isinstance(symbol, z3.FuncDeclRef):
            values_by_name[name] = _format_function(model, symbol)
        elif symbol.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            value = model.eval(symbol, model_completion=True)
            values_by_name[name] = (
                f"about {value.as_decimal(15)}".rstrip("?") if z3.is_algebraic_value(value) else _format_value(value)
            )
    return values_by_name


def _format_function(model: Any, symbol: Any) -> str:
    table = model[symbol]
    if table is None:
        return "anything"
    if not hasattr(table, "as_list"):
        return _format_value(table)
    *rows, rest = table.as_list()
    row_texts = [f"({', '.join(_format_value(v) for v in row[:-1])}) -> {_format_value(row[-1])}" for row in rows]
    return "; ".join([*row_texts, f"otherwise -> {_format_value(rest)}"])


def _format_value(value: Any) -> str:
    return {"True": "true", "False": "false"}.get(str(value), " ".join(str(value).split()))


def _make_difference(language: Language, model: Any) -> Any:
    import z3

    parts = [
        symbol != model.eval(symbol, model_completion=True)
        for symbol in language.names.values()
        if not isinstance(symbol, z3.FuncDeclRef) and symbol.decl().kind() == z3.Z3_OP_UNINTERPRETED
    ]
    return z3.Or(parts) if parts else z3.BoolVal(False, language.context)  # noqa: FBT003 - a value, no switch


def _only_constants(language: Language) -> bool:
    """Whether models that agree in all constants are the same: no functions, no sorts of unknown size."""
    import z3

    return not any(
        isinstance(symbol, z3.FuncDeclRef) or symbol.sort().kind() == z3.Z3_UNINTERPRETED_SORT
        for symbol in language.names.values()
    )
