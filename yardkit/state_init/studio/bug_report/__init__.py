"""A recording of a screen: after a voucher the total is wrong for half a second, and again after the order is saved."""

import random
from typing import TYPE_CHECKING, Any

from yardkit.state_init.films import save_film
from yardkit.state_init.material import take_out
from yardkit.state_init.names import make_people
from yardkit.state_init.studio.bug_report import back_offices as office
from yardkit.world import World, save_text

if TYPE_CHECKING:
    from PIL.Image import Image

FPS = 10
ARTICLES = ("Espresso beans 1 kg", "Filter paper", "Milk jug", "Cleaning powder", "Cup and saucer", "Grinder brush")


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Record the screen and write the mail of the tester; the facts hold when the total is wrong, and where."""
    tester = make_people(rng, 1)[0]
    token = "".join(rng.choice("0123456789abcdef") for _ in range(12))
    lines = [(name, rng.randint(1, 6), rng.randint(350, 2990)) for name in rng.sample(ARTICLES, 3)]
    subtotal = sum(amount for *_, amount in lines)
    voucher = rng.choice((1000, 1500, 2000))
    amounts = {
        "whole": subtotal,
        "right": subtotal - voucher,
        "wrong": -rng.choice((2, 3)) * voucher - rng.randint(1, 99),
    }
    order = office.Order(
        f"2026-{rng.randint(1000, 9999)}",
        [(name, str(pieces), _format_euros(amount)) for name, pieces, amount in lines],
        f"{tester.email}  key {token}",
    )
    screens = {
        name: office.order_screen(
            order, _format_euros(subtotal), _format_euros(0 if name == "whole" else -voucher), _format_euros(total)
        )
        for name, total in amounts.items()
    }
    plan = _plan_steps(rng, screens, voucher)
    save_film(world.files / "screen_recording.mp4", office.play_steps(plan), FPS, quality=18)
    wrong, at = [], 0
    for lasts, screen, _ in plan:
        wrong += [[at / FPS, (at + lasts) / FPS]] if screen is screens["wrong"] else []
        at += lasts
    words = {"tester": tester.name, "right": _format_euros(amounts["right"])}
    save_text(world.files / "mail_from_tester.txt", take_out(world, "mail_from_tester.txt").format(**words))
    error_spans = [{"start_s": start, "end_s": end} for start, end in wrong]
    boxes = {"total": list(office.TOTAL), "private": list(office.ACCOUNT), "screen": list(office.SIZE_PX)}
    texts = {"wrong": f"{-amounts['wrong'] / 100:.2f}", "right": f"{amounts['right'] / 100:.2f}"}
    return {"shown": error_spans, **boxes, **texts, "secrets": [tester.email, token], "length_s": at / FPS}


def _format_euros(cents: int) -> str:
    return f"{'-' if cents < 0 else ''}EUR {abs(cents) / 100:.2f}"


def _plan_steps(rng: random.Random, screens: dict[str, "Image"], voucher: int) -> list[office.Step]:
    enter = office.Dialog("Enter voucher", ("Code", f"SPRING-{voucher // 100}"), ("Cancel", "Apply"))
    warning = office.Dialog("Please check", ("The total is below EUR 100.00.", "No free delivery."), ("Back", "Go on"))

    def some(least: float, most: float) -> int:
        return round(rng.uniform(least, most) * FPS)

    full_screen, right, wrong = (screens[name] for name in ("whole", "right", "wrong"))
    return [
        (some(2.0, 3.5), full_screen, office.VOUCHER),
        (some(2.0, 3.0), office.with_dialog(full_screen, enter), office.DIALOG_BUTTON),
        (5, wrong, office.DIALOG_BUTTON),
        (some(2.5, 4.0), right, office.SAVE),
        (some(2.0, 2.8), office.with_dialog(right, warning), office.DIALOG_BUTTON),
        (some(0.8, 1.2), right, office.SAVE),
        (some(1.4, 2.0), wrong, (office.SAVE[0] - 60, office.SAVE[1] + 30)),
        (some(1.5, 2.5), right, (500, 480)),
    ]
