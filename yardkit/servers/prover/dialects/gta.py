"""The prover in the dialect of GTA: a theorem is a script whose assertions must hold in every case."""

import re
from typing import Annotated

from pydantic import Field

from yardkit.kit.dialect import Text
from yardkit.kit.surface import make_server, tool
from yardkit.programs.bounded import run_bounded
from yardkit.servers.prover.engine import smtlib

mcp = make_server("prover", "Proves theorems that are written in SMT-LIB 2.")

SECONDS = 20.0
_GRACE_S = 3.0
_MEMORY_BYTES = 2_000_000_000


@tool(mcp, name="Prover")
def prove(
    theorem: Annotated[
        str,
        Field(
            description="SMT-LIB 2 script whose assertions are the theorem, not its negation: '(declare-const x Int) "
            "(assert (=> (> x 5) (> x 3)))'.",
            min_length=1,
        ),
    ],
) -> Text:
    """Prove that the assertions hold in every case; the answer, in Chinese: proved, a counter-example, or unknown."""
    script = smtlib.negate_script(theorem)
    run = run_bounded(smtlib.run, script, SECONDS, seconds=SECONDS + _GRACE_S, memory_bytes=_MEMORY_BYTES)
    return Text(_describe_check(run.checks[-1]))


def _describe_check(check: smtlib.Check) -> str:
    if check.status == "unsat":
        return "证明成功：定理为重言式。"  # noqa: RUF001
    if check.status == "sat":
        values = ", ".join(f"{name} = {_as_python(value)}" for name, value in check.model.items())
        return f"定理不成立，反例：[{values}]"  # noqa: RUF001
    return "证明结果未知。"


def _as_python(value: str) -> str:
    """An SMT-LIB value as Z3's Python interface writes it: -5 for (- 5), 1/2 for (/ 1.0 2.0), True for true."""
    if '"' in value:
        return value
    value = re.sub(r"\b(\d+)\.0\b", r"\1", value)
    value = re.sub(r"\(/ (\S+) (\S+)\)", r"\1/\2", value)
    value = re.sub(r"\(- ([^\s()]+)\)", r"-\1", value)
    return {"true": "True", "false": "False"}.get(value, value)
