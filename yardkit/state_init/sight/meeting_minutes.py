"""A recorded meeting: four topics with decisions, owners and days; one decision is taken back, one day is moved."""

import datetime
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.state_init.csv_files import save_csv
from yardkit.state_init.documents import Paper
from yardkit.state_init.names import make_people
from yardkit.state_init.speech import save_speech
from yardkit.world import World, save_text

TOPICS: Mapping[str, tuple[str, tuple[int, ...]]] = {
    "printers": ("New printers", (4, 6, 7, 9)),
    "chairs": ("Chairs for the meeting room", (12, 15, 20, 30)),
    "training": ("First aid training", (5, 8, 11, 14)),
    "party": ("Summer party", (800, 900, 1200, 1500)),
    "website": ("New website", (3000, 4000, 5000, 7000)),
}
"""As the agenda names them, and what can be decided: pieces, people or euros."""
REFUSED = {"printers": 10, "chairs": 40, "training": 16, "party": 2000, "website": 10_000}
"""What somebody says of each topic before the decision."""
TOPICS_OF_A_MEETING = 4
EUROS = ("party", "website")
OWNERS = ("David", "Olivia", "Peter")
DAYS = ("04-10", "04-17", "04-24", "05-08", "05-15", "05-22", "06-05", "06-12")
_VOICES = Path(__file__).parent / "voices"


@dataclass(frozen=True)
class Decision:
    """What was decided of a topic, who does it, and until which day; that may be moved later.

    `remark`: whether something else was proposed before.
    """

    topic: str
    amount: int
    owner: str
    day: str
    remark: bool

    @property
    def sentences(self) -> list[str]:
        """The names of the recorded sentences."""
        remark = ["remark"] if self.remark else []
        spoken_keys = ("topic", *remark, f"decision-{self.amount}", f"owner-{self.owner.lower()}")
        return [*(f"{self.topic}-{part}" for part in spoken_keys), f"due-{self.day}"]


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Record the meeting and write who was there; the facts hold what stands at its end."""
    days = rng.sample(DAYS, TOPICS_OF_A_MEETING + 1)
    decisions = [
        Decision(topic, rng.choice(TOPICS[topic][1]), rng.choice(OWNERS), days.pop(), rng.random() < 0.7)
        for topic in rng.sample(sorted(TOPICS), TOPICS_OF_A_MEETING)
    ]
    dropped, moved = rng.sample(decisions, 2)
    sentences = ["opening", *(name for decision in decisions for name in decision.sentences)]
    late = [[f"{dropped.topic}-back"], ["correction", f"{moved.topic}-date", f"due-{days[0]}"]]
    sentences += [name for part in rng.sample(late, 2) for name in part] + ["closing"]
    save_speech((_VOICES / f"{name}.wav" for name in sentences), world.files / "meeting_2026-03-24.wav", rng)
    names = _write_team(world, rng)
    _write_papers(world, rng, names, decisions)
    final_decisions = [decision for decision in decisions if decision is not dropped]
    return {
        "decisions": [[TOPICS[decision.topic][0], decision.topic, decision.amount] for decision in final_decisions],
        "dropped": [TOPICS[dropped.topic][0], dropped.topic, dropped.amount],
        "refused": [REFUSED[decision.topic] for decision in decisions],
        "actions": [
            {"Topic": TOPICS[decision.topic][0], "Owner": names[decision.owner],
             "Due": f"2026-{days[0] if decision is moved else decision.day}"}
            for decision in final_decisions
        ],
        "euros": sum(decision.amount for decision in final_decisions if decision.topic in EUROS),
        "all_euros": sum(decision.amount for decision in decisions if decision.topic in EUROS),
        "moved": [TOPICS[moved.topic][0], f"2026-{moved.day}"],
    }  # fmt: skip


def _write_team(world: World, rng: random.Random) -> dict[str, str]:
    """Who is on the team, and was there: of two with the same first name one was. The full name by the first."""
    last = [person.name.split()[-1] for person in make_people(rng, 9)]
    there = {name: f"{name} {last.pop()}" for name in ("Maria", *OWNERS)}
    away = [f"{name} {last.pop()}" for name in (*rng.sample(OWNERS, 2), "Sofia")]
    rows = [(name, "yes") for name in there.values()] + [(name, "no, on leave") for name in away]
    save_csv(world.files / "team.csv", [("name", "at the meeting of 24 March"), *rng.sample(rows, len(rows))])
    return there


def _write_papers(world: World, rng: random.Random, names: Mapping[str, str], decisions: Sequence[Decision]) -> None:
    """The agenda, and the minutes of the month before as a pattern."""
    listed = "".join(f"{number}. {TOPICS[decision.topic][0]}\n" for number, decision in enumerate(decisions, 1))
    save_text(
        world.files / "agenda_2026-03-24.txt", f"Office team, 24 March 2026\n\n{listed}\nChair: {names['Maria']}\n"
    )
    paper = Paper("Minutes of 24 February 2026", author=names["Maria"], now=world.now - datetime.timedelta(days=28))
    paper.add_heading("Decisions")
    paper.add_bullets(
        [f"Coffee machine: we rent it for {rng.randint(60, 95)} euros a month.", f"Lamps: we buy {rng.randint(8, 19)}."]
    )
    paper.add_heading("Withdrawn")
    paper.add_bullets(["Plants: the decision on plants was taken back."])
    paper.save(world.files / "minutes_2026-02-24.docx")
    save_csv(
        world.files / "actions_2026-02-24.csv", [("Topic", "Owner", "Due"), ("Lamps", names["Peter"], "2026-03-06")]
    )
