"""Solutions and near misses of quickstart/graphics_cards."""

import json
import re
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from yardkit.evaluators.proof import Agent, Solved, caught_by_leaf

_ROW = re.compile(
    r"(?P<name>.+?) *(?P<memory>\d+) *GB *(?P<power>\d+) *W *\$? *(?P<price>[\d,]+\.\d\d) *(?P<stock>\w.*)"
)


@dataclass(frozen=True)
class Card:
    """A row of the list."""

    name: str
    memory: int
    power: int
    price: str
    stocked: bool


def solve(agent: Agent) -> str:
    """Read the latest list, keep the cards that are allowed, choose two by integer programming."""
    pair = _choose_cards(agent, _read_list(agent))
    price, power = _compute_totals(agent, pair)
    choice = {"cards": [card.name for card in pair], "total_price": float(price), "total_power": int(power)}
    agent.call("write_file", path="choice.json", content=json.dumps(choice, indent=2))
    return f"I compared all cards that are in stock.\n\n{pair[0].name} + {pair[1].name}: {float(price):.2f}"


def alternative_by_trying_every_pair(agent: Agent, files: Path) -> str:
    """Brute force; names in the other order, figures as text with units, more fields, a sentence as the last line."""
    limits = _read_limits(agent)
    pairs = [
        pair
        for pair in combinations(_list_allowed(agent, _read_list(agent)), 2)
        if _sum_powers(pair) <= limits["power"]
    ]
    other, first_card = min(pairs, key=_sum_prices)
    choice = {
        "currency": "USD",
        "total_power": _sum_powers((first_card, other)),
        "total_price": f"${_sum_prices((first_card, other)):,.2f}",
        "cards": [first_card.name.upper(), other.name.replace(" ", "")],
    }
    (files / "choice.json").write_text(json.dumps(choice), "utf-16")
    return f"**{first_card.name} and {other.name}: ${_sum_prices((first_card, other)):,.2f}**"


def alternative_with_the_file_indented_by_another_program(agent: Agent, files: Path) -> str:
    """The same choice, re-saved with sorted fields, a byte order mark and Windows line ends."""
    answer = solve(agent)
    path = files / "choice.json"
    text = json.dumps(json.loads(path.read_text("utf-8")), indent=4, sort_keys=True)
    path.write_bytes(text.replace("\n", "\r\n").encode("utf-8-sig"))
    return answer


@caught_by_leaf("fits", "cheapest", "answer_cards")
def near_miss_a_sold_out_card(work: Solved) -> None:
    """The stock was not looked at."""
    _choose_wrongly(work, [{**card, "stocked": True} for card in work.facts["cards"]])


@caught_by_leaf("fits", "cheapest", "answer_cards")
def near_miss_power_limit_ignored(work: Solved) -> None:
    """The cheapest two with enough memory draw too much."""
    _choose_wrongly(work, [{**card, "power": 0} for card in work.facts["cards"]])


@caught_by_leaf("fits", "cheapest", "answer_cards")
def near_miss_too_little_memory(work: Solved) -> None:
    """A card with less memory than asked for."""
    _choose_wrongly(work, [{**card, "memory": 64} for card in work.facts["cards"]])


@caught_by_leaf("answer_cards", "cheapest")
def near_miss_the_older_list_used(work: Solved) -> None:
    """The pair that was cheapest in February."""
    _choose_wrongly(work, work.facts["older"])


@caught_by_leaf("answer_cards", "cheapest")
def near_miss_thousands_separator_misread(work: Solved) -> None:
    """A card of over a thousand dollars taken for one of a dollar."""
    cards = [{**card, "price": card["price"] if card["price"] < 1000 else 1} for card in work.facts["cards"]]
    _choose_wrongly(work, cards)


@caught_by_leaf("fits", "cheapest")
def near_miss_one_card_twice(work: Solved) -> None:
    """Two pieces of one model."""
    choice = _read_choice(work)
    _write_choice(work, {**choice, "cards": [choice["cards"][0]] * 2})


@caught_by_leaf("figures")
def near_miss_price_of_one_card_only(work: Solved) -> None:
    """The right cards, but the price of the first."""
    choice = _read_choice(work)
    prices = {card["name"].replace(" ", ""): card["price"] for card in work.facts["cards"]}
    _write_choice(work, {**choice, "total_price": prices[choice["cards"][0].replace(" ", "")]})


@caught_by_leaf("answer_cards")
def near_miss_every_card_listed_as_the_answer(work: Solved) -> None:
    """A last line in which the right names stand among all others."""
    names = " + ".join(card["name"] for card in work.facts["cards"])
    work.answer = f"{names}: {_read_choice(work)['total_price']}"


def _choose_wrongly(work: Solved, cards: list[dict[str, Any]]) -> None:
    limits = work.facts["prompt"]
    fit = [card for card in cards if card["stocked"] and card["memory"] >= limits["memory"]]
    pairs = [pair for pair in combinations(fit, 2) if pair[0]["power"] + pair[1]["power"] <= limits["power"]]
    pair = min(pairs, key=lambda entry: entry[0]["price"] + entry[1]["price"])
    names = [card["name"] for card in pair]
    real = [card for card in work.facts["cards"] if card["name"] in names]
    price = sum(card["price"] for card in real)
    _write_choice(work, {"cards": names, "total_price": price, "total_power": sum(card["power"] for card in real)})
    work.answer = f"{' + '.join(names)}: {price:.2f}"


def _read_choice(work: Solved) -> dict[str, Any]:
    return dict(json.loads((work.files / "choice.json").read_text("utf-8")))


def _write_choice(work: Solved, choice: dict[str, Any]) -> None:
    (work.files / "choice.json").write_text(json.dumps(choice), "utf-8")


def _read_limits(agent: Agent) -> dict[str, int]:
    memory, power = re.findall(r"at least (\d+) GB .* at most (\d+) W", agent.prompt)[0]
    return {"memory": int(memory), "power": int(power)}


def _read_list(agent: Agent) -> list[Card]:
    lists = [entry["path"] for entry in agent.call("list_folder", path="offers")["entries"]]
    latest = max(path for path in lists if "cards_" in path)
    rows = [" ".join(row).strip() for row in agent.call("read_image_table", path=latest)["rows"]]
    return [
        Card(row["name"], int(row["memory"]), int(row["power"]), row["price"].replace(",", ""), "in" in row["stock"])
        for row in map(_ROW.fullmatch, rows[1:])
        if row
    ]


def _list_allowed(agent: Agent, cards: list[Card]) -> list[Card]:
    return [card for card in cards if card.stocked and card.memory >= _read_limits(agent)["memory"]]


def _choose_cards(agent: Agent, cards: list[Card]) -> list[Card]:
    """One variable per card, 1 if it is bought."""
    allowed = _list_allowed(agent, cards)
    bought = {f"x{number}": card for number, card in enumerate(allowed)}
    power = " + ".join(f"{card.power}*{name}" for name, card in bought.items())
    best = agent.call(
        "optimize_function",
        objective=" + ".join(f"{card.price}*{name}" for name, card in bought.items()),
        variables=[{"name": name, "lower": 0, "upper": 1, "integer": True} for name in bought],
        constraints=[f"{' + '.join(bought)} = 2", f"{power} <= {_read_limits(agent)['power']}"],
    )
    return [card for name, card in bought.items() if round(best["point"][name]) == 1]


def _compute_totals(agent: Agent, pair: list[Card]) -> tuple[str, str]:
    price, power = (
        agent.call("evaluate_expression", expression=f"{first_term} + {other}")["value"]
        for first_term, other in ([card.price for card in pair], [str(card.power) for card in pair])
    )
    return price, power


def _sum_prices(pair: tuple[Card, Card]) -> float:
    return float(pair[0].price) + float(pair[1].price)


def _sum_powers(pair: tuple[Card, Card]) -> int:
    return pair[0].power + pair[1].power
