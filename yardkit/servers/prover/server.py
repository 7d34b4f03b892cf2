"""The tools of the `prover` server."""

from collections.abc import Callable
from typing import Annotated, TypeVar

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.programs.bounded import run_bounded
from yardkit.servers.prover.engine import goals, smtlib

mcp = make_server(
    "prover",
    "Prove statements or find counterexamples and models with the SMT solver Z3: propositional and "
    "first-order logic, linear and non-linear arithmetic, functions, enumerations; in a readable notation "
    "or in SMT-LIB 2.",
)

Result = TypeVar("Result")
_MEMORY_BYTES = 2_000_000_000
_GRACE_S = 3.0
Declarations = Annotated[
    tuple[str, ...],
    Field(
        description="Declarations by sort: 'x, y: Int', 'p: Bool', 'r: Real', 'Person: sort', 'likes: Person, Person "
        "-> Bool', 'Color: {red, green}'. Empty: every name is a proposition."
    ),
]
_NOTATION = "Notation: not, and, or, xor, ->, <->, = != < <= > >=, + - * / % ^, 'forall x: Int. ...', 'exists ...'."
Seconds = Annotated[float, Field(description="Time limit in seconds.", ge=0.5, le=120)]


@tool(mcp)
def prove_goal(
    conclusion: Annotated[str, Field(description=f"Formula to prove, such as 'q'. {_NOTATION}", min_length=1)],
    premises: Annotated[tuple[str, ...], Field(description="Formulas assumed true, such as ['p -> q', 'p'].")] = (),
    declarations: Declarations = (),
    time_limit_s: Seconds = 20,
) -> goals.Proof:
    """Prove that a conclusion follows from premises: proved (with the premises used), counterexample, or unknown."""
    return _run_limited(goals.prove_conclusion, list(declarations), list(premises), conclusion, seconds=time_limit_s)


@tool(mcp)
def find_models(
    constraints: Annotated[list[str], Field(description=f"Formulas that must all hold. {_NOTATION}", min_length=1)],
    declarations: Declarations = (),
    count: Annotated[int, Field(description="Maximum number of different models.", ge=1, le=goals.MAX_MODELS)] = 1,
    time_limit_s: Seconds = 20,
) -> goals.Models:
    """Find values that satisfy constraints (puzzles, schedules, integer equations), or name conflicting constraints."""
    return _run_limited(goals.find_models, list(declarations), constraints, count, seconds=time_limit_s)


@tool(mcp)
def compare_formulas(
    left: Annotated[str, Field(description=f"First formula. {_NOTATION}", min_length=1)],
    right: Annotated[str, Field(description="Second formula.", min_length=1)],
    declarations: Declarations = (),
    time_limit_s: Seconds = 20,
) -> goals.Comparison:
    """Check whether two formulas are equivalent or one implies the other, with assignments that distinguish them."""
    return _run_limited(goals.compare_formulas, list(declarations), left, right, seconds=time_limit_s)


@tool(mcp)
def check_satisfiability(
    script: Annotated[
        str,
        Field(
            description="SMT-LIB 2 commands, such as '(declare-const x Int) (assert (> x 5)) (check-sat)'. To prove a "
            "statement assert its negation: unsat means proved. Files cannot be read or written.",
            min_length=1,
        ),
    ],
    time_limit_s: Seconds = 20,
) -> smtlib.ScriptRun:
    """Run an SMT-LIB 2 script; check-sat gives sat with a model, unsat with a core of named assertions, or unknown."""
    return _run_limited(smtlib.run, script, seconds=time_limit_s)


def _run_limited(function: Callable[..., Result], *args: object, seconds: float) -> Result:
    # Z3 ends at its own limit with a reason; the process is killed only where it does not.
    return run_bounded(function, *args, seconds, seconds=seconds + _GRACE_S, memory_bytes=_MEMORY_BYTES)
