"""Papers of a board meeting in several formats, older versions of them, and mails that say what goes in."""

import datetime
import io
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from yardkit.state_init.decks import Brand, Deck
from yardkit.state_init.documents import FieldCode, Paper
from yardkit.state_init.mails import send_mail
from yardkit.state_init.material import read_texts
from yardkit.state_init.names import Company, Person, make_companies, make_people
from yardkit.state_init.pdfs import Sheet
from yardkit.state_init.workbooks import Book, save_workbook
from yardkit.world import World, save_bytes, save_text

MONTHS = ("Mar 25", "Apr 25", "May 25", "Jun 25", "Jul 25", "Aug 25", "Sep 25", "Oct 25", "Nov 25", "Dec 25", "Jan 26",
          "Feb 26")  # fmt: skip
ACCOUNTS = ("Revenue", "Material", "Energy", "Personnel", "Rent", "Freight", "Marketing", "Insurance", "Depreciation",
            "Interest", "Other income", "Taxes")  # fmt: skip
_TEXTS = read_texts(__file__)
CLAUSES = _TEXTS["clauses"]
REMARKS = _TEXTS["remarks"]
NETWORK = "Member of an international network of independent firms of auditors and advisors"
STAFFING = ["Site", "Employees", "Sick days", "Overtime h"]
TOPICS = ("Budget", "Personnel", "Sites", "Quality", "Purchasing", "Customers", "Safety", "Data protection")


@dataclass
class Part:
    """A paper: its title on the agenda, its file, and sentences of it that stand nowhere else, in their order."""

    title: str
    path: str
    texts: list[str] = field(default_factory=list)
    confidential: bool = False


@dataclass(frozen=True)
class Scene:
    """Whose meeting it is; `number` gives numbers that no other sentence has."""

    rng: random.Random
    world: World
    staff: Sequence[Person]
    firm: Company
    partner: Company
    numbers: list[int]

    def make_sentence(self) -> str:
        """A sentence with a number of its own."""
        number, who = self.numbers.pop(), self.rng.choice(self.staff).name
        form = self.rng.choice(
            (
                "{who} reports on case {n}, which was closed last week.",
                "Decision {n} was taken with two abstentions.",
                "The site asked for an extra budget of {n} euros.",
                "File {n} is still with {who} and will be settled by May.",
                "Offer {n} was accepted, the order is placed.",
                "Measure {n} is done; {who} has confirmed it in writing.",
            )
        )
        return str(form.format(n=number, who=who))


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Build the papers, their older versions, and the mails."""
    firms = make_companies(rng, 2)
    scene = Scene(rng, world, make_people(rng, 8), firms[0], firms[1], rng.sample(range(10_000, 99_999), 400))
    makers = (
        _write_minutes,
        _write_report,
        _write_financials,
        _write_strategy,
        _write_contract,
        _write_risks,
        _write_letter,
    )
    parts = [make(scene, old=False) for make in makers]
    old = [make(scene, old=True) for make in makers]
    order = [0, 1, 2, 4, 3, 5, 6]  # The second mail puts the contract before the strategy.
    _write_mails(scene, parts)
    _write_side_files(scene)
    parts[6].confidential = True  # So says the second mail, too.
    final = [parts[n] for n in order]
    return {
        "prompt": {"firm": firms[0].full},
        "items": [
            {"title": f"{number}. {part.title}", "texts": part.texts, "confidential": part.confidential}
            for number, part in enumerate(final, 1)
        ],
        "stale": [text for part in old for text in part.texts],
        "row": [ACCOUNTS[0], MONTHS[0], MONTHS[-1], "Plan"],
        "columns": STAFFING,
    }


def _write_paper(scene: Scene, title: str, path: str, headings: int, old: bool, agenda: str) -> Part:
    rng, part = scene.rng, Part(agenda, path)
    paper = Paper(title, author=scene.staff[0].name, now=scene.world.now)
    paper.header(scene.firm.full, "\t\t", "draft" if old else "final")
    paper.footer("Page ", FieldCode("PAGE"))
    paper.add_heading(title, 0)
    for topic in rng.sample(TOPICS, headings):
        paper.add_heading(topic)
        for _ in range(3):
            sentences = [scene.make_sentence() for _ in range(4)]
            part.texts += sentences
            paper.add_paragraph(" ".join(sentences))
    paper.save(scene.world.files / path)
    return part


def _write_minutes(scene: Scene, *, old: bool) -> Part:
    path = f"papers/minutes_2026-02{'_draft' if old else '_signed'}.docx"
    title = "Minutes of the meeting of 26 February 2026"
    return _write_paper(scene, title, path, 5, old, "Minutes of the meeting of 26 February")


def _write_report(scene: Scene, *, old: bool) -> Part:
    path = f"papers/md_report_v{2 if old else 3}.docx"
    return _write_paper(scene, "Report of the managing director", path, 4, old, "Report of the managing director")


def _write_financials(scene: Scene, *, old: bool) -> Part:
    """Fifteen columns, as wide as they are: printed as they come they break over several pages."""
    rng = scene.rng
    part = Part("Financials February", f"papers/financials_2026-0{1 if old else 2}.xlsx", confidential=True)
    book = Book(scene.world.now, title="Financials", author=scene.staff[1].name)
    rows: list[list[Any]] = [["Account", *MONTHS, "Total", "Plan"]]
    for account in ACCOUNTS:
        values = [rng.randint(12_000, 980_000) for _ in MONTHS]
        total = sum(values)
        rows.append([account, *values, total, round(total * rng.uniform(0.9, 1.1))])
        part.texts.append(f"{total:,}")
    formats = dict.fromkeys(range(1, 15), "#,##0")
    book.sheet("Result", rows, formats=formats, title=f"{scene.firm.full}: result by month, EUR")
    staff: list[list[Any]] = [STAFFING]
    staff += [
        [site, rng.randint(20, 90), rng.randint(5, 60), rng.randint(10, 400)] for site in ("North", "South", "East")
    ]
    code = scene.numbers.pop()
    book.sheet("Personnel", [*staff, [f"Report {code}"]], title="Personnel")
    part.texts.append(f"Report {code}")
    book.save(scene.world.files / part.path)
    return part


def _write_strategy(scene: Scene, *, old: bool) -> Part:
    part = Part("Strategy 2030", f"papers/strategy_2030_{'final' if old else 'b'}.pptx")
    deck = Deck("Strategy 2030", scene.staff[2].name, scene.world.now, Brand(scene.firm.full, "0B6E4F"))
    deck.title_slide("Strategy 2030", cover := f"Paper {scene.numbers.pop()} for the board")
    part.texts.append(cover)
    for title in ("Where we stand", "Where we want to be", "What it takes"):
        items = [scene.make_sentence() for _ in range(3)]
        part.texts += items
        deck.add_bullets(title, items)
    deck.save(scene.world.files / part.path)
    return part


def _write_contract(scene: Scene, *, old: bool) -> Part:
    """Its head line fills the top of the page; the annex was scanned in on its side."""
    name = f"contract_{scene.partner.name.split()[0].lower()}"
    part = Part(f"Contract with {scene.partner.name}", f"papers/{name}{'_offer' if old else ''}.pdf", confidential=True)
    sheet = Sheet(part.title, author=scene.partner.name, margin_mm=25)
    for page in (1, 2, 3):
        if page > 1:
            sheet.new_page()
        head = f"Stamp no. {scene.numbers.pop()}, contract between {scene.firm.full} and {scene.partner.full}"
        sheet.at(15, 8, head, size_pt=9)
        sheet.at(195, 8, f"sheet {page}", size_pt=9, align="right")
        sheet.at(
            15, 13, "Each page is to be initialled by both parties; copies without initials are not valid.", size_pt=8
        )
        sheet.at(195, 13, "original", size_pt=8, align="right")
        part.texts.append(head)
        sheet.y = 30
        sheet.add_heading(f"Article {page}" if page < 3 else "Annex", 2)
        for _ in range(5):
            sentence = scene.make_sentence()
            part.texts.append(sentence)
            sheet.text(f"{sentence} {scene.rng.choice(CLAUSES)}")
            sheet.y += 3
    save_bytes(scene.world.files / part.path, _turn_page(sheet.bytes(), 2))
    return part


def _turn_page(data: bytes, index: int) -> bytes:
    import pikepdf

    buffer = io.BytesIO()
    with pikepdf.open(io.BytesIO(data)) as opened:
        opened.pages[index].rotate(90, relative=True)
        opened.save(buffer, deterministic_id=True)
    return buffer.getvalue()


def _write_risks(scene: Scene, *, old: bool) -> Part:
    rng = scene.rng
    part = Part("Risk register", f"papers/risks{'_2025' if old else '_2026'}.docx")
    paper = Paper("Risk register", author=scene.staff[3].name, now=scene.world.now)
    paper.add_heading("Risk register", 0)
    rows = [["No.", "Risk", "Likelihood", "Owner"]]
    for _ in range(14):
        number = str(scene.numbers.pop())
        rows.append([number, f"Failure of {rng.choice(('a supplier', 'a server', 'a machine', 'a customer'))}",
                     rng.choice(("low", "medium", "high")), rng.choice(scene.staff).name])  # fmt: skip
        part.texts.append(number)
    paper.table(rows, widths_mm=[20, 70, 30, 40])
    paper.footer("Page ", FieldCode("PAGE"))
    paper.save(scene.world.files / part.path)
    return part


def _write_letter(scene: Scene, *, old: bool) -> Part:
    """Its foot fills the bottom of the page from edge to edge."""
    auditors = scene.partner
    part = Part("Letter of the auditors", f"papers/audit_letter_{'2025-03' if old else '2026-03'}.pdf")
    sheet = Sheet(part.title, author="Auditors", margin_mm=28)
    for page in (1, 2):
        if page == 2:
            sheet.new_page()
        sheet.y = 34
        if page == 1:
            sheet.text(f"To the board of {scene.firm.full}\n{scene.firm.street}\n{scene.firm.city}\n")
            sheet.add_heading("Findings of our audit", 2)
        for _ in range(7):
            sentence = scene.make_sentence()
            part.texts.append(sentence)
            sheet.text(f"{sentence} {scene.rng.choice(REMARKS)}")
            sheet.y += 4
        foot = f"Partners: {', '.join(person.name for person in scene.staff[:5])}"
        sheet.at(105, 283, foot, size_pt=9.5, align="center")
        line = f"Registered office: {auditors.city} · Register no. {auditors.vat[-5:]} · IBAN {auditors.iban}"
        sheet.at(105, 288, f"{line} · {auditors.vat}", size_pt=8.5, align="center")
        sheet.at(105, 292.5, NETWORK, size_pt=8, align="center")
    sheet.save(scene.world.files / part.path)
    return part


def _write_mails(scene: Scene, parts: Sequence[Part]) -> None:
    lead, chair = scene.staff[0], scene.staff[5]
    listed = "".join(
        f"{n}. {part.title}{' (confidential)' if part.confidential else ''}\n" for n, part in enumerate(parts, 1)
    )
    opening = "Dear all,\n\nthis is the agenda of the board meeting on 26 March 2026:\n\n"
    agenda = f"{opening}{listed}\nThe papers are in papers/.\n\n{lead.name}"
    partner = parts[4].title
    change = (
        f"Hello {lead.first},\n\nthree changes to the agenda: the item \"{partner}\" goes before \"Strategy 2030\", "
        'they swap numbers. The item "Letter of the auditors" is confidential, too. And of the strategy please take '
        "strategy_2030_b.pptx, it is later than the file called final. Of the other papers the latest versions count, "
        f"of the minutes the signed ones.\n\n{chair.name}"
    )  # fmt: skip
    lunch = f"Hello,\n\nlunch is at 12:30 in the canteen, there is soup.\n\n{scene.staff[6].name}"
    earlier = (
        f"Dear all,\n\nthe agenda of 26 February:\n\n1. Minutes of January\n2. Sale of the old press\n\n{lead.name}"
    )
    for number, (day, sender, subject, body) in enumerate(
        (
            (-24, lead, "Agenda of the board meeting in February", earlier),
            (2, lead, "Agenda of the board meeting on 26 March", agenda),
            (5, chair, "Re: Agenda of the board meeting on 26 March", change),
            (6, scene.staff[6], "Lunch", lunch),
        ),
        1,
    ):
        sent = scene.world.now.replace(day=10) + datetime.timedelta(days=day)
        path = scene.world.files / "mail" / f"{number:02d}.eml"
        send_mail(path, sender.email, "board@example.com", subject, body, sent)


def _write_side_files(scene: Scene) -> None:
    members = "".join(f"- {person.name}, {person.title}\n" for person in scene.staff[:6])
    save_text(scene.world.files / "members.md", f"# Members of the board\n\n{members}")
    rows: list[list[Any]] = [["Day", "Room"], ["2026-03-26", "B 204"], ["2026-04-30", "B 204"]]
    save_workbook(scene.world.files / "dates.xlsx", {"Dates": rows}, scene.world.now)
