"""Two cards that keep every limit, no pair cheaper, and the figures that belong to them."""

import re
from collections.abc import Iterable
from itertools import combinations
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, InvalidArtifact, make_checkpoint, make_finding, make_group
from yardkit.evaluators.readers.answers import find_last_line, read_number, simplify_text
from yardkit.evaluators.readers.json_files import read_json_object
from yardkit.evaluators.readers.tables import is_near
from yardkit.evaluators.submission import Submission

FIELDS = ("cards", "total_price", "total_power")
Card = dict[str, Any]
Pair = tuple[Card, Card]


def _find_best_pairs(facts: Facts) -> list[Pair]:
    """The cheapest of all pairs that keep the limits; several if they cost the same."""
    pairs = [pair for pair in combinations(facts["cards"], 2) if not _find_fault(pair, facts)]
    lowest = min(_sum_prices(pair) for pair in pairs)
    return [pair for pair in pairs if is_near(_sum_prices(pair), lowest)]


def _find_fault(pair: Pair, facts: Facts) -> str:
    """What is wrong with two cards; empty if nothing is."""
    limits = facts["prompt"]
    faults = {
        "they are the same card": pair[0]["name"] == pair[1]["name"],
        "a card is sold out": not all(card["stocked"] for card in pair),
        f"a card has less than {limits['memory']} GB": min(card["memory"] for card in pair) < limits["memory"],
        f"they draw more than {limits['power']} W": _sum_powers(pair) > limits["power"],
    }
    return "; ".join(fault_text for fault_text, holds in faults.items() if holds)


def _sum_prices(pair: Pair) -> float:
    return round(float(pair[0]["price"] + pair[1]["price"]), 2)


def _sum_powers(pair: Pair) -> int:
    return int(pair[0]["power"] + pair[1]["power"])


def _normalize_name(name: str) -> str:
    """A name for comparison: a space more or less does not make it another card."""
    return re.sub(r"[\s\-]", "", simplify_text(name))


def _read_choice(submission: Submission, facts: Facts) -> tuple[dict[str, Any], Pair]:
    """The delivered object and its two cards."""
    choice = read_json_object(submission, "choice.json", FIELDS)
    known = {_normalize_name(card["name"]): card for card in facts["cards"]}
    names = choice["cards"]
    if not isinstance(names, list) or len(names) != 2:
        raise InvalidArtifact(f"cards is {str(names)[:200]}, not a list of two names")
    first_card, other = (known.get(_normalize_name(str(name))) for name in names)
    if first_card is None or other is None:
        raise InvalidArtifact(f"{str(names)[:200]} are not two cards of the latest list")
    return choice, (first_card, other)


def _collect_names(pairs: Iterable[Pair]) -> set[frozenset[str]]:
    return {frozenset(_normalize_name(card["name"]) for card in pair) for pair in pairs}


def _answer_cards(submission: Submission, facts: Facts) -> Finding:
    answer_text = _normalize_name(find_last_line(submission.answer).rpartition(":")[0])
    named_cards, rest = set(), answer_text
    for name in sorted((_normalize_name(card["name"]) for card in facts["cards"]), key=len, reverse=True):
        named_cards |= {name} & {name if name in rest else ""}
        rest = rest.replace(name, " ")
    good = frozenset(named_cards) in _collect_names(_find_best_pairs(facts)) and not re.search(r"\d", rest)
    return make_finding(good, f"the last line names {sorted(named_cards)}, besides {rest.strip()[:80]!r}")


def _answer_price(submission: Submission, facts: Facts) -> Finding:
    stated = read_number(find_last_line(submission.answer).rpartition(":")[2])
    right = _sum_prices(_find_best_pairs(facts)[0])
    return make_finding(is_near(stated, right), f"{stated} was stated, the cheapest pair costs {right:.2f}")


def _check_limits(submission: Submission, facts: Facts) -> Finding:
    _, pair = _read_choice(submission, facts)
    fault = _find_fault(pair, facts)
    return make_finding(not fault, fault or "both cards keep all limits")


def _check_cheapest(submission: Submission, facts: Facts) -> Finding:
    _, pair = _read_choice(submission, facts)
    best = _find_best_pairs(facts)
    expected_pairs = " or ".join(" + ".join(card["name"] for card in entry) for entry in best)
    chosen = " + ".join(card["name"] for card in pair)
    return make_finding(
        _collect_names([pair]) <= _collect_names(best),
        f"{chosen} for {_sum_prices(pair):.2f}; cheapest: {expected_pairs}",
    )


def _check_figures(submission: Submission, facts: Facts) -> Finding:
    choice, pair = _read_choice(submission, facts)
    stated = (choice["total_price"], choice["total_power"])
    good = is_near(stated[0], _sum_prices(pair)) and is_near(stated[1], _sum_powers(pair))
    return make_finding(
        good, f"{stated} is stated; the chosen cards have {_sum_prices(pair):.2f} and {_sum_powers(pair)} W"
    )


CHOICE = ("file:choice.json", "text:choice.json")

CHECKS = make_group(
    "graphics_cards",
    "The cheapest pair within the limits is chosen",
    make_checkpoint("answer_cards", "The answer names the cheapest pair", _answer_cards, covers=("answer",), weight=2),
    make_checkpoint("answer_price", "The answer states its price", _answer_price, covers=("answer",)),
    make_checkpoint("fits", "The chosen cards keep all limits", _check_limits, covers=CHOICE),
    make_checkpoint("cheapest", "No pair within the limits is cheaper", _check_cheapest, covers=CHOICE, weight=2),
    make_checkpoint("figures", "Price and power are those of the chosen cards", _check_figures, covers=CHOICE),
    leaves.nothing_else("choice.json"),
)
