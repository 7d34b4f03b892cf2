"""A tree of operations over the files of a company: each result is the reference of the record to look up next."""

import random
from typing import Any

from yardkit.state_init.weaving.bottom_up import Node, Woven, weave
from yardkit.state_init.weaving.workspace.filing import KINDS, Place, filed
from yardkit.state_init.weaving.workspace.records import Firm, records_of
from yardkit.state_init.weaving.workspace.saving import save_records
from yardkit.state_init.weaving.workspace.versions import Version, named, versions
from yardkit.state_init.workbooks import Book, Styled
from yardkit.world import World

START = "start.xlsx"
OPERATORS = "add+subtract+concatenate"


def seed(world: World, rng: random.Random, *, ops: int, distractors: int, places: str, **dials: Any) -> dict[str, Any]:
    """Save all records and where to begin; `dials` as `weave` takes them."""
    woven = weave(rng, ops=ops, operators=OPERATORS, **dials)
    names = named(woven, rng)
    made = versions(woven, names, 1 + distractors, rng)
    where = filed(woven, 1 + distractors, places.split("+"), rng, world.now.date())
    firm = Firm.of(rng)
    records = [record for version in made for record in records_of(woven, version, names, where, firm, rng)]
    save_records(world.files, records, firm, rng)
    _save_start(world, woven, made[0], where, firm)
    words = [KINDS[kind].words for kind in places.split("+")]
    results = [[names.operations[rule], _result(rule, made[0])] for rule in woven.rules]
    return {
        "answer": str(made[0].values[woven.root]),
        "other_answers": [str(version.values[woven.root]) for version in made[1:]],
        "results": results,
        "measures": {"operations": ops, "height": woven.height},
        "prompt": {
            "asked": names.figures[woven.root],
            "operations": str(ops),
            "company": firm.company.name,
            "kinds": _listed(words),
        },
    }


def _listed(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]


def _result(rule: Node, version: Version) -> str:
    assert rule.target is not None  # noqa: S101 - every rule has one
    return version.references[rule.target]


def _save_start(world: World, woven: Woven, version: Version, where: dict[Node, Place], firm: Firm) -> None:
    """The records that an agent is told, and what lies where."""
    book = Book(world.now, title="Records to begin with", author=firm.staff[0].name)
    rows: list[list[Any]] = [["No.", "Reference", "File or folder", "Sheet"]]
    for number, node in enumerate(woven.starts, 1):
        reference, place = version.references[node], where[node]
        told = Styled(int(reference) if reference.isdigit() else reference, {"align": "left"})
        rows.append([Styled(number, {"align": "left"}), told, place.path, place.sheet or None])
    book.sheet("Start", rows, title=f"{firm.company.full}: records to begin with", widths={0: 7, 1: 18, 2: 36, 3: 14})
    book.save(world.files / START)
