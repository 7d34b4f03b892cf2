"""An archive of invented preprints with LaTeX sources: methods, data sets and results that refer to each other.

Each paper proposes a method for a task and compares it with methods of earlier papers. A later version of a paper may
correct its results; papers that cite it from before have its old numbers.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from support.paper_sources import Draft, latex_of
from yardkit.apps.papers import APP, RECORDS, Author, Paper, source_of
from yardkit.apps.store import open_store
from yardkit.state_init.names import FIRST, LAST
from yardkit.world import World, save_text, skip_syncing

TASKS = (
    ("keyphrase extraction", "F1", "cs.CL", ("HarbourKP", "LedgerKP", "TideNews")),
    ("table question answering", "accuracy", "cs.CL", ("InvoiceQA", "FerryTables", "CityBooks")),
    ("speech segmentation", "F1", "eess.AS", ("QuayTalk", "MarketHall", "NightDesk")),
    ("route planning", "success rate", "cs.RO", ("PierMaze", "WarehouseNav", "OldTown")),
    ("image retrieval", "recall", "cs.CV", ("MuseumShots", "RoofScapes", "BotanicPlates")),
    ("time series forecasting", "coverage", "stat.ML", ("TideGauge", "GridLoad", "TramFlow")),
    ("graph clustering", "NMI", "cs.LG", ("CoAuthor", "DockNet", "RecipeGraph")),
    ("code search", "MRR", "cs.SE", ("ShellSnips", "NotebookFind", "LegacyBase")),
)
"""Task, measure in percent, category, data sets."""
_FIRST_PARTS = (
    *("Tide", "Lantern", "Quay", "Ember", "Cedar", "Marble", "Signal", "Willow", "Copper", "Harbor", "Raven", "Slate"),
    *("Juniper", "Beacon", "Drift", "Amber", "Falcon", "Granite", "Linden", "Mosaic"),
)
_LAST_PARTS = ("Net", "Former", "Gate", "Rank", "Mix", "Flow", "Prompt", "Tree", "Align", "Cache")
_IDEAS = (
    *("sparse attention over neighbouring spans", "a memory of recent errors", "contrastive pairs from revisions"),
    *("a two-stage filter", "weights shared between scales", "self-distillation on easy cases"),
    *("a calibrated abstention rule", "retrieval from a small index", "curricula by length"),
)
_PLACES = ("Institute of Technology", "University", "Research Centre", "Polytechnic")
_JOURNALS = ("Journal of Applied Inference", "Letters on Language and Data", "Proceedings of the Quayside Symposium")


def fill_papers(world: World, rng: random.Random, papers: int = 60) -> list[Draft]:
    """Fill the archive with `papers` papers of the four years before the world's day, the oldest first.

    Two people have one name, a fifth of the papers are corrected later, and each tenth is another's sequel with nearly
    its title.
    """
    authors = _make_people(rng, max(12, papers * 3 // 4))
    drafts: list[Draft] = []
    for number, moment in enumerate(_draw_moments(world, rng, papers)):
        drafts.append(_make_draft(world, rng, drafts, authors, number, moment))
    names = {author.id: author for author in authors}
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        for author in authors:
            store.put(author)
        for draft in drafts:
            store.put(draft.paper)
    known = {draft.paper.id: draft for draft in drafts}
    with skip_syncing():
        for draft in drafts:
            for version in range(1, draft.paper.version + 1):
                path = source_of(world, draft.paper.id, version)
                save_text(path, latex_of(draft, version, known, names, TASKS[draft.task]))
    return drafts


def _make_people(rng: random.Random, count: int) -> list[Author]:
    names = rng.sample([f"{first} {last}" for first in FIRST for last in LAST], count - 1)
    names.append(names[0])  # somebody else of this name
    people = []
    for number, name in enumerate(names, 1):
        place = f"{rng.choice(LAST)} {rng.choice(_PLACES)}"
        domain = place.lower().replace(" ", "-").encode("ascii", "ignore").decode()
        first = name.split()[0].lower().encode("ascii", "ignore").decode()
        interests = [task[0] for task in rng.sample(TASKS, 2)]
        people.append(Author(number, name, place, f"{first}{number}@{domain}.example", interests))
    return people


def _draw_moments(world: World, rng: random.Random, count: int) -> list[datetime]:
    minutes = 4 * 365 * 24 * 60
    return sorted(world.now - timedelta(minutes=rng.randrange(24 * 60 * 14, minutes)) for _ in range(count))


def _make_draft(
    world: World, rng: random.Random, before: Sequence[Draft], authors: Sequence[Author], number: int, moment: datetime
) -> Draft:
    sequel = rng.choice(before) if before and number % 10 == 9 else None
    task = sequel.task if sequel else rng.randrange(len(TASKS))
    name, measure, category, sets = TASKS[task]
    method = f"{sequel.method}+" if sequel else _invent_method(rng, before)
    idea = rng.choice(_IDEAS)
    cited = _choose_references(rng, before, task, sequel)
    results = _draw_results(rng, [*before], task, sets)
    wrong = {
        set_name: round(value + rng.choice((-1, 1)) * rng.randrange(9, 32) / 10, 1)
        for set_name, value in results.items()
    }
    corrected = rng.random() < 0.2
    updated = (
        min(moment + timedelta(days=rng.randrange(20, 200)), world.now - timedelta(days=3)) if corrected else moment
    )
    title = f"{method}: {name.capitalize()} with {idea.removeprefix('a ')}"
    if sequel:
        title = f"{sequel.paper.title.partition(':')[0]} Revisited: {sequel.paper.title.partition(': ')[2]}"
    paper = Paper(
        f"{moment:%y%m}.{1000 + number * 137 % 9000:05}", title, "", _choose_team(rng, authors, sequel),
        [category, *({"cs.LG"} - {category})][: rng.choice((1, 2))], moment.isoformat(), updated.isoformat(),
        2 if corrected else 1, "v2: results corrected in Table 1 and the abstract" if corrected else "",
        rng.choice(_JOURNALS) if rng.random() < 0.3 else "", cited,
    )  # fmt: skip
    best = max(results, key=lambda set_name: results[set_name])
    abstract = (
        f"We present {method}, an approach to {name} that rests on {idea}. On {best} it reaches {results[best]:.1f}% "
        f"{measure}, and it needs no labels beyond those of {sets[0]}. We also study where it fails."
    )
    return Draft(replace(paper, abstract=abstract), method, task, idea, results, wrong if corrected else {})


def _invent_method(rng: random.Random, before: Sequence[Draft]) -> str:
    taken = {draft.method for draft in before}
    free = [first + last for first in _FIRST_PARTS for last in _LAST_PARTS if first + last not in taken]
    return rng.choice(free or [f"Method{len(before)}"])


def _choose_references(rng: random.Random, before: Sequence[Draft], task: int, sequel: Draft | None) -> list[str]:
    same = [draft.paper.id for draft in before if draft.task == task][-5:]
    others = [draft.paper.id for draft in before if draft.task != task]
    chosen = [*same, *rng.sample(others, min(len(others), rng.randrange(1, 4)))]
    return list(dict.fromkeys([*([sequel.paper.id] if sequel else []), *chosen]))


def _draw_results(rng: random.Random, before: Sequence[Draft], task: int, sets: Sequence[str]) -> dict[str, float]:
    """A little better, or at times worse, than what there was."""
    earlier = [draft.results for draft in before if draft.task == task]
    new_results = {}
    for place, name in enumerate(sets):
        best = max((results[name] for results in earlier), default=52.0 + 7 * place)
        new_results[name] = round(min(96.0, best + rng.randrange(-12, 25) / 10), 1)
    return new_results


def _choose_team(rng: random.Random, authors: Sequence[Author], sequel: Draft | None) -> list[int]:
    team = [author.id for author in rng.sample(authors, rng.randrange(1, 5))]
    return list(dict.fromkeys([*(sequel.paper.author_ids[:1] if sequel else []), *team]))
