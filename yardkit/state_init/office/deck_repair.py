"""A deck that was put together in a hurry: text runs over, things lie on each other, one figure is wrong."""

import io
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from yardkit.state_init.decks import Brand, Deck
from yardkit.state_init.documents import Paper
from yardkit.state_init.mails import send_mail
from yardkit.state_init.material import take_out_toml
from yardkit.state_init.names import CITIES, Person, make_companies, make_people
from yardkit.state_init.workbooks import Book
from yardkit.world import World, save_text

QUARTERS = ("Q1", "Q2", "Q3", "Q4")
REGIONS = ("Benelux", "Nordics", "Iberia", "Alps", "Islands")
SITES = ("Warehouse", "Workshop", "Showroom", "Office", "Laboratory")


class DeckRepairFacts(TypedDict):
    """The slide of each fault by its kind, the chart with the wrong figure, and the titles in order."""

    slides: dict[str, int]
    chart: dict[str, Any]
    wrong: float
    right: float
    titles: list[str]


@dataclass
class _Plan:
    """The deck in the making, and which slide has the chart with the wrong figure."""

    deck: Deck
    rng: random.Random
    staff: list[Person]
    story: dict[str, Any]
    figures: dict[str, Any]
    wrong: tuple[str, int]
    wrong_figure: float
    figure_on: str = ""


def seed(world: World, rng: random.Random) -> DeckRepairFacts:
    """Build the deck with its faults, its data, the rules, and what else lies there."""
    story = take_out_toml(world, "deck.toml")
    staff, firms = make_people(rng, 6), make_companies(rng, 6)
    figures = _make_figures(rng)
    name = rng.choice(("Revenue by quarter", "Revenue by region", "Headcount"))
    place = rng.randrange(len(figures[name]["values"]))
    right = figures[name]["values"][place]
    wrong_figure = next(n for n in iter(lambda: round(right * rng.uniform(0.6, 1.5), 1), None) if abs(n - right) > 1)
    wrong_figure = float(round(wrong_figure)) if name == "Headcount" else wrong_figure
    brand = Brand("Halden Works", rng.choice(("0B6E4F", "1F4E79", "6A2C70")), "E07A1F")
    deck = Deck("Investor update", author=staff[0].name, now=world.now, brand=brand)
    plan = _Plan(deck, rng, staff, story, figures, (name, place), wrong_figure)
    faults = _add_slides(plan, [firm.full for firm in firms])
    deck.save(world.files / "deck" / "investor_update.pptx")
    _write_side_files(world, plan, brand)
    titles = [slide.shapes.title.text_frame.text for slide in deck.pptx.slides]
    faults["figure"] = plan.figure_on
    digits, values = figures[name]["digits"], figures[name]["values"]
    return {
        "slides": {fault: titles.index(title) + 1 for fault, title in faults.items()},
        "chart": {
            "slide": titles.index(plan.figure_on) + 1,
            "categories": figures[name]["categories"],
            "values": [round(value, digits) for value in values],
        },
        "wrong": wrong_figure,
        "right": round(right, digits),
        "titles": titles,
    }


def _make_figures(rng: random.Random) -> dict[str, Any]:
    """Exact figures; the charts show them to one decimal, heads as they are."""
    base, values = rng.uniform(9, 14), []
    for _ in QUARTERS:
        base *= rng.uniform(1.03, 1.12)
        values.append(round(base, 3))
    regions = [round(rng.uniform(4, 17), 3) for _ in REGIONS]
    years = [str(year) for year in range(2021, 2026)]
    heads = [rng.randint(180, 420) for _ in years]
    return {
        "Revenue by quarter": {"categories": list(QUARTERS), "values": values, "digits": 1, "unit": "EUR million"},
        "Revenue by region": {"categories": list(REGIONS), "values": regions, "digits": 1, "unit": "EUR million"},
        "Headcount": {"categories": years, "values": heads, "digits": 0, "unit": "people"},
    }


def _add_slides(plan: _Plan, firms: Sequence[str]) -> dict[str, str]:
    """The first and the last slides have their place, the others come in any order; the titles by fault."""
    deck, lead, faults = plan.deck, plan.staff[0], {}
    deck.title_slide("Investor update 2025", "Halden Works, results and outlook", notes="Thank the hosts.")
    deck.add_bullets("Agenda", ["The year in short", "Figures by quarter and region", "Sites and people", "Outlook"])
    makers: list[tuple[str, Callable[[_Plan], str]]] = [
        ("overflow", _running_over),
        ("title", _long_title),
        ("beyond", _add_overflowing_slide),
        ("overlap", _add_covered_slide),
        ("tiny", _add_tiny_print_slide),
        ("contrast", _add_pale_slide),
        ("picture_alt", _add_undescribed_slide),
        ("chart_alt", _add_headcount_slide),
        ("", lambda plan: _add_customers_slide(plan, firms)),
    ]
    plan.rng.shuffle(makers)
    for fault, make in makers:
        faults[fault] = make(plan)
    deck.add_bullets(
        "Outlook",
        ["Order intake of the first weeks is above that of last year", ("Two tenders are still open", 1)],
        notes="No figures for the current year before the annual meeting.",
    )
    deck.add_bullets("Contact", [lead.name, lead.email])
    del faults[""]
    return faults


def _list_values(plan: _Plan, name: str) -> list[float]:
    """What the chart of this name shows."""
    data = plan.figures[name]
    values = [round(value, data["digits"]) for value in data["values"]]
    if plan.wrong[0] == name:
        values[plan.wrong[1]] = plan.wrong_figure
    return values


def _add_chart(
    plan: _Plan, slide: Any, name: str, box: tuple[float, float, float, float], alt: str, kind: Any = "column"
) -> None:
    from pptx.enum.chart import XL_LABEL_POSITION

    data = plan.figures[name]
    series = {f"{name.split(' by ')[0]} ({data['unit']})": _list_values(plan, name)}
    number_format = "0.0" if data["digits"] else "0"
    shape = plan.deck.add_chart(slide, kind, data["categories"], series, box, number_format=number_format)
    shape.name = f"Chart {name}"
    shape._element.nvGraphicFramePr.cNvPr.set("descr", alt)
    plot = shape.chart.plots[0]
    plot.has_data_labels = True
    plot.data_labels.number_format, plot.data_labels.number_format_is_linked = number_format, False
    if kind == "line":
        plot.data_labels.position = XL_LABEL_POSITION.ABOVE
    shape.chart.value_axis.minimum_scale, shape.chart.value_axis.has_major_gridlines = 0, False
    if plan.wrong[0] == name:
        plan.figure_on = slide.shapes.title.text_frame.text


def _running_over(plan: _Plan) -> str:
    """A list in a box that is much too low, with a source line below it."""
    from pptx.enum.text import MSO_AUTO_SIZE
    from pptx.util import Mm, Pt

    rng, title = plan.rng, "The year in short"
    a = rng.randint(12, 18)
    names = {"region": rng.choice(REGIONS), "site": rng.choice(SITES).lower(), "city": rng.choice(CITIES)[0]}
    words = names | {"a": a, "b": a - rng.randint(3, 6), "c": rng.randint(21, 58)}
    points = [point.format(**words) for point in rng.sample(plan.story["points"], 6)]
    slide = plan.deck.add_bullets(title, points, notes="Pause after the second point.")
    body = slide.placeholders[1]
    body.left, body.top, body.width, body.height = Mm(20), Mm(44), Mm(190), Mm(62)
    body.text_frame.auto_size = MSO_AUTO_SIZE.NONE
    for run in (run for paragraph in body.text_frame.paragraphs for run in paragraph.runs):
        run.font.size = Pt(18)
    source = "Source: management accounts, audited figures of 2025"
    plan.deck.text_box(slide, source, (20, 112, 190, 9), size_pt=12, color="595959").name = "Source"
    return title


def _long_title(plan: _Plan) -> str:
    """A title of three lines that runs into its chart."""
    from pptx.enum.text import MSO_AUTO_SIZE

    title: str = plan.story["title"].format(region=plan.rng.choice(REGIONS), site=plan.rng.choice(SITES).lower())
    slide = plan.deck.add_slide("Title Only", title, notes="Say why Q2 was strong.")
    slide.shapes.title.text_frame.auto_size = MSO_AUTO_SIZE.NONE
    _add_chart(plan, slide, "Revenue by quarter", (20, 44, 298, 126), "Column chart: revenue by quarter in EUR million")
    return title


def _add_overflowing_slide(plan: _Plan) -> str:
    """Two pictures; one reaches over the right edge, the caption of it over the lower one."""
    rng, title = plan.rng, "Our two new sites"
    slide = plan.deck.add_slide("Title Only", title, notes="The pictures are from November.")
    for number, (site, left) in enumerate(zip(rng.sample(SITES, 2), (20, 226 + rng.randint(0, 30)), strict=True)):
        city = rng.choice(CITIES)[0]
        shape = plan.deck.add_picture(
            slide, _draw_building_photo(rng), f"The new {site.lower()} in {city}", (left, 46, 140)
        )
        shape.name = f"Picture {number + 1}"
        top = 132 if number == 0 else 185
        box = (float(left if number == 0 else 178), float(top), 140.0, 9.0)
        plan.deck.text_box(slide, f"{site}, {city}", box, size_pt=14).name = f"Caption {number + 1}"
    return title


def _add_covered_slide(plan: _Plan) -> str:
    """A remark lies on the columns of a chart."""
    title = "Revenue by region"
    slide = plan.deck.add_slide("Title Only", title, notes="Regions by place of delivery.")
    _add_chart(plan, slide, title, (20, 44, 298, 128), "Column chart: revenue by region in EUR million")
    text = f"{plan.rng.choice(REGIONS)} without the business sold in {plan.rng.choice(('May', 'June', 'July'))}"
    left = plan.rng.randint(60, 190)
    plan.deck.text_box(slide, text, (left, 96, 70, 27), size_pt=16, bold=True).name = "Remark"
    return title


def _add_tiny_print_slide(plan: _Plan) -> str:
    """Terms in print that nobody can read."""
    title = "Terms of the new credit line"
    slide = plan.deck.add_slide("Title Only", title)
    line = plan.story["line"].format(limit=plan.rng.randint(8, 30))
    plan.deck.text_box(slide, line, (20, 48, 290, 12), size_pt=20).name = "Message"
    margin = plan.rng.randint(140, 260)
    for number, text in enumerate(text.format(margin=margin) for text in plan.story["terms"]):
        size = plan.rng.choice((7, 8, 9))
        box = (20.0, 72.0 + 24 * number, 200.0, 14.0)
        plan.deck.text_box(slide, text, box, size_pt=size).name = f"Terms {number + 1}"
    return title


def _add_pale_slide(plan: _Plan) -> str:
    """Tiles with pale text on a pale panel, and a pale remark on white."""
    from pptx.dml.color import RGBColor
    from pptx.util import Mm

    title = "Three promises kept"
    slide = plan.deck.add_slide("Title Only", title, notes="One sentence each.")
    texts = plan.rng.sample(("Delivery on time", "Debt repaid", "Sites certified", "Margin above ten"), 3)
    bad = plan.rng.randrange(3)
    for number, text in enumerate(texts):
        left = 20 + 101 * number
        panel = slide.shapes.add_shape(1, Mm(left), Mm(58), Mm(94), Mm(50))
        panel.name, panel.shadow.inherit = f"Panel {number + 1}", False
        panel.fill.solid()
        panel.fill.fore_color.rgb = RGBColor.from_string("FFE9A8" if number == bad else "1F2A44")
        panel.line.fill.background()
        plan.deck.text_box(
            slide, text, (left + 4, 74, 86, 12), size_pt=22, bold=True, color="FFFFFF"
        ).name = f"Tile {number + 1}"
    remark = f"As announced at the meeting of {plan.rng.randint(3, 28)} March 2025"
    pale = plan.rng.choice(("C9CED6", "D9D9D9", "BFD3C1"))
    plan.deck.text_box(slide, remark, (20, 122, 220, 10), size_pt=16, color=pale).name = "Remark"
    return title


def _add_undescribed_slide(plan: _Plan) -> str:
    """A picture of a person at work without alternative text."""
    title = f"Apprentices in the {plan.rng.choice(SITES).lower()}"
    slide = plan.deck.add_slide("Title Only", title, notes="Eleven apprentices, four of them in the second year.")
    plan.deck.add_picture(slide, _draw_building_photo(plan.rng), "", (20, 46, 170)).name = "Picture 1"
    plan.deck.text_box(
        slide, "Eleven young people learn with us;\nall of last year's stayed.", (205, 60, 110, 24), size_pt=18
    ).name = "Message"
    return title


def _add_headcount_slide(plan: _Plan) -> str:
    """A chart without alternative text."""
    title = "Headcount"
    slide = plan.deck.add_slide("Title Only", title, notes="At the end of each year, apprentices included.")
    _add_chart(plan, slide, title, (20, 44, 298, 126), "", kind="line")
    return title


def _add_customers_slide(plan: _Plan, firms: Sequence[str]) -> str:
    title, rng = "Largest customers", plan.rng
    rows = [["Customer", "Share of revenue", "Customer since"]]
    rows += [[firm, f"{rng.randint(2, 9)}.{rng.randint(0, 9)} %", str(rng.randint(1998, 2024))] for firm in firms]
    plan.deck.table(title, rows, notes="Names only with their consent.", widths_mm=(160, 70, 68.67))
    return title


def _draw_building_photo(rng: random.Random) -> bytes:
    """A picture of a building, as good as a photograph here."""
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", (900, 540), (176 + rng.randrange(30), 205, 232))
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 400, 900, 540), fill=(120, 130 + rng.randrange(40), 96))
    left, top = rng.randint(80, 200), rng.randint(140, 220)
    wall = (150 + rng.randrange(80), 110 + rng.randrange(60), 90)
    draw.rectangle((left, top, left + 560, 430), fill=wall)
    draw.polygon([(left - 20, top), (left + 280, top - 90), (left + 580, top)], fill=(90, 60, 55))
    for column in range(5):
        for row in range(2):
            x, y = left + 40 + 105 * column, top + 40 + 95 * row
            draw.rectangle((x, y, x + 60, y + 55), fill=(70, 90, 110), outline=(235, 235, 235), width=4)
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


def _write_side_files(world: World, plan: _Plan, brand: Brand) -> None:
    """The figures and an old copy of them, the rules, a version of last year, mails."""
    now, rng = world.now, plan.rng
    for name, stale in (("figures_2025.xlsx", False), ("figures_2025_old.xlsx", True)):
        book = Book(now, title="Figures", author=plan.staff[1].name)
        for sheet, data in plan.figures.items():
            values = [round(value * rng.uniform(0.9, 1.1), 3) if stale else value for value in data["values"]]
            values = [round(value) for value in values] if not data["digits"] else values
            rows = [[sheet.rpartition(" ")[2].capitalize(), data["unit"]]]
            rows += [list(pair) for pair in zip(data["categories"], values, strict=True)]
            book.sheet(sheet, rows, formats={1: "#,##0.000" if data["digits"] else "0"}, widths={1: 16})
        book.save(world.files / "data" / name)
    paper = Paper("Rules for slides", author=plan.staff[2].name, now=now)
    paper.add_heading("Rules for slides", 0)
    paper.add_bullets(plan.story["rules"])
    paper.save(world.files / "rules" / "rules_for_slides.docx")
    older = Deck("Investor update", author=plan.staff[0].name, now=now.replace(year=now.year - 1), brand=brand)
    older.title_slide("Investor update 2024", "Halden Works")
    older.add_bullets("The year in short", ["Orders up", "One site opened"])
    older.save(world.files / "deck" / "investor_update_2024.pptx")
    save_text(world.files / "deck" / "todo.txt", "- dinner for the hosts\n- badges\n- print ten copies\n")
    for number, (who, subject, body) in enumerate(plan.story["mails"], 1):
        path = world.files / "mail" / f"{number}_{subject.lower()}.eml"
        send_mail(path, plan.staff[who], plan.staff[0], subject, body, now)
