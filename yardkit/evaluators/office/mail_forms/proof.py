"""Solutions and near misses of office/mail_forms."""

import datetime
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.office.mail_forms.reading import forms_by_number, rows_of, values_of
from yardkit.evaluators.proof import Agent, Solved, caught_by_leaf
from yardkit.evaluators.solving.sheet_layout import format_sheets

BLANK = "forms/registration_2026.pdf"
OVERVIEW = "registrations/overview.xlsx"
HEADER = ["No.", "Name", "Company", "Arrival", "Departure", "Ticket", "Parking"]


def solve(agent: Agent) -> str:
    """Read the mails in the order of their dates, fill in the forms, look at them, and write the overview."""
    forms = forms_by_number(agent)
    for number, form in forms.items():
        agent.call("fill_pdf_form", path=BLANK, target=_make_path(number), values=values_of(number, form))
        agent.call("show_pdf_page", path=_make_path(number), page=1, dpi=60)
    rows = rows_of(forms)
    agent.call("write_cells", path=OVERVIEW, sheet="Participants", rows=[HEADER, *rows])
    format_sheets(agent, OVERVIEW, "Participants", left="D:E")
    return _count_overview(rows)


def alternative_copied_first_and_saved_by_another_program(agent: Agent, files: Path) -> str:
    """Copies of the form, address broken elsewhere, saved again by pikepdf; the overview by openpyxl."""
    import openpyxl
    import pikepdf

    forms = forms_by_number(agent)
    for number, form in forms.items():
        values = values_of(number, form)
        if values["address3"] is None and values["address2"] is None:
            street, _, rest = str(values["address1"]).partition(", ")
            values |= {"address1": f"{street},", "address2": rest}
        agent.call("copy_path", source=BLANK, target=_make_path(number))
        agent.call("fill_pdf_form", path=_make_path(number), values=values)
        with pikepdf.open(files / _make_path(number), allow_overwriting_input=True) as opened:
            opened.save(files / _make_path(number))
        agent.call("render_pages", path=_make_path(number), pages="1")
    book = openpyxl.Workbook()
    book.worksheets[0].title = "Participants"
    rows = rows_of(forms)
    for row in [HEADER, *[[datetime.date.fromisoformat(c) if re.match(r"2026-", c) else c for c in r] for r in rows]]:
        book.worksheets[0].append(row)
    book.save(files / OVERVIEW)
    return f"We need so many parking spaces:\n{_count_overview(rows)}"


def alternative_overview_first_and_forms_in_two_steps(agent: Agent, _files: Path) -> str:
    """The boxes first, the lines later."""
    forms = forms_by_number(agent)
    rows = rows_of(forms)
    agent.call("write_cells", path=OVERVIEW, sheet="Participants", rows=[HEADER, *rows])
    for number, form in reversed(forms.items()):
        values = values_of(number, form)
        boxes = {name: values.pop(name) for name in ("ticket", "parking", "vegetarian", "access", "language")}
        agent.call("fill_pdf_form", path=BLANK, target=_make_path(number), values=boxes)
        agent.call("fill_pdf_form", path=_make_path(number), values=values)
        agent.call("render_contact_sheet", path=_make_path(number))
    return _count_overview(rows)


def alternative_pictures_left_to_the_viewer(agent: Agent, files: Path) -> str:
    """The values are stored without pictures, and the file asks whoever shows it to draw them; days spelled out."""
    import pikepdf

    answer = solve(agent)
    for path in sorted((files / "registrations").glob("FA-2026-*.pdf")):
        with pikepdf.open(path, allow_overwriting_input=True) as pdf:
            pdf.Root.AcroForm.NeedAppearances = True
            for field in pdf.Root.AcroForm.Fields:
                if str(field.get("/FT", "")) in ("/Tx", "/Ch"):
                    del field.AP
            pdf.save(path)
    with open_edited(files / OVERVIEW) as book:
        for row in book["Participants"].iter_rows(min_row=2, min_col=4, max_col=5):
            for cell in row:
                cell.number_format = "ddd, d mmmm yyyy"
    return answer


def _make_path(number: str) -> str:
    return f"registrations/{number}.pdf"


def _find_longest_form(work: Solved) -> str:
    """The form with the longest address."""
    return _make_path(work.facts["long"])


def _find_first_form(work: Solved) -> str:
    return _make_path(next(iter(work.facts["forms"])))


def _edit_form(work: Solved, path: str, change: Callable[[Mapping[str, Any]], object]) -> None:
    """Change the fields of a form, by name."""
    with open_edited(work.files / path) as form:
        change({str(field.get("/T", "")): field for field in form.Root.AcroForm.Fields})


def _in_long(work: Solved, change: Callable[..., object]) -> None:
    _edit_form(work, _find_longest_form(work), change)


def _in_first(work: Solved, change: Callable[..., object]) -> None:
    _edit_form(work, _find_first_form(work), change)


def _change_tick(work: Solved, change: Callable[[Any], object]) -> None:
    """Change a box that nobody asked for."""
    boxes = ("parking", "vegetarian", "access")
    number, box = next((n, box) for n, form in work.facts["forms"].items() for box in boxes if not form[box])
    _edit_form(work, _make_path(number), lambda fields: change(fields[box]))


@misses.edits_by(_in_long, caught_by="fits")
def near_miss_long_address_in_one_line(fields: Any) -> None:
    """The lines of the address stand in the first field, which cuts them off; nothing else is wrong."""
    address_text = " ".join(str(fields[name].get("/V", "")) for name in ("address1", "address2", "address3"))
    _draw_value(fields["address1"], address_text)
    for name in ("address2", "address3"):
        _draw_value(fields[name], "")


@misses.edits_by(_in_long, caught_by=("address", "fits"))
def near_miss_address_without_its_end(fields: Any) -> None:
    for name in ("address2", "address3"):
        _draw_value(fields[name], "")


@misses.edits_by(_in_long, caught_by="fits")
def near_miss_word_broken_between_lines(fields: Any) -> None:
    first, second = str(fields["address1"].V), str(fields["address2"].V)
    _draw_value(fields["address1"], first[:-3])
    _draw_value(fields["address2"], f"{first[-3:]} {second}"[:50])


near_miss_value_that_is_not_drawn = misses.edits_by(_in_first, caught_by="fits")(
    lambda fields: _draw_value(fields["phone"], "+00 000", stored=False)
)
near_miss_correction_overlooked = misses.edits_by(_in_first, caught_by="days")(
    lambda fields: _draw_value(fields["arrival"], "2026-04-12")
)
near_miss_address_of_the_assistant = misses.edits_by(_in_first, caught_by="person")(
    lambda fields: _draw_value(fields["email"], f"office@{str(fields['email'].V).split('@')[1]}")
)


@caught_by_leaf("choices")
def near_miss_every_box_ticked(work: Solved) -> None:
    import pikepdf

    def change(fields: Mapping[str, Any]) -> None:
        for name in ("parking", "vegetarian", "access"):
            fields[name].V = fields[name].AS = pikepdf.Name("/Yes")

    for number, form in work.facts["forms"].items():
        if not (form["parking"] and form["vegetarian"] and form["access"]):
            _edit_form(work, _make_path(number), change)


@misses.make_edit_decorator(_find_first_form, caught_by="form")
def near_miss_forms_flattened(form: Any) -> None:
    for field in form.Root.AcroForm.Fields:
        field.Ff = int(field.get("/Ff", 0)) | 1


@caught_by_leaf("others")
def near_miss_form_for_who_withdrew(work: Solved) -> None:
    source = work.files / _find_first_form(work)
    (work.files / _make_path(work.facts["withdrawn"])).write_bytes(source.read_bytes())


@misses.make_edit_decorator(OVERVIEW, caught_by="overview")
def near_miss_days_as_text(book: Any) -> None:
    for row in book["Participants"].iter_rows(min_row=2, min_col=4, max_col=5):
        for cell in row:
            cell.value, cell.number_format = cell.value.date().isoformat(), "@"


near_miss_nobody_looked = misses.never_looked()


@misses.edits_by(_change_tick, caught_by="choices")
def near_miss_box_that_looks_ticked(field: Any) -> None:
    import pikepdf

    field.V, field.AS = pikepdf.Name.Off, pikepdf.Name.Yes


@misses.edits_by(_change_tick, caught_by="choices")
def near_miss_box_ticked_but_not_shown(field: Any) -> None:
    import pikepdf

    field.V, field.AS = pikepdf.Name.Yes, pikepdf.Name.Off


@misses.edits_by(_in_long, caught_by="choices")
def near_miss_all_tickets_marked(fields: Any) -> None:
    import pikepdf

    for place in fields["ticket"].Kids:
        place.AS = pikepdf.Name(next(state for state in place.AP.N if state != "/Off"))


near_miss_language_shown_otherwise = misses.edits_by(_in_long, caught_by="fits")(
    lambda fields: _draw_value(fields["language"], "Latin", stored=False)
)
near_miss_value_in_white = misses.edits_by(_in_long, caught_by="fits")(
    lambda fields: _draw_value(fields["phone"], str(fields["phone"].V), set_in=b"1 1 1 rg /Helv 10 Tf")
)


@misses.edits_by(_in_long, caught_by="fits")
def near_miss_long_address_set_smaller(fields: Any, work: Solved) -> None:
    """The whole address stands on one line, in letters that nobody reads."""
    _draw_value(fields["address1"], work.facts["forms"][work.facts["long"]]["address"], set_in=b"/Helv 3.4 Tf")
    for name in ("address2", "address3"):
        _draw_value(fields[name], "")


@misses.edits_by(_in_long, caught_by="address")
def near_miss_commas_left_out(fields: Any) -> None:
    for name in ("address1", "address2", "address3"):
        _draw_value(fields[name], str(fields[name].get("/V", "")).replace(",", ""))


@misses.edits_by(_in_long, caught_by="form")
def near_miss_line_made_longer(fields: Any) -> None:
    fields["address1"].Rect = [20, fields["address1"].Rect[1], 560, fields["address1"].Rect[3]]


near_miss_something_drawn_on_the_form = misses.edit_file(
    _find_longest_form,
    lambda form: form.pages[0].contents_add(b"q 1 0 0 rg 300 20 80 40 re f Q", prepend=False),
    "form",
)


@misses.make_edit_decorator(_find_longest_form, caught_by="form")
def near_miss_box_taken_off_the_page(form: Any) -> None:
    import pikepdf

    page = form.pages[0].obj
    page.Annots = pikepdf.Array([annot for annot in page.Annots if str(annot.get("/T", "")) != "access"])


@caught_by_leaf("form")
def near_miss_form_locked(work: Solved) -> None:
    import pikepdf

    path = work.files / _find_longest_form(work)
    closed = pikepdf.Encryption(owner="x", user="", allow=pikepdf.Permissions(modify_form=False))
    with pikepdf.open(path, allow_overwriting_input=True) as opened:
        opened.save(path, encryption=closed)


near_miss_second_sheet = misses.edit_file(OVERVIEW, lambda book: book.create_sheet("Notes"), "overview")
near_miss_column_hidden = misses.set_attributes(
    OVERVIEW, lambda book: book["Participants"].column_dimensions["G"], "overview", hidden=True
)
near_miss_days_shown_as_months = misses.set_attributes(
    OVERVIEW, lambda book: list(book["Participants"]["D"][1:]), "overview", number_format="mmmm"
)
near_miss_everybody_counted = misses.change_answer(lambda work: work.facts["parking"] + 1)


def _draw_value(field: Any, text: str, *, stored: bool = True, set_in: bytes = b"/Helv 10 Tf") -> None:
    """Give a field a value and the appearance that it has in most programs: one line in Helvetica, clipped."""
    import pikepdf

    box = [float(side) for side in field.Rect]
    font = pikepdf.Dictionary(
        Type=pikepdf.Name.Font,
        Subtype=pikepdf.Name.Type1,
        BaseFont=pikepdf.Name.Helvetica,
        Encoding=pikepdf.Name.WinAnsiEncoding,
    )
    encoded_text = text.encode("cp1252", "replace").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
    look = field.AP.N
    look.BBox = [0, 0, box[2] - box[0], box[3] - box[1]]
    look.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(Helv=font))
    look.write(b"/Tx BMC q BT " + set_in + b" 2 5 Td (" + encoded_text + b") Tj ET Q EMC")
    if stored:
        field.V = pikepdf.String(text)


def _count_overview(rows: list[list[str]]) -> str:
    return str(sum(row[-1] == "yes" for row in rows))
