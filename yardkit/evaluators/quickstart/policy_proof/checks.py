"""Each verdict is right, each counter-example obeys all rules and breaks its claim."""

from collections.abc import Callable, Mapping, Sequence

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Check, Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.readers.answers import read_number, simplify_text
from yardkit.evaluators.readers.tables import find_records, is_near, read_csv_rows
from yardkit.evaluators.submission import Submission

COLUMNS = ("claim", "verdict", "counterexample")
HOLDS: Mapping[str, Callable[..., bool]] = {
    "all": lambda a, b: b or not a,
    "only": lambda a, b: b or not a,
    "none": lambda a, b: not a or not b,
    "either": lambda a, b, c: b or c or not a,
    "both": lambda a, b, c: c or not a or not b,
    "unless": lambda a, b, c: b or c or not a,
}


def _read_rows(submission: Submission) -> dict[str, dict[str, str]]:
    rows = find_records(read_csv_rows(submission, "verdicts.csv"), COLUMNS, "verdicts.csv")
    return {simplify_text(str(row["claim"])).upper(): {key: str(row[key] or "") for key in COLUMNS} for row in rows}


def _rows_complete(submission: Submission, facts: Facts) -> Finding:
    rows = find_records(read_csv_rows(submission, "verdicts.csv"), COLUMNS, "verdicts.csv")
    claim_names = sorted(simplify_text(str(row["claim"])).upper() for row in rows)
    unknown = {simplify_text(str(row["verdict"])) for row in rows} - {"follows", "refuted"}
    return make_finding(
        claim_names == sorted(facts["claims"]) and not unknown, f"rows for {claim_names}, unknown verdicts {unknown}"
    )


def _check_verdicts(*, follow: bool) -> Check:
    expected_verdict = "follows" if follow else "refuted"

    def check(submission: Submission, facts: Facts) -> Finding:
        rows = _read_rows(submission)
        claims = [name for name, follows in facts["follows"].items() if follows == follow]
        wrong = [
            name for name in claims if name not in rows or simplify_text(rows[name]["verdict"]) != expected_verdict
        ]
        # Saying the same of every claim is no judgement.
        others = [
            name for name in rows if name not in claims and simplify_text(rows[name]["verdict"]) == expected_verdict
        ]
        return make_finding(
            not wrong and not others, f"not {expected_verdict}: {wrong}; wrongly {expected_verdict}: {others}"
        )

    return check


def _check_counterexamples(submission: Submission, facts: Facts) -> Finding:
    rows = _read_rows(submission)
    faults = [
        f"{name}: {fault}"
        for name, follows in facts["follows"].items()
        if (fault := _find_fault(rows.get(name, {}).get("counterexample", ""), facts, name, follows=follows))
    ]
    return make_finding(not faults, "; ".join(faults) or "each breaks its claim and obeys all rules")


def _find_fault(text: str, facts: Facts, name: str, *, follows: bool) -> str:
    """What is wrong with a counter-example; empty if it is right."""
    if follows:
        return f"{text!r} cannot be one" if text.strip() else ""
    keys = text.replace(",", " ").replace(";", " ").casefold().split()
    if not keys:
        return "none is given"
    has = set() if keys == ["none"] else set(keys)
    if has - set(facts["keys"]):
        return f"unknown properties {sorted(has - set(facts['keys']))}"
    broken = [number + 1 for number, rule in enumerate(facts["rules"]) if not _holds_for(rule, has)]
    if broken:
        return f"{text!r} breaks the rules {broken}"
    return f"{text!r} does not break the claim" if _holds_for(facts["claims"][name], has) else ""


def _holds_for(rule: Sequence[str], has: set[str]) -> bool:
    return HOLDS[rule[0]](*(key in has for key in rule[1:]))


def _check_count(submission: Submission, facts: Facts) -> Finding:
    stated, right = read_number(submission.answer), sum(facts["follows"].values())
    return make_finding(is_near(stated, right), f"{stated} was stated, {right} follow")


TABLE = ("file:verdicts.csv", "text:verdicts.csv")

CHECKS = make_group(
    "policy_proof",
    "Each claim is proved or refuted",
    make_checkpoint(
        "rows", "There is one row per claim with a known verdict", _rows_complete, covers=TABLE, kind="format"
    ),
    make_checkpoint(
        "follows", "Just the claims that follow are marked so", _check_verdicts(follow=True), covers=TABLE, weight=2
    ),
    make_checkpoint(
        "refuted", "Claims that do not follow are refuted", _check_verdicts(follow=False), covers=TABLE, weight=2
    ),
    make_checkpoint("counterexamples", "Counter-examples are valid", _check_counterexamples, covers=TABLE, weight=3),
    make_checkpoint("count", "The answer counts the claims that follow", _check_count, covers=("answer",)),
    leaves.nothing_else("verdicts.csv"),
)
