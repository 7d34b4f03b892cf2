"""Each ready leaf holds on a solved world, fails on the untouched one, and notices the near misses made for it."""

import datetime
import random
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import docx
import pikepdf
import PIL.Image
import pptx
import pytest
import xlsxwriter

from yardkit.evaluators import leaves, misses
from yardkit.evaluators.checkpoints import Checkpoint, Facts, group
from yardkit.evaluators.leaves import Code, Date, Exact, FileName, Number, Row, Table, Text
from yardkit.evaluators.mutations import matches, mutants
from yardkit.evaluators.proof import Miss, Solved
from yardkit.evaluators.scoring import grade
from yardkit.evaluators.submission import Submission, manifest

BOOK, REPORT, DECK, PAGE, NOTE, LIST, PACK, PICTURE = (
    *("orders.xlsx", "report.docx", "deck.pptx", "page.html", "note.md", "list.csv", "pack.pdf", "chart.png"),
)
SHOPS = ("Bern", "Lyon")
ORDERS: list[list[Any]] = [
    ["0007", datetime.date(2026, 2, 3), "Lyon", 4, 2.5, 5],
    ["0012", datetime.date(2026, 2, 5), "Bern", 10, 1.25, 5],
    ["0031", datetime.date(2026, 2, 9), "Lyon", 2, 12.75, 6],
    *([f"{40 + n:04d}", datetime.date(2026, 2, 10 + n), SHOPS[n % 2], 5 + n, 3.25, 5] for n in range(10)),
]
TOTAL = sum(row[3] * row[4] for row in ORDERS)
FACTS: Facts = {
    "orders": ORDERS,
    "total": TOTAL,
    "gt_answer": {"whitelist": [["Lyon", "Lyons"], [f"{TOTAL:.2f}"]], "blacklist": [["Basel"]]},
    "others": {"other_shop": "Bern", "tip_forgotten": "11.20"},
}
HEAD = ("Order", "Day", "Shop", "Units", "Price", "Least", "Amount")


def orders(facts: Facts) -> list[Row]:
    return [dict(zip(HEAD, [*row, row[3] * row[4]], strict=True)) for row in facts["orders"]]


def sums(facts: Facts) -> list[Row]:
    rows = orders(facts)
    of = {shop: sum(row["Amount"] for row in rows if row["Shop"] == shop) for shop in SHOPS}
    return [{"Shop": shop, "Sum": amount} for shop, amount in {**of, "Total": sum(of.values())}.items()]


KINDS = (Code(), Date(), Text(), Number(typed=True), Number(), Number(), Number())
TABLE = Table(BOOK, "Orders", dict(zip(HEAD, KINDS, strict=True)), ("Order",), orders)
SUMS = Table(BOOK, "Sums", {"Shop": Text(), "Sum": Number()}, ("Shop",), sums)
LISTS = Table(BOOK, "Lists", {"Shops": Exact()}, ("Shops",), lambda _facts: [])
CSV = Table(LIST, "", {"file": FileName(), "pages": Number()}, ("file",), lambda _: [{"file": PACK, "pages": 3}])


def raised(sheets: leaves.Sheets, facts: Facts) -> leaves.Trial:
    """Each price is one euro higher."""
    trial = leaves.Trial()
    for line in TABLE.lines(sheets):
        trial.change(line, "Price", float(line.values["Price"]) + 1)
    dearer = {**facts, "orders": [[*row[:4], row[4] + 1, *row[5:]] for row in facts["orders"]]}
    trial.expect(SUMS, sums(dearer))
    return trial


def one_dearer(facts: Facts) -> list[Row]:
    return sums({"orders": [[*facts["orders"][0][:4], 99, 5], *facts["orders"][1:]]})


def other_source(sheet: Any) -> None:
    for validation in sheet.data_validations.dataValidation:
        validation.formula1 = "=Lists!$A$2:$A$2"


def header(sheet: Any) -> None:
    sheet["D1"].value = "Count"


def plain(sheet: Any) -> None:
    for row in sheet.iter_rows(min_row=2):
        row[4].number_format = "0.0"


def in_csv(old: str, new: str, kills: str) -> Miss:
    return misses.text_changed(LIST, (old, new), kills)


Also = Callable[[Solved], object]
Case = tuple[Checkpoint, list[Miss], list[Miss]]
"""A leaf; near misses that it must notice; other right ways that it must accept."""


def case(leaf: Checkpoint, *near: Callable[..., Miss], right: tuple[Callable[..., Miss], ...] = ()) -> Case:
    return leaf, [make(kills=leaf.id) for make in near], [make(kills=leaf.id) for make in right]


def of(make: Callable[..., Miss], *arguments: Any, **more: Any) -> Callable[..., Miss]:
    return lambda kills: make(*arguments, **more, kills=kills)


def photo(deck: Any) -> Any:
    return next(shape for shape in deck.slides[0].shapes if hasattr(shape, "image"))


in_orders, in_sums, in_lists = (misses.InSheet(BOOK, name) for name in ("Orders", "Sums", "Lists"))
FIRST = {"where": lambda row: row["Order"] == "0007"}
CASES = [
    case(
        leaves.rows("each_once", "Each order once", TABLE, ordered=True),
        of(in_orders.row_gone),
        of(in_orders.row_doubled),
        of(in_orders.row_added, lambda _: ["0099", None, "Bern", 1, 1, 1, 1]),
        of(in_orders.rows_sorted, "Shop"),
        of(in_orders.column, "Order", lambda value: f"{value}1", **FIRST),
        right=(of(in_orders.column, "Order", int), of(in_orders.column, "Shop", lambda _: "?")),
    ),
    case(
        leaves.cells("values", "They are right", TABLE, "Day", "Shop", "Units", "Amount"),
        of(in_orders.column, "Units", lambda value: value + 1, **FIRST),
        of(in_orders.column, "Units", str, **FIRST),
        of(in_orders.column, "Day", lambda value: str(value)[:10], **FIRST),
        of(in_orders.column, "Shop", lambda _: "Bern", **FIRST),
        of(in_orders.row_gone),
        right=(of(in_orders.column, "Shop", str.upper), of(in_orders.rows_sorted, "Price")),
    ),
    case(
        leaves.just("just", "Just these", replace(TABLE, key=("Order", "Day"))),
        of(in_orders.row_doubled),
        of(in_orders.row_gone),
        of(in_orders.column, "Units", lambda value: value + 1, **FIRST),
        of(in_orders.column, "Day", lambda value: str(value)[:10], **FIRST),
        right=(of(in_orders.rows_sorted, "Shop"),),
    ),
    case(
        leaves.typed("typed", "Dates are dates", TABLE, "Day", "Units"),
        of(in_orders.column, "Day", lambda value: str(value)[:10], **FIRST),
        of(in_orders.column, "Units", str, **FIRST),
        right=(of(in_orders.column, "Units", lambda value: value + 1),),
    ),
    case(
        leaves.typed("filled", "Each has its date", TABLE, "Day", filled=True),
        of(in_orders.column, "Day", lambda _: None, **FIRST),
    ),
    case(
        leaves.cells("known", "Shops, and no other order", TABLE, "Shop", known=True),
        of(in_orders.row_added, lambda _: ["0099", None, "Bern", 1, 1, 1, 1]),
        right=(of(in_orders.column, "Units", lambda value: value + 1),),
    ),
    case(
        leaves.in_order("in_order", "By day", TABLE, "Day"),
        of(in_orders.rows_sorted, "Shop"),
        right=(of(in_orders.column, "Units", lambda value: value + 1),),
    ),
    case(
        leaves.headers("headers", "Headers", TABLE, SUMS),
        of(in_orders.edited, header),
        lambda kills: in_orders.edits(kills=kills)(header),
        of(in_sums.edited, lambda sheet: sheet.insert_rows(1)),
    ),
    case(
        leaves.items("items", "Lists", LISTS, lambda _facts: {"Shops": SHOPS}),
        of(in_lists.row_gone),
        of(in_lists.column, "Shops", lambda name: f"{name}e"),
        right=(of(in_lists.rows_sorted, "Shops"),),
    ),
    case(
        leaves.live("live", "Sums follow", raised, follows=(SUMS,), of=(TABLE,), least=lambda _: 13),
        of(in_sums.frozen, "Sum"),
        of(in_orders.frozen, "Amount"),
        of(in_sums.column, "Sum", (r"\$14", "$9")),
        of(in_orders.row_gone),
    ),
    case(
        leaves.live("changed", "Sums follow", leaves.changed({"Orders!E2": 99}, SUMS, one_dearer), follows=(SUMS,)),
        of(in_sums.frozen, "Sum"),
    ),
    case(leaves.formulas("formulas", "Formulas", SUMS, "Sum"), of(in_sums.frozen, "Sum")),
    case(
        leaves.decimals("decimals", "Two decimals", {TABLE: ("Price", "Amount"), SUMS: ("Sum",)}),
        of(in_orders.number_format_lost, "Price"),
        of(in_orders.edited, plain),
        right=(of(in_orders.number_format_lost, "Units"),),
    ),
    case(
        leaves.number_format("number_format", "Thousands", {SUMS: ("Sum",)}, "#,##0.00"),
        of(in_sums.number_format_lost, "Sum"),
    ),
    case(
        leaves.drop_downs("drop_downs", "Lists", TABLE, lambda _facts: {"Shop": SHOPS}, of=(LISTS,)),
        of(in_orders.drop_downs_end_at, 8),
        of(in_orders.edited, other_source),
        of(in_lists.row_gone),
    ),
    case(
        leaves.coloured("coloured", "Few are red", TABLE, "Units", "Least"),
        of(in_orders.rule, "$D2<=$F2"),
        of(in_orders.rule, "$D$2<$F$2"),
        of(in_orders.rule_added, "D2:D14", "$D2<=$F2"),
        of(in_orders.rules_unseen),
        of(in_orders.painted, "Units", lambda row: row["Units"] < row["Least"]),
        right=(of(in_orders.rule, "$F2>$D2"), of(in_orders.rule, "AND(ISNUMBER($D2),$D2<$F2)")),
    ),
    case(
        leaves.all_of("all_of", "Both", leaves.rows("", "", TABLE), leaves.cells("", "", TABLE, "Shop"), kind="format"),
        of(in_orders.row_doubled),
        of(in_orders.column, "Shop", lambda _: "Bern", **FIRST),
    ),
    case(
        leaves.answer_number("The total", lambda facts: facts["total"], 0.005),
        of(misses.answered, lambda work: f"{work.facts['total'] + 1:.2f}"),
        of(misses.answered, lambda work: f"{work.answer}\nor 12"),
        of(misses.answered, lambda work: f"{work.answer} 12"),
        right=(of(misses.answered, lambda work: f"In all:\n**{work.facts['total']:,.2f} EUR**"),),
    ),
    case(
        leaves.answer_name("The shop", lambda _: "Lyon", lambda _: SHOPS, id="named"),
        of(misses.answered, lambda _: "Bern"),
        of(misses.answered, lambda _: "Lyon or Bern"),
        right=(of(misses.answered, lambda _: "It is\nlyon."),),
    ),
    case(
        leaves.answer_whitelisted("Shop and sum", id="whitelisted"),
        of(misses.answered_with, "tip_forgotten"),
        of(misses.all_answers_listed),
        of(misses.number_off),
        of(misses.nothing_said),
        of(misses.answered, lambda work: f"{work.facts['total']:.2f}"),
        of(misses.answered, lambda work: f"{work.answer} or 13"),
        of(misses.answered, lambda work: f"Not Basel. {work.answer}"),
        right=(of(misses.answered, lambda work: f"Bern has 11.20, so\n**Lyons, ${work.facts['total']:,.3f}**"),),
    ),
    case(
        leaves.answer_whitelisted("The shop", lambda _: [["Lyon"], [f"{TOTAL:.2f}"]], whole=True, id="said"),
        of(misses.answered, lambda work: f"{work.answer}, more than Bern."),
        of(misses.answered, lambda _: "Lyon has more."),
        right=(of(misses.answered, lambda work: f"{work.answer}, of 12 units.\nThat is all."),),
    ),
    case(leaves.rows("listed", "Listed", CSV), of(in_csv, "pack.pdf", "pack_2.pdf"), of(in_csv, "pack.pdf,3\n", "")),
    case(leaves.cells("pages", "Pages", CSV, "pages"), of(in_csv, ",3", ",4")),
    *(
        case(
            leaves.says(f"says_{path[-3:]}", "It is said", path, lambda _: ["Lyon sold most"], never=lambda _: ["tbd"]),
            of(misses.text_changed, path, ("Lyon", "Bern")),
            of(misses.text_changed, path, ("sold", "sold tbd")),
            right=(of(misses.text_changed, path, ("Lyon sold", "LYON  sold")),),
        )
        for path in (REPORT, DECK, NOTE, PAGE)
    ),
    case(leaves.says("says_pdf", "It is said", PACK, lambda _: ["Page 2"]), of(misses.page_gone, PACK, 2)),
    *(
        case(
            leaves.figures(f"figures_{path[-3:]}", "The total", path, lambda facts: [facts["total"]]),
            of(misses.text_changed, path, lambda text, _: text.replace(f"{FACTS['total']:,.2f}", "1.00")),
        )
        for path in (REPORT, NOTE)
    ),
    case(
        leaves.headings("headings", "Headings", REPORT, lambda _: [(1, "Sales"), (2, "Shops")]),
        of(misses.style_lost, REPORT, "Shops"),
        of(misses.text_changed, REPORT, ("Shops", "Towns")),
    ),
    case(
        leaves.headings("headings_html", "Headings", PAGE, lambda _: [(1, "Sales")]),
        of(misses.text_changed, PAGE, ("h1", "p")),
    ),
    case(
        leaves.looked("It looked", REPORT),
        of(misses.never_looked),
    ),
    case(
        leaves.nothing_else(
            *(BOOK, REPORT, DECK, PAGE, NOTE, LIST, PACK), also=lambda _: (PICTURE,), says="Nothing else"
        ),
        of(misses.deleted, "inbox/*.txt"),
        of(misses.moved, "inbox/a.txt", "kept/"),
        of(misses.overwritten, "inbox/b.txt", NOTE),
    ),
    case(
        leaves.pictures_whole("pictures", "Pictures are whole", ALBUM := "album.pptx"),
        of(misses.edited, ALBUM, lambda deck: setattr(photo(deck), "width", 3_000_000)),
        of(misses.edited, ALBUM, lambda deck: setattr(photo(deck), "crop_left", 0.1)),
        of(misses.edited, ALBUM, lambda deck: setattr(photo(deck), "top", 0)),
        of(misses.edited, ALBUM, lambda deck: setattr(photo(deck), "left", -2_000_000)),
        right=(of(misses.edited, ALBUM, lambda deck: setattr(photo(deck), "left", 2_400_000)),),
    ),
    case(
        leaves.kept("kept_outside", "The rest stays", NOTES := "notes.docx", "paragraph#To do*", observes=("x",)),
        of(misses.text_changed, "notes.docx", ("Given", "Taken")),
        of(misses.style_lost, "notes.docx", "Given", style="Title"),
        right=(of(misses.text_changed, "notes.docx", ("To do", "To do at once")),),
    ),
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """``before`` and ``after``: the untouched and the solved world."""
    root = tmp_path_factory.mktemp("worlds")
    before = root / "before" / "files"
    (before / "inbox").mkdir(parents=True)
    for name in "ab":
        (before / "inbox" / f"{name}.txt").write_text(name, "utf-8")
    document = docx.Document()
    document.add_paragraph("Given")
    document.add_paragraph("To do")
    document.save(str(before / NOTES))
    PIL.Image.new("RGB", (80, 40), "navy").save(root / "photo.png")
    album = pptx.Presentation()
    slide = album.slides.add_slide(album.slide_layouts[5])
    slide.shapes.title.text = "The lake"
    slide.shapes.add_picture(str(root / "photo.png"), 2_000_000, 2_000_000, width=4_000_000)
    album.save(str(before / ALBUM))
    shutil.copytree(root / "before", root / "after")
    after = root / "after" / "files"
    write_book(after / BOOK)
    total = f"The total is {FACTS['total']:,.2f} euros."
    report = docx.Document()
    for level, text in ((1, "Sales"), (2, "Shops")):
        report.add_heading(text, level)
    for text in ("Lyon sold most.", total):
        report.add_paragraph(text)
    report.save(str(after / REPORT))
    deck = pptx.Presentation()
    deck.slides.add_slide(deck.slide_layouts[0]).shapes.title.text = "Lyon sold most"
    deck.save(str(after / DECK))
    (after / PAGE).write_text("<html><body><h1>Sales</h1><p>Lyon sold most</p></body></html>", "utf-8")
    (after / NOTE).write_text(f"Lyon sold most.\n{total}\n", "utf-8")
    (after / LIST).write_text("file,pages\npack.pdf,3\n", "utf-8")
    write_pages(after / PACK)
    PIL.Image.new("RGB", (80, 40), "white").save(after / PICTURE)
    return root


def write_book(path: Path) -> None:
    with xlsxwriter.Workbook(path) as book:
        money, day = book.add_format({"num_format": "#,##0.00"}), book.add_format({"num_format": "yyyy-mm-dd"})
        sheet, sums_sheet, lists = (book.add_worksheet(name) for name in ("Orders", "Sums", "Lists"))
        sheet.write_row(0, 0, HEAD)
        for number, row in enumerate(ORDERS, 1):
            for column, value in enumerate(row):
                form = {1: day, 4: money}.get(column)
                (sheet.write_datetime if column == 1 else sheet.write)(number, column, value, form)
            sheet.write_formula(number, 6, f"=D{number + 1}*E{number + 1}", money, row[3] * row[4])
        sums_sheet.write_row(0, 0, ["Shop", "Sum"])
        for number, row in enumerate(sums(FACTS), 1):
            sums_sheet.write(number, 0, row["Shop"])
            by_shop = f"=SUMIFS(Orders!$G$2:$G$14,Orders!$C$2:$C$14,A{number + 1})"
            formula = by_shop if row["Shop"] in SHOPS else "=SUM(Orders!$G$2:$G$14)"
            sums_sheet.write_formula(number, 1, formula, money, row["Sum"])
        lists.write_column(0, 0, ["Shops", *SHOPS])
        sheet.data_validation("C2:C14", {"validate": "list", "source": "=Lists!$A$2:$A$3"})
        red = book.add_format({"bg_color": "#FFC7CE"})
        sheet.conditional_format("D2:D14", {"type": "formula", "criteria": "=$D2<$F2", "format": red})
        chart = book.add_chart({"type": "column"})
        chart.add_series({"name": "=Sums!$B$1", "values": "=Sums!$B$2:$B$3", "categories": "=Sums!$A$2:$A$3"})
        chart.set_title({"name": "By shop"})
        sums_sheet.insert_chart("D2", chart)


def write_pages(path: Path) -> None:
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(path))
    for number in (1, 2, 3):
        canvas.drawString(72, 700, f"Page {number}")
        canvas.showPage()
    canvas.save()


@pytest.fixture
def work(made: Path, tmp_path: Path) -> Solved:
    shutil.copytree(made / "after", tmp_path / "after")
    call = {"number": 1, "tool": "render_pages", "arguments": {"path": REPORT}, "error": "", "media": ["1.png"]}
    calls = [{**call, "state_before": "a", "state_after": "a"}]
    return Solved(tmp_path / "after" / "files", f"Lyon: {FACTS['total']:.2f}", FACTS, calls)


def outcome(leaf: Checkpoint, work: Solved, before: Path) -> str:
    initial = manifest(before / "files")
    submission = Submission(work.files.parent, work.answer, initial, tuple(work.calls), lambda: before)
    verdict = grade(group("all", "All", leaf), submission, work.facts).verdict
    assert verdict is not None
    (found,) = verdict.leaves()
    assert found.outcome not in ("observer_invalid", "environment_invalid"), found.evidence
    return str(found.outcome)


@pytest.mark.parametrize("case", CASES, ids=[leaf.id for leaf, *_ in CASES])
def test_a_leaf_holds_notices_its_near_misses_and_accepts_other_right_ways(
    case: Case, made: Path, work: Solved, tmp_path: Path
) -> None:
    leaf, near, right = case
    assert outcome(leaf, work, made / "before") == "pass"
    untouched = Solved(made / "before" / "files", "", FACTS, [])
    assert (outcome(leaf, untouched, made / "before") == "pass") == (leaf.kind == "guardrail")
    for number, (spoil, wanted) in enumerate([*((miss, False) for miss in near), *((way, True) for way in right)]):
        copy = tmp_path / f"copy{number}"
        shutil.copytree(work.files.parent, copy)
        spoilt = Solved(copy / "files", work.answer, FACTS, [dict(call) for call in work.calls])
        spoil(spoilt)
        assert (outcome(leaf, spoilt, made / "before") == "pass") == wanted, f"{leaf.id}: {number}"
    assert all(miss.killed_by == (leaf.id,) for miss in near)  # type: ignore[attr-defined]


def test_the_leaves_of_a_workbook_kill_every_automatic_mutant_of_it_where_they_look(
    made: Path, work: Solved, tmp_path: Path
) -> None:
    looking = [leaf for leaf, *_ in CASES if any(BOOK in target for target in leaf.observes)]
    initial = manifest(made / "before" / "files") | manifest(work.files)
    initial.pop(BOOK)
    tried = 0
    for number, mutant in enumerate(mutants(work.files, work.answer, {BOOK: "added"}, initial, random.Random(5))):
        named = [leaf for leaf in looking if any(matches(pattern, mutant.target) for pattern in leaf.observes)]
        if named:
            copy = tmp_path / f"mutant{number}"
            shutil.copytree(work.files.parent, copy)
            answer = mutant.apply(copy / "files", work.answer)
            spoilt = Solved(copy / "files", answer, FACTS, [])
            assert any(outcome(leaf, spoilt, made / "before") != "pass" for leaf in named), mutant.says
            tried += 1
    assert tried > 30


@pytest.mark.parametrize(
    ("miss", "looks"),
    [
        (misses.pages_swapped(PACK, 1, 3, "x"), ["Page 3", "Page 2", "Page 1"]),
        (misses.page_gone(PACK, -1, "x"), ["Page 1", "Page 2"]),
    ],
)
def test_pages_are_swapped_and_dropped(miss: Miss, looks: list[str], work: Solved) -> None:
    from yardkit.evaluators.readers.pages.pdf import read_pdf

    miss(work)
    with pikepdf.open(work.files / PACK) as opened:
        assert len(opened.pages) == len(looks)
    assert [page.text.strip() for page in read_pdf(Submission(work.files.parent), PACK).pages] == looks


def test_pictures_are_changed_and_shrunk(work: Solved) -> None:
    misses.picture_changed(PICTURE, lambda image: PIL.Image.new("RGB", image.size, "red"), "x")(work)
    misses.picture_shrunk(PICTURE, 20, "x")(work)
    with PIL.Image.open(work.files / PICTURE) as image:
        assert (image.size, image.getpixel((3, 3))) == ((20, 10), (255, 0, 0))


def test_a_miss_that_finds_nothing_to_spoil_is_a_fault_of_the_proof(work: Solved) -> None:
    for miss in (
        misses.text_changed(NOTE, ("Oslo", "Rome"), "x"),
        misses.text_changed(REPORT, ("Oslo", "Rome"), "x"),
        misses.style_lost(REPORT, "Oslo", "x"),
        misses.picture_gone(REPORT, "x"),
    ):
        with pytest.raises(AssertionError, match="changes nothing"):
            miss(work)
    with pytest.raises(FileNotFoundError, match="no file of the solved world"):
        misses.deleted("nowhere/*", "x")(work)


def test_a_function_becomes_a_near_miss_of_what_it_changes_and_is_told_of_the_solved_world(work: Solved) -> None:
    @misses.edits(lambda work: str(work.facts["report"]), kills=("says", "kept"))
    def of_a_document(document: Any, work: Solved) -> None:
        document.paragraphs[0].text = f"Total {work.facts['total']}"

    def edit_note(work: Solved, change: Callable[..., object]) -> None:
        lines = ["a"]
        change(lines)
        (work.files / NOTE).write_text(str(lines), "utf-8")

    @misses.edits_by(edit_note, kills="says")
    def of_lines(lines: list[str]) -> None:
        lines.append("b")

    work.facts = {**work.facts, "report": REPORT}
    of_a_document(work)
    of_lines(work)
    with misses.opened(work.files / REPORT) as document:
        assert document.paragraphs[0].text == f"Total {work.facts['total']}"
    assert (work.files / NOTE).read_text("utf-8") == "['a', 'b']"
    assert [miss.killed_by for miss in (of_a_document, of_lines)] == [("says", "kept"), ("says",)]  # type: ignore[attr-defined]
