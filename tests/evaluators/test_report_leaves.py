"""Leaves about reports and drawn charts hold on what is right, fail where nothing is, and notice near misses."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import docx
import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont
import pytest

from yardkit.evaluators import leaves, misses
from yardkit.evaluators.checkpoints import Checkpoint, make_group
from yardkit.evaluators.gta.quiz_sheet.quizzes import read_questions
from yardkit.evaluators.leaves import ExpectedFinding, Names, Number, Table, Text
from yardkit.evaluators.proof import Solved
from yardkit.evaluators.scoring import run_checkpoints
from yardkit.evaluators.submission import Submission

REPORT, QUIZ, CHART, PAGE = "generated/report.pdf", "generated/quiz.docx", "generated/plot_1.png", "generated/page.html"
SHOPS = {"Bern": 120.0, "Lyon": 80.5, "Oslo": 200.0}
ROWS: list[tuple[str, float]] = [*SHOPS.items(), ("Total", 400.5)]
BARS = leaves.DrawnBars(("#1f4e79", "#e07b00"), lambda _: [*SHOPS.values()], lambda _: (0, 0, 1))
KEY = Table(QUIZ, "", {"Shop": Text(), "Staff": Names()}, ("Shop",), lambda _: [{"Shop": "Bern", "Staff": "Bo, Al"}])
SUMS = Table(PAGE, "", {"Shop": Text(), "Sum": Number()}, ("Shop",), lambda _: [])
in_report, in_quiz, in_page = (partial(misses.text_changed, path, caught_by="") for path in (REPORT, QUIZ, PAGE))


def make_drawn_miss(change: Callable[[Any], object]) -> Any:
    return misses.picture_changed(CHART, lambda image: change(PIL.ImageDraw.Draw(image)) or image, "")


CASES: list[tuple[Checkpoint, list[Any]]] = [
    (
        leaves.check_headlines("titles", "Titles", REPORT, lambda _: ("Shops", "Findings")),
        [
            in_report(("Shops", "Stores")),
            in_report(lambda text, _: {"Shops": "Findings", "Findings": "Shops"}.get(text, text)),
        ],
    ),
    (
        leaves.printed_table("table", "Table", REPORT, ("Shop", "Amount"), lambda _: ROWS),
        [in_report(("80.50", "80.00")), in_report(("Lyon 80.50", "")), in_report(("Bern 120.00", "Bern   120.00"))],
    ),
    (
        leaves.check_report_findings(
            "found", "Found", REPORT, "Findings", lambda _: [ExpectedFinding(SHOPS, "Oslo", 49.9, 0.051)]
        ),
        [
            in_report(("49.9", "51.9")),
            in_report(("Oslo has", "Oslo, not Bern, has")),
            in_report(("Findings", "Results")),
        ],
    ),
    (
        leaves.contains_picture("shown", "Shown", REPORT, leaves.delivered_picture),
        [
            misses.picture_changed(CHART, lambda image: image.transpose(0), ""),
            misses.picture_changed(CHART, lambda image: image.resize((400, 200)), ""),
        ],
    ),
    (
        leaves.check_neatness("neat", "Neat", REPORT),
        [in_report(("Findings", "**Findings**")), in_report(("sold most", "sold most " + 30 * "and "))],
    ),
    (
        leaves.check_outline("outline", "Outline", QUIZ, lambda _: [(1, "Questions"), (2, "Question 1"), (1, "Key")]),
        [misses.style_lost(QUIZ, "Key", ""), misses.style_lost(QUIZ, "A quiz", ""), in_quiz(("Key", "Keys"))],
    ),
    (leaves.check_rows("rows", "Rows", KEY), [in_quiz(("Bern", "Lyon"))]),
    (leaves.check_cells("names", "Names", KEY), [in_quiz(("Al, Bo", "Al, Cy"))]),
    (
        leaves.check_agreement("agrees", "Agrees", SUMS, lambda _submission, _facts: [{"Shop": "Bern", "Sum": 120}]),
        [in_page(("120", "121")), in_page(("</table>", "<tr><td>Lyon</td><td>1</td></tr></table>"))],
    ),
    (BARS.to_scale("scale", "To scale"), [make_drawn_miss(lambda pen: pen.rectangle((60, 0, 140, 300), "white"))]),
    (
        BARS.in_colors("colors", "Colours"),
        [make_drawn_miss(lambda pen: pen.rectangle((460, 100, 540, 300), "#1f4e79"))],
    ),
    (
        BARS.check_lettering("lettered", "Lettered"),
        [
            make_drawn_miss(lambda pen: pen.rectangle((0, 0, 600, 40), "white")),
            make_drawn_miss(lambda pen: pen.rectangle((0, 302, 600, 400), "white")),
        ],
    ),
    (
        leaves.answer_picture("Named"),
        [misses.change_answer(lambda _: "generated/plot_2.png"), misses.change_answer(lambda _: 9999 * "a")],
    ),
]


@pytest.fixture
def work(tmp_path: Path) -> Solved:
    files = tmp_path / "world" / "files"
    (files / "generated").mkdir(parents=True)
    draw_chart(files / CHART)
    write_report(files / REPORT, files / CHART)
    quiz = docx.Document()
    for level, text in ((1, "A quiz"), (2, "Questions"), (3, "Question 1")):
        quiz.add_heading(text, level)
    for text in ("Who?", "A) Bo\nB) 12 m", "C) Al"):
        quiz.add_paragraph(text)
    quiz.add_heading("Key", 2)
    table = quiz.add_table(2, 2)
    for cell, text in zip(
        (cell for row in table.rows for cell in row.cells), ("Shop", "Staff", "Bern", "Al, Bo"), strict=True
    ):
        cell.text = text
    quiz.save(str(files / QUIZ))
    row = "<tr><th>Shop</th><th>Sum</th></tr><tr><td>Bern</td><td>120</td></tr>"
    (files / PAGE).write_text(
        f"<html><body><h1>Sums</h1><p>All of them.</p><table>{row}</table></body></html>", "utf-8"
    )
    return Solved(files, CHART, {})


def draw_chart(path: Path) -> None:
    image = PIL.Image.new("RGB", (600, 400), "white")
    pen, font = PIL.ImageDraw.Draw(image), PIL.ImageFont.load_default(size=20)
    pen.text((120, 10), "Amounts of the shops", "black", font)
    for number, (name, value) in enumerate(SHOPS.items()):
        left = 60 + 200 * number
        pen.rectangle((left, 300 - value, left + 79, 299), "#e07b00" if name == "Oslo" else "#1f4e79")
        pen.text((left + 5, 300 - value - 28), f"{value:.2f}", "black", font)
        pen.text((left + 10, 310), name, "black", font)
    image.save(path)


def write_report(path: Path, chart: Path) -> None:
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(path))
    texts = [
        (18, "A report"),
        (14, "Shops"),
        (10, ""),
        (14, "Findings"),
        (10, "Oslo has sold most: 49.9 % of it."),
        (10, "That is all."),
    ]
    for number, (size, text) in enumerate(texts):
        canvas.setFont("Helvetica", size)
        canvas.drawString(72, 780 - 30 * number - (120 if number > 2 else 0), text)
    canvas.setFont("Helvetica", 10)
    for number, (name, value) in enumerate([("Shop", "Amount"), *((name, f"{value:.2f}") for name, value in ROWS)]):
        canvas.drawString(72, 720 - 18 * number, name)
        canvas.drawRightString(240, 720 - 18 * number, value)
    canvas.drawImage(str(chart), 72, 300, 300, 200)
    canvas.save()


def passes_leaf(leaf: Checkpoint, work: Solved) -> bool:
    verdict = run_checkpoints(
        make_group("all", "All", leaf), Submission(work.files.parent, work.answer), work.facts
    ).verdict
    assert verdict is not None
    (leaf_result,) = verdict.list_leaves()
    assert leaf_result.outcome not in ("observer_invalid", "environment_invalid"), leaf_result.evidence
    return bool(leaf_result.outcome == "pass")


@pytest.mark.parametrize(("leaf", "near"), CASES, ids=[leaf.id for leaf, _ in CASES])
def test_a_leaf_holds_on_the_report_and_notices_its_near_misses(
    leaf: Checkpoint, near: list[Any], work: Solved
) -> None:
    assert passes_leaf(leaf, work)
    original_files = {path: path.read_bytes() for path in work.files.rglob("*.*")}
    for number, change_world in enumerate(near):
        changed_work = Solved(work.files, work.answer, {})
        change_world(changed_work)
        assert not passes_leaf(leaf, changed_work), f"{leaf.id}: {number}"
        for path, data in original_files.items():
            path.write_bytes(data)


@pytest.mark.drill
def test_a_page_that_is_too_wide_is_noticed(work: Solved) -> None:
    leaf = leaves.check_neatness("neat_page", "Neat", PAGE)
    assert passes_leaf(leaf, work)
    in_page(("<p>", "<p style='width: 2000px'>"))(work)
    assert not passes_leaf(leaf, work)


def test_letters_that_are_set_anew_say_the_same(work: Solved) -> None:
    assert not misses.reset_pdf(work.files / REPORT)
    assert all(passes_leaf(leaf, work) for leaf, _ in CASES[:4])


def test_questions_are_read_with_their_options_in_lines_or_paragraphs(work: Solved) -> None:
    (question,) = read_questions(Submission(work.files.parent), QUIZ, "Questions")
    assert (question.text, question.letters, question.letters_of("12"), question.letters_of("al")) == (
        "who",
        "ABC",
        ["B"],
        ["C"],
    )
