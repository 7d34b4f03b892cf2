"""A tree of operations over the files of a company: each result is the reference of the record to look up next."""

import random
from typing import Any

from yardkit.benchmarks.lore.generation.bottom_up import GeneratedTree, Node, generate_bottom_up
from yardkit.state_init.lore.workspace.filing import KINDS, Place, file_nodes
from yardkit.state_init.lore.workspace.records import Firm, records_of
from yardkit.state_init.lore.workspace.saving import save_records
from yardkit.state_init.lore.workspace.versions import Version, assign_names, build_versions
from yardkit.state_init.workbooks import Book, Styled
from yardkit.world import World

START = "start.xlsx"
OPERATORS = "add+subtract+concatenate"


def seed(world: World, rng: random.Random, *, ops: int, distractors: int, places: str, **dials: Any) -> dict[str, Any]:
    """Save all records and where to begin; `dials` as `generate_bottom_up` takes them."""
    generated_tree = generate_bottom_up(rng, ops=ops, operators=OPERATORS, **dials)
    names = assign_names(generated_tree, rng)
    record_versions = build_versions(generated_tree, names, 1 + distractors, rng)
    where = file_nodes(generated_tree, 1 + distractors, places.split("+"), rng, world.now.date())
    firm = Firm.make_random(rng)
    records = [
        record for version in record_versions for record in records_of(generated_tree, version, names, where, firm, rng)
    ]
    save_records(world.files, records, firm, rng)
    _save_start(world, generated_tree, record_versions[0], where, firm)
    *kinds, last_kind = [KINDS[kind].words for kind in places.split("+")]
    results = [[names.operations[rule], _get_result(rule, record_versions[0])] for rule in generated_tree.rules]
    return {
        "answer": str(record_versions[0].values[generated_tree.root]),
        "other_answers": [str(version.values[generated_tree.root]) for version in record_versions[1:]],
        "results": results,
        "measures": {"operations": ops, "height": generated_tree.height},
        "prompt": {
            "asked": names.figures[generated_tree.root],
            "operations": str(ops),
            "company": firm.company.name,
            "kinds": f"{', '.join(kinds)} and {last_kind}" if kinds else last_kind,
        },
    }


def _get_result(rule: Node, version: Version) -> str:
    assert rule.target is not None  # noqa: S101 - every rule has one
    return version.references[rule.target]


def _save_start(
    world: World, generated_tree: GeneratedTree, version: Version, where: dict[Node, Place], firm: Firm
) -> None:
    """The records that an agent is told, and what lies where."""
    book = Book(world.now, title="Records to begin with", author=firm.staff[0].name)
    rows: list[list[Any]] = [["No.", "Reference", "File or folder", "Sheet"]]
    for number, node in enumerate(generated_tree.starts, 1):
        reference, place = version.references[node], where[node]
        start_cell = Styled(int(reference) if reference.isdigit() else reference, {"align": "left"})
        rows.append([Styled(number, {"align": "left"}), start_cell, place.path, place.sheet or None])
    book.sheet("Start", rows, title=f"{firm.company.full}: records to begin with", widths={0: 7, 1: 18, 2: 36, 3: 14})
    book.save(world.files / START)
