"""Solutions and near misses of gta/tag_abroad."""

import re
from pathlib import Path

from yardkit.benchmarks.gta.solving.tool_results import calculate_expression, read_lines
from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent

near_miss_struck_price = misses.answered_with("struck_price")
near_miss_postage_forgotten = misses.answered_with("postage_forgotten")
near_miss_old_rate = misses.answered_with("old_rate")
near_miss_other_model = misses.answered_with("other_model")
near_miss_dollars_for_euros = misses.answered_with("dollars_for_euros")
near_miss_all_amounts = misses.all_answers_listed()
near_miss_no_amount = misses.make_empty_words()


def solve(agent: Agent) -> str:
    """Read the tag, look up the price abroad and the rate, compute."""
    here, abroad, postage, rate = _read_prices(agent)
    return f"{float(calculate_expression(agent, f'round({here} - ({abroad} + {postage}) / {rate}, 2)')):.2f}"


def alternative_with_a_currency_sign(agent: Agent, _files: Path) -> str:
    here, abroad, postage, rate = _read_prices(agent)
    there = calculate_expression(agent, f"round(({abroad} + {postage}) / {rate}, 2)")
    return (
        f"Here {here}, there {there}.\n\n**It saves"
        f" \N{EURO SIGN}{float(calculate_expression(agent, f'{here} - {there}')):.2f}.**"
    )


def alternative_without_zeros(agent: Agent, _files: Path) -> str:
    here, abroad, postage, rate = _read_prices(agent)
    return f"{float(calculate_expression(agent, f'round({here} - {abroad} / {rate} - {postage} / {rate}, 2)')):g} euros"


def _read_prices(agent: Agent) -> tuple[str, str, str, str]:
    """Of the tag the price that holds, written largest; abroad; the postage; dollars for a euro."""
    lines = read_lines(agent, "tag.jpg")
    texts = [line.text for line in sorted(lines, key=lambda line: line.bottom - line.top)]
    here = re.findall(r"\d+\.\d\d", next(text for text in reversed(texts) if re.search(r"\d\.\d\d", text)))[0]
    name = re.sub(r"(?<=[a-z])\s*(?=\d)", " ", min(lines, key=lambda line: line.top).text)
    offer = agent.text("GoogleSearch", query=f"Lakeside Outfitters {name}", k=5)
    abroad, postage = re.findall(rf"{name}: ([\d.]+) US dollars\. Postage to Europe: ([\d.]+)", offer)[0]
    rates = agent.text("GoogleSearch", query="euro exchange rate 16 March 2026 US dollars", k=5)
    return here, abroad, postage, re.findall(r"On 16 March 2026 one euro is ([\d.]+)", rates)[0]
