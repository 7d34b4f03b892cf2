"""The meters of a house, and a month of photos of them, some of which do not count."""

import datetime
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from yardkit.state_init.sight.meter_readings.drawn_meters import Meter

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


def month_of_photos(watched: Sequence[Watched], rng: random.Random) -> tuple[list[Photo], dict[str, float]]:
    """Photos of February and the readings of the end of January by number of the meter.

    Of each meter one reading slipped; the neighbour's meter, and another register of the display, are among them.
    """
    photos, opening = [], {}
    for owned, reason in zip(watched, rng.sample(["backwards", "too much"], 2), strict=True):
        start = rng.randint(1_400, 8_900) * 10**owned.meter.decimals + rng.randint(100, 900)
        opening[owned.meter.number] = round(start / 10**owned.meter.decimals, owned.meter.decimals)
        photos += _photograph_month(owned, start, reason, rng)
    return [*photos, *_make_foreign_photos(watched, photos, rng)], opening


def water_and_power(rng: random.Random) -> list[Watched]:
    """A water meter with rollers and an electricity meter with a display."""
    water = Meter("rollers", f"8AQT{rng.randint(20, 98)}{rng.randint(100, 999)}", "m³", "AQUATEC", 5, 3)
    power = Meter("display", f"1EMH{rng.randint(200, 987)}{rng.randint(100, 999)}", "kWh", "Voltis", 6, 1, REGISTER)
    return [
        Watched(water, round(rng.uniform(3.6, 5.4), 2), 2.5, (450, 1_600), rng.choice((20_000, 100_000))),
        Watched(power, round(rng.uniform(0.26, 0.38), 2), 45.0, (90, 260), rng.choice((3_000, 10_000))),
    ]


def _photograph_month(owned: Watched, start: int, reason: str, rng: random.Random) -> list[Photo]:
    """Five readings, one of which, not the first, shows a wheel or digit that slipped."""
    photos, day, slipped_index = [], FIRST, rng.randint(1, len(EVERY) - 1)
    for place, of_month in enumerate(EVERY):
        date = datetime.date(2026, 2, of_month - rng.randint(0, 2))
        start += (date - day).days * rng.randint(*owned.daily) + rng.randint(0, 9)
        slip = 0 if place != slipped_index else owned.slip if reason == "too much" else -owned.slip
        taken = datetime.datetime(date.year, date.month, date.day, rng.randint(7, 18), rng.randint(0, 59))  # noqa: DTZ001
        photos.append(Photo(owned.meter, taken, start + slip, reason if slip else ""))
        day = date
    return photos


def _make_foreign_photos(watched: Sequence[Watched], photos: list[Photo], rng: random.Random) -> list[Photo]:
    """The neighbour's water meter, whose number is nearly ours, and the display as it shows what was fed in."""
    water, power = (owned.meter for owned in watched)
    digits = list(water.number)
    place = rng.randint(4, len(digits) - 1)
    digits[place] = str((int(digits[place]) + rng.randint(2, 8)) % 10)
    good = [photo for photo in photos if not photo.reason]
    ours = [rng.choice([photo for photo in good if photo.meter is meter]) for meter in (water, power)]
    foreign_meters = replace(water, number="".join(digits)), replace(power, register=FEED_IN)
    shift = rng.randint(150, 1_900), -rng.randint(8_000, 11_000)
    return [
        Photo(meter, photo.taken + datetime.timedelta(minutes=rng.randint(1, 4)), photo.count + more, reason)
        for meter, photo, more, reason in zip(
            foreign_meters, ours, shift, ("other meter", "other register"), strict=True
        )
    ]
