"""Every picture is a function of its seed, and the numbers in it can be read."""

import hashlib
import itertools
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from support.scale import count_tries, select_drills

from yardkit.state_init import rendering as kit
from yardkit.world import Problem

GOODS = ["Sourdough bread", "Cherry tomatoes", "Coffee beans", "Dish soap", "Bananas", "Green tea", "Rice 1 kg"]
LAGER = kit.Bottle("Alder Lager", "beer", (112, 62, 22), (236, 206, 120))
SPRING = kit.Bottle("Spring", "water", (150, 196, 214), (250, 250, 250), (20, 80, 160))

Draw = Callable[[random.Random], tuple[Image.Image, list[str]]]


def make_money(rng: Any, most: int = 90) -> Any:
    return f"{rng.randint(1, most)}.{rng.randint(0, 99):02d}"


def make_receipt(style: Any) -> Any:
    def draw(rng: Any) -> Any:
        lines = [kit.ReceiptLine(name, make_money(rng), rng.choice(["", "2 x 3.20"])) for name in rng.sample(GOODS, 6)]
        totals = [
            ("Subtotal", make_money(rng, 300)),
            ("Tax 8.25%", make_money(rng, 30)),
            ("TOTAL", make_money(rng, 300)),
        ]
        content = kit.Receipt(
            "Harbour Market", lines, totals, ["12 Quay Street"], [("Date", "2026-03-14")], ["Thank you!"]
        )
        truth = [line.amount for line in lines] + [value for _, value in totals]
        return kit.photograph_picture(kit.draw_receipt(content, style, rng), rng, 0.8), truth

    return draw


def make_invoice(style: Any) -> Any:
    def draw(rng: Any) -> Any:
        lines = [
            (f"KF-{rng.randint(100, 999)}", name, "12", make_money(rng), make_money(rng, 900)) for name in GOODS[:4]
        ]
        totals = [
            ("Net amount", make_money(rng, 900)),
            ("VAT 19 %", make_money(rng, 90)),
            ("Total EUR", make_money(rng, 900)),
        ]
        facts = [("Invoice no.", f"KF{rng.randint(10_000, 99_999)}"), ("Date", "2026-03-12")]
        header = ("Code", "Item", "Qty", "Price", "Amount")
        content = kit.Invoice("Oakfield", "Unit 9, Leith", ["Kai 7"], facts, header, lines, totals, ["Thank you."])
        truth = [value for _, value in [*facts, *totals]] + [cell for line in lines for cell in (line[0], *line[3:])]
        return kit.photograph_picture(kit.draw_invoice(content, style, rng), rng, 0.3), truth

    return draw


def make_menu(style: Any) -> Any:
    def draw(rng: Any) -> Any:
        items = [kit.MenuItem(name, make_money(rng, 30)) for name in rng.sample(GOODS, 6)]
        sections = [kit.MenuSection("Mains", items[:3]), kit.MenuSection("Drinks", items[3:])]
        picture = kit.draw_menu("The Blue Anchor", sections, style, rng, footer="Service included")
        return kit.photograph_picture(picture, rng, 0.8), [f"${item.price}" for item in items]

    return draw


def make_table(style: Any) -> Any:
    def draw(rng: Any) -> Any:
        rows = [[name, str(rng.randint(100, 450)), make_money(rng, 900)] for name in rng.sample(GOODS, 6)]
        picture = kit.draw_table(["Model", "Power (W)", "Price ($)"], rows, style, rng, title="Graphics cards")
        return kit.photograph_picture(picture, rng, 0.6), [cell for row in rows for cell in row[1:]]

    return draw


def make_page(style: Any) -> Any:
    def draw(rng: Any) -> Any:
        times = [f"{rng.randint(10, 23)}:{rng.randint(10, 59)}" for _ in range(9)]
        titles = rng.sample(["The Long Tide", "Northern Lights", "Paper Moons", "Glass Harbour"], 3)
        shows = [kit.Show(name, "PG - 1 h 38 min", times[3 * at : 3 * at + 3]) for at, name in enumerate(titles)]
        screen = kit.schedule_page("Grand Cinema", "Saturday", shows, style, rng)
        ringed = kit.circle_by_hand(screen.image, screen.boxes[titles[1]], rng)
        return kit.photograph_picture(ringed, rng, 0.3, frame=False), times + titles

    return draw


def make_note(style: Any) -> Any:
    def draw(rng: Any) -> Any:
        truth = [str(rng.randint(100, 999)), f"{rng.randint(10, 23)}:{rng.randint(10, 59)}"]
        picture = kit.handwritten_note([f"Bring {truth[0]} cups", f"Dinner ends at {truth[1]}"], style, rng)
        return kit.photograph_picture(picture, rng, 0.7), truth

    return draw


def draw_label(rng: Any) -> Any:
    truth = [f"H-{rng.randint(1000, 9999)}", f"2027-{rng.randint(10, 12)}-{rng.randint(10, 28)}"]
    picture = kit.draw_label("Honey, 500 g", list(zip(["Lot", "Best before"], truth, strict=True)), rng)
    return kit.photograph_picture(picture, rng, 0.8), truth


def draw_sign(rng: Any) -> Any:
    words = f"Harbour Street {rng.randint(10, 99)}"
    return kit.photograph_picture(kit.street_sign(words, rng), rng, 0.8, frame=False), [words]


def draw_scene(rng: Any) -> Any:
    picture = kit.bottle_scene([(LAGER, 2), (SPRING, rng.randint(1, 3))], rng)
    words = [word for name, _ in picture.bottles for word in name.split()]
    return kit.photograph_picture(picture.image, rng, 0.5, frame=False), words


def draw_article(rng: Any) -> Any:
    hour = f"{rng.randint(10, 12)}:{rng.randint(10, 59)}"
    return kit.web_page(
        "City Library", "Opening hours", [f"It opens at {hour}.", "- Closed on Sunday"], "light", rng
    ).image, [hour]


def draw_equation(rng: Any) -> Any:
    number = rng.randint(100, 999)
    picture = kit.draw_formulas(
        [f"x + {number} = 2x", r"\frac{x}{3} = 7"], rng, rng.choice(["cm", "stix", "dejavusans"])
    )
    return kit.photograph_picture(picture, rng, 0.4), [str(number)]


def draw_chart(rng: Any) -> Any:
    values = [float(rng.randint(100, 999)) for _ in range(3)]
    style = kit.ChartStyle(horizontal=rng.random() < 0.5)
    return kit.bar_chart("Visitors", ["Oslo", "Lima", "Kyoto"], {"2025": values}, style, rng), [
        f"{v:g}" for v in values
    ]


KINDS: dict[str, Draw] = {
    **{f"receipt {style}": make_receipt(style) for style in ("thermal", "till", "bistro", "market")},
    **{f"invoice {style}": make_invoice(style) for style in ("letter", "modern", "typed")},
    **{f"menu {style}": make_menu(style) for style in ("classic", "modern", "board")},
    **{f"table {style}": make_table(style) for style in ("ruled", "zebra", "web", "dark", "spreadsheet", "booktabs")},
    **{f"page {style}": make_page(style) for style in ("light", "dark", "warm")},
    **{f"note {style}": make_note(style) for style in ("lined", "sticky", "squared")},
    **{draw.__name__: draw for draw in (draw_label, draw_sign, draw_scene, draw_article, draw_equation, draw_chart)},
}


FIRST_STYLES = {kind.split()[0]: kind for kind in reversed(KINDS)}.values()
"""The first style of each kind of picture."""
FIRST = min(FIRST_STYLES)


def draw_kind(kind: Any, seed: Any) -> Any:
    return KINDS[kind](random.Random(f"{kind}:{seed}"))


@pytest.mark.parametrize("kind", [FIRST, *select_drills(*(kind for kind in KINDS if kind != FIRST))])
def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(kind: Any) -> None:
    first, again, other = (kit.encode_image(draw_kind(kind, seed)[0], "jpeg") for seed in (1, 1, 2))
    assert hashlib.sha256(first).digest() == hashlib.sha256(again).digest()
    assert first != other


@pytest.mark.drill
def test_ocr_reads_what_a_task_depends_on() -> None:
    from rapidocr import RapidOCR

    engine = RapidOCR(params={"Global.log_level": "error"})
    missed, total = [], 0
    for kind in KINDS:
        picture, truth = draw_kind(kind, 7)
        recognized_texts = engine(np.asarray(picture)[:, :, ::-1], use_cls=False).txts or ()
        read = "|".join(re.sub(r"\s", "", line) for line in recognized_texts)
        for words in truth:
            bare = re.sub(r"\s", "", words)
            total += 1
            if bare not in read:
                missed.append((kind, words))
            read = read.replace(bare, "#", 1)
    assert len(missed) <= total * 0.01, missed


def test_a_scene_shows_every_bottle_apart_from_the_others() -> None:
    rng = random.Random(5)
    picture = kit.bottle_scene([(LAGER, 4), (SPRING, 5)], rng)
    assert sorted(name for name, _ in picture.bottles) == ["Alder Lager"] * 4 + ["Spring"] * 5
    middles = sorted((box[0] + box[2]) / 2 for _, box in picture.bottles)
    widths = [box[2] - box[0] for _, box in picture.bottles]
    assert min(b - a for a, b in itertools.pairwise(middles)) > 0.3 * min(widths)
    assert all(0 <= box[0] < box[2] <= 1400 and 0 <= box[1] < box[3] <= 1000 for _, box in picture.bottles)


@pytest.mark.drill
def test_no_bottle_is_hidden_by_the_row_in_front() -> None:
    """Each bottle of the back row shows at least 45 percent of its box beside the front ones."""
    for seed in range(count_tries(20, 4)):
        bottles = kit.bottle_scene([(LAGER, 7), (SPRING, 7)], random.Random(seed)).bottles
        for place, (_, box) in enumerate(bottles):
            columns = np.ones(box[2] - box[0], dtype=bool)
            for _, front in bottles[place + 1 :]:
                if front[3] > box[3] + 50:
                    columns[max(0, front[0] - box[0]) : max(0, front[2] - box[0])] = False
            above = min([front[1] for _, front in bottles[place + 1 :] if front[3] > box[3] + 50] or [box[3]])
            seen = columns.mean() + (1 - columns.mean()) * max(0, above - box[1]) / (box[3] - box[1])
            assert seen > 0.45, (seed, place)


def test_a_ring_by_hand_goes_around_its_box_and_leaves_the_inside_readable() -> None:
    rng = random.Random(3)
    screen = kit.schedule_page("Cinema", "Today", [kit.Show("Night Boat", "PG", ["19:30"])], "light", rng)
    box = screen.boxes["Night Boat/19:30"]
    ringed = kit.circle_by_hand(screen.image, box, rng)
    changed = np.argwhere((np.asarray(ringed) != np.asarray(screen.image)).any(axis=2))
    assert changed[:, 1].min() < box[0] < box[2] < changed[:, 1].max()
    assert changed[:, 0].min() < box[1] < box[3] < changed[:, 0].max()
    inner = [(y, x) for y, x in changed if box[0] + 20 < x < box[2] - 20 and box[1] + 8 < y < box[3] - 8]
    assert not inner


def test_chinese_words_are_drawn_as_letters() -> None:
    shapes = [np.asarray(kit.draw_table(["名"], [[words]], "web", random.Random(1))) for words in ("销售", "中文")]
    assert (shapes[0] != shapes[1]).any()


def test_stronger_photographs_are_farther_from_the_sheet() -> None:
    sheet = kit.draw_label("Honey", [("Lot", "1")], random.Random(1))
    far = [
        np.abs(
            np.asarray(kit.photograph_picture(sheet, random.Random(1), strength, frame=False), float)
            - np.asarray(sheet)
        ).mean()
        for strength in (0.0, 0.5, 1.0)
    ]
    assert far[0] < far[1] < far[2]


def test_what_cannot_be_drawn_is_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(Problem, match=r"15 bottles do not fit"):
        kit.bottle_scene([(LAGER, 15)], random.Random(1))
    with pytest.raises(Problem, match=r"is not a formula"):
        kit.draw_formulas([r"\frac{1}{"], random.Random(1))
    with pytest.raises(Problem, match=r"end it in .png or .jpg"):
        kit.save_image(Image.new("RGB", (2, 2)), tmp_path / "a.gif")


@pytest.mark.parametrize("name", ["a.png", "a.jpg"])
def test_a_picture_is_saved_in_the_format_of_its_name(tmp_path: Path, name: str) -> None:
    kit.save_image(Image.new("RGB", (20, 10), (200, 30, 30)), tmp_path / name)
    with Image.open(tmp_path / name) as image:
        assert (image.format, image.size) == ({"png": "PNG", "jpg": "JPEG"}[name[2:]], (20, 10))
