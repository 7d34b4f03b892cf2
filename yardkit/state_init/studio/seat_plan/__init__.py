"""The world of studio/seat_plan: the plan of a hall, bookings of which not all count, and colours of groups."""

import datetime
import random
from typing import Any

from yardkit.state_init.material import fill_in
from yardkit.state_init.names import make_companies
from yardkit.state_init.rendering import save_image
from yardkit.state_init.studio.seat_plan.seat_bookings import HEAD, book_seats
from yardkit.state_init.studio.seat_plan.seat_plans import ROW_PX, SEAT_PX, STEP_PX, Hall, seat_plan
from yardkit.state_init.workbooks import Book
from yardkit.world import World

COLORS = ("#D64545", "#E89A1C", "#3FA34D", "#2F7FD1", "#8E4EC6")
HALLS = ("Great Hall", "Harbour Hall", "Assembly Room")


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Draw the plan and write the bookings; the facts hold the box of each seat and whose it is."""
    name, other = rng.sample(HALLS, 2)
    hall = Hall(
        name, rng.choice((7, 8)), rng.choice((11, 12)), rng.choice((4, 5, 6)), rng.choice((40, 52)), rng.random() < 0.7
    )
    plan = f"plan_{name.lower().replace(' ', '_')}.png"
    save_image(seat_plan(hall, f"{name}: seats", rng), world.files / plan)
    old = Hall(other, 6, 10, 5, 46, from_right=False)
    save_image(seat_plan(old, f"{other}: seats", rng), world.files / f"plan_{other.lower().replace(' ', '_')}.png")
    groups = [company.name for company in make_companies(rng, 4)]
    colors = dict(zip(groups, rng.sample(COLORS, 4), strict=True))
    day = datetime.date(2026, 4, rng.randint(8, 28))
    rows, seats = book_seats(rng, hall, groups, day)
    book = Book(world.now, title="Bookings")
    book.sheet("Bookings", [HEAD, *rows], formats={1: "yyyy-mm-dd"})
    book.save(world.files / "bookings.xlsx")
    x, y = hall.get_middle(0, 1)
    listed = "\n".join(f"- {group}: {color}" for group, color in sorted(colors.items()))
    side, aisle = "left" if hall.from_right else "right", hall.aisle_px
    fill_in(
        world, "marking_rules.md", colors=listed, x=x, y=y, step=STEP_PX, side=side, after=hall.aisle_after,
        aisle=aisle, row=ROW_PX, seat=SEAT_PX, last=chr(64 + hall.rows), seats=hall.seats,
    )  # fmt: skip
    counts = {group: sum(of == group for of in seats.values()) for group in groups}
    return {
        "plan": plan,
        "strip": hall.strip,
        "seats": {seat: {"box": box, "group": seats.get(seat, "")} for seat, box in hall.boxes()},
        "colors": {group: color for group, color in colors.items() if counts[group]},
        "legend": {group: f"{group}: {count} seats" for group, count in counts.items() if count},
        "free": hall.rows * hall.seats - len(seats),
        "prompt": {"plan": plan, "day": f"{day:%A, %d %B}"},
    }
