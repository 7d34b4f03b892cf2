"""Solutions and near misses of office/redaction_release."""

import re
import shutil
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.misses.edits import make_miss
from yardkit.evaluators.office.redaction_release.editing import (
    WHOLE_PAGE,
    cover_boxes,
    edit_dossier,
    find_field,
    paint_original_part,
    place_of_field,
    places_of,
    put_original,
)
from yardkit.evaluators.proof import Agent, Solved, caught_by_leaf

LIST = "release/private_persons.xlsx"
LOG = "release/redaction_log.xlsx"


def solve(agent: Agent) -> str:
    """Read the scan into text, empty the fields, redact all terms, look, and write the log."""
    dossier, public = _find_paths(agent)
    agent.call("add_pdf_text_layer", path=dossier, target=public)
    pages = _read_pages(agent, public)
    _empty_fields(agent, public)
    words, patterns = _collect_terms(agent, pages)
    agent.call("redact_pdf", path=public, terms=words, patterns=patterns)
    agent.call("show_pdf_page", path=public, page=_scan_page(agent, dossier), dpi=60)
    rows = _build_rows(agent, pages)
    agent.call("write_cells", path=LOG, sheet="Log", rows=[["No.", "Pages"], *rows], dates=False)
    return f"The public version is ready.\n\n{_count_pages(rows)}"


def alternative_in_two_rounds_and_saved_by_another_program(agent: Agent, files: Path) -> str:
    """Numbers and addresses first, names later, and the file saved again by pikepdf, plainly; the log by openpyxl.

    In a file that is saved to be read by people the lengths of streams are objects of their own.
    """
    import openpyxl
    import pikepdf

    dossier, public = _find_paths(agent)
    agent.call("add_pdf_text_layer", path=dossier, target=public, pages=str(_scan_page(agent, dossier)))
    pages = _read_pages(agent, public)
    words, patterns = _collect_terms(agent, pages)
    _empty_fields(agent, public)
    agent.call("redact_pdf", path=public, patterns=patterns, color="#777777")
    agent.call("redact_pdf", path=public, terms=words)
    with pikepdf.open(files / public, allow_overwriting_input=True) as opened:
        opened.save(files / public, qdf=True)
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Log"
    rows = _build_rows(agent, pages)
    for row in [["No.", "Pages"], *rows]:
        sheet.append(row)
    book.save(files / LOG)
    return f"**{_count_pages(rows)}**"


def alternative_piece_by_piece_with_comments_deleted(agent: Agent, _files: Path) -> str:
    """Comments, keywords, bookmarks and attached files are settled one by one before the pages."""
    dossier, public = _find_paths(agent)
    agent.call("add_pdf_text_layer", path=dossier, target=public)
    pages = _read_pages(agent, public)
    words, patterns = _collect_terms(agent, pages)
    private = re.compile("|".join([*map(re.escape, words), *patterns]), re.IGNORECASE)
    notes = agent.call("list_pdf_items", path=public, what="annotations")["items"]
    agent.call("annotate_pdf", path=public, delete=[note["id"] for note in notes if private.search(note["text"])])
    agent.call("set_pdf_metadata", path=public, properties={"keywords": "", "subject": ""})
    marks = agent.call("list_pdf_items", path=public, what="outline")["items"]
    entries = [
        {"title": private.sub("a witness", mark["text"]), "page": mark["to_page"], "level": mark.get("level", 1)}
        for mark in marks
    ]
    agent.call("set_pdf_outline", path=public, entries=entries)
    agent.call("attach_pdf_files", path=public, delete=["witnesses.csv"])
    _empty_fields(agent, public)
    agent.call("redact_pdf", path=public, terms=words, patterns=patterns)
    rows = [[str(number), pages.replace(", ", ",")] for number, pages in _build_rows(agent, pages)]
    agent.call("write_cells", path=LOG, sheet="Log", rows=[["No.", "Pages"], *rows], dates=False)
    return str(_count_pages(rows))


def alternative_numbers_as_numbers_in_a_linearized_file(agent: Agent, files: Path) -> str:
    """The file is made for the web; a page number that stands alone is a number, the numbers of persons are text."""
    import pikepdf

    answer = solve(agent)
    _, public = _find_paths(agent)
    with pikepdf.open(files / public, allow_overwriting_input=True) as pdf:
        pdf.save(files / public, linearize=True)
    with open_edited(files / LOG) as book:
        for number, pages in book["Log"].iter_rows(min_row=2, max_col=2):
            number.value = str(number.value)
            pages.value = int(pages.value) if str(pages.value).isdigit() else pages.value
    return answer


in_dossier = partial(misses.edits_by, edit_dossier)
in_log = misses.InSheet(LOG, "Log")


def _make_cover(number: int, *boxes_mm: list[float]) -> Callable[[Any, Any], None]:
    """Lay black boxes over a page, counted from 1."""
    return lambda public, _original: cover_boxes(public, number, boxes_mm)


def _get_scan_page(work: Solved) -> int:
    return int(work.facts["scan"]["page"])


near_miss_dossier_copied = make_miss(
    ("gone", "nowhere", "emptied"),
    lambda work: shutil.copyfile(work.files / work.facts["file"], work.files / work.facts["public"]),
)
near_miss_dossier_redacted_itself = make_miss(
    "others", lambda work: shutil.copyfile(work.files / work.facts["public"], work.files / work.facts["file"])
)
near_miss_scanned_page_as_it_was = in_dossier(caught_by="scan")(
    lambda public, original, work: put_original(public, original, _get_scan_page(work))
)
near_miss_lines_of_the_scanned_page_taken_out = in_dossier(caught_by="scan")(
    lambda public, _, work: cover_boxes(public, _get_scan_page(work), [[22, 94, 195, 118]])
)
near_miss_keywords_kept = in_dossier(caught_by="nowhere")(
    lambda public, original: public.docinfo.update({"/Keywords": str(original.docinfo["/Keywords"])})
)
near_miss_keywords_in_capitals = in_dossier(caught_by="nowhere")(
    lambda public, _, work: public.docinfo.update({"/Keywords": work.facts["names"][0].upper()})
)
near_miss_half_a_page_covered = in_dossier(caught_by="text")(_make_cover(5, [20, 40, 190, 90]))
near_miss_picture_of_the_page_as_it_was = in_dossier(caught_by="gone")(
    lambda public, _, work: paint_original_part(work, public, 4, WHOLE_PAGE)
)
near_miss_attached_log_emptied = in_dossier(caught_by="rest")(
    lambda public, _: public.attachments.__setitem__("belt_log.csv", b"hour,tonnes\n")
)
near_miss_comments_in_the_log = in_log.edit_sheet(
    lambda sheet: setattr(sheet["B2"], "value", f"{sheet['B2'].value}, 12"), caught_by="rows"
)
near_miss_names_in_the_log = in_log.edit_sheet(
    lambda sheet, work: setattr(sheet["D2"], "value", work.facts["names"][0]), caught_by="clean"
)
near_miss_initials_in_the_log = in_log.edit_sheet(
    lambda sheet: setattr(sheet["C2"], "value", "A. S."), caught_by="rows"
)
near_miss_second_sheet_in_the_log = in_log.edit_sheet(
    lambda sheet: sheet.parent.create_sheet("Notes"), caught_by="rows"
)
near_miss_all_pages_counted = misses.change_answer(lambda _: "11")


@in_dossier(caught_by="scan")
def near_miss_scanned_page_covered_only(public: Any, original: Any, work: Solved) -> None:
    """Black boxes lie over the names of the scanned page; the picture below still shows them."""
    put_original(public, original, _get_scan_page(work))
    cover_boxes(public, _get_scan_page(work), work.facts["scan"]["private"])


@in_dossier(caught_by="scan")
def near_miss_scan_in_strips_covered_only(public: Any, _original: Any, work: Solved) -> None:
    """The scanned page as it was is put together from strips, with black boxes over the names."""
    for strip in range(4):
        box = (0, 210.5 * strip, 595.28, 210.5 * (strip + 1))
        paint_original_part(work, public, _get_scan_page(work) - 1, box)
    cover_boxes(public, _get_scan_page(work), work.facts["scan"]["private"])


@in_dossier(caught_by=("gone", "nowhere"))
def near_miss_bars_over_the_text(public: Any, original: Any) -> None:
    """A page is covered with black bars, its text is still there."""
    put_original(public, original, 5)
    cover_boxes(public, 5, [[25, 30, 190, 90]])


@in_dossier(caught_by=("nowhere", "rest"))
def near_miss_attached_file_kept(public: Any, original: Any) -> None:
    """The list of witnesses is still attached."""
    public.attachments["witnesses.csv"] = original.attachments["witnesses.csv"].get_file().read_bytes()


@in_dossier(caught_by="nowhere")
def near_miss_name_in_a_comment(public: Any, _original: Any, work: Solved) -> None:
    """A comment still names somebody."""
    import pikepdf

    public.pages[3].obj.Annots[0].Subj = pikepdf.String(f"Letter of {work.facts['names'][0]}")


@in_dossier(caught_by="text")
def near_miss_pages_as_pictures(public: Any, _original: Any) -> None:
    """A page is a picture of itself: safe, but nothing can be searched."""
    del public.pages[7].obj["/Contents"]


@caught_by_leaf("named", "text")
def near_miss_line_of_an_official_removed(work: Solved) -> None:
    """The line about the official of the same surname is gone as well."""
    import pypdfium2

    path = work.files / work.facts["public"]
    opened = pypdfium2.PdfDocument(path.read_bytes())
    page = opened[0]
    for thing in list(page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_TEXT])):
        if thing.get_bounds()[3] < 600:
            page.remove_obj(thing)
    page.gen_content()
    opened.save(path)
    opened.close()


@in_dossier(caught_by="emptied")
def near_miss_place_of_the_interview_emptied(public: Any, _original: Any) -> None:
    """A field without private data was emptied as well."""
    import pikepdf

    find_field(public.Root.AcroForm.Fields, "place").V = pikepdf.String("")


@caught_by_leaf("nowhere")
def near_miss_changes_added_to_the_dossier(work: Solved) -> None:
    """The file begins with the dossier as it was: the program has put its changes at the end."""
    path = work.files / work.facts["public"]
    path.write_bytes((work.files / work.facts["file"]).read_bytes() + b"\n" + path.read_bytes())


@in_dossier(caught_by="gone")
def near_miss_fields_as_pictures(public: Any, _original: Any, work: Solved) -> None:
    """A private field is empty, and below it is a picture of what it showed."""
    paint_original_part(work, public, *place_of_field(public, work.facts["emptied"][0]))


@in_dossier(caught_by="gone")
def near_miss_field_that_shows_the_picture_below_it(public: Any, _original: Any, work: Solved) -> None:
    """An empty field without a ground of its own shows the number that is a picture of the page."""
    name = work.facts["emptied"][1]
    page, box = place_of_field(public, name)
    paint_original_part(work, public, page, box)
    field = find_field(public.pages[page].obj.Annots, name)
    for key in ("/AP", "/MK"):
        if key in field:
            del field[key]


@in_dossier(caught_by="gone")
def near_miss_picture_of_the_page_with_bars(public: Any, _original: Any, work: Solved) -> None:
    """A page is a picture of the one in the dossier, with black bars over what is private."""
    paint_original_part(work, public, 4, WHOLE_PAGE)
    cover_boxes(public, 5, places_of(work, 4))


@in_dossier(caught_by="gone")
def near_miss_first_name_in_a_picture(public: Any, original: Any, work: Solved) -> None:
    """Of the name in a field only the beginning is shown, and that as a picture."""
    name = work.facts["emptied"][0]
    page, (left, bottom, _, top) = place_of_field(public, name)
    first = str(find_field(original.Root.AcroForm.Fields, name).V).split()[0]
    paint_original_part(work, public, page, (left, bottom, left + 4 + 5 * len(first), top))


@in_dossier(caught_by="text")
def near_miss_number_of_the_plant_taken_out(public: Any, _original: Any) -> None:
    """What looks like an ID number and is none is gone as well."""
    import pikepdf

    page = public.pages[1].obj
    for stream in [page.Contents] if isinstance(page.Contents, pikepdf.Stream) else list(page.Contents):
        stream.write(re.sub(rb"\d{4}0314-\d\d", b"", stream.read_bytes()))


@in_dossier(caught_by="rest")
def near_miss_bookmarks_turned_round(public: Any, _original: Any) -> None:
    """The bookmarks stand in another order."""
    with public.open_outline() as outline:
        outline.root.reverse()


@in_dossier(caught_by=("rest", "emptied"))
def near_miss_comment_and_field_hidden(public: Any, _original: Any) -> None:
    """A comment and the place of the interview are in the file and nobody sees them."""
    public.pages[10].obj.Annots[0].F = 2
    find_field(public.Root.AcroForm.Fields, "place").F = 2


@in_dossier(caught_by="rest")
def near_miss_comment_of_its_own(public: Any, _other: Any) -> None:
    """A comment says who has done the work."""
    import pikepdf

    kind = {"Type": pikepdf.Name.Annot, "Subtype": pikepdf.Name.Text, "Rect": [10, 10, 30, 30]}
    note = pikepdf.Dictionary(**kind, Contents=pikepdf.String("Redacted by me"))
    public.pages[3].obj.Annots.append(public.make_indirect(note))


@in_dossier(caught_by="emptied")
def near_miss_private_fields_deleted(public: Any, _original: Any, work: Solved) -> None:
    """The fields are not empty but gone."""
    import pikepdf

    forms = [public.Root.AcroForm, *(page.obj for page in public.pages if "/Annots" in page.obj)]
    for form, key in zip(forms, ("/Fields", *("/Annots",) * (len(forms) - 1)), strict=True):
        others = [field for field in form[key] if str(field.get("/T", "")) not in work.facts["emptied"]]
        form[key] = pikepdf.Array(others)


@in_log.make_edit_decorator(caught_by="rows")
def near_miss_pages_as_a_range(sheet: Any) -> None:
    """Two pages are written as if all between them were meant."""
    cell = next(row[1] for row in sheet.iter_rows(min_row=2) if "," in str(row[1].value))
    cell.value = str(cell.value).replace(", ", "-", 1)


@in_log.make_edit_decorator(caught_by="rows")
def near_miss_pages_in_white(sheet: Any) -> None:
    """The page numbers cannot be seen."""
    from openpyxl.styles import Font

    sheet["B2"].font = Font(color="FFFFFFFF")


def _find_paths(agent: Agent) -> tuple[str, str]:
    return re.findall(r"`(dossier/\S+?)`", agent.prompt)[0], re.findall(r"`(release/public\S+?)`", agent.prompt)[0]


def _read_persons(agent: Agent) -> list[Mapping[str, Any]]:
    return list(agent.call("read_records", path=LIST, sheet="Private persons", range="A3:F200", limit=500)["records"])


def _scan_page(agent: Agent, path: str) -> int:
    pages = agent.call("read_pdf_text", path=path)["pages"]
    return next(int(page["page"]) for page in pages if not page.get("text"))


def _read_pages(agent: Agent, path: str) -> dict[int, str]:
    """The texts of the pages with their fields."""
    page_texts = {page["page"]: page.get("text", "") for page in agent.call("read_pdf_text", path=path)["pages"]}
    for field in agent.call("read_pdf_form", path=path)["fields"]:
        page_texts[field["page"]] += f"\n{field.get('value') or ''}"
    return page_texts


def _list_person_terms(person: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Terms and patterns of a person; the reader of the scan may have lost a space in the name."""
    code = r"[\s-]*".join(str(person["ID number"]).split("-"))
    if person.get("Consent to be named") == "yes":
        return [person["E-mail"]], [code]
    return [person["E-mail"], *person["Also written as"].split("; ")], [code, r"\s*".join(person["Name"].split())]


def _names_person(person: Mapping[str, Any], text: str) -> bool:
    words, patterns = _list_person_terms(person)
    lined = " ".join(text.split()).casefold()
    return any(word.casefold() in lined for word in words) or any(
        re.search(pattern, text, re.IGNORECASE) for pattern in patterns
    )


def _collect_terms(agent: Agent, pages: Mapping[int, str]) -> tuple[list[str], list[str]]:
    """What to redact: of all persons that the pages name; comments and the rest name no others."""
    full_text = "\n".join(pages.values())
    person_terms = [_list_person_terms(person) for person in _read_persons(agent) if _names_person(person, full_text)]
    return [word for words, _ in person_terms for word in words], [
        pattern for _, patterns in person_terms for pattern in patterns
    ]


def _build_rows(agent: Agent, pages: Mapping[int, str]) -> list[list[Any]]:
    rows = []
    for person in _read_persons(agent):
        on = [str(number) for number, text in pages.items() if _names_person(person, text)]
        if on:
            rows.append([person["No."], ", ".join(on)])
    return sorted(rows)


def _count_pages(rows: list[list[Any]]) -> int:
    return len({page for _, pages in rows for page in re.findall(r"\d+", pages)})


def _empty_fields(agent: Agent, path: str) -> None:
    fields = agent.call("read_pdf_form", path=path)["fields"]
    persons = _read_persons(agent)
    texts = [field for field in fields if field["kind"] == "text" and field.get("value")]
    private = [text["name"] for text in texts if any(_names_person(person, text["value"]) for person in persons)]
    if private:
        agent.call("fill_pdf_form", path=path, values=dict.fromkeys(private))
