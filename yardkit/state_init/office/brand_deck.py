"""A brief for a deck, the brand's template with samples in it, figures for a chart, and a late change by mail."""

import datetime
import random
from collections.abc import Sequence
from typing import Any, TypedDict

from yardkit.state_init.decks import Brand, Deck
from yardkit.state_init.documents import Paper
from yardkit.state_init.mails import send_mail
from yardkit.state_init.material import take_out_toml
from yardkit.state_init.names import CITIES, Person, make_people
from yardkit.world import World, save_text

PRODUCTS = ("Tern kettle", "Osprey lamp", "Heron desk", "Plover chair", "Dunlin speaker")
ACCENTS = ("0B6E4F", "5A2A82", "A23B2A", "1F4E79")


class BrandDeckFacts(TypedDict):
    """The slides of the brief with the late change, the slide with the long title, the chart and its sum."""

    prompt: dict[str, str]
    slides: list[dict[str, Any]]
    long: int
    old_title: str
    chart: dict[str, Any]
    total: int


def seed(world: World, rng: random.Random) -> BrandDeckFacts:
    """Build brief, templates, figures and mails."""
    story = take_out_toml(world, "brief.toml")
    staff = make_people(rng, 5)
    product, number = rng.choice(PRODUCTS), rng.randint(4, 7)
    slides = _make_slides(rng, story["slides"], product, staff)
    place = next(n for n, slide in enumerate(slides) if slide["kind"] == "list" and n > 2)
    old, long = slides[place]["title"], story["long"].format(months=rng.randint(7, 11), town=rng.choice(CITIES)[0])
    _write_brief(world, slides, staff, product)
    totals = _write_figures(world, rng)
    accent = rng.choice(ACCENTS)
    brand = Brand("Sandpiper Home", accent, "D98E04", "6B7280", heading_font="Calibri", body_font="Carlito")
    _write_templates(world, brand, number)
    _write_mails(world, staff, story["mails"], {"number": place + 1, "old": old, "long": long})
    slides[place]["title"] = long
    return {
        "prompt": {"product": product, "author": staff[0].name},
        "slides": slides,
        "long": place + 1,
        "old_title": old,
        "chart": totals,
        "total": sum(sum(column) for column in totals["series"].values()),
    }


def _make_slides(
    rng: random.Random, templates: Sequence[dict[str, Any]], product: str, staff: Sequence[Person]
) -> list[dict[str, Any]]:
    """The slides of the brief; `lines` are text and level, `right` those of the second column."""
    a, b, c = rng.randint(12, 30), rng.randint(31, 60), rng.randint(61, 95)
    gaps = {"product": product, "city": rng.choice(CITIES)[0], "a": a, "b": b, "c": c, "lot": c * 100}
    gaps |= {"tester": staff[1].first, "adviser": staff[2].name, "buyer": staff[3].name, "seller": staff[4].name}
    slides = []
    for template in templates:
        texts = {key: template.get(key, "").format(**gaps) for key in ("kind", "title", "notes")}
        columns = {
            side: [(text.format(**gaps), level) for text, level in template.get(side, ())]
            for side in ("lines", "right")
        }
        slides.append({**texts, **columns})
    return slides


KINDS = {
    "title": "Title slide",
    "list": "List",
    "section": "Start of a section",
    "two": "Two columns",
    "chart": "Chart",
}


def _write_brief(world: World, slides: Sequence[dict[str, Any]], staff: Sequence[Person], product: str) -> None:
    """The brief: what each slide says, and lines that do not belong on slides."""
    paper = Paper(f"Brief: launch of the {product}", author=staff[0].name, now=world.now)
    paper.add_heading(f"Brief: launch of the {product}", 0)
    paper.add_paragraph(
        "For the sales conference. Please take the texts as they are; they have been agreed with everybody."
    )
    paper.add_heading("Slides")
    for number, slide in enumerate(slides, 1):
        paper.add_heading(f"Slide {number}", 2)
        paper.add_paragraph(f"Kind: {KINDS[slide['kind']]}")
        paper.add_paragraph(f"Title: {slide['title']}")
        for label, lines in (("Left" if slide["right"] else "Text", slide["lines"]), ("Right", slide["right"])):
            if lines:
                paper.add_paragraph(f"{label}:")
            for text, level in lines:
                paper.add_bullets([text], level + 1)
        if slide["kind"] == "chart":
            paper.add_paragraph("Chart: columns, orders by quarter of 2025, one series for Online and one for Shops")
        if slide["notes"]:
            paper.add_paragraph(f"Notes: {slide['notes']}")
    paper.add_heading("Not for the slides")
    paper.add_bullets(["Budget of the launch", "Names of the test households", "What the competitor is said to plan"])
    paper.save(world.files / "brief" / "brief_launch.docx")
    draft = Paper("Brief, first ideas", author=staff[0].name, now=world.now)
    draft.add_heading("First ideas", 0)
    draft.add_bullets(["Eight slides at most", "A film?", "Hand out samples"])
    draft.save(world.files / "brief" / "first_ideas.docx")


def _write_figures(world: World, rng: random.Random) -> dict[str, Any]:
    """Orders by day and channel, and an old export; the sums by quarter."""
    rows, sums = [], {"Online": [0, 0, 0, 0], "Shops": [0, 0, 0, 0]}
    for offset in range(-31, 396):
        day = datetime.date(2025, 1, 1) + datetime.timedelta(days=offset)
        for channel, usual in (("Online", 34), ("Shops", 21)):
            orders = max(0, round(rng.gauss(usual + offset / 30, 6)))
            rows.append(f"{day.isoformat()},{channel},{orders}")
            if day.year == 2025:
                sums[channel][(day.month - 1) // 3] += orders
    save_text(world.files / "data" / "orders_by_day.csv", "day,channel,orders\n" + "\n".join(rows) + "\n")
    old = [row for row in rows if row < "2025-10" and rng.random() < 0.97]
    save_text(world.files / "data" / "orders_by_day_september.csv", "day,channel,orders\n" + "\n".join(old) + "\n")
    return {"categories": ["Q1", "Q2", "Q3", "Q4"], "series": sums}


def _write_templates(world: World, brand: Brand, number: int) -> None:
    """The template with two samples, and the one of the old brand."""
    for name, look, title in (
        ("sandpiper_template.pptx", brand, f"Sandpiper template {number}.0"),
        ("sandpiper_template_2019.pptx", Brand("Sandpiper & Sons", "444444", "999999"), "Template 2019"),
    ):
        deck = Deck(title, author="Brand team", now=world.now, brand=look)
        deck.title_slide("Title of the presentation", "Occasion, place, date")
        deck.add_bullets("Sample of a list", ["Lorem ipsum dolor sit amet", ("consetetur sadipscing", 1)])
        deck.save(world.files / "brand" / name)


def _write_mails(world: World, staff: Sequence[Person], mails: Sequence[dict[str, Any]], gaps: dict[str, Any]) -> None:
    for order, mail in enumerate(mails, 1):
        who, body = staff[mail["sender"]], mail["body"].strip().format(**gaps)
        path = world.files / "mail" / f"{order}_{mail['subject'].lower().replace(' ', '_')}.eml"
        text = f"Hello {staff[0].first},\n\n{body}\n\nRegards\n{who.first}\n"
        send_mail(path, who, staff[0], mail["subject"], text, world.now - datetime.timedelta(hours=30 - order))
