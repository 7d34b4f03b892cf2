"""The world of sight/meter_readings: a month of photos of two meters, four of which do not count."""

import datetime
import random
from dataclasses import dataclass, replace
from typing import Any

from toolyard.state_init.csv_files import save_csv
from toolyard.state_init.material import fill_in
from toolyard.state_init.rendering import photograph, save_image
from toolyard.state_init.rendering.meters import Meter, meter_photo
from toolyard.world import World, save_text

FIRST = datetime.date(2026, 1, 31)
EVERY = (4, 10, 16, 22, 28)
REGISTER, FEED_IN = "1.8.0", "2.8.0"


@dataclass(frozen=True)
class Watched:
    """A meter with its price, the highest plausible use of a day, and the usual one, in units of its last digit."""

    meter: Meter
    price: float
    highest: float
    daily: tuple[int, int]
    slip: int


@dataclass(frozen=True)
class Photo:
    """A photo: the reading in units of the last digit, and why it does not count, if it does not."""

    meter: Meter
    taken: datetime.datetime
    count: int
    reason: str = ""

    @property
    def reading(self) -> float:
        return float(round(self.count / 10**self.meter.decimals, self.meter.decimals))


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Draw the photos in no order; the facts are the rows of the three sheets."""
    watched = _watched(rng)
    photos, opening = [], {}
    reasons = rng.sample(["backwards", "too much"], 2)
    for owned, reason in zip(watched, reasons, strict=True):
        start = rng.randint(1_400, 8_900) * 10**owned.meter.decimals + rng.randint(100, 900)
        opening[owned.meter.number] = round(start / 10**owned.meter.decimals, owned.meter.decimals)
        photos += _month(owned, start, reason, rng)
    photos += _strangers(watched, photos, rng)
    names = rng.sample(range(2041, 2099), len(photos))
    for photo, name in zip(photos, names, strict=True):
        shot = meter_photo(photo.meter, photo.reading, f"{photo.taken:%Y-%m-%d %H:%M}", rng)
        save_image(photograph(shot, rng, 0.35, frame=False), world.files / "photos" / f"IMG_{name}.jpg")
    _write_lists(world, watched, opening, rng)
    flagged = [(f"IMG_{name}.jpg", photo) for photo, name in zip(photos, names, strict=True) if photo.reason]
    counted = {owned.meter.number: _counted(owned, opening, photos) for owned in watched}
    return {
        "readings": [[number, *row] for number in sorted(counted) for row in counted[number]],
        "flagged": [
            [name, photo.meter.number, photo.taken.date().isoformat(), photo.reading, photo.reason]
            for name, photo in flagged
        ],
        "prices": {owned.meter.number: owned.price for owned in watched},
        "total": round(sum(owned.price * _used(counted[owned.meter.number]) for owned in watched), 2),
    }


def _watched(rng: random.Random) -> list[Watched]:
    water = Meter("rollers", f"8AQT{rng.randint(20, 98)}{rng.randint(100, 999)}", "m³", "AQUATEC", 5, 3)
    power = Meter("display", f"1EMH{rng.randint(200, 987)}{rng.randint(100, 999)}", "kWh", "Voltis", 6, 1, REGISTER)
    return [
        Watched(water, round(rng.uniform(3.6, 5.4), 2), 2.5, (450, 1_600), rng.choice((20_000, 100_000))),
        Watched(power, round(rng.uniform(0.26, 0.38), 2), 45.0, (90, 260), rng.choice((3_000, 10_000))),
    ]


def _month(owned: Watched, start: int, reason: str, rng: random.Random) -> list[Photo]:
    """Five readings, one of which, not the first, shows a wheel or digit that slipped."""
    photos, day, odd = [], FIRST, rng.randint(1, len(EVERY) - 1)
    for place, of_month in enumerate(EVERY):
        date = datetime.date(2026, 2, of_month - rng.randint(0, 2))
        start += (date - day).days * rng.randint(*owned.daily) + rng.randint(0, 9)
        slip = 0 if place != odd else owned.slip if reason == "too much" else -owned.slip
        taken = datetime.datetime(date.year, date.month, date.day, rng.randint(7, 18), rng.randint(0, 59))  # noqa: DTZ001
        photos.append(Photo(owned.meter, taken, start + slip, reason if slip else ""))
        day = date
    return photos


def _strangers(watched: list[Watched], photos: list[Photo], rng: random.Random) -> list[Photo]:
    """The neighbour's water meter, whose number is nearly ours, and the display as it shows what was fed in."""
    water, power = (owned.meter for owned in watched)
    digits = list(water.number)
    place = rng.randint(4, len(digits) - 1)
    digits[place] = str((int(digits[place]) + rng.randint(2, 8)) % 10)
    ours = [
        rng.choice([photo for photo in photos if photo.meter is meter and not photo.reason]) for meter in (water, power)
    ]
    odd = replace(water, number="".join(digits)), replace(power, register=FEED_IN)
    shift = rng.randint(150, 1_900), -rng.randint(8_000, 11_000)
    return [
        Photo(meter, photo.taken + datetime.timedelta(minutes=rng.randint(1, 4)), photo.count + more, reason)
        for meter, photo, more, reason in zip(odd, ours, shift, ("other meter", "other register"), strict=True)
    ]


def _counted(owned: Watched, opening: dict[str, float], photos: list[Photo]) -> list[list[Any]]:
    """Date, reading, days, use and use per day; nothing but the reading in the first row."""
    rows: list[list[Any]] = [[FIRST.isoformat(), opening[owned.meter.number], None, None, None]]
    for photo in photos:
        if photo.meter == owned.meter and not photo.reason:
            days = (photo.taken.date() - datetime.date.fromisoformat(rows[-1][0])).days
            used = round(photo.reading - rows[-1][1], 3)
            assert 0 < used / days < owned.highest, "what counts must be plausible"  # noqa: S101
            rows.append([photo.taken.date().isoformat(), photo.reading, days, used, used / days])
    return rows


def _used(rows: list[list[Any]]) -> float:
    return float(rows[-1][1] - rows[0][1])


def _write_lists(world: World, watched: list[Watched], opening: dict[str, float], rng: random.Random) -> None:
    head = ["number", "what", "unit", "price_eur", "highest_per_day"]
    for name, raised in (("meters.csv", 1.0), ("meters_2025.csv", 0.9)):
        rows = [
            [owned.meter.number, what, owned.meter.unit, f"{owned.price * raised:.2f}", f"{owned.highest:g}"]
            for owned, what in zip(watched, ("water", "electricity"), strict=True)
        ]
        save_csv(world.files / name, [head, *rows])
    last = [[number, FIRST.isoformat(), reading] for number, reading in opening.items()]
    save_csv(world.files / "last_month.csv", [["number", "date", "reading"], *last])
    fill_in(world, "reading_rules.md", register=REGISTER)
    save_text(world.files / "keys.txt", f"cellar: {rng.randint(3, 9)}, flat below: bell twice\n")
