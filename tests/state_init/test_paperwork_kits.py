"""Rules, mails, purchases, timesheets and CSV files of seeded worlds."""

import csv
import datetime
import email
import random
from email.policy import default
from pathlib import Path
from typing import Any, get_args

import openpyxl
import pypdfium2
import pytest
from support.office import NOW

from yardkit.state_init.days import workdays_of
from yardkit.state_init.mails import send_mail
from yardkit.state_init.material import fill_in, take_out, typeset_markdown
from yardkit.state_init.names import Person, make_companies
from yardkit.state_init.office.invoice_reconciliation.bookkeeping import (
    Booking,
    Invoice,
    digits_swapped,
    save_statement,
    some_items,
)
from yardkit.state_init.office.timesheets.timesheets import Day, Form, Timesheet, save_blank, sum_minutes
from yardkit.state_init.spellings import format_clock, format_english, format_german, format_spaced, in_words
from yardkit.world import World, save_text

APRIL = datetime.date(2026, 4, 1)


def test_material_is_filled_in_or_taken_out_of_the_world(tmp_path: Path) -> None:
    world = World.create(tmp_path / "w", task="a/b", seed=0, now=NOW.isoformat())
    for name in ("memo.md", "rules.md"):
        save_text(world.files / name, "Ask {boss}.\n")
    fill_in(world, "memo.md", boss="Ada")
    assert (world.files / "memo.md").read_text("utf-8") == "Ask Ada.\n"
    assert take_out(world, "rules.md") == "Ask {boss}.\n"
    assert [path.name for path in world.files.iterdir()] == ["memo.md"]


def test_markdown_is_typeset_as_a_document_with_title_headings_lists_and_tables() -> None:
    text = (
        "# Rules\n\n## Pay\n\nPaid monthly.\nRounded once.\n\n- one\n- two\n\n| Code | Meaning |\n| LONG | Too long |\n"
    )
    document = typeset_markdown(
        text, author="Ada", now=NOW, header=("Payroll", "\t\t", "2026"), widths_mm=[30, 100]
    ).docx
    styles = [(paragraph.style.name, paragraph.text) for paragraph in document.paragraphs if paragraph.text]
    assert styles == [
        ("Title", "Rules"),
        ("Heading 1", "Pay"),
        ("Normal", "Paid monthly. Rounded once."),
        ("List Bullet", "one"),
        ("List Bullet", "two"),
    ]
    assert [[cell.text for cell in row.cells] for row in document.tables[0].rows] == [
        ["Code", "Meaning"],
        ["LONG", "Too long"],
    ]
    assert (document.core_properties.title, document.sections[0].header.paragraphs[0].text) == (
        "Rules",
        "Payroll\t\t2026",
    )


def test_a_mail_that_was_sent_is_answered_by_its_id(tmp_path: Path) -> None:
    ada, bo = Person("Ada", "Berg", "ada@a.example"), Person("Bo", "Lind", "bo@a.example")
    asked = send_mail(tmp_path / "1.eml", ada, bo, "Room", "Which one?", NOW)
    send_mail(tmp_path / "2.eml", bo, ada, "Re: Room", "The hall.", NOW, cc=["all@a.example"], answers=asked)
    first, second = (
        email.message_from_bytes((tmp_path / name).read_bytes(), policy=default) for name in ("1.eml", "2.eml")
    )
    assert (first["From"], first["To"]) == ("Ada Berg <ada@a.example>", "Bo Lind <bo@a.example>")
    assert (second["In-Reply-To"], second["Cc"]) == (first["Message-ID"], "all@a.example")


def test_numbers_days_and_times_are_spelled_in_many_ways() -> None:
    assert (format_english(1234.5), format_german(1234.5), format_spaced(1234.5)) == (
        "1,234.50",
        "1.234,50",
        "1 234,50",
    )
    assert (format_clock(425), format_clock(1445)) == ("07:05", "00:05")
    assert in_words(APRIL) == "1 April 2026"


def test_an_invoice_prints_the_total_that_it_knows() -> None:
    rng = random.Random(4)
    invoice = Invoice(make_companies(rng, 1)[0], "RG-00017", APRIL, some_items(rng))
    text, copy = (
        pypdfium2.PdfDocument(invoice.print_sheet(("A",), "%d.%m.%Y", is_copy=is_copy).bytes())[0].get_textpage()
        for is_copy in (False, True)
    )
    assert format_english(invoice.total / 100) in text.get_text_bounded()
    assert "Due: 01.05.2026" in text.get_text_bounded()
    assert "COPY" in copy.get_text_bounded()


def test_a_statement_counts_its_entries_and_closes_with_what_is_left(tmp_path: Path) -> None:
    bookings = [Booking(APRIL, "Łódź Ltd", "rent", -120_050), Booking(APRIL, "Alder AB", "RETURNED", 100)]
    save_statement(tmp_path / "bank.csv", bookings, opening_cents=500_000, first=7)
    rows = list(csv.reader((tmp_path / "bank.csv").read_text("cp1252").splitlines(), delimiter=";"))
    assert rows[1] == ["7", "01.04.2026", "?ód? Ltd", "rent", "-1.200,50"]
    assert rows[-1] == ["", "", "", "Closing balance", "3.800,50"]


@pytest.mark.parametrize("cents", [120_050, 1112, 77_777, 9])
def test_a_slip_of_digits_is_another_number_of_as_many_digits(cents: int) -> None:
    slip = digits_swapped(cents)
    assert slip != cents
    assert len(str(slip)) == len(str(cents)) or cents == 9


@pytest.mark.parametrize("form", get_args(Form))
def test_a_timesheet_of_any_month_states_its_days_and_its_sum(form: Form, tmp_path: Path) -> None:
    days = [Day(day, 480, 990, 30) for day in workdays_of(APRIL)]
    Timesheet("Ada Berg", 1234, APRIL, days, sum_minutes(days)).save(tmp_path / "sheet.xlsx", form, NOW)
    book = openpyxl.load_workbook(tmp_path / "sheet.xlsx")
    sheet: Any = book["April"] if "April" in book.sheetnames else book.worksheets[0]
    cells = [cell for row in sheet.iter_rows(values_only=True) for cell in row if cell is not None]
    stated = {"decimal": "176,00", "duration": "176:00"}.get(form, 176)
    assert stated in cells
    worked = {"clock": datetime.time(16, 30), "decimal": "8,00", "duration": "8:00", "split": "16:30", "grid": 480}
    assert cells.count(worked[form]) == len(days) == 22


def test_an_empty_form_has_a_line_for_each_day_and_states_nothing(tmp_path: Path) -> None:
    save_blank(tmp_path / "blank.xlsx", APRIL, NOW)
    rows = list(openpyxl.load_workbook(tmp_path / "blank.xlsx").worksheets[0].iter_rows(values_only=True))
    assert sum(isinstance(row[0], datetime.datetime) for row in rows) == 30
    assert rows[-1] == ("Total hours", None, None, None, None)


def test_a_night_shift_counts_on_the_day_it_begins_and_rests_before_the_next() -> None:
    night = Day(APRIL, 1320, 1815, 30)
    morning = Day(APRIL + datetime.timedelta(days=1), 480, 960, 30)
    assert (night.net, night.night) == (465, 480)
    assert night.strip_times().night == 0
    assert morning.rest_after(night) == 105
