"""Pages about locks on the web, by their office and by others, new and old; questions, and a notice as a scan."""

import datetime
import random
from dataclasses import dataclass
from typing import Any

from yardkit.state_init.documents import Paper
from yardkit.state_init.rendering import encode_image
from yardkit.state_init.rendering.letters import Line, break_paragraph, draw_scanned_page
from yardkit.state_init.websites import save_page
from yardkit.world import World, save_bytes

LOCKS = ("Ostrum", "Veldern", "Marnau", "Tielen", "Halden", "Brinkum", "Norwick", "Selby", "Karsten", "Ullmar")
OFFICE = "Waterways Office"
ASKED = {
    "length": "How long is the lock at {}, in metres?",
    "width": "How wide is the lock at {}, in metres?",
    "depth": "How deep is the lock at {}, in metres?",
    "toll": "What is the toll at the lock of {}, in euros for each boat?",
}
RULES = (
    "What counts is the page of the Waterways Office itself, of its pages on a lock the latest one. What others write "
    "does not count, however new it is. Where the notice of the harbour office says something else, the notice counts."
)
BODIES = {
    OFFICE: "Length {length} metres, width {width} metres, depth {depth} metres. The toll is {toll} euros for a boat.",
    "Boat Diary": "We measured it: {length} m long, {width} m wide, {depth} m deep. They took a toll of {toll} euros.",
    "Canal Wiki": "It has a length of {length} m, a width of {width} m, a depth of {depth} m. Toll: {toll} euros.",
    "Skipper Forum": "Toll of {toll} euros paid again. A length of {length} m, a width of {width} m, {depth} m deep.",
}
HOURS = "All locks open at 7 and close at 19 from April to October. Length of stay in a lock: 20 minutes at most."


@dataclass(frozen=True)
class Page:
    """A page on a lock; `says` are its values as they are written, by what is asked."""

    lock: str
    site: str
    month: datetime.date
    says: dict[str, str]

    @property
    def title(self) -> str:
        return f"Lock {self.lock} ({self.site}, {self.month:%B %Y})"


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Write pages, questions and notice; the facts hold answers, their sources, and the pages that contradict."""
    locks = rng.sample(LOCKS, 5)
    pages = [page for lock in locks for page in _make_pages(lock, rng)]
    for page in pages:
        _publish_page(world, page)
    save_page(world, "waterways-office.example/hours", f"Opening hours of all locks ({OFFICE}, April 2026)", [HOURS])
    latest = {page.lock: page for page in pages if page.site == OFFICE and page.month.year == 2026}
    asked = [(lock, rng.choice([*ASKED])) for lock in rng.sample(locks, 5)]
    answers = [[latest[lock].says[key], latest[lock].title] for lock, key in asked]
    noted = rng.randrange(5)
    lock, key = asked[noted]
    answers[noted] = [
        _choose_other_value(latest[lock].says[key], rng, {page.says[key] for page in pages if page.lock == lock}),
        "notice.png",
    ]
    _write_notice(world, rng, lock, key, answers[noted][0])
    paper = Paper("Questions before the trip", "Boat club", world.now)
    paper.add_heading("Questions before the trip")
    paper.add_paragraph(RULES)
    paper.add_numbered([ASKED[key].format(lock) for lock, key in asked])
    paper.save(world.files / "questions.docx")
    return {
        "answers": answers,
        "contradictions": [
            [number, page.title, page.says[key]]
            for number, (lock, key) in enumerate(asked, 1)
            for page in pages
            if page.lock == lock and page.says[key] != answers[number - 1][0]
        ],
        "titles": [page.title for page in pages],
        "workflow_category": "Retrieval & QA",
    }


def _make_pages(lock: str, rng: random.Random) -> list[Page]:
    """The page of the office, an older one of it, and two of others, which have a value or two from elsewhere."""
    true = {
        "length": str(rng.randint(40, 120)),
        "width": f"{rng.randint(50, 120) / 10:.1f}",
        "depth": f"{rng.randint(21, 45) / 10:.1f}",
        "toll": f"{rng.randrange(700, 2400, 50) / 100:.2f}",
    }
    old = {**true, **{key: _choose_other_value(true[key], rng) for key in rng.sample([*true], 3)}}
    new_pages = [
        Page(lock, OFFICE, datetime.date(2026, rng.randint(1, 3), 1), true),
        Page(lock, OFFICE, datetime.date(rng.randint(2019, 2022), rng.randint(1, 12), 1), old),
    ]
    for site in rng.sample([*BODIES][1:], 2):
        claims = {key: rng.choice((true[key], old[key], _choose_other_value(true[key], rng))) for key in true}
        new_pages.append(Page(lock, site, datetime.date(2026, rng.randint(4, 5), 1), claims))
    return new_pages


def _choose_other_value(value: str, rng: random.Random, never: set[str] = frozenset()) -> str:  # type: ignore[assignment]
    """Another value of the same form."""
    places = len(value.partition(".")[2])
    while (other := f"{float(value) * rng.uniform(0.8, 1.25):.{places}f}") in {value, *never}:
        pass
    return other


def _publish_page(world: World, page: Page) -> None:
    url = f"{page.site.lower().replace(' ', '-')}.example/{page.lock.lower()}-{page.month:%Y-%m}"
    save_page(world, url, page.title, [BODIES[page.site].format(**page.says)])


def _write_notice(world: World, rng: random.Random, lock: str, key: str, value: str) -> None:
    unit = "euros for each boat" if key == "toll" else "metres"
    notice_text = f"From 1 May 2026 the {key} of the lock at {lock} is {value} {unit}. Other pages will follow."
    lines = [
        Line("Harbour office", 30, size_mm=7, bold=True),
        Line("Notice to boats", 42, size_mm=5.5, bold=True),
        *break_paragraph(notice_text, 60, size_mm=5.2),
        *break_paragraph("The bridge at the old mill stays closed on Sundays until 9 in the morning.", 84, size_mm=5.2),
    ]
    save_bytes(world.files / "notice.png", encode_image(draw_scanned_page(lines, rng).crop((0, 0, 1260, 700)), "png"))
