"""Two cards that keep every limit, no pair cheaper, and the figures that belong to them."""

import re
from collections.abc import Iterable
from itertools import combinations
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, InvalidArtifact, finding, group, leaf
from yardkit.evaluators.readers.answers import find_last_line, fold, read_number
from yardkit.evaluators.readers.json_files import read_json_object
from yardkit.evaluators.readers.tables import near
from yardkit.evaluators.submission import Submission

FIELDS = ("cards", "total_price", "total_power")
Card = dict[str, Any]
Pair = tuple[Card, Card]


def _best(facts: Facts) -> list[Pair]:
    """The cheapest of all pairs that keep the limits; several if they cost the same."""
    pairs = [pair for pair in combinations(facts["cards"], 2) if not _fault(pair, facts)]
    lowest = min(_price(pair) for pair in pairs)
    return [pair for pair in pairs if near(_price(pair), lowest)]


def _fault(pair: Pair, facts: Facts) -> str:
    """What is wrong with two cards; empty if nothing is."""
    limits = facts["prompt"]
    faults = {
        "they are the same card": pair[0]["name"] == pair[1]["name"],
        "a card is sold out": not all(card["stocked"] for card in pair),
        f"a card has less than {limits['memory']} GB": min(card["memory"] for card in pair) < limits["memory"],
        f"they draw more than {limits['power']} W": _power(pair) > limits["power"],
    }
    return "; ".join(says for says, holds in faults.items() if holds)


def _price(pair: Pair) -> float:
    return round(float(pair[0]["price"] + pair[1]["price"]), 2)


def _power(pair: Pair) -> int:
    return int(pair[0]["power"] + pair[1]["power"])


def _plain(name: str) -> str:
    """A name for comparison: a space more or less does not make it another card."""
    return re.sub(r"[\s\-]", "", fold(name))


def _chosen(submission: Submission, facts: Facts) -> tuple[dict[str, Any], Pair]:
    """The delivered object and its two cards."""
    choice = read_json_object(submission, "choice.json", FIELDS)
    known = {_plain(card["name"]): card for card in facts["cards"]}
    names = choice["cards"]
    if not isinstance(names, list) or len(names) != 2:
        raise InvalidArtifact(f"cards is {str(names)[:200]}, not a list of two names")
    one, other = (known.get(_plain(str(name))) for name in names)
    if one is None or other is None:
        raise InvalidArtifact(f"{str(names)[:200]} are not two cards of the latest list")
    return choice, (one, other)


def _names(pairs: Iterable[Pair]) -> set[frozenset[str]]:
    return {frozenset(_plain(card["name"]) for card in pair) for pair in pairs}


def _answer_cards(submission: Submission, facts: Facts) -> Finding:
    said = _plain(find_last_line(submission.answer).rpartition(":")[0])
    found, rest = set(), said
    for name in sorted((_plain(card["name"]) for card in facts["cards"]), key=len, reverse=True):
        found |= {name} & {name if name in rest else ""}
        rest = rest.replace(name, " ")
    good = frozenset(found) in _names(_best(facts)) and not re.search(r"\d", rest)
    return finding(good, f"the last line names {sorted(found)}, besides {rest.strip()[:80]!r}")


def _answer_price(submission: Submission, facts: Facts) -> Finding:
    stated = read_number(find_last_line(submission.answer).rpartition(":")[2])
    right = _price(_best(facts)[0])
    return finding(near(stated, right), f"{stated} was stated, the cheapest pair costs {right:.2f}")


def _fits(submission: Submission, facts: Facts) -> Finding:
    _, pair = _chosen(submission, facts)
    fault = _fault(pair, facts)
    return finding(not fault, fault or "both cards keep all limits")


def _cheapest(submission: Submission, facts: Facts) -> Finding:
    _, pair = _chosen(submission, facts)
    best = _best(facts)
    wanted = " or ".join(" + ".join(card["name"] for card in entry) for entry in best)
    chosen = " + ".join(card["name"] for card in pair)
    return finding(_names([pair]) <= _names(best), f"{chosen} for {_price(pair):.2f}; cheapest: {wanted}")


def _figures(submission: Submission, facts: Facts) -> Finding:
    choice, pair = _chosen(submission, facts)
    stated = (choice["total_price"], choice["total_power"])
    good = near(stated[0], _price(pair)) and near(stated[1], _power(pair))
    return finding(good, f"{stated} is stated; the chosen cards have {_price(pair):.2f} and {_power(pair)} W")


CHOICE = ("file:choice.json", "text:choice.json")

CHECKS = group(
    "graphics_cards",
    "The cheapest pair within the limits is chosen",
    leaf("answer_cards", "The answer names the cheapest pair", _answer_cards, observes=("answer",), weight=2),
    leaf("answer_price", "The answer states its price", _answer_price, observes=("answer",)),
    leaf("fits", "The chosen cards keep all limits", _fits, observes=CHOICE),
    leaf("cheapest", "No pair within the limits is cheaper", _cheapest, observes=CHOICE, weight=2),
    leaf("figures", "Price and power are those of the chosen cards", _figures, observes=CHOICE),
    leaves.nothing_else("choice.json"),
)
