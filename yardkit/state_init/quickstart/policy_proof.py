"""An access policy in plain English, an outdated version of it, and claims that follow from it or do not."""

import itertools
import random
from collections.abc import Callable, Iterator
from typing import Any

from yardkit.world import World, save_text

PHRASES = {
    "employee": "an employee",
    "contractor": "a contractor",
    "visitor": "a visitor",
    "admin": "an administrator",
    "badge": "wearing a badge",
    "keyholder": "a keyholder",
    "trained": "trained in safety",
    "escorted": "escorted",
    "nightshift": "on the night shift",
    "lab": "allowed into the laboratory",
}
KEYS = tuple(PHRASES)
Rule = tuple[str, ...]
"""A form and the keys that it speaks of, such as ``("all", "admin", "employee")``."""

SENTENCES = {
    "all": "Everyone who is {0} is also {1}.",
    "only": "Only those who are {1} may be {0}.",
    "none": "Nobody is both {0} and {1}.",
    "either": "Everyone who is {0} is {1} or {2}, or both.",
    "both": "Whoever is {0} and at the same time {1} is also {2}.",
    "unless": "Everyone who is {0} is {2}, unless they are {1}.",
}
HOLDS: dict[str, Callable[..., bool]] = {
    "all": lambda a, b: not a or b,
    "only": lambda a, b: not a or b,
    "none": lambda a, b: not (a and b),
    "either": lambda a, b, c: not a or b or c,
    "both": lambda a, b, c: not (a and b) or c,
    "unless": lambda a, b, c: not a or b or c,
}
PLAN = ("all", "all", "only", "none", "none", "either", "both", "both", "unless")
REFUTED, FOLLOWING = 4, 4


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Write policy, glossary and claims; the facts hold the rules and the claims in a form that can be checked."""
    while True:
        rules = [(form, *rng.sample(KEYS, 2 if form in ("all", "only", "none") else 3)) for form in PLAN]
        claims = _choose_claims(rules, rng)
        old = _make_outdated_rules(rules, rng)
        if claims and any(
            _follows_from_rules(claim, rules) != _follows_from_rules(claim, old) for claim in claims.values()
        ):
            break
    save_text(world.files / "policy" / "access_policy_v3.md", _write_policy(rules, "3", "2026-01-12", "in force"))
    save_text(world.files / "policy" / "access_policy_v2.md", _write_policy(old, "2", "2024-06-03", "superseded"))
    glossary = "\n".join(["key,property", *(f"{key},{phrase}" for key, phrase in sorted(PHRASES.items()))])
    save_text(world.files / "policy" / "glossary.csv", glossary + "\n")
    lines = "\n".join(["claim,statement", *(f'{name},"{_write_sentence(claim)}"' for name, claim in claims.items())])
    save_text(world.files / "briefing" / "claims.csv", lines + "\n")
    save_text(world.files / "briefing" / "agenda.md", "# Audit\n\n1. Welcome\n2. Access policy\n3. Fire doors\n")
    save_text(
        world.files / "briefing" / "claims_2025.csv", 'claim,statement\nC1,"Nobody is both a visitor and trained."\n'
    )
    follows = {name: _follows_from_rules(claim, rules) for name, claim in claims.items()}
    return {
        "rules": [list(rule) for rule in rules],
        "claims": _to_lists(claims),
        "follows": follows,
        "keys": list(KEYS),
    }


def _iter_people(rules: list[Rule]) -> Iterator[dict[str, bool]]:
    """Everybody who obeys all rules."""
    for values in itertools.product((False, True), repeat=len(KEYS)):
        person = dict(zip(KEYS, values, strict=True))
        if all(_is_obeyed(rule, person) for rule in rules):
            yield person


def _is_obeyed(rule: Rule, person: dict[str, bool]) -> bool:
    return HOLDS[rule[0]](*(person[key] for key in rule[1:]))


def _follows_from_rules(claim: Rule, rules: list[Rule]) -> bool:
    return all(_is_obeyed(claim, person) for person in _iter_people(rules))


def _choose_claims(rules: list[Rule], rng: random.Random) -> dict[str, Rule]:
    """Claims that need at least two rules, and claims that are false; nothing if the rules do not give enough."""
    people = list(_iter_people(rules))
    if any(not any(person[key] for person in people) for key in KEYS):
        return {}
    candidates: list[Rule] = [(form, *keys) for form in ("all", "none") for keys in itertools.permutations(KEYS, 2)]
    candidates.extend(("both", *rng.sample(KEYS, 3)) for _ in range(120))
    rng.shuffle(candidates)
    following, refuted = [], []
    for claim in dict.fromkeys(candidates):
        if not all(_is_obeyed(claim, person) for person in people):
            refuted.append(claim)
        elif not any(_follows_from_rules(claim, [rule]) for rule in rules):
            following.append(claim)
    if len(following) < FOLLOWING or len({claim[0] for claim in following[:FOLLOWING]}) < 2:
        return {}
    number = rng.randint(2, FOLLOWING)
    chosen = [*following[:number], *refuted[: FOLLOWING + REFUTED - number]]
    rng.shuffle(chosen)
    return {f"C{index + 1}": claim for index, claim in enumerate(chosen)}


def _make_outdated_rules(rules: list[Rule], rng: random.Random) -> list[Rule]:
    """The older version: one rule was missing, and one spoke the other way round."""
    old = [rule for rule in rules if rule != rules[rng.randrange(2)]]
    index = next(i for i, rule in enumerate(old) if rule[0] == "only")
    form, first, second = old[index]
    old[index] = (form, second, first)
    return old


def _write_sentence(rule: Rule) -> str:
    return SENTENCES[rule[0]].format(*(PHRASES[key] for key in rule[1:]))


def _write_policy(rules: list[Rule], version: str, date: str, status: str) -> str:
    head = f"---\ntitle: Site access policy\nversion: {version}\ndate: {date}\nstatus: {status}\n---\n\n"
    intro = "These rules hold for every person on the site at any time.\n\n"
    return head + intro + "".join(f"{i + 1}. {_write_sentence(rule)}\n" for i, rule in enumerate(rules))


def _to_lists(claims: dict[str, Rule]) -> dict[str, list[str]]:
    return {name: list(claim) for name, claim in claims.items()}
