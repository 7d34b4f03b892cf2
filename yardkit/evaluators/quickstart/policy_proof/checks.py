"""Each verdict is right, each counter-example obeys all rules and breaks its claim."""

from collections.abc import Callable, Mapping, Sequence

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Check, Facts, Finding, finding, group, leaf
from yardkit.evaluators.readers.answers import fold, read_number
from yardkit.evaluators.readers.tables import find_records, near, read_csv_rows
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


def _rows(submission: Submission) -> dict[str, dict[str, str]]:
    rows = find_records(read_csv_rows(submission, "verdicts.csv"), COLUMNS, "verdicts.csv")
    return {fold(str(row["claim"])).upper(): {key: str(row[key] or "") for key in COLUMNS} for row in rows}


def _rows_complete(submission: Submission, facts: Facts) -> Finding:
    rows = find_records(read_csv_rows(submission, "verdicts.csv"), COLUMNS, "verdicts.csv")
    found = sorted(fold(str(row["claim"])).upper() for row in rows)
    unknown = {fold(str(row["verdict"])) for row in rows} - {"follows", "refuted"}
    return finding(found == sorted(facts["claims"]) and not unknown, f"rows for {found}, unknown verdicts {unknown}")


def _verdicts(*, follow: bool) -> Check:
    wanted = "follows" if follow else "refuted"

    def check(submission: Submission, facts: Facts) -> Finding:
        rows = _rows(submission)
        claims = [name for name, follows in facts["follows"].items() if follows == follow]
        wrong = [name for name in claims if name not in rows or fold(rows[name]["verdict"]) != wanted]
        # Saying the same of every claim is no judgement.
        others = [name for name in rows if name not in claims and fold(rows[name]["verdict"]) == wanted]
        return finding(not wrong and not others, f"not {wanted}: {wrong}; wrongly {wanted}: {others}")

    return check


def _counterexamples(submission: Submission, facts: Facts) -> Finding:
    rows = _rows(submission)
    faults = [
        f"{name}: {fault}"
        for name, follows in facts["follows"].items()
        if (fault := _fault(rows.get(name, {}).get("counterexample", ""), facts, name, follows=follows))
    ]
    return finding(not faults, "; ".join(faults) or "each breaks its claim and obeys all rules")


def _fault(text: str, facts: Facts, name: str, *, follows: bool) -> str:
    """What is wrong with a counter-example; empty if it is right."""
    if follows:
        return f"{text!r} cannot be one" if text.strip() else ""
    keys = text.replace(",", " ").replace(";", " ").casefold().split()
    if not keys:
        return "none is given"
    has = set() if keys == ["none"] else set(keys)
    if has - set(facts["keys"]):
        return f"unknown properties {sorted(has - set(facts['keys']))}"
    broken = [number + 1 for number, rule in enumerate(facts["rules"]) if not _holds(rule, has)]
    if broken:
        return f"{text!r} breaks the rules {broken}"
    return f"{text!r} does not break the claim" if _holds(facts["claims"][name], has) else ""


def _holds(rule: Sequence[str], has: set[str]) -> bool:
    return HOLDS[rule[0]](*(key in has for key in rule[1:]))


def _count(submission: Submission, facts: Facts) -> Finding:
    stated, right = read_number(submission.answer), sum(facts["follows"].values())
    return finding(near(stated, right), f"{stated} was stated, {right} follow")


TABLE = ("file:verdicts.csv", "text:verdicts.csv")

CHECKS = group(
    "policy_proof",
    "Each claim is proved or refuted",
    leaf("rows", "There is one row per claim with a known verdict", _rows_complete, observes=TABLE, kind="format"),
    leaf("follows", "Just the claims that follow are marked so", _verdicts(follow=True), observes=TABLE, weight=2),
    leaf("refuted", "Claims that do not follow are refuted", _verdicts(follow=False), observes=TABLE, weight=2),
    leaf("counterexamples", "Counter-examples are valid", _counterexamples, observes=TABLE, weight=3),
    leaf("count", "The answer counts the claims that follow", _count, observes=("answer",)),
    leaves.nothing_else("verdicts.csv"),
)
