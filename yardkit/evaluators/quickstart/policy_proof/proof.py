"""Solutions and near misses of quickstart/policy_proof."""

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path

from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent, Solved, caught_by_leaf

FORMS = {
    r"Everyone who is (.+) is also (.+)\.": "{0} -> {1}",
    r"Only those who are (.+) may be (.+)\.": "{1} -> {0}",
    r"Nobody is both (.+) and (.+)\.": "not ({0} and {1})",
    r"Everyone who is (.+) is (.+) or (.+), or both\.": "{0} -> {1} or {2}",
    r"Whoever is (.+) and at the same time (.+) is also (.+)\.": "{0} and {1} -> {2}",
    r"Everyone who is (.+) is (.+), unless they are (.+)\.": "{0} and not {2} -> {1}",
}
Verdicts = dict[str, list[str] | None]
"""Claim -> the properties of a counter-example; None if it follows."""


def solve(agent: Agent) -> str:
    """Translate the sentences into formulas and ask the prover for each claim."""
    verdicts = _find_verdicts(agent)
    rows = [[name, *_make_row(keys)] for name, keys in verdicts.items()]
    _write_verdicts(agent, [["claim", "verdict", "counterexample"], *rows])
    return f"Proved with the rules in force.\n{_count_following(verdicts)}"


def alternative_largest_counterexamples(agent: Agent, files: Path) -> str:
    """Other counter-examples: as many properties as possible, listed with commas; another order of rows."""
    verdicts = _find_verdicts(agent, most=True)
    with (files / "verdicts.csv").open("w", newline="", encoding="utf-8") as handle:
        writer = csv.writer(handle, delimiter=";")
        writer.writerow(["Claim", "Verdict", "Counterexample"])
        for name, keys in sorted(verdicts.items(), reverse=True):
            writer.writerow([name, "Follows", ""] if keys is None else [name, "Refuted", ", ".join(keys) or "none"])
    return f"{_count_following(verdicts)} statements follow."


def alternative_with_a_column_of_remarks(agent: Agent, files: Path) -> str:
    """An extra column and quoted cells."""
    verdicts = _find_verdicts(agent)
    with (files / "verdicts.csv").open("w", newline="", encoding="utf-8-sig") as handle:
        writer = csv.writer(handle, quoting=csv.QUOTE_ALL)
        writer.writerow(["claim", "remark", "verdict", "counterexample"])
        writer.writerows([name, "checked", *_make_row(keys)] for name, keys in verdicts.items())
    return f"Result:\n\n**{_count_following(verdicts)}**"


@caught_by_leaf("follows", "refuted", "counterexamples")
def near_miss_everything_follows(work: Solved) -> None:
    """The same verdict for all."""
    _rewrite_verdicts(work, lambda row: [row[0], "follows", ""])


@caught_by_leaf("refuted", "follows")
def near_miss_one_refuted_claim_accepted(work: Solved) -> None:
    """One plausible claim is taken for true."""
    name = next(name for name, follows in work.facts["follows"].items() if not follows)
    _rewrite_verdicts(work, lambda row: [name, "follows", ""] if row[0] == name else row)


@caught_by_leaf("counterexamples")
def near_miss_counterexample_that_breaks_a_rule(work: Solved) -> None:
    """A person who breaks the claim and the policy as well."""
    _rewrite_verdicts(work, lambda row: [row[0], row[1], " ".join(work.facts["keys"]) if row[2] else ""])


@caught_by_leaf("counterexamples")
def near_miss_only_the_properties_of_the_claim(work: Solved) -> None:
    """The counter-example is missing."""
    _rewrite_verdicts(work, lambda row: [row[0], row[1], ""])


near_miss_refuted_counted = misses.change_answer(
    lambda work: len(work.facts["follows"]) * 2 - sum(work.facts["follows"].values()), caught_by="count"
)


near_miss_old_policy_deleted = misses.delete_file("policy/access_policy_v2.md")


def _find_verdicts(agent: Agent, *, most: bool = False) -> Verdicts:
    keys = {row["property"]: row["key"] for row in _read_table(agent, "policy/glossary.csv")}
    rules = [_build_formula(line.split(". ", 1)[1], keys) for line in _rules_in_force(agent)]
    return {
        row["claim"]: _find_counterexample(
            agent, rules, _build_formula(row["statement"], keys), sorted(keys.values()), most=most
        )
        for row in _read_table(agent, "briefing/claims.csv")
    }


def _find_counterexample(
    agent: Agent, rules: list[str], claim: str, keys: list[str], *, most: bool
) -> list[str] | None:
    proof = agent.call("prove_goal", premises=rules, conclusion=claim)
    if proof["verdict"] == "proved":
        return None
    has = [key for key in keys if proof["model"].get(key) == "true"]
    for key in keys if most else []:
        constraints = [*rules, f"not ({claim})", *has, key]
        if key not in has and agent.call("find_models", constraints=constraints)["status"] == "found":
            has.append(key)
    if most:
        # What is not wanted must be impossible beside it, so that the list describes the whole person.
        model = agent.call("find_models", constraints=[*rules, f"not ({claim})", *has])["models"][0]
        has = [key for key in keys if model.get(key) == "true"]
    return has


def _rules_in_force(agent: Agent) -> list[str]:
    for hit in agent.call("search_files", path="policy", pattern="^status: in force")["hits"]:
        text = agent.call("read_file", path=hit["path"])["content"]
        return [line for line in text.splitlines() if re.match(r"\d+\. ", line)]
    raise LookupError("no policy is in force")


def _build_formula(sentence: str, keys: dict[str, str]) -> str:
    for pattern, form in FORMS.items():
        match = re.fullmatch(pattern, sentence)
        if match and all(phrase in keys for phrase in match.groups()):
            return form.format(*(keys[phrase] for phrase in match.groups()))
    raise LookupError(f"a sentence of another form: {sentence}")


def _read_table(agent: Agent, path: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(agent.call("read_file", path=path)["content"])))


def _make_row(keys: list[str] | None) -> list[str]:
    return ["follows", ""] if keys is None else ["refuted", " ".join(keys) or "none"]


def _count_following(verdicts: Verdicts) -> int:
    return sum(keys is None for keys in verdicts.values())


def _write_verdicts(agent: Agent, rows: list[list[str]]) -> None:
    agent.call("write_file", path="verdicts.csv", content="".join(f"{','.join(row)}\n" for row in rows))


def _rewrite_verdicts(work: Solved, change: Callable[[list[str]], list[str]]) -> None:
    path = work.files / "verdicts.csv"
    head, *rows = [line.split(",") for line in path.read_text("utf-8").splitlines()]
    path.write_text("".join(f"{','.join(row)}\n" for row in [head, *(change(row) for row in rows)]), "utf-8")
