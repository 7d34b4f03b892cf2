"""An asset register of 150 rows in a report whose table nobody ever looked at in print."""

import datetime
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict

from yardkit.state_init.days import some_day
from yardkit.state_init.documents import FieldCode, Noted, Paper, Text
from yardkit.state_init.mails import send_mail
from yardkit.state_init.material import take_out_toml
from yardkit.state_init.names import Person, make_companies, make_people
from yardkit.state_init.spellings import format_german
from yardkit.state_init.workbooks import save_workbook
from yardkit.world import World, save_text

REPORT = "reports/asset_report_2026.docx"
HEAD = ("No.", "Asset", "Description", "Site", "Serial no.", "Bought", "Cost", "Book value", "Remarks")
WIDTHS_MM = (9, 11, 58, 34, 16, 14, 16, 16, 82)
"""As somebody dragged them: numbers broken over lines, and the last column off the page."""
SIZE_PT = 9
ROWS = 150
CITIES = ("Leipzig", "Gdańsk", "Porto", "Aarhus", "Graz", "Lille", "Utrecht", "Bilbao")
UPRIGHT = ("This report shows what the sites own.", "It replaces the report of 2025.")
INTRODUCTION = "All amounts in euros. Sorted by site; the order within a site is that of the count."
Story = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Asset:
    """A row of the register; amounts in cents."""

    number: str
    description: str
    site: str
    serial: str
    bought: str
    cost: int
    book: int
    remarks: str

    def row(self, number: int, cost: str = "", book: str = "") -> list[str]:
        """Its cells; amounts in the house's form where no other is given."""
        amounts = [cost or format_amount(self.cost), book or format_amount(self.book)]
        about = [self.number, self.description, self.site, self.serial, self.bought]
        return [str(number), *about, *amounts, self.remarks]


@dataclass(frozen=True)
class Correction:
    """A line of the list of corrections."""

    asset: str
    action: str
    field: str
    new: str
    status: str
    entered: str

    @property
    def line(self) -> str:
        return ";".join((self.asset, self.action, self.field, self.new, self.status, self.entered))


def format_amount(cents: int) -> str:
    """An amount as the house writes it: 1,234.50."""
    return f"{cents / 100:,.2f}"


class TableReportFacts(TypedDict):
    """The rows, subtotals and total as the house writes them, the sentence about them and the one to replace, what
    belongs on pages upright and across, and the last word of each remark.
    """

    prompt: dict[str, str]
    rows: list[list[str]]
    subtotals: dict[str, list[str]]
    total: list[str]
    sentence: str
    stale_sentence: str
    book: float
    upright: list[str]
    across: list[str]
    orders: dict[str, str]


def seed(world: World, rng: random.Random) -> TableReportFacts:
    """Build the report, its corrections, and what else lies there."""
    story = take_out_toml(world, "register.toml")
    findings = story["findings"]
    staff, sites = make_people(rng, 6), rng.sample(CITIES, 4)
    assets = _make_assets(rng, sites, story)
    corrections = _make_corrections(rng, assets)
    right = _apply_corrections(assets, corrections)
    stale = _Figures.from_assets([replace(asset, book=asset.book - 100 * rng.randint(1, 90)) for asset in assets[3:]])
    _write_report(world, rng, staff, sites, assets, stale, findings).save(world.files / REPORT)
    _write_older_reports(world, staff, assets)
    old = [replace(correction, entered=correction.entered.replace("2026", "2025")) for correction in corrections[:3]]
    for year, listed in ((2026, corrections), (2025, rng.sample(old, 3))):
        lines = "".join(f"{correction.line}\n" for correction in listed)
        path = world.files / f"corrections/corrections_{year}.csv"
        save_text(path, f"asset;action;field;new value;status;entered\n{lines}")
    _write_side_files(world, rng, staff, assets)
    figures = _Figures.from_assets(right)
    return {
        "prompt": {},
        "rows": [asset.row(number) for number, asset in enumerate(right, 1)],
        "subtotals": {site: [*map(format_amount, amounts)] for site, amounts in figures.sites.items()},
        "total": [format_amount(figures.cost), format_amount(figures.book)],
        "sentence": _write_sentence(figures),
        "stale_sentence": _write_sentence(stale),
        "book": round(figures.book / 100, 2),
        "upright": [*UPRIGHT, findings[0], findings[4], findings[5]],
        "across": ["Asset register", INTRODUCTION],
        "orders": {asset.number: asset.remarks.rpartition(" ")[2] for asset in right},
    }


@dataclass(frozen=True)
class _Figures:
    """What a register adds up to."""

    items: int
    sites: dict[str, tuple[int, int]]

    @classmethod
    def from_assets(cls, assets: Sequence[Asset]) -> "_Figures":
        sites: dict[str, tuple[int, int]] = {}
        for asset in assets:
            cost, book = sites.get(asset.site, (0, 0))
            sites[asset.site] = (cost + asset.cost, book + asset.book)
        return cls(len(assets), sites)

    @property
    def cost(self) -> int:
        return sum(cost for cost, _ in self.sites.values())

    @property
    def book(self) -> int:
        return sum(book for _, book in self.sites.values())


def _write_sentence(figures: _Figures) -> str:
    return (
        f"The register lists {figures.items} items. They cost {format_amount(figures.cost)} euros and stand in the"
        f" books with {format_amount(figures.book)} euros."
    )


def _make_assets(rng: random.Random, sites: Sequence[str], story: Story) -> list[Asset]:
    numbers = rng.sample(range(1000, 9999), ROWS)
    orders = rng.sample(range(20000, 90000), ROWS)
    ends = sorted(rng.sample(range(25, ROWS - 25), 3))
    if min(b - a for a, b in zip([0, *ends], [*ends, ROWS], strict=True)) < 15:
        ends = [38, 76, 113]
    new_assets = []
    for place in range(ROWS):
        cost = rng.randint(900_00, 180_000_00)
        day = some_day(rng, datetime.date(2012, 1, 5), 4900)
        new_assets.append(
            Asset(
                f"EQ-{numbers[place]}",
                rng.choice(story["kinds"]),
                sites[sum(place >= end for end in ends)],
                f"{rng.choice('ABCDKLMX')}{rng.randint(100, 999)}-{rng.randint(10, 99)}-{rng.randint(1000, 9999)}",
                f"{day:%d.%m.%Y}",
                cost,
                rng.randint(0, cost),
                f"{rng.choice(story['remarks'])}, order {orders[place]}",
            )
        )
    return new_assets


def _make_corrections(rng: random.Random, assets: Sequence[Asset]) -> list[Correction]:
    """Approved ones, one of them overtaken by a later one, and others that are not approved."""
    chosen = rng.sample(list(assets), 9)
    entered = [f"2026-02-{day:02d}" for day in sorted(rng.sample(range(2, 27), 11))]
    amounts = [format_amount(rng.randint(900_00, 90_000_00)) for _ in range(5)]
    new_corrections = [
        (chosen[0], "change", "Book value", amounts[0], "approved"),
        (chosen[1], "change", "Serial no.", f"Z{rng.randint(100, 999)}-{rng.randint(10, 99)}-7001", "approved"),
        (chosen[2], "change", "Cost", amounts[1], "approved"),
        (chosen[3], "remove", "", "", "approved"),
        (chosen[4], "change", "Book value", amounts[2], "open"),
        (chosen[5], "remove", "", "", "rejected"),
        (chosen[0], "change", "Book value", amounts[3], "approved"),
        (chosen[6], "remove", "", "", "approved"),
        (chosen[7], "change", "Bought", "17.03.2024", "approved"),
        (chosen[0], "change", "Book value", amounts[4], "open"),
        (chosen[8], "remove", "", "", "open"),
    ]
    return [
        Correction(asset.number, action, field, new, status, when)
        for (asset, action, field, new, status), when in zip(new_corrections, entered, strict=True)
    ]


def _apply_corrections(assets: Sequence[Asset], corrections: Sequence[Correction]) -> list[Asset]:
    right = {asset.number: asset for asset in assets}
    for correction in corrections:
        if correction.status != "approved":
            continue
        if correction.action == "remove":
            del right[correction.asset]
            continue
        key = {"Book value": "book", "Serial no.": "serial", "Cost": "cost", "Bought": "bought"}[correction.field]
        amount = key in ("book", "cost")
        value: Any = round(float(correction.new.replace(",", "")) * 100) if amount else correction.new
        right[correction.asset] = replace(right[correction.asset], **{key: value})
    return list(right.values())


def _write_report(
    world: World,
    rng: random.Random,
    staff: list[Person],
    sites: Sequence[str],
    assets: list[Asset],
    stale: _Figures,
    findings: Sequence[str],
) -> Paper:
    paper = Paper("Asset report 2026", author=staff[0].name, now=world.now)
    paper.header("Asset report 2026\t\tInternal")
    paper.footer("Finance and Administration\t\tPage ", FieldCode("PAGE"))
    paper.add_heading("Asset report 2026", 0)
    paper.add_heading("Summary")
    paper.add_paragraph(UPRIGHT[0], " ", Text("It replaces the report of 2025.", bold=True))
    paper.add_paragraph(_write_sentence(stale))
    rows = [["Site", "Head", "Phone"]]
    rows += [
        [site, person.name, f"+49 30 {rng.randint(10**6, 10**7)}"] for site, person in zip(sites, staff, strict=False)
    ]
    paper.table(rows, widths_mm=[50, 60, 50])
    paper.add_heading("How we counted")
    for text in findings[:3]:
        paper.add_paragraph(text)
    paper.add_bullets(["Machines", "Vehicles", "Fittings"])
    paper.add_heading("Asset register")
    paper.add_paragraph(INTRODUCTION)
    _write_register(paper, rng, assets, stale)
    paper.add_heading("Findings")
    paper.add_paragraph(Noted(findings[3], "The labels of EQ numbers below 1500 are of paper."), " ", findings[4])
    paper.add_heading("Outlook")
    paper.add_paragraph(findings[5], " The next count takes place in January 2027.")
    paper.add_paragraph("Signed: ", Text(staff[0].name, italic=True))
    return paper


def _write_register(paper: Paper, rng: random.Random, assets: list[Asset], stale: _Figures) -> None:
    """The table: no repeated head, heads copied in by hand, rows of a fixed height, widths that do not fit."""
    rows, bold, fixed = [list(HEAD)], {0}, set()
    for number, asset in enumerate(assets, 1):
        rows.append(asset.row(number, _type_amount(rng, asset.cost), _type_amount(rng, asset.book)))
        if number % 6 == 0:
            fixed.add(len(rows) - 1)
        if number == ROWS or assets[number].site != asset.site:
            cost, book = stale.sites[asset.site]
            bold.add(len(rows))
            rows.append(["", "", f"Subtotal {asset.site}", "", "", "", format_amount(cost), format_amount(book), ""])
        if number % 37 == 0:
            bold.add(len(rows))
            rows.append(list(HEAD))
    bold.add(len(rows))
    rows.append(["", "", "Total", "", "", "", format_amount(stale.cost), format_amount(stale.book), ""])
    sized = [
        [[Text(text, bold=number in bold, size_pt=SIZE_PT)] if text else [] for text in row]
        for number, row in enumerate(rows)
    ]
    table = paper.table(sized, widths_mm=WIDTHS_MM, header=False)
    _damage_table(table, fixed, {number for number, row in enumerate(rows) if row[0] == HEAD[0]})


def _type_amount(rng: random.Random, cents: int) -> str:
    """An amount as one of the sites typed it."""
    return rng.choices((format_amount(cents), format_german(cents / 100), f"{cents / 100:.2f}"), (8, 1, 1))[0]


def _damage_table(table: Any, fixed: set[int], heads: set[int]) -> None:
    from docx.enum.table import WD_ROW_HEIGHT_RULE
    from docx.shared import Mm

    table.autofit = False
    for width, column in zip(WIDTHS_MM, table._tbl.tblGrid.gridCol_lst, strict=True):
        column.w = Mm(width)
    for number, row in enumerate(table._tbl.tr_lst):
        if number in fixed:
            properties = row.get_or_add_trPr()
            properties.trHeight_val, properties.trHeight_hRule = Mm(4.6), WD_ROW_HEIGHT_RULE.EXACTLY
        if number in heads:
            for cell in row.tc_lst:
                shade = cell.get_or_add_tcPr().makeelement(
                    _qualify_name("shd"), {_qualify_name("val"): "clear", _qualify_name("fill"): "D9E2F3"}
                )
                cell.tcPr.append(shade)


def _qualify_name(name: str) -> str:
    return f"{{http://schemas.openxmlformats.org/wordprocessingml/2006/main}}{name}"


def _write_older_reports(world: World, staff: list[Person], assets: list[Asset]) -> None:
    """Last year's report and a draft of this one."""
    for name, part in (("asset_report_2025", assets[:40]), ("asset_report_2026_draft", assets[:60])):
        paper = Paper(name, author=staff[1].name, now=world.now - datetime.timedelta(days=40))
        paper.add_heading(name.replace("_", " ").capitalize(), 0)
        paper.add_heading("Asset register")
        rows = [list(HEAD[:5]), *(asset.row(number)[:5] for number, asset in enumerate(part, 1))]
        paper.table(rows, widths_mm=[12, 22, 60, 30, 36])
        paper.save(world.files / f"reports/{name}.docx")


def _write_side_files(world: World, rng: random.Random, staff: list[Person], assets: list[Asset]) -> None:
    rows: list[list[Any]] = [["Asset", "Description", "Cost", "Book value"]]
    rows += [[asset.number, asset.description, asset.cost / 100, rng.randint(0, asset.cost) / 100] for asset in assets]
    save_workbook(world.files / "exports/assets_2025-12-31.xlsx", {"Assets": rows}, world.now)
    firm = make_companies(rng, 1)[0]
    sent = world.now - datetime.timedelta(days=3)
    body = f"Dear all,\n\nthe list of corrections is final now. What is open stays open until May.\n\n{staff[2].name}\n"
    folder, to = world.files / "mails", staff[0].email
    send_mail(folder / "corrections.eml", staff[2], to, "Corrections to the asset register", body, sent)
    subject, sent = f"Service of {assets[0].number}", sent - datetime.timedelta(days=9)
    body = f"The machine {assets[0].number} will be serviced in April.\n\n{firm.full}\n"
    send_mail(folder / "service.eml", f"service@{firm.domain}", to, subject, body, sent)
    listed = "\n".join(f"- {person.name}, {person.department}" for person in staff)
    save_text(world.files / "contacts.md", f"# Who is who\n\n{listed}\n")
