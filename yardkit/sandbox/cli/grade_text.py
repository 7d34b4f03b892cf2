"""A grade as text for a terminal."""

from collections.abc import Iterator

from yardkit.evaluators.checkpoints import OUR_FAULTS
from yardkit.evaluators.scoring import Grade, Verdict

MAX_EVIDENCE_LENGTH = 300
"""Characters of evidence shown for a leaf; the JSON has all of it."""


def as_text(grade: Grade) -> str:
    """The verdict tree, one line per node with a mark, evidence below each node that did not pass, and the score."""
    lines = list(_format_node(grade.verdict, 0)) if grade.verdict else []
    lines += [f"! {_clean_text(fault)}" for fault in grade.faults]
    lines += [f"crashed: {_clean_text(crash)}" for crash in grade.crashes]
    word = {True: "passed", False: "not passed", None: "not decided"}[grade.passed] if grade.valid else "INVALID"
    return "\n".join([*lines, f"reward {grade.reward:g}   root score {grade.root_score:g}   {word}"])


def _format_node(node: Verdict, depth: int) -> Iterator[str]:
    indent = "  " * depth
    share = f"  {node.score:.0%}" if node.parts and node.score is not None else ""
    notes = " (gate)" if node.gate else ""
    yield f"{indent}{_choose_mark(node)} {node.id}: {node.says}{notes}{share}"
    if not node.parts and node.outcome != "pass":
        yield f"{indent}    {node.outcome}: {_clean_text(node.evidence)}"
    for part in node.parts:
        yield from _format_node(part, depth + 1)


def _choose_mark(node: Verdict) -> str:
    if node.outcome in OUR_FAULTS:
        return "!"
    if node.score is None:
        return "?"
    return "✓" if node.score == 1.0 else "✗"


def _clean_text(text: str) -> str:
    """Make one short line without control characters, so that an agent's text cannot control the terminal."""
    line = " ".join(text.split())
    printable = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in line[:MAX_EVIDENCE_LENGTH])
    return printable + (" ..." if len(line) > MAX_EVIDENCE_LENGTH else "")
