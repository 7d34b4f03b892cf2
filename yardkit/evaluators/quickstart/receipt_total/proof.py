"""Solutions and near misses of quickstart/receipt_total."""

import csv
import datetime
import re
from collections.abc import Sequence
from pathlib import Path

from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent, Solved, caught_by_leaf


def solve(agent: Agent) -> str:
    """Find the photo by place and date, read the lines, apply the agreement."""
    shares = _compute_shares(agent)
    _write_shares(agent, [("person", "amount"), *((who, f"{owed:.2f}") for who, owed in shares.items())])
    return f"I read the bill and applied the agreement.\n\n{shares[_find_asker(agent)]:.2f}"


def alternative_unrounded_and_in_another_order(agent: Agent, files: Path) -> str:
    """Amounts with a euro sign and a tenth of a cent, semicolons, Windows line ends, a sentence as the last line."""
    shares = _compute_shares(agent)
    rows = [f"{who.upper()};{owed + 0.001:.3f} €" for who, owed in sorted(shares.items(), reverse=True)]
    (files / "split.csv").write_bytes("\r\n".join(["Person;Amount", *rows]).encode("utf-8-sig"))
    return f"**{_find_asker(agent)} owes {shares[_find_asker(agent)]:.2f} EUR.**"


def alternative_with_more_columns(agent: Agent, files: Path) -> str:
    """Quoted cells and an extra column, written by Python's csv module."""
    shares = _compute_shares(agent)
    with (files / "split.csv").open("w", newline="") as handle:
        writer = csv.writer(handle, quoting=csv.QUOTE_ALL)
        writer.writerows([("amount", "currency", "person"), *((owed, "EUR", who) for who, owed in shares.items())])
    return f"{shares[_find_asker(agent)]:.2f}"


@caught_by_leaf("answer")
def near_miss_tip_forgotten(work: Solved) -> None:
    """The answer without the tip."""
    total = sum(work.facts["shares"].values()) / (1 + work.facts["tip"] / 100)
    owed = work.facts["shares"][work.facts["asker"]] - total * work.facts["tip"] / 400
    work.answer = f"{owed:.2f}"


@caught_by_leaf("drinkers", "others")
def near_miss_drinks_split_by_all(work: Solved) -> None:
    """Everybody pays the same."""
    shares = work.facts["shares"]
    share = sum(shares.values()) / 4
    _rewrite_shares(work, dict.fromkeys(shares, share))


@caught_by_leaf("drinkers", "others")
def near_miss_draft_agreement_used(work: Solved) -> None:
    """The wrong two pay for the drinks."""
    shares = work.facts["shares"]
    drinkers, low, high = work.facts["drinkers"], min(shares.values()), max(shares.values())
    _rewrite_shares(work, {who: low if who in drinkers else high for who in shares})


@caught_by_leaf("people")
def near_miss_one_person_left_out(work: Solved) -> None:
    """Only three rows."""
    shares = dict(work.facts["shares"])
    shares.popitem()
    _rewrite_shares(work, shares)


@caught_by_leaf("people")
def near_miss_a_total_row_added(work: Solved) -> None:
    """A fifth row that is no person."""
    _rewrite_shares(work, {**work.facts["shares"], "total": sum(work.facts["shares"].values())})


near_miss_all_four_amounts_listed_as_the_answer = misses.change_answer(
    lambda work: ", ".join(f"{who} {owed:.2f}" for who, owed in work.facts["shares"].items())
)


@caught_by_leaf("kept")
def near_miss_a_receipt_deleted(work: Solved) -> None:
    """Tidying up what was not asked for."""
    next((work.files / "receipts").iterdir()).unlink()


def _rewrite_shares(work: Solved, shares: dict[str, float]) -> None:
    rows = [f"{who},{owed:.2f}" for who, owed in shares.items()]
    (work.files / "split.csv").write_text("\n".join(["person,amount", *rows, ""]), "utf-8")


def _write_shares(agent: Agent, rows: Sequence[Sequence[str]]) -> None:
    agent.call("write_file", path="split.csv", content="".join(f"{','.join(row)}\n" for row in rows))


def _find_asker(agent: Agent) -> str:
    return str(re.findall(r"tell me what (\w+) owes", agent.prompt)[0])


def _compute_shares(agent: Agent) -> dict[str, float]:
    agreement = agent.call("read_file", path="agreement.md")["content"]
    people = re.findall(r"We are (.*)\.", agreement)[0].split(", ")
    drinkers = re.findall(r"paid by (\w+) and (\w+)", agreement)[0]
    tip = re.findall(r"tip (\d+) %", agreement)[0]
    rows = _read_bill(agent)
    total = next(amount for name, amount in rows if name.startswith("TOTAL"))
    # A drink's line names its volume; a dish with wine in its sauce does not.
    drinks = " + ".join(amount for name, amount in rows if re.search(r"(wine|beer) ?0[.,]\d", name)) or "0"
    variables = {"total": total, "tip": tip}
    common = f"(total - ({drinks})) / 4 + total * tip / 400"
    owed = {
        drank: agent.call("evaluate_expression", expression=f"round({common}{extra}, 2)", values=variables)["value"]
        for drank, extra in ((True, f" + ({drinks}) / 2"), (False, ""))
    }
    return {who: float(owed[who in drinkers]) for who in people}


def _read_bill(agent: Agent) -> list[tuple[str, str]]:
    """Names and amounts on the receipt of the right place and day."""
    day, place = re.findall(r"On (.*) four of us had dinner at (.*);", agent.prompt)[0]
    date = datetime.datetime.strptime(f"{day} 2026", "%A, %d %B %Y").strftime("%Y-%m-%d")  # noqa: DTZ007 - a day
    for entry in agent.call("list_folder", path="receipts")["entries"]:
        rows = _read_image_rows(agent, entry["path"])
        text = "".join(rows).replace(" ", "").lower()
        if date in text and place.replace(" ", "").lower() in text:
            return [(row, amounts[-1]) for row in rows if (amounts := re.findall(r"\d+\.\d\d", row))]
    raise LookupError(f"no receipt of {place} on {date}")


def _read_image_rows(agent: Agent, path: str) -> list[str]:
    rows: dict[int, str] = {}
    for piece in agent.call("read_image_text", path=path)["pieces"]:
        rows[piece["row"]] = f"{rows.get(piece['row'], '')} {piece['text']}".strip()
    return list(rows.values())
