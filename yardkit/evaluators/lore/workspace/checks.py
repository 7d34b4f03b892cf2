"""The results of the operations in a table, and the value asked for in a file of its own."""

import math
import re
from collections import Counter
from typing import Any

from yardkit.evaluators.checkpoints import Check, Facts, Finding, finding, group, leaf
from yardkit.evaluators.lore.checkpoints import said, same
from yardkit.evaluators.readers.answers import fold
from yardkit.evaluators.readers.files import only_changed, read_text
from yardkit.evaluators.readers.tables import find_records, read_csv_rows, to_decimal
from yardkit.evaluators.submission import Submission

RESULTS, ANSWER = "results.csv", "answer.txt"
HEADER = ("operation", "result")
TENTHS = 10
_RESULT = re.compile(r"\d+(?:\.0+)?|[A-Z]+")


def _told(submission: Submission) -> list[tuple[str, str]]:
    """The rows of the table: number of the operation, as ``7`` for ``Operation 7`` and ``7.0`` too, and its result."""
    rows = find_records(read_csv_rows(submission, RESULTS), HEADER, RESULTS)
    return [(_number(row["operation"]), str(row["result"] or "").strip()) for row in rows]


def _number(cell: Any) -> str:
    name = fold(str(cell or "")).removeprefix("operation").strip()
    number = to_decimal(name)
    return str(int(number)) if number is not None and number == int(number) else name


def _format(submission: Submission, facts: Facts) -> Finding:
    told, known = _told(submission), {str(number) for number, _ in facts["results"]}
    count = Counter(number for number, _ in told)
    faults = [f"{number!r} is not an operation" for number in count if number not in known]
    faults += [f"operation {number} has {times} rows" for number, times in count.items() if times > 1]
    faults += [f"{result[:40]!r} is not a result" for _, result in told if not _RESULT.fullmatch(result)]
    faults += [] if told else ["no row below the header"]
    return finding(not faults, "; ".join(faults[:20]) or f"{len(told)} rows, as they should be")


def _done(tenth: int) -> Check:
    def check(submission: Submission, facts: Facts) -> Finding:
        told: dict[str, set[str]] = {}
        for number, result in _told(submission):
            told.setdefault(number, set()).add(result)
        wrong = [
            f"operation {number} gives {right}, not {' or '.join(sorted(told.get(str(number), {'nothing'})))[:60]}"
            for number, right in facts["results"]
            if not _same(told.get(str(number), set()), right)
        ]
        count = len(facts["results"])
        done, wanted = count - len(wrong), math.ceil(tenth * count / TENTHS)
        return finding(done >= wanted, "; ".join([f"{done} of {count} are right, {wanted} are wanted", *wrong[:10]]))

    return check


def _same(told: set[str], right: str) -> bool:
    """Whether nothing else was told; a program of spreadsheets may have written 4711 as 4711.0."""
    return len(told) == 1 and all(
        name == right or (right.isdigit() and _RESULT.fullmatch(name) and to_decimal(name) == int(right))
        for name in told
    )


def _answer(submission: Submission, facts: Facts) -> Finding:
    lines = [line for line in read_text(submission, ANSWER).splitlines() if line.strip()]
    if len(lines) != 1:
        return finding(holds=False, evidence=f"{ANSWER} has {len(lines)} lines with text, expected one")
    told = said(lines[0], facts["prompt"]["asked"])
    return finding(same(told, facts["answer"]), f"{told[:200]!r} was delivered, {facts['answer']!r} is right")


def _kept(submission: Submission, _facts: Facts) -> Finding:
    return only_changed(submission, RESULTS, ANSWER)


CHECKS = group(
    "workspace",
    "The value is calculated, operation by operation",
    leaf("answer", f"{ANSWER} holds the value asked for", _answer, observes=(f"text:{ANSWER}",), weight=3),
    group(
        "chain",
        "The operations are solved",
        *(
            leaf(
                f"done_{tenth}",
                f"{tenth}0 % of the operations are right",
                _done(tenth),
                observes=(f"text:{RESULTS}",),
            )
            for tenth in range(1, TENTHS + 1)
        ),
        weight=3,
    ),
    leaf(
        "format",
        f"{RESULTS} has one row for an operation, with its number and its result",
        _format,
        observes=(f"text:{RESULTS}",),
        kind="format",
    ),
    leaf("kept", "All other files are as they were", _kept, observes=("input:*", "stray:*"), kind="guardrail"),
)
