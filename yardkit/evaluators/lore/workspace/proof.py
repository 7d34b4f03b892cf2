"""Solutions and near misses of lore/workspace."""

import csv
import io
import re
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from yardkit.benchmarks.lore.solving.solver import NO_ANSWER, Mind, Perfect
from yardkit.evaluators.lore.workspace.shelves import Lead, RecordText, Shelves, Value
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent, Solved, ToolFailed, caught_by_leaf

RESULTS, ANSWER = "results.csv", "answer.txt"
Compute = Callable[[str, Sequence[Value]], Value]
_TERM = re.compile(r"([-+&]?) ?(?:(\d) \* )?(F\d+)")


def solve(agent: Agent) -> str:
    walk_graph(agent, Perfect())
    return ""


def walk_graph(agent: Agent, mind: Mind) -> str:
    """Solve it as well as `mind` can, and deliver what was found."""
    findings = climb_records(agent, mind, compute_formula)
    rows = [["operation", "result"], *sorted(findings.results.items(), key=lambda item: int(item[0]))]
    agent.call("write_file", path=RESULTS, content="".join(f"{','.join(row)}\n" for row in rows))
    if findings.answer:
        agent.call("write_file", path=ANSWER, content=f"{findings.answer}\n")
    return findings.answer or NO_ANSWER


@dataclass
class Findings:
    """Results by number of the operation, and the value asked for, empty if it was not found."""

    results: dict[str, str] = field(default_factory=dict)
    answer: str = ""


def climb_records(agent: Agent, mind: Mind, compute: Compute, *, deep: bool = False) -> Findings:
    """From the records that are told to the one that is asked for; `deep` reads on from the newest lead first."""
    asked = re.findall(r"work out figure (F\d+)", agent.prompt)[0]
    shelves, findings = Shelves(agent), Findings()
    climber, todo = _Climber(mind, compute, findings), deque(shelves.list_starts())
    while todo:
        try:
            record = shelves.read_record(todo.pop() if deep else todo.popleft())
        except ToolFailed:  # it was worked out wrongly: that lead is lost
            continue
        if record.figure == asked:
            findings.answer = str(record.value)
        todo += record.others
        todo += climber.take_record(record)
    return findings


@dataclass
class _Climber:
    """Keeps figures and operations until they meet."""

    mind: Mind
    compute: Compute
    findings: Findings
    values: dict[str, Value] = field(default_factory=dict)
    waiting: dict[str, list[RecordText]] = field(default_factory=dict)

    def take_record(self, record: RecordText) -> list[Lead]:
        """Note what a record says; the records that follow from it."""
        if record.figure:
            self.values[record.figure] = record.value
        while self.mind.forgets(len(self.values)):
            del self.values[next(iter(self.values))]
        ready = self.waiting.pop(record.figure, []) if record.figure else []
        leads = []
        for operation in [*ready, *([record] if record.operation else [])]:
            over = re.findall(r"F\d+", operation.formula)
            missing = next((name for name in over if name not in self.values), None)
            if missing is None:
                result = self.compute(operation.formula, [self.values.pop(name) for name in over])
                result_text = str(self.mind.worked_out(result))
                self.findings.results[operation.operation] = result_text
                leads.append(Lead(result_text, *operation.target))
            else:
                self.waiting.setdefault(missing, []).append(operation)
        return leads


def compute_formula(formula: str, values: Sequence[Value]) -> Value:
    """The result of ``F12 + 2 * F15 - F31`` or ``F12 & F15`` over values in this order."""
    if "&" in formula:
        return "".join(str(value) for value in values)
    terms = zip(_TERM.findall(formula), values, strict=True)
    return sum((-1 if sign == "-" else 1) * int(factor or 1) * int(value) for (sign, factor, _), value in terms)


def alternative_deep_first_with_the_calculator(agent: Agent, _files: Path) -> str:
    """The newest lead first, sums by the calculator, the table as it is found, the answer without a line end."""

    def compute(formula: str, values: Sequence[Value]) -> Value:
        if "&" in formula:
            return compute_formula(formula, values)
        left = iter(values)
        expression = re.sub(r"F\d+", lambda _: str(next(left)), formula)
        return int(str(agent.call("evaluate_expression", expression=expression)["exact"]))

    findings = climb_records(agent, Perfect(), compute, deep=True)
    rows = [("operation", "result"), *findings.results.items()]
    agent.call("write_file", path=RESULTS, content="\r\n".join(",".join(row) for row in rows))
    agent.call("write_file", path=ANSWER, content=findings.answer)
    return f"{findings.answer} is what I found."


def alternative_by_an_office_program(agent: Agent, files: Path) -> str:
    """Semicolons, quotes, a byte order mark, rows from the last to the first, numbers with a decimal point."""
    walk_graph(agent, Perfect())
    _rewrite_table(files, lambda rows: rows[::-1], by_office=True)
    (files / ANSWER).write_bytes(b"\xef\xbb\xbf" + (files / ANSWER).read_bytes().replace(b"\n", b"\r\n"))
    return "Done."


def alternative_with_a_column_of_remarks(agent: Agent, files: Path) -> str:
    """A third column, and the operations named as the records name them."""
    answer = walk_graph(agent, Perfect())
    _rewrite_table(files, lambda rows: [[f"Operation {number}", result, "checked"] for number, result in rows])
    return answer


def _rewrite_table(
    files: Path, change: Callable[[list[list[str]]], list[list[str]]], *, by_office: bool = False
) -> None:
    """Save the table again, its rows changed; `by_office` in the dialect of a spreadsheet program."""
    head, *rows = csv.reader(io.StringIO((files / RESULTS).read_text("utf-8")))
    if by_office:
        rows = [[number, f"{result}.0" if result.isdigit() else result] for number, result in rows]
    rows, buffer = change(rows), io.StringIO()
    head += ["remarks"] * (len(rows[0]) - len(head))
    writer = csv.writer(buffer, delimiter=";", quoting=csv.QUOTE_ALL) if by_office else csv.writer(buffer)
    writer.writerows([head, *rows])
    (files / RESULTS).write_bytes(buffer.getvalue().encode("utf-8-sig" if by_office else "utf-8"))


@caught_by_leaf("done_10")
def near_miss_an_operation_off_by_one(work: Solved) -> None:
    """The result of one operation half the way is nearly right."""
    number, right = work.facts["results"][(len(work.facts["results"]) - 1) // 2]
    near = str(int(right) + 1) if right.isdigit() else right[1:] + right[0]
    _replace_row(work, number, f"{number},{near if near != right else right + 'B'}\n")


@caught_by_leaf("done_10")
def near_miss_last_operation_missing(work: Solved) -> None:
    """The last operation was taken for the answer and has no row."""
    _replace_row(work, work.facts["results"][-1][0], "")


@caught_by_leaf("format", "done_10")
def near_miss_two_results_for_one_operation(work: Solved) -> None:
    """Right and wrong side by side."""
    number, right = work.facts["results"][-1]
    _replace_row(work, number, f"{number},{right}\n{number},{right[::-1]}7\n")


@caught_by_leaf("answer")
def near_miss_the_value_of_a_superseded_plan(work: Solved) -> None:
    """The figure that was asked for, under another reference."""
    (work.files / ANSWER).write_text(work.facts["other_answers"][0], "utf-8")


@caught_by_leaf("answer")
def near_miss_every_candidate_listed(work: Solved) -> None:
    """All values of the figure that was asked for."""
    candidates = sorted([work.facts["answer"], *work.facts["other_answers"]])
    (work.files / ANSWER).write_text("\n".join(candidates), "utf-8")


@caught_by_leaf("done_1", "format")
def near_miss_results_in_words(work: Solved) -> None:
    """A report instead of a table."""
    lines = (f"Operation {number} gives {result}.\n" for number, result in work.facts["results"])
    (work.files / RESULTS).write_text("".join(lines), "utf-8")


@caught_by_leaf("kept")
def near_miss_ticks_in_the_list_of_records(work: Solved) -> None:
    """The records that were done are ticked in the workbook they were listed in."""
    with open_edited(work.files / "start.xlsx") as book:
        book["Start"]["E4"] = "done"


def _replace_row(work: Solved, number: int, by: str) -> None:
    path = work.files / RESULTS
    path.write_text(re.sub(rf"^{number},.*\n", by, path.read_text("utf-8"), flags=re.M), "utf-8")
