"""The prover in the dialect of GTA: a theorem is a script whose assertions must hold in every case."""

import re

from yardkit.programs.bounded import run_bounded
from yardkit.servers.prover.engine import smtlib

SECONDS = 20.0
_GRACE_S = 3.0
_MEMORY_BYTES = 2_000_000_000


def Prover(theorem: str) -> str:
    script = smtlib.negate_script(theorem)
    run = run_bounded(smtlib.run, script, SECONDS, seconds=SECONDS + _GRACE_S, memory_bytes=_MEMORY_BYTES)
    return _describe_check(run.checks[-1])


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
