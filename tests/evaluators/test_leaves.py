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
from yardkit.evaluators.checkpoints import Checkpoint, Facts, make_group
from yardkit.evaluators.leaves import Code, Date, Exact, FileName, Number, Row, Table, Text
from yardkit.evaluators.mutations import generate_mutants, matches_target
from yardkit.evaluators.proof import Miss, Solved
from yardkit.evaluators.scoring import run_checkpoints
from yardkit.evaluators.submission import Submission, build_manifest

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


def list_orders(facts: Facts) -> list[Row]:
    return [dict(zip(HEAD, [*row, row[3] * row[4]], strict=True)) for row in facts["orders"]]


def list_sums(facts: Facts) -> list[Row]:
    rows = list_orders(facts)
    of = {shop: sum(row["Amount"] for row in rows if row["Shop"] == shop) for shop in SHOPS}
    return [{"Shop": shop, "Sum": amount} for shop, amount in {**of, "Total": sum(of.values())}.items()]


KINDS = (Code(), Date(), Text(), Number(typed=True), Number(), Number(), Number())
TABLE = Table(BOOK, "Orders", dict(zip(HEAD, KINDS, strict=True)), ("Order",), list_orders)
SUMS = Table(BOOK, "Sums", {"Shop": Text(), "Sum": Number()}, ("Shop",), list_sums)
LISTS = Table(BOOK, "Lists", {"Shops": Exact()}, ("Shops",), lambda _facts: [])
CSV = Table(LIST, "", {"file": FileName(), "pages": Number()}, ("file",), lambda _: [{"file": PACK, "pages": 3}])


def raise_prices(sheets: leaves.Sheets, facts: Facts) -> leaves.Trial:
    """Each price is one euro higher."""
    trial = leaves.Trial()
    for line in TABLE.list_lines(sheets):
        trial.change_cell(line, "Price", float(line.values["Price"]) + 1)
    dearer = {**facts, "orders": [[*row[:4], row[4] + 1, *row[5:]] for row in facts["orders"]]}
    trial.expect_rows(SUMS, list_sums(dearer))
    return trial


def list_raised_sums(facts: Facts) -> list[Row]:
    return list_sums({"orders": [[*facts["orders"][0][:4], 99, 5], *facts["orders"][1:]]})


def other_source(sheet: Any) -> None:
    for validation in sheet.data_validations.dataValidation:
        validation.formula1 = "=Lists!$A$2:$A$2"


def rename_header(sheet: Any) -> None:
    sheet["D1"].value = "Count"


def clear_formats(sheet: Any) -> None:
    for row in sheet.iter_rows(min_row=2):
        row[4].number_format = "0.0"


def in_csv(old: str, new: str, caught_by: str) -> Miss:
    return misses.text_changed(LIST, (old, new), caught_by)


Also = Callable[[Solved], object]
Case = tuple[Checkpoint, list[Miss], list[Miss]]
"""A leaf; near misses that it must notice; other right ways that it must accept."""


def make_case(leaf: Checkpoint, *near: Callable[..., Miss], right: tuple[Callable[..., Miss], ...] = ()) -> Case:
    return leaf, [make(caught_by=leaf.id) for make in near], [make(caught_by=leaf.id) for make in right]


def bind_miss(make: Callable[..., Miss], *arguments: Any, **more: Any) -> Callable[..., Miss]:
    return lambda caught_by: make(*arguments, **more, caught_by=caught_by)


def find_photo(deck: Any) -> Any:
    return next(shape for shape in deck.slides[0].shapes if hasattr(shape, "image"))


in_orders, in_sums, in_lists = (misses.InSheet(BOOK, name) for name in ("Orders", "Sums", "Lists"))
FIRST = {"where": lambda row: row["Order"] == "0007"}
CASES = [
    make_case(
        leaves.check_rows("each_once", "Each order once", TABLE, ordered=True),
        bind_miss(in_orders.row_gone),
        bind_miss(in_orders.row_doubled),
        bind_miss(in_orders.row_added, lambda _: ["0099", None, "Bern", 1, 1, 1, 1]),
        bind_miss(in_orders.rows_sorted, "Shop"),
        bind_miss(in_orders.column, "Order", lambda value: f"{value}1", **FIRST),
        right=(bind_miss(in_orders.column, "Order", int), bind_miss(in_orders.column, "Shop", lambda _: "?")),
    ),
    make_case(
        leaves.check_cells("values", "They are right", TABLE, "Day", "Shop", "Units", "Amount"),
        bind_miss(in_orders.column, "Units", lambda value: value + 1, **FIRST),
        bind_miss(in_orders.column, "Units", str, **FIRST),
        bind_miss(in_orders.column, "Day", lambda value: str(value)[:10], **FIRST),
        bind_miss(in_orders.column, "Shop", lambda _: "Bern", **FIRST),
        bind_miss(in_orders.row_gone),
        right=(bind_miss(in_orders.column, "Shop", str.upper), bind_miss(in_orders.rows_sorted, "Price")),
    ),
    make_case(
        leaves.check_exact_rows("just", "Just these", replace(TABLE, key=("Order", "Day"))),
        bind_miss(in_orders.row_doubled),
        bind_miss(in_orders.row_gone),
        bind_miss(in_orders.column, "Units", lambda value: value + 1, **FIRST),
        bind_miss(in_orders.column, "Day", lambda value: str(value)[:10], **FIRST),
        right=(bind_miss(in_orders.rows_sorted, "Shop"),),
    ),
    make_case(
        leaves.check_types("typed", "Dates are dates", TABLE, "Day", "Units"),
        bind_miss(in_orders.column, "Day", lambda value: str(value)[:10], **FIRST),
        bind_miss(in_orders.column, "Units", str, **FIRST),
        right=(bind_miss(in_orders.column, "Units", lambda value: value + 1),),
    ),
    make_case(
        leaves.check_types("filled", "Each has its date", TABLE, "Day", filled=True),
        bind_miss(in_orders.column, "Day", lambda _: None, **FIRST),
    ),
    make_case(
        leaves.check_cells("known", "Shops, and no other order", TABLE, "Shop", known=True),
        bind_miss(in_orders.row_added, lambda _: ["0099", None, "Bern", 1, 1, 1, 1]),
        right=(bind_miss(in_orders.column, "Units", lambda value: value + 1),),
    ),
    make_case(
        leaves.in_order("in_order", "By day", TABLE, "Day"),
        bind_miss(in_orders.rows_sorted, "Shop"),
        right=(bind_miss(in_orders.column, "Units", lambda value: value + 1),),
    ),
    make_case(
        leaves.check_headers("headers", "Headers", TABLE, SUMS),
        bind_miss(in_orders.edit_sheet, rename_header),
        lambda caught_by: in_orders.make_edit_decorator(caught_by=caught_by)(rename_header),
        bind_miss(in_sums.edit_sheet, lambda sheet: sheet.insert_rows(1)),
    ),
    make_case(
        leaves.check_list_items("items", "Lists", LISTS, lambda _facts: {"Shops": SHOPS}),
        bind_miss(in_lists.row_gone),
        bind_miss(in_lists.column, "Shops", lambda name: f"{name}e"),
        right=(bind_miss(in_lists.rows_sorted, "Shops"),),
    ),
    make_case(
        leaves.check_live_formulas(
            "live", "Sums follow", raise_prices, follows=(SUMS,), of=(TABLE,), least=lambda _: 13
        ),
        bind_miss(in_sums.frozen, "Sum"),
        bind_miss(in_orders.frozen, "Amount"),
        bind_miss(in_sums.column, "Sum", (r"\$14", "$9")),
        bind_miss(in_orders.row_gone),
    ),
    make_case(
        leaves.check_live_formulas(
            "changed",
            "Sums follow",
            leaves.make_change_trial({"Orders!E2": 99}, SUMS, list_raised_sums),
            follows=(SUMS,),
        ),
        bind_miss(in_sums.frozen, "Sum"),
    ),
    make_case(leaves.check_formulas("formulas", "Formulas", SUMS, "Sum"), bind_miss(in_sums.frozen, "Sum")),
    make_case(
        leaves.check_decimals("decimals", "Two decimals", {TABLE: ("Price", "Amount"), SUMS: ("Sum",)}),
        bind_miss(in_orders.number_format_lost, "Price"),
        bind_miss(in_orders.edit_sheet, clear_formats),
        right=(bind_miss(in_orders.number_format_lost, "Units"),),
    ),
    make_case(
        leaves.number_format("number_format", "Thousands", {SUMS: ("Sum",)}, "#,##0.00"),
        bind_miss(in_sums.number_format_lost, "Sum"),
    ),
    make_case(
        leaves.check_drop_downs("drop_downs", "Lists", TABLE, lambda _facts: {"Shop": SHOPS}, of=(LISTS,)),
        bind_miss(in_orders.drop_downs_end_at, 8),
        bind_miss(in_orders.edit_sheet, other_source),
        bind_miss(in_lists.row_gone),
    ),
    make_case(
        leaves.check_coloring("coloured", "Few are red", TABLE, "Units", "Least"),
        bind_miss(in_orders.change_rule, "$D2<=$F2"),
        bind_miss(in_orders.change_rule, "$D$2<$F$2"),
        bind_miss(in_orders.rule_added, "D2:D14", "$D2<=$F2"),
        bind_miss(in_orders.rules_unseen),
        bind_miss(in_orders.paint_cells, "Units", lambda row: row["Units"] < row["Least"]),
        right=(
            bind_miss(in_orders.change_rule, "$F2>$D2"),
            bind_miss(in_orders.change_rule, "AND(ISNUMBER($D2),$D2<$F2)"),
        ),
    ),
    make_case(
        leaves.all_of(
            "all_of", "Both", leaves.check_rows("", "", TABLE), leaves.check_cells("", "", TABLE, "Shop"), kind="format"
        ),
        bind_miss(in_orders.row_doubled),
        bind_miss(in_orders.column, "Shop", lambda _: "Bern", **FIRST),
    ),
    make_case(
        leaves.answer_number("The total", lambda facts: facts["total"], 0.005),
        bind_miss(misses.change_answer, lambda work: f"{work.facts['total'] + 1:.2f}"),
        bind_miss(misses.change_answer, lambda work: f"{work.answer}\nor 12"),
        bind_miss(misses.change_answer, lambda work: f"{work.answer} 12"),
        right=(bind_miss(misses.change_answer, lambda work: f"In all:\n**{work.facts['total']:,.2f} EUR**"),),
    ),
    make_case(
        leaves.answer_name("The shop", lambda _: "Lyon", lambda _: SHOPS, id="named"),
        bind_miss(misses.change_answer, lambda _: "Bern"),
        bind_miss(misses.change_answer, lambda _: "Lyon or Bern"),
        right=(bind_miss(misses.change_answer, lambda _: "It is\nlyon."),),
    ),
    make_case(
        leaves.answer_whitelisted("Shop and sum", id="whitelisted"),
        bind_miss(misses.answered_with, "tip_forgotten"),
        bind_miss(misses.all_answers_listed),
        bind_miss(misses.number_off),
        bind_miss(misses.make_empty_words),
        bind_miss(misses.change_answer, lambda work: f"{work.facts['total']:.2f}"),
        bind_miss(misses.change_answer, lambda work: f"{work.answer} or 13"),
        bind_miss(misses.change_answer, lambda work: f"Not Basel. {work.answer}"),
        right=(
            bind_miss(misses.change_answer, lambda work: f"Bern has 11.20, so\n**Lyons, ${work.facts['total']:,.3f}**"),
        ),
    ),
    make_case(
        leaves.answer_whitelisted("The shop", lambda _: [["Lyon"], [f"{TOTAL:.2f}"]], full_answer=True, id="said"),
        bind_miss(misses.change_answer, lambda work: f"{work.answer}, more than Bern."),
        bind_miss(misses.change_answer, lambda _: "Lyon has more."),
        right=(bind_miss(misses.change_answer, lambda work: f"{work.answer}, of 12 units.\nThat is all."),),
    ),
    make_case(
        leaves.check_rows("listed", "Listed", CSV),
        bind_miss(in_csv, "pack.pdf", "pack_2.pdf"),
        bind_miss(in_csv, "pack.pdf,3\n", ""),
    ),
    make_case(leaves.check_cells("pages", "Pages", CSV, "pages"), bind_miss(in_csv, ",3", ",4")),
    *(
        make_case(
            leaves.check_texts(
                f"says_{path[-3:]}", "It is said", path, lambda _: ["Lyon sold most"], never=lambda _: ["tbd"]
            ),
            bind_miss(misses.text_changed, path, ("Lyon", "Bern")),
            bind_miss(misses.text_changed, path, ("sold", "sold tbd")),
            right=(bind_miss(misses.text_changed, path, ("Lyon sold", "LYON  sold")),),
        )
        for path in (REPORT, DECK, NOTE, PAGE)
    ),
    make_case(
        leaves.check_texts("says_pdf", "It is said", PACK, lambda _: ["Page 2"]), bind_miss(misses.page_gone, PACK, 2)
    ),
    *(
        make_case(
            leaves.check_numbers(f"figures_{path[-3:]}", "The total", path, lambda facts: [facts["total"]]),
            bind_miss(misses.text_changed, path, lambda text, _: text.replace(f"{FACTS['total']:,.2f}", "1.00")),
        )
        for path in (REPORT, NOTE)
    ),
    make_case(
        leaves.check_headings("headings", "Headings", REPORT, lambda _: [(1, "Sales"), (2, "Shops")]),
        bind_miss(misses.style_lost, REPORT, "Shops"),
        bind_miss(misses.text_changed, REPORT, ("Shops", "Towns")),
    ),
    make_case(
        leaves.check_headings("headings_html", "Headings", PAGE, lambda _: [(1, "Sales")]),
        bind_miss(misses.text_changed, PAGE, ("h1", "p")),
    ),
    make_case(
        leaves.check_looked_at("It looked", REPORT),
        bind_miss(misses.never_looked),
    ),
    make_case(
        leaves.nothing_else(
            *(BOOK, REPORT, DECK, PAGE, NOTE, LIST, PACK), also=lambda _: (PICTURE,), statement="Nothing else"
        ),
        bind_miss(misses.delete_file, "inbox/*.txt"),
        bind_miss(misses.move_file, "inbox/a.txt", "kept/"),
        bind_miss(misses.overwrite_file, "inbox/b.txt", NOTE),
    ),
    make_case(
        leaves.check_complete_pictures("pictures", "Pictures are whole", ALBUM := "album.pptx"),
        bind_miss(misses.edit_file, ALBUM, lambda deck: setattr(find_photo(deck), "width", 3_000_000)),
        bind_miss(misses.edit_file, ALBUM, lambda deck: setattr(find_photo(deck), "crop_left", 0.1)),
        bind_miss(misses.edit_file, ALBUM, lambda deck: setattr(find_photo(deck), "top", 0)),
        bind_miss(misses.edit_file, ALBUM, lambda deck: setattr(find_photo(deck), "left", -2_000_000)),
        right=(bind_miss(misses.edit_file, ALBUM, lambda deck: setattr(find_photo(deck), "left", 2_400_000)),),
    ),
    make_case(
        leaves.check_unchanged(
            "kept_outside", "The rest stays", NOTES := "notes.docx", "paragraph#To do*", covers=("x",)
        ),
        bind_miss(misses.text_changed, "notes.docx", ("Given", "Taken")),
        bind_miss(misses.style_lost, "notes.docx", "Given", style="Title"),
        right=(bind_miss(misses.text_changed, "notes.docx", ("To do", "To do at once")),),
    ),
]


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Path:
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
        for number, total in enumerate(list_sums(FACTS), 1):
            sums_sheet.write(number, 0, total["Shop"])
            by_shop = f"=SUMIFS(Orders!$G$2:$G$14,Orders!$C$2:$C$14,A{number + 1})"
            formula = by_shop if total["Shop"] in SHOPS else "=SUM(Orders!$G$2:$G$14)"
            sums_sheet.write_formula(number, 1, formula, money, total["Sum"])
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
def work(worlds: Path, tmp_path: Path) -> Solved:
    shutil.copytree(worlds / "after", tmp_path / "after")
    call = {"number": 1, "tool": "render_pages", "arguments": {"path": REPORT}, "error": "", "media": ["1.png"]}
    calls = [{**call, "state_before": "a", "state_after": "a"}]
    return Solved(tmp_path / "after" / "files", f"Lyon: {FACTS['total']:.2f}", FACTS, calls)


def grade_work(leaf: Checkpoint, work: Solved, before: Path) -> str:
    initial = build_manifest(before / "files")
    submission = Submission(work.files.parent, work.answer, initial, tuple(work.calls), lambda: before)
    verdict = run_checkpoints(make_group("all", "All", leaf), submission, work.facts).verdict
    assert verdict is not None
    (leaf_result,) = verdict.list_leaves()
    assert leaf_result.outcome not in ("observer_invalid", "environment_invalid"), leaf_result.evidence
    return str(leaf_result.outcome)


@pytest.mark.parametrize("case", CASES, ids=[leaf.id for leaf, *_ in CASES])
def test_a_leaf_holds_notices_its_near_misses_and_accepts_other_right_ways(
    case: Case, worlds: Path, work: Solved, tmp_path: Path
) -> None:
    leaf, near, right = case
    assert grade_work(leaf, work, worlds / "before") == "pass"
    untouched = Solved(worlds / "before" / "files", "", FACTS, [])
    assert (grade_work(leaf, untouched, worlds / "before") == "pass") == (leaf.kind == "guardrail")
    for number, (change_world, expected_pass) in enumerate(
        [*((miss, False) for miss in near), *((way, True) for way in right)]
    ):
        copy = tmp_path / f"copy{number}"
        shutil.copytree(work.files.parent, copy)
        changed_work = Solved(copy / "files", work.answer, FACTS, [dict(call) for call in work.calls])
        change_world(changed_work)
        assert (grade_work(leaf, changed_work, worlds / "before") == "pass") == expected_pass, f"{leaf.id}: {number}"
    assert all(miss.caught_by_leaf == (leaf.id,) for miss in near)  # type: ignore[attr-defined]


def test_the_leaves_of_a_workbook_kill_every_automatic_mutant_of_it_where_they_look(
    worlds: Path, work: Solved, tmp_path: Path
) -> None:
    looking = [leaf for leaf, *_ in CASES if any(BOOK in target for target in leaf.covers)]
    initial = build_manifest(worlds / "before" / "files") | build_manifest(work.files)
    initial.pop(BOOK)
    tried = 0
    for number, mutant in enumerate(
        generate_mutants(work.files, work.answer, {BOOK: "added"}, initial, random.Random(5))
    ):
        named = [leaf for leaf in looking if any(matches_target(pattern, mutant.target) for pattern in leaf.covers)]
        if named:
            copy = tmp_path / f"mutant{number}"
            shutil.copytree(work.files.parent, copy)
            answer = mutant.apply(copy / "files", work.answer)
            changed_work = Solved(copy / "files", answer, FACTS, [])
            assert any(grade_work(leaf, changed_work, worlds / "before") != "pass" for leaf in named), mutant.says
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
        misses.delete_file("nowhere/*", "x")(work)


def test_a_function_becomes_a_near_miss_of_what_it_changes_and_is_told_of_the_solved_world(work: Solved) -> None:
    @misses.make_edit_decorator(lambda work: str(work.facts["report"]), caught_by=("says", "kept"))
    def of_a_document(document: Any, work: Solved) -> None:
        document.paragraphs[0].text = f"Total {work.facts['total']}"

    def edit_note(work: Solved, change: Callable[..., object]) -> None:
        lines = ["a"]
        change(lines)
        (work.files / NOTE).write_text(str(lines), "utf-8")

    @misses.edits_by(edit_note, caught_by="says")
    def of_lines(lines: list[str]) -> None:
        lines.append("b")

    work.facts = {**work.facts, "report": REPORT}
    of_a_document(work)
    of_lines(work)
    with misses.open_edited(work.files / REPORT) as document:
        assert document.paragraphs[0].text == f"Total {work.facts['total']}"
    assert (work.files / NOTE).read_text("utf-8") == "['a', 'b']"
    assert [miss.caught_by_leaf for miss in (of_a_document, of_lines)] == [("says", "kept"), ("says",)]  # type: ignore[attr-defined]
