"""Solutions and near misses of gta/workshop_plan."""

import csv
import re
from functools import partial
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent
from yardkit.evaluators.workflow_steps import find_best_places, html_page, html_table, read_whole, write_table

BOOK, PAGE = "generated/plan.xlsx", "generated/plan.html"
Offer = dict[str, Any]
Plan = list[tuple[str, str, int]]
"""Name, code and points of each member, by name."""


def solve(agent: Agent) -> str:
    """Take the changes in, the last line of each member, let the solver find the best places, write plan and page."""
    offers = _offers(agent)
    return _deliver(agent, offers, _plan(agent, offers))


def also_another_best_plan_in_a_sheet_of_another_name(agent: Agent, files: Path) -> str:
    """Workshops from the last to the first: other places where they are worth the same; saved by another program."""
    offers = _offers(agent)
    answer = _deliver(agent, offers, _plan(agent, dict(reversed(offers.items()))))
    with misses.opened(files / BOOK) as book:
        book.worksheets[0].title = "Plan"
    return f"All have a place.\n\n**{answer} points**"


def also_amounts_with_cents_and_names_from_z_to_a(agent: Agent, files: Path) -> str:
    """The page writes amounts with two decimals, and names in another order."""
    answer = solve(agent)
    text = (files / PAGE).read_text("utf-8")
    text = re.sub(r"<td>([^<>]*,[^<>]*)</td>", lambda found: f"<td>{', '.join(found[1].split(', ')[::-1])}</td>", text)
    (files / PAGE).write_text(re.sub(r'<td class="n">(\d+)</td></tr>', r'<td class="n">\1.00</td></tr>', text), "utf-8")
    return answer


on_page = partial(misses.text_changed, PAGE)
in_plan = misses.InSheet(BOOK, "Sheet")
miss_member_forgotten = in_plan.row_gone(kills=("everyone", "best"))
miss_member_twice = in_plan.row_doubled(kills="everyone")
miss_all_in_one_workshop = in_plan.column("Workshop", lambda _: "W1", kills=("possible", "fits", "best", "details"))
miss_points_of_first_wishes_for_all = in_plan.column("Points", lambda _: 3, kills="details")
miss_sorted_by_workshop = in_plan.rows_sorted("Workshop", kills="sorted")
miss_points_added_for_first_wishes_only = misses.answered(lambda work: str(work.facts["best"] + 2))
miss_nothing_free = on_page(lambda text, _: re.sub(r">\d+</td></tr>", ">0</td></tr>", text), kills="members")
miss_total_left_out = on_page(lambda text, _: re.sub(r"<tr><td>Total.*?</tr>", "", text), kills="costs")
miss_slots_of_the_first_page = on_page(("<td>morning", "<td>afternoon"), kills="members")
miss_headings_in_bold = on_page(("<h2>Costs</h2>", "<p><b>Costs</b></p>"), kills="headings")
miss_too_wide_for_a_telephone = on_page(("width: 100%", "width: 700px"), kills="neat")
miss_first_names_only = on_page(lambda text, _: re.sub(r"(?<=[>,])( ?\w+) \w+(?=[,<])", r"\1", text), kills="members")
miss_wishes_of_last_year_deleted = misses.deleted("wishes_2025.csv")


def _offers(agent: Agent) -> dict[str, Offer]:
    """The workshops by code, after all changes."""
    text = read_whole(agent, "ReadPDF", file="offers.pdf")
    told = {
        ("slot", "room", "places", "price"): r"^(W\d)\t.+\t(.+)\t(.+)\t(\d+)\t(\d+)\.00$",
        ("age",): r"(W\d) is for members of (\d+)",
        ("room", "places"): r"(W\d) has moved to (.+), with only (\d+)",
        ("price",): r"(W\d) costs (\d+)",
        ("slot",): r"(W\d) takes place in the (\w+)",
    }
    offers: dict[str, Offer] = {}
    for names, words in told.items():
        for code, *values in re.findall(words, text, re.MULTILINE):
            read = {name: int(value) if value.isdigit() else value for name, value in zip(names, values, strict=True)}
            offers[code] = {"age": 0, **offers.get(code, {}), **read}
    return offers


def _plan(agent: Agent, offers: dict[str, Offer]) -> Plan:
    lines = csv.DictReader(read_whole(agent, "ReadCSV", csv_file="wishes.csv").splitlines())
    wishes = {line["Name"]: line for line in sorted(lines, key=lambda line: line["Sent"])}
    worth = {
        name: {code: _points(wish, code, offers[code]) or -1000 for code in offers} for name, wish in wishes.items()
    }
    places = {code: offer["places"] for code, offer in offers.items()}
    plan = find_best_places(agent, worth, places)
    return sorted((name, code, worth[name][code]) for name, code in plan.items())


def _points(wish: dict[str, str], code: str, offer: Offer) -> int:
    wanted = [wish[key] for key in ("First", "Second", "Third")]
    possible = code in wanted and int(wish["Age"]) >= offer["age"] and wish["Not in"] != offer["slot"]
    return 3 - wanted.index(code) if possible else 0


def _deliver(agent: Agent, offers: dict[str, Offer], plan: Plan) -> str:
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
