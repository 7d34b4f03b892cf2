"""Solutions and near misses of gta/workshop_plan."""

import csv
import re
from functools import partial
from pathlib import Path
from typing import Any

from yardkit.benchmarks.gta.solving.workflow import find_best_places, html_page, html_table, read_all_parts, write_table
from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent

BOOK, PAGE = "generated/plan.xlsx", "generated/plan.html"
Offer = dict[str, Any]
Plan = list[tuple[str, str, int]]
"""Name, code and points of each member, by name."""


def solve(agent: Agent) -> str:
    """Take the changes in, the last line of each member, let the solver find the best places, write plan and page."""
    offers = _read_offers(agent)
    return _deliver_plan(agent, offers, _make_plan(agent, offers))


def alternative_another_best_plan_in_a_sheet_of_another_name(agent: Agent, files: Path) -> str:
    """Workshops from the last to the first: other places where they are worth the same; saved by another program."""
    offers = _read_offers(agent)
    answer = _deliver_plan(agent, offers, _make_plan(agent, dict(reversed(offers.items()))))
    with misses.open_edited(files / BOOK) as book:
        book.worksheets[0].title = "Plan"
    return f"All have a place.\n\n**{answer} points**"


def alternative_amounts_with_cents_and_names_from_z_to_a(agent: Agent, files: Path) -> str:
    """The page writes amounts with two decimals, and names in another order."""
    answer = solve(agent)
    text = (files / PAGE).read_text("utf-8")
    text = re.sub(r"<td>([^<>]*,[^<>]*)</td>", lambda match: f"<td>{', '.join(match[1].split(', ')[::-1])}</td>", text)
    (files / PAGE).write_text(re.sub(r'<td class="n">(\d+)</td></tr>', r'<td class="n">\1.00</td></tr>', text), "utf-8")
    return answer


on_page = partial(misses.text_changed, PAGE)
in_plan = misses.InSheet(BOOK, "Sheet")
near_miss_member_forgotten = in_plan.row_gone(caught_by=("everyone", "best"))
near_miss_member_twice = in_plan.row_doubled(caught_by="everyone")
near_miss_all_in_one_workshop = in_plan.column(
    "Workshop", lambda _: "W1", caught_by=("possible", "fits", "best", "details")
)
near_miss_points_of_first_wishes_for_all = in_plan.column("Points", lambda _: 3, caught_by="details")
near_miss_sorted_by_workshop = in_plan.rows_sorted("Workshop", caught_by="sorted")
near_miss_points_added_for_first_wishes_only = misses.change_answer(lambda work: str(work.facts["best"] + 2))
near_miss_nothing_free = on_page(lambda text, _: re.sub(r">\d+</td></tr>", ">0</td></tr>", text), caught_by="members")
near_miss_total_left_out = on_page(lambda text, _: re.sub(r"<tr><td>Total.*?</tr>", "", text), caught_by="costs")
near_miss_slots_of_the_first_page = on_page(("<td>morning", "<td>afternoon"), caught_by="members")
near_miss_headings_in_bold = on_page(("<h2>Costs</h2>", "<p><b>Costs</b></p>"), caught_by="headings")
near_miss_too_wide_for_a_telephone = on_page(("width: 100%", "width: 700px"), caught_by="neat")
near_miss_first_names_only = on_page(
    lambda text, _: re.sub(r"(?<=[>,])( ?\w+) \w+(?=[,<])", r"\1", text), caught_by="members"
)
near_miss_wishes_of_last_year_deleted = misses.delete_file("wishes_2025.csv")


def _read_offers(agent: Agent) -> dict[str, Offer]:
    """The workshops by code, after all changes."""
    text = read_all_parts(agent, "ReadPDF", file="offers.pdf")
    offer_matches = {
        ("slot", "room", "places", "price"): r"^(W\d)\t.+\t(.+)\t(.+)\t(\d+)\t(\d+)\.00$",
        ("age",): r"(W\d) is for members of (\d+)",
        ("room", "places"): r"(W\d) has moved to (.+), with only (\d+)",
        ("price",): r"(W\d) costs (\d+)",
        ("slot",): r"(W\d) takes place in the (\w+)",
    }
    offers: dict[str, Offer] = {}
    for names, words in offer_matches.items():
        for code, *values in re.findall(words, text, re.MULTILINE):
            read = {name: int(value) if value.isdigit() else value for name, value in zip(names, values, strict=True)}
            offers[code] = {"age": 0, **offers.get(code, {}), **read}
    return offers


def _make_plan(agent: Agent, offers: dict[str, Offer]) -> Plan:
    lines = csv.DictReader(read_all_parts(agent, "ReadCSV", csv_file="wishes.csv").splitlines())
    wishes = {line["Name"]: line for line in sorted(lines, key=lambda line: line["Sent"])}
    worth = {
        name: {code: _count_points(wish, code, offers[code]) or -1000 for code in offers}
        for name, wish in wishes.items()
    }
    places = {code: offer["places"] for code, offer in offers.items()}
    plan = find_best_places(agent, worth, places)
    return sorted((name, code, worth[name][code]) for name, code in plan.items())


def _count_points(wish: dict[str, str], code: str, offer: Offer) -> int:
    wished_codes = [wish[key] for key in ("First", "Second", "Third")]
    possible = code in wished_codes and int(wish["Age"]) >= offer["age"] and wish["Not in"] != offer["slot"]
    return 3 - wished_codes.index(code) if possible else 0


def _deliver_plan(agent: Agent, offers: dict[str, Offer], plan: Plan) -> str:
    rows = [
        [name, code, *(offers[code][key] for key in ("slot", "room", "price")), points] for name, code, points in plan
    ]
    write_table(agent, "XlsxFileGenerator", "plan", [["Name", "Workshop", "Slot", "Room", "Price", "Points"], *rows])
    workshops, costs = [], []
    for code, offer in offers.items():
        names = [name for name, other, _ in plan if other == code]
        workshops.append([code, offer["slot"], offer["room"], ", ".join(names), offer["places"] - len(names)])
        costs.append([code, len(names), offer["price"], len(names) * offer["price"]])
    costs.append(["Total", len(plan), "", sum(row[3] for row in costs)])
    page = html_page(
        "Summer day: who is where",
        f"<h2>Workshops</h2>{html_table(('Workshop', 'Slot', 'Room', 'Members', 'Free'), workshops)}",
        f"<h2>Costs</h2>{html_table(('Workshop', 'People', 'Price', 'Amount'), costs)}",
    )
    agent.text("HtmlFileGenerator", filename="plan", html_code=page)
    return str(sum(points for _, _, points in plan))
