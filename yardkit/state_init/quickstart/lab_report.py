"""A tensile test: notebook pages by hand in mixed units, and the machine's file of peak forces."""

import random
import statistics
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, get_args

from yardkit.state_init.rendering import handwritten_note, photograph_picture, save_image
from yardkit.world import World, save_text

SAMPLES = ("A", "B", "C")
COLORS = ("#0072B2", "#D55E00", "#009E73", "#8E44AD")
REMARKS = ("room 21 C, no drift", "new clamps today", "ruler 2, good light", "film from roll 7")
GLUES = ("acrylic, 80 um", "epoxy, 120 um", "silicone, 100 um", "polyurethane, 90 um")
Paper = Literal["lined", "squared", "sticky"]
LENGTHS = {"mm": (Decimal(1), 1), "cm": (Decimal(10), 2), "in": (Decimal("25.4"), 2)}
"""Millimetres in one unit, and the decimals that are written."""
FORCES = {"N": (Decimal(1), 1), "lbf": (Decimal("4.4482216152605"), 2), "kgf": (Decimal("9.80665"), 2)}
"""Newtons in one unit, and the decimals that are written."""


@dataclass(frozen=True)
class Reading:
    """A number as it was written, in a unit of `units`."""

    text: str
    unit: str
    units: dict[str, tuple[Decimal, int]]

    @property
    def base(self) -> float:
        """The value in millimetres or newtons."""
        return float(Decimal(self.text) * self.units[self.unit][0])


@dataclass(frozen=True)
class Trial:
    """One pull of a sample."""

    sample: str
    number: int
    extension: Reading
    force: Reading
    slipped: bool


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Draw the pages and write the files; the facts hold trials and figures in mm, N and N/mm."""
    day, other_day = f"2026-03-{rng.randint(11, 14)}", f"2026-03-0{rng.randint(3, 9)}"
    trials, earlier = _make_trials(rng), _make_trials(rng)
    photos = [(day, sample, trials) for sample in SAMPLES] + [(other_day, rng.choice(SAMPLES), earlier)]
    rng.shuffle(photos)
    for number, (date, sample, page_trials) in zip(sorted(rng.sample(range(1000, 9990), 4)), photos, strict=True):
        page = [trial for trial in page_trials if trial.sample == sample]
        _write_page(world.files / "notebook" / f"IMG_{number}.jpg", date, page, rng)
    for date, page_trials in ((day, trials), (other_day, earlier)):
        save_text(world.files / "machine" / f"tensile_{date}.csv", _write_machine_file(date, page_trials, rng))
    glues = rng.sample(GLUES, 3)
    listed = "".join(f"- {sample}: {glue}\n" for sample, glue in zip(SAMPLES, glues, strict=True))
    save_text(world.files / "samples.md", f"# Samples\n\n{listed}\nCut to 25 x 100 mm, gauge length 60 mm.\n")
    save_text(world.files / "orders.txt", "clamps, 2 pairs\nsafety glasses\nkgf labels for the old scale\n")
    return {
        "prompt": {"day": day, "color": rng.choice(COLORS)},
        "trials": {
            f"{trial.sample}{trial.number}": {"extension": trial.extension.base, "force": trial.force.base}
            for trial in trials
            if not trial.slipped
        },
        "summary": {
            sample: _summarize_trials([trial for trial in trials if trial.sample == sample]) for sample in SAMPLES
        },
    }


def _make_trials(rng: random.Random) -> list[Trial]:
    extensions = rng.sample([33, 41, 50, 61, 74], 3)
    stiffnesses = rng.sample([1.6, 2.1, 2.7, 3.4, 4.2], 3)
    slipping = {(sample, rng.randint(1, 5)) for sample in rng.sample(SAMPLES, 2)}
    new_trials = []
    for sample, extension, stiffness in zip(SAMPLES, extensions, stiffnesses, strict=True):
        lengths = rng.sample([*LENGTHS, *LENGTHS], 5)
        for number in range(1, 6):
            slipped = (sample, number) in slipping
            stretch = extension * rng.uniform(0.94, 1.06) * (1.3 if slipped else 1.0)
            force = stretch * stiffness * rng.uniform(0.97, 1.03) * (0.4 if slipped else 1.0)
            length = _make_reading(stretch, lengths[number - 1], LENGTHS)
            new_trials.append(
                Trial(sample, number, length, _make_reading(force, rng.choice([*FORCES]), FORCES), slipped)
            )
    return new_trials


def _make_reading(base: float, unit: str, units: dict[str, tuple[Decimal, int]]) -> Reading:
    size, decimals = units[unit]
    return Reading(f"{base / float(size):.{decimals}f}", unit, units)


def _summarize_trials(trials: list[Trial]) -> dict[str, float]:
    valid = [trial for trial in trials if not trial.slipped]
    extensions, forces = [trial.extension.base for trial in valid], [trial.force.base for trial in valid]
    extension, force = statistics.fmean(extensions), statistics.fmean(forces)
    return {
        "Trials": len(valid),
        "Mean extension mm": extension,
        "SD extension mm": statistics.stdev(extensions),
        "Mean force N": force,
        "SD force N": statistics.stdev(forces),
        "Stiffness N/mm": force / extension,
    }


def _write_page(path: Path, day: str, trials: list[Trial], rng: random.Random) -> None:
    pulls = [
        f"{trial.number})  {trial.extension.text} {trial.extension.unit}{'   slipped' if trial.slipped else ''}"
        for trial in trials
    ]
    style: Paper = rng.choice(get_args(Paper))
    note = handwritten_note([f"Sample {trials[0].sample}, {day}", *pulls, rng.choice(REMARKS)], style, rng, size=40)
    save_image(photograph_picture(note, rng, strength=0.35), path)


def _write_machine_file(day: str, trials: list[Trial], rng: random.Random) -> str:
    """The machine's file: all pulls in time, with calibrations between them."""
    rows = [f"{trial.sample},{trial.number},{trial.force.text},{trial.force.unit}" for trial in trials]
    rng.shuffle(rows)
    for place in (0, 8, len(rows) + 2):
        rows.insert(place, f"CAL,{place},{rng.uniform(99.5, 100.5):.1f},N")
    minutes = sorted(rng.sample(range(480, 960), len(rows)))
    timed = [f"{day}T{at // 60:02d}:{at % 60:02d},{row}" for at, row in zip(minutes, rows, strict=True)]
    return "\n".join(["time,sample,trial,peak_force,unit", *timed, ""])
