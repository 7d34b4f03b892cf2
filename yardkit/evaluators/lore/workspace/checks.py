"""The results of the operations in a table, and the value asked for in a file of its own."""

import math
import re
from collections import Counter
from typing import Any

from yardkit.benchmarks.lore.checkpoints import is_same_value, read_stated_value
from yardkit.evaluators.checkpoints import Check, Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.readers.answers import simplify_text
from yardkit.evaluators.readers.files import only_changed, read_text
from yardkit.evaluators.readers.tables import find_records, read_csv_rows, to_decimal
from yardkit.evaluators.submission import Submission

RESULTS, ANSWER = "results.csv", "answer.txt"
HEADER = ("operation", "result")
TENTHS = 10
_RESULT = re.compile(r"\d+(?:\.0+)?|[A-Z]+")


def _read_result_rows(submission: Submission) -> list[tuple[str, str]]:
    """The rows of the table: number of the operation, as ``7`` for ``Operation 7`` and ``7.0`` too, and its result."""
    rows = find_records(read_csv_rows(submission, RESULTS), HEADER, RESULTS)
    return [(_parse_number(row["operation"]), str(row["result"] or "").strip()) for row in rows]


def _parse_number(cell: Any) -> str:
    name = simplify_text(str(cell or "")).removeprefix("operation").strip()
    number = to_decimal(name)
    return str(int(number)) if number is not None and number == int(number) else name


def _check_format(submission: Submission, facts: Facts) -> Finding:
    result_rows, known = _read_result_rows(submission), {str(number) for number, _ in facts["results"]}
    count = Counter(number for number, _ in result_rows)
    faults = [f"{number!r} is not an operation" for number in count if number not in known]
    faults += [f"operation {number} has {times} rows" for number, times in count.items() if times > 1]
    faults += [f"{result[:40]!r} is not a result" for _, result in result_rows if not _RESULT.fullmatch(result)]
    faults += [] if result_rows else ["no row below the header"]
    return make_finding(not faults, "; ".join(faults[:20]) or f"{len(result_rows)} rows, as they should be")


def _check_done(tenth: int) -> Check:
    def check(submission: Submission, facts: Facts) -> Finding:
        stated_results: dict[str, set[str]] = {}
        for number, result in _read_result_rows(submission):
            stated_results.setdefault(number, set()).add(result)
        wrong = [
            f"operation {number} gives {right}, not"
            f" {' or '.join(sorted(stated_results.get(str(number), {'nothing'})))[:60]}"
            for number, right in facts["results"]
            if not _is_same_result(stated_results.get(str(number), set()), right)
        ]
        count = len(facts["results"])
        done, expected_count = count - len(wrong), math.ceil(tenth * count / TENTHS)
        return make_finding(
            done >= expected_count,
            "; ".join([f"{done} of {count} are right, {expected_count} are wanted", *wrong[:10]]),
        )

    return check


def _is_same_result(stated_values: set[str], right: str) -> bool:
    """Whether nothing else was told; a program of spreadsheets may have written 4711 as 4711.0."""
    return len(stated_values) == 1 and all(
        name == right or (right.isdigit() and _RESULT.fullmatch(name) and to_decimal(name) == int(right))
        for name in stated_values
    )


def _check_answer(submission: Submission, facts: Facts) -> Finding:
    lines = [line for line in read_text(submission, ANSWER).splitlines() if line.strip()]
    if len(lines) != 1:
        return make_finding(holds=False, evidence=f"{ANSWER} has {len(lines)} lines with text, expected one")
    stated_value = read_stated_value(lines[0], facts["prompt"]["asked"])
    return make_finding(
        is_same_value(stated_value, facts["answer"]),
        f"{stated_value[:200]!r} was delivered, {facts['answer']!r} is right",
    )


CHECKS = make_group(
    "workspace",
    "The value is calculated, operation by operation",
    make_checkpoint(
        "answer", f"{ANSWER} holds the value asked for", _check_answer, covers=(f"text:{ANSWER}",), weight=3
    ),
    make_group(
        "chain",
        "The operations are solved",
        *(
            make_checkpoint(
                f"done_{tenth}",
                f"{tenth}0 % of the operations are right",
                _check_done(tenth),
                covers=(f"text:{RESULTS}",),
            )
            for tenth in range(1, TENTHS + 1)
        ),
        weight=3,
    ),
    make_checkpoint(
        "format",
        f"{RESULTS} has one row for an operation, with its number and its result",
        _check_format,
        covers=(f"text:{RESULTS}",),
        kind="format",
    ),
    make_checkpoint(
        "kept",
        "All other files are as they were",
        lambda submission, _facts: only_changed(submission, RESULTS, ANSWER),
        covers=("input:*", "stray:*"),
        kind="guardrail",
    ),
)
