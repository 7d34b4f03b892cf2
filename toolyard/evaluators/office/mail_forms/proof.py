"""Solutions and near misses of office/mail_forms."""

import datetime
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from toolyard.evaluators.office.mail_forms.reading import forms_by_number, rows_of, values_of
from toolyard.evaluators.office.sheet_layout import format_sheets
from toolyard.evaluators.proof import Agent, Solved, killed_by

BLANK = "forms/registration_2026.pdf"
OVERVIEW = "registrations/overview.xlsx"
HEADER = ["No.", "Name", "Company", "Arrival", "Departure", "Ticket", "Parking"]


def solve(agent: Agent) -> str:
    """Read the mails in the order of their dates, fill in the forms, look at them, and write the overview."""
    forms = forms_by_number(agent)
    for number, form in forms.items():
        agent.call("fill_pdf_form", path=BLANK, target=_path(number), values=values_of(number, form))
        agent.call("show_pdf_page", path=_path(number), page=1, dpi=60)
    rows = rows_of(forms)
    agent.call("write_cells", path=OVERVIEW, sheet="Participants", rows=[HEADER, *rows])
    format_sheets(agent, OVERVIEW, "Participants", left="D:E")
    return _answer(rows)


def also_copied_first_and_saved_by_another_program(agent: Agent, files: Path) -> str:
    """Copies of the form, address broken elsewhere, saved again by pikepdf; the overview by openpyxl."""
    import openpyxl
    import pikepdf

    forms = forms_by_number(agent)
    for number, form in forms.items():
        values = values_of(number, form)
        if values["address3"] is None and values["address2"] is None:
            street, _, rest = str(values["address1"]).partition(", ")
            values |= {"address1": f"{street},", "address2": rest}
        agent.call("copy_path", source=BLANK, target=_path(number))
        agent.call("fill_pdf_form", path=_path(number), values=values)
        with pikepdf.open(files / _path(number), allow_overwriting_input=True) as opened:
            opened.save(files / _path(number))
        agent.call("render_pages", path=_path(number), pages="1")
    book = openpyxl.Workbook()
    book.worksheets[0].title = "Participants"
    rows = rows_of(forms)
    for row in [HEADER, *[[datetime.date.fromisoformat(c) if re.match(r"2026-", c) else c for c in r] for r in rows]]:
        book.worksheets[0].append(row)
    book.save(files / OVERVIEW)
    return f"We need so many parking spaces:\n{_answer(rows)}"


def also_overview_first_and_forms_in_two_steps(agent: Agent, _files: Path) -> str:
    """The boxes first, the lines later."""
    forms = forms_by_number(agent)
    rows = rows_of(forms)
    agent.call("write_cells", path=OVERVIEW, sheet="Participants", rows=[HEADER, *rows])
    for number, form in reversed(forms.items()):
        values = values_of(number, form)
        boxes = {name: values.pop(name) for name in ("ticket", "parking", "vegetarian", "access", "language")}
        agent.call("fill_pdf_form", path=BLANK, target=_path(number), values=boxes)
        agent.call("fill_pdf_form", path=_path(number), values=values)
        agent.call("render_contact_sheet", path=_path(number))
    return _answer(rows)


def also_pictures_left_to_the_viewer(agent: Agent, files: Path) -> str:
    """The values are stored without pictures, and the file asks whoever shows it to draw them; days spelled out."""
    import openpyxl
    import pikepdf

    answer = solve(agent)
    for path in sorted((files / "registrations").glob("FA-2026-*.pdf")):
        with pikepdf.open(path, allow_overwriting_input=True) as opened:
            opened.Root.AcroForm.NeedAppearances = True
            for field in opened.Root.AcroForm.Fields:
                if str(field.get("/FT", "")) in ("/Tx", "/Ch"):
                    del field.AP
            opened.save(path)
    book = openpyxl.load_workbook(files / OVERVIEW)
    for row in book["Participants"].iter_rows(min_row=2, min_col=4, max_col=5):
        for cell in row:
            cell.number_format = "ddd, d mmmm yyyy"
    book.save(files / OVERVIEW)
    return answer


@killed_by("fits")
def miss_long_address_in_one_line(work: Solved) -> None:
    """The lines of the address stand in the first field, which cuts them off; nothing else is wrong."""

    def change(fields: Mapping[str, Any]) -> None:
        whole = " ".join(str(fields[name].get("/V", "")) for name in ("address1", "address2", "address3"))
        _draw(fields["address1"], whole)
        for name in ("address2", "address3"):
            _draw(fields[name], "")

    _edit(work, work.facts["long"], change)


@killed_by("address", "fits")
def miss_address_without_its_end(work: Solved) -> None:
    """Only what fits the first line was entered."""

    def change(fields: Mapping[str, Any]) -> None:
        for name in ("address2", "address3"):
            _draw(fields[name], "")

    _edit(work, work.facts["long"], change)


@killed_by("fits")
def miss_word_broken_between_lines(work: Solved) -> None:
    """The second line begins in the middle of a word."""

    def change(fields: Mapping[str, Any]) -> None:
        first, second = str(fields["address1"].V), str(fields["address2"].V)
        _draw(fields["address1"], first[:-3])
        _draw(fields["address2"], f"{first[-3:]} {second}"[:50])

    _edit(work, work.facts["long"], change)


@killed_by("fits")
def miss_value_that_is_not_drawn(work: Solved) -> None:
    """The value is stored, the field shows another one."""
    _edit(work, next(iter(work.facts["forms"])), lambda fields: _draw(fields["phone"], "+00 000", stored=False))


@killed_by("days")
def miss_correction_overlooked(work: Solved) -> None:
    """A day of arrival is another one."""
    _edit(work, next(iter(work.facts["forms"])), lambda fields: _draw(fields["arrival"], "2026-04-12"))


@killed_by("person")
def miss_address_of_the_assistant(work: Solved) -> None:
    """The mail's sender stands in the form."""

    def change(fields: Mapping[str, Any]) -> None:
        _draw(fields["email"], f"office@{str(fields['email'].V).split('@')[1]}")

    _edit(work, next(iter(work.facts["forms"])), change)


@killed_by("choices")
def miss_every_box_ticked(work: Solved) -> None:
    """All boxes are on in the forms where one was off."""
    import pikepdf

    def change(fields: Mapping[str, Any]) -> None:
        for name in ("parking", "vegetarian", "access"):
            fields[name].V = fields[name].AS = pikepdf.Name("/Yes")

    for number, form in work.facts["forms"].items():
        if not (form["parking"] and form["vegetarian"] and form["access"]):
            _edit(work, number, change)


@killed_by("form")
def miss_forms_flattened(work: Solved) -> None:
    """A form cannot be filled in any more."""
    import pikepdf

    path = work.files / _path(next(iter(work.facts["forms"])))
    with pikepdf.open(path, allow_overwriting_input=True) as opened:
        for field in opened.Root.AcroForm.Fields:
            field.Ff = int(field.get("/Ff", 0)) | 1
        opened.save(path)


@killed_by("others")
def miss_form_for_who_withdrew(work: Solved) -> None:
    """The withdrawn registration has a form, too."""
    source = work.files / _path(next(iter(work.facts["forms"])))
    (work.files / _path(work.facts["withdrawn"])).write_bytes(source.read_bytes())


@killed_by("overview")
def miss_days_as_text(work: Solved) -> None:
    """The overview has texts in place of days."""
    import openpyxl

    book = openpyxl.load_workbook(work.files / OVERVIEW)
    for row in book["Participants"].iter_rows(min_row=2, min_col=4, max_col=5):
        for cell in row:
            cell.value, cell.number_format = cell.value.date().isoformat(), "@"
    book.save(work.files / OVERVIEW)


@killed_by("looked")
def miss_nobody_looked(work: Solved) -> None:
    """The forms were never looked at."""
    work.calls = [call for call in work.calls if not call["media"]]


@killed_by("choices")
def miss_box_that_looks_ticked(work: Solved) -> None:
    """The value of a box is off, its picture shows the tick."""
    import pikepdf

    _tick(work, lambda field: (field.__setattr__("V", pikepdf.Name.Off), field.__setattr__("AS", pikepdf.Name.Yes)))


@killed_by("choices")
def miss_box_ticked_but_not_shown(work: Solved) -> None:
    """The value of a box is on, its picture is empty."""
    import pikepdf

    _tick(work, lambda field: (field.__setattr__("V", pikepdf.Name.Yes), field.__setattr__("AS", pikepdf.Name.Off)))


@killed_by("choices")
def miss_all_tickets_marked(work: Solved) -> None:
    """The ticket is stored rightly, but all of the three are marked."""
    import pikepdf

    def change(fields: Mapping[str, Any]) -> None:
        for place in fields["ticket"].Kids:
            place.AS = pikepdf.Name(next(state for state in place.AP.N if state != "/Off"))

    _edit(work, work.facts["long"], change)


@killed_by("fits")
def miss_language_shown_otherwise(work: Solved) -> None:
    """The list of languages shows another one than it holds."""
    _edit(work, work.facts["long"], lambda fields: _draw(fields["language"], "Latin", stored=False))


@killed_by("fits")
def miss_value_in_white(work: Solved) -> None:
    """A phone number is there and cannot be seen."""

    def change(fields: Mapping[str, Any]) -> None:
        _draw(fields["phone"], str(fields["phone"].V), set_in=b"1 1 1 rg /Helv 10 Tf")

    _edit(work, work.facts["long"], change)


@killed_by("fits")
def miss_long_address_set_smaller(work: Solved) -> None:
    """The whole address stands on one line, in letters that nobody reads."""

    def change(fields: Mapping[str, Any]) -> None:
        _draw(fields["address1"], work.facts["forms"][work.facts["long"]]["address"], set_in=b"/Helv 3.4 Tf")
        for name in ("address2", "address3"):
            _draw(fields[name], "")

    _edit(work, work.facts["long"], change)


@killed_by("address")
def miss_commas_left_out(work: Solved) -> None:
    """Street, town and country run together."""

    def change(fields: Mapping[str, Any]) -> None:
        for name in ("address1", "address2", "address3"):
            _draw(fields[name], str(fields[name].get("/V", "")).replace(",", ""))

    _edit(work, work.facts["long"], change)


@killed_by("form")
def miss_line_made_longer(work: Solved) -> None:
    """The form was changed so that the address fits."""

    def change(fields: Mapping[str, Any]) -> None:
        fields["address1"].Rect = [20, fields["address1"].Rect[1], 560, fields["address1"].Rect[3]]

    _edit(work, work.facts["long"], change)


@killed_by("form")
def miss_something_drawn_on_the_form(work: Solved) -> None:
    """A red box stands on a form."""
    _open(work, lambda opened: opened.pages[0].contents_add(b"q 1 0 0 rg 300 20 80 40 re f Q", prepend=False))


@killed_by("form")
def miss_box_taken_off_the_page(work: Solved) -> None:
    """A box is a field still, but stands on no page."""
    import pikepdf

    def change(opened: Any) -> None:
        page = opened.pages[0].obj
        page.Annots = pikepdf.Array([annot for annot in page.Annots if str(annot.get("/T", "")) != "access"])

    _open(work, change)


@killed_by("form")
def miss_form_locked(work: Solved) -> None:
    """A form forbids that it is filled in."""
    import pikepdf

    path = work.files / _path(work.facts["long"])
    closed = pikepdf.Encryption(owner="x", user="", allow=pikepdf.Permissions(modify_form=False))
    with pikepdf.open(path, allow_overwriting_input=True) as opened:
        opened.save(path, encryption=closed)


@killed_by("overview")
def miss_second_sheet(work: Solved) -> None:
    """The overview has one more sheet."""
    _relist(work, lambda book: book.create_sheet("Notes"))


@killed_by("overview")
def miss_column_hidden(work: Solved) -> None:
    """Nobody sees who wants to park."""
    _relist(work, lambda book: book["Participants"].column_dimensions["G"].__setattr__("hidden", True))


@killed_by("overview")
def miss_days_shown_as_months(work: Solved) -> None:
    """The days of arrival are real dates and look like April."""
    _relist(work, lambda book: [cell.__setattr__("number_format", "mmmm") for cell in book["Participants"]["D"][1:]])


@killed_by("answer")
def miss_everybody_counted(work: Solved) -> None:
    """One more than needed."""
    work.answer = str(work.facts["parking"] + 1)


def _path(number: str) -> str:
    return f"registrations/{number}.pdf"


def _edit(work: Solved, number: str, change: Callable[[Mapping[str, Any]], object]) -> None:
    import pikepdf

    path = work.files / _path(number)
    with pikepdf.open(path, allow_overwriting_input=True) as opened:
        change({str(field.get("/T", "")): field for field in opened.Root.AcroForm.Fields})
        opened.save(path)


def _open(work: Solved, change: Callable[[Any], object]) -> None:
    import pikepdf

    path = work.files / _path(work.facts["long"])
    with pikepdf.open(path, allow_overwriting_input=True) as opened:
        change(opened)
        opened.save(path)


def _tick(work: Solved, change: Callable[[Any], object]) -> None:
    """Change a box that nobody asked for."""
    boxes = ("parking", "vegetarian", "access")
    number, box = next((n, box) for n, form in work.facts["forms"].items() for box in boxes if not form[box])
    _edit(work, number, lambda fields: change(fields[box]))


def _relist(work: Solved, change: Callable[[Any], object]) -> None:
    import openpyxl

    book = openpyxl.load_workbook(work.files / OVERVIEW)
    change(book)
    book.save(work.files / OVERVIEW)


def _draw(field: Any, text: str, *, stored: bool = True, set_in: bytes = b"/Helv 10 Tf") -> None:
    """Give a field a value and the appearance that it has in most programs: one line in Helvetica, clipped."""
    import pikepdf

    box = [float(side) for side in field.Rect]
    font = pikepdf.Dictionary(
        Type=pikepdf.Name.Font,
        Subtype=pikepdf.Name.Type1,
        BaseFont=pikepdf.Name.Helvetica,
        Encoding=pikepdf.Name.WinAnsiEncoding,
    )
    said = text.encode("cp1252", "replace").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
    look = field.AP.N
    look.BBox = [0, 0, box[2] - box[0], box[3] - box[1]]
    look.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(Helv=font))
    look.write(b"/Tx BMC q BT " + set_in + b" 2 5 Td (" + said + b") Tj ET Q EMC")
    if stored:
        field.V = pikepdf.String(text)


def _answer(rows: list[list[str]]) -> str:
    return str(sum(row[-1] == "yes" for row in rows))
