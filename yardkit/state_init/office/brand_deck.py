"""A brief for a deck, the brand's template with samples in it, figures for a chart, and a late change by mail."""

import datetime
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from yardkit.state_init.decks import Brand, Deck
from yardkit.state_init.documents import Paper
from yardkit.state_init.mails import send_mail
from yardkit.state_init.names import CITIES, Person, make_people
from yardkit.world import World, save_text

PRODUCTS = ("Tern kettle", "Osprey lamp", "Heron desk", "Plover chair", "Dunlin speaker")
ACCENTS = ("0B6E4F", "5A2A82", "A23B2A", "1F4E79")
LONG = (
    "What {months} months of tests in {city} taught us: buyers compare us by repair and spare parts first, by running "
    "costs second, and by price third"
)


@dataclass(frozen=True)
class SlideSpec:
    """A slide of the brief; lines are text and level, columns those of a slide with two."""

    kind: str
    title: str
    lines: tuple[tuple[str, int], ...] = ()
    right: tuple[tuple[str, int], ...] = ()
    notes: str = ""


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Build brief, templates, figures and mails."""
    staff = make_people(rng, 5)
    product, number = rng.choice(PRODUCTS), rng.randint(4, 7)
    slides = _make_slides(rng, product, staff)
    place = next(n for n, slide in enumerate(slides) if slide.kind == "list" and n > 2)
    long = LONG.format(months=rng.randint(7, 11), city=rng.choice(CITIES)[0])
    _write_brief(world, slides, staff, product)
    totals = _write_figures(world, rng)
    brand = Brand(
        "Sandpiper Home", rng.choice(ACCENTS), "D98E04", "6B7280", heading_font="Calibri", body_font="Carlito"
    )
    _write_templates(world, brand, number)
    _write_mails(world, staff, place + 1, slides[place].title, long)
    final = [asdict(slide) for slide in slides]
    final[place]["title"] = long
    return {
        "prompt": {"product": product, "author": staff[0].name},
        "slides": final,
        "long": place + 1,
        "old_title": slides[place].title,
        "chart": totals,
        "total": sum(sum(column) for column in totals["series"].values()),
    }


def _make_slides(rng: random.Random, product: str, staff: Sequence[Person]) -> list[SlideSpec]:
    a, b, c = rng.randint(12, 30), rng.randint(31, 60), rng.randint(61, 95)
    city = rng.choice(CITIES)[0]
    tests = (
        (f"{c} households used it for half a year", 0),
        (f"{a} of them sent a diary every week", 1),
        (f"Two in three would pay {b} euros more for a part that can be changed", 0),
    )
    left = (("Ready in March", 0), (f"{b} shops from the first day", 0), ("Own service points", 1))
    right = (("Ready in May", 0), (f"{a} shops from the first day", 0), ("Service by partners", 1))
    return [
        SlideSpec(
            "title",
            f"{product}: launch plan",
            ((f"Sales conference {city}, spring 2026", 0),),
            notes="Wait for silence.",
        ),
        SlideSpec(
            "list",
            "What you will hear",
            (("What buyers told us", 0), ("Two ways into the market", 0), ("Next steps", 0)),
        ),
        SlideSpec("section", "What buyers told us", (("Tests and sales of 2025", 0),)),
        SlideSpec("list", "Results of the tests", tests, notes=f"{staff[1].first} ran the tests; thank the team."),
        SlideSpec("chart", "Orders of the predecessor by quarter", notes="Shops fell back in summer as in every year."),
        SlideSpec("section", "Two ways into the market", (("A decision is needed today", 0),)),
        SlideSpec(
            "two",
            "At home first, or abroad first",
            left,
            right,
            f"We recommend the way on the left, says {staff[2].name}.",
        ),
        SlideSpec(
            "list",
            "Next steps",
            (
                (f"{staff[3].name} orders the tools in week {a}", 0),
                (f"First lot of {c * 100:,} pieces", 0),
                ("Half of it for the shops", 1),
                (f"Price list to {staff[4].name}", 0),
            ),
            notes="End on time; leave ten minutes for questions.",
        ),
    ]


KINDS = {
    "title": "Title slide",
    "list": "List",
    "section": "Start of a section",
    "two": "Two columns",
    "chart": "Chart",
}


def _write_brief(world: World, slides: Sequence[SlideSpec], staff: Sequence[Person], product: str) -> None:
    """The brief: what each slide says, and lines that do not belong on slides."""
    paper = Paper(f"Brief: launch of the {product}", author=staff[0].name, now=world.now)
    paper.add_heading(f"Brief: launch of the {product}", 0)
    paper.add_paragraph(
        "For the sales conference. Please take the texts as they are; they have been agreed with everybody."
    )
    paper.add_heading("Slides")
    for number, slide in enumerate(slides, 1):
        paper.add_heading(f"Slide {number}", 2)
        paper.add_paragraph(f"Kind: {KINDS[slide.kind]}")
        paper.add_paragraph(f"Title: {slide.title}")
        for label, lines in (("Left" if slide.right else "Text", slide.lines), ("Right", slide.right)):
            if lines:
                paper.add_paragraph(f"{label}:")
            for text, level in lines:
                paper.add_bullets([text], level + 1)
        if slide.kind == "chart":
            paper.add_paragraph("Chart: columns, orders by quarter of 2025, one series for Online and one for Shops")
        if slide.notes:
            paper.add_paragraph(f"Notes: {slide.notes}")
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
    save_text(
        world.files / "brand" / "rules.md",
        "# Brand rules\n\n"
        "- Use sandpiper_template.pptx with its own layouts: Title Slide for the first slide, Section Header where a\n"
        "  section starts, Title and Content for lists, Two Content for two columns, Title Only for a chart.\n"
        "- Texts go into the placeholders of the layout. Fonts and colours come from the theme; set none by hand.\n"
        "- The samples of the template do not belong into a presentation; neither do empty placeholders.\n"
        "- A title has at most two lines and is never smaller than 20 pt; nothing lies on it, and it lies on nothing.\n"
        "- The texts of a list are never smaller than 16 pt.\n"
        "- Charts are native charts, not pictures, with their figures in the workbook inside; a legend or labels name\n"
        "  the series, the scale begins at 0, and the chart takes a good part of its slide.\n",
    )


def _write_mails(world: World, staff: Sequence[Person], number: int, old: str, long: str) -> None:
    me = staff[0]
    for order, (who, subject, body) in enumerate(
        (
            (staff[2], "Room", "The conference is in the large hall; the screen is 16:9."),
            (
                staff[1],
                "Title of a slide",
                f'One change to the brief, agreed with all: the title of slide {number} is no more "{old}" but\n\n'
                f"{long}\n\nPlease take it as it is, word by word. All other titles stay.",
            ),
            (staff[3], "Lunch", "There is soup."),
        ),
        1,
    ):
        path = world.files / "mail" / f"{order}_{subject.lower().replace(' ', '_')}.eml"
        text = f"Hello {me.first},\n\n{body}\n\nRegards\n{who.first}\n"
        send_mail(path, who, me, subject, text, world.now - datetime.timedelta(hours=30 - order))
