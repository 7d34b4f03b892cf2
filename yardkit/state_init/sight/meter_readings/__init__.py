"""The world of sight/meter_readings: a month of photos of two meters, four of which do not count."""

import datetime
import random
from typing import Any

from yardkit.state_init.csv_files import save_csv
from yardkit.state_init.material import fill_in
from yardkit.state_init.rendering import photograph_picture, save_image
from yardkit.state_init.sight.meter_readings.drawn_meters import meter_photo
from yardkit.state_init.sight.meter_readings.meters import (
    FIRST,
    REGISTER,
    Photo,
    Watched,
    month_of_photos,
    water_and_power,
)
from yardkit.world import World, save_text


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Draw the photos in no order; the facts are the rows of the three sheets."""
    watched = water_and_power(rng)
    photos, opening = month_of_photos(watched, rng)
    names = rng.sample(range(2041, 2099), len(photos))
    for photo, name in zip(photos, names, strict=True):
        shot = meter_photo(photo.meter, photo.reading, f"{photo.taken:%Y-%m-%d %H:%M}", rng)
        save_image(photograph_picture(shot, rng, 0.35, frame=False), world.files / "photos" / f"IMG_{name}.jpg")
    _write_lists(world, watched, opening, rng)
    counted = {owned.meter.number: _list_counted_readings(owned, opening, photos) for owned in watched}
    used = {number: rows[-1][1] - rows[0][1] for number, rows in counted.items()}
    return {
        "readings": [[number, *row] for number in sorted(counted) for row in counted[number]],
        "flagged": [
            [f"IMG_{name}.jpg", photo.meter.number, photo.taken.date().isoformat(), photo.reading, photo.reason]
            for photo, name in zip(photos, names, strict=True)
            if photo.reason
        ],
        "prices": {owned.meter.number: owned.price for owned in watched},
        "total": round(sum(owned.price * used[owned.meter.number] for owned in watched), 2),
    }


def _list_counted_readings(owned: Watched, opening: dict[str, float], photos: list[Photo]) -> list[list[Any]]:
    """Date, reading, days, use and use per day; nothing but the reading in the first row."""
    rows: list[list[Any]] = [[FIRST.isoformat(), opening[owned.meter.number], None, None, None]]
    for photo in photos:
        if photo.meter == owned.meter and not photo.reason:
            days = (photo.taken.date() - datetime.date.fromisoformat(rows[-1][0])).days
            used = round(photo.reading - rows[-1][1], 3)
            assert 0 < used / days < owned.highest, "what counts must be plausible"  # noqa: S101
            rows.append([photo.taken.date().isoformat(), photo.reading, days, used, used / days])
    return rows


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
