"""Solutions and near misses of office/scan_archive."""

import datetime
import math
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent, Solved, caught_by_leaf
from yardkit.evaluators.solving.sheet_layout import format_sheets

INDEX, WORK = "archive/index.xlsx", "work"
HEAD = ["File", "Reference", "Date", "Sender", "Subject", "Pages"]
MONTHS = ("Jan", "Feb", "Mar")


@dataclass(frozen=True)
class Done:
    """A letter in the archive."""

    path: str
    row: list[Any]


def solve(agent: Agent) -> str:
    """Read each scan, turn it where it lies wrong and read it again, move it to its name, and list it."""
    done = []
    for number, scan in enumerate(_list_scans(agent)):
        path = f"{WORK}/{number}.pdf"
        agent.call("add_pdf_text_layer", path=scan, target=path, dpi=110)
        angle = _find_angle(agent, path)
        if angle:
            turn = {"op": "rotate", "pages": "1", "angle": angle}
            agent.call("arrange_pdf_pages", path=scan, edits=[turn], target=path)
            agent.call("add_pdf_text_layer", path=path, dpi=110)
        done.append(_file_letter(agent, path))
    agent.call("delete_path", path=WORK, recursive=True)
    rows = _list_index_rows(done)
    agent.call("write_cells", path=INDEX, sheet="Index", rows=[HEAD, *rows])
    format_sheets(agent, INDEX, "Index", left="C:C", right="F1")
    return str(sum(row[-1] for row in rows))


def alternative_turned_at_the_end_and_saved_by_another_program(agent: Agent, files: Path) -> str:
    """The layer of a page that was read sideways is turned with it where that does no harm; saved by pikepdf."""
    import openpyxl
    import pikepdf

    done = []
    for number, scan in enumerate(_list_scans(agent)):
        path = f"{WORK}/{number}.pdf"
        agent.call("copy_path", source=scan, target=path)
        sideways = agent.call("inspect_pdf", path=path)["page_sizes"]
        wide = [size for size, pages in sideways.items() if pages.startswith("1") and _is_wide(size)]
        if wide:
            agent.call("arrange_pdf_pages", path=path, edits=[{"op": "rotate", "pages": "1", "angle": 90}])
        bare_path = f"{WORK}/plain.pdf"
        agent.call("copy_path", source=path, target=bare_path, overwrite=True)
        agent.call("add_pdf_text_layer", path=path, dpi=110)
        if _find_angle(agent, path):
            turn = [{"op": "rotate", "pages": "1", "angle": 180}]
            agent.call("arrange_pdf_pages", path=bare_path, edits=turn, target=path)
            agent.call("add_pdf_text_layer", path=path, dpi=110)
        done.append(_file_letter(agent, path))
    agent.call("delete_path", path=WORK, recursive=True)
    for letter in done:
        with pikepdf.open(files / letter.path, allow_overwriting_input=True) as opened:
            opened.save(files / letter.path)
    book = openpyxl.Workbook()
    book.worksheets[0].title = "Index"
    for row in [HEAD, *_list_index_rows(done)]:
        book.worksheets[0].append([datetime.date.fromisoformat(c) if c == row[2] and c != "Date" else c for c in row])
    book.save(files / INDEX)
    return f"All letters are in the archive.\n{sum(entry.row[-1] for entry in done)}"


def alternative_read_by_another_resolution(agent: Agent, _files: Path) -> str:
    """The index comes first, in rows that are appended."""
    done = []
    for number, scan in enumerate(_list_scans(agent)):
        path = f"{WORK}/{number}.pdf"
        agent.call("add_pdf_text_layer", path=scan, target=path, dpi=96, pages="1")
        angle = _find_angle(agent, path)
        if angle:
            agent.call("copy_path", source=scan, target=path, overwrite=True)
            agent.call("arrange_pdf_pages", path=path, edits=[{"op": "rotate", "pages": "1", "angle": angle}])
            agent.call("add_pdf_text_layer", path=path, dpi=130, pages="1", languages=["en"])
        done.append(_file_letter(agent, path))
    agent.call("write_cells", path=INDEX, sheet="Index", rows=[HEAD])
    agent.call("append_rows", path=INDEX, sheet="Index", rows=_list_index_rows(done))
    agent.call("delete_path", path=WORK, recursive=True)
    return f"**{sum(letter.row[-1] for letter in done)}**"


def alternative_pages_compressed_anew(agent: Agent, files: Path) -> str:
    """A program that makes scans searchable has stored their pictures once more and rounded the size of the pages.

    The index names its files as links.
    """
    import io

    import pikepdf

    answer = solve(agent)
    for path in sorted((files / "archive").glob("*.pdf")):
        with pikepdf.open(path, allow_overwriting_input=True) as pdf:
            for thing in pdf.objects:
                if isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == "/Image":
                    buffer = io.BytesIO()
                    pikepdf.PdfImage(thing).as_pil_image().save(buffer, "JPEG", quality=60)
                    thing.write(buffer.getvalue(), filter=pikepdf.Name.DCTDecode)
            pdf.pages[0].mediabox = [math.ceil(float(side)) for side in pdf.pages[0].mediabox]
            pdf.save(path, linearize=True)
    with open_edited(files / INDEX) as book:
        for row in book["Index"].iter_rows(min_row=2):
            row[0].hyperlink = str(row[0].value)
            row[2].number_format = "d mmmm yyyy"
    return answer


@caught_by_leaf("searchable", "placed")
def near_miss_scan_without_text(work: Solved) -> None:
    """A letter is the scan as it was."""
    path, letter = _find_letter(work, turned=False)
    shutil.copyfile(work.files / letter["source"], work.files / path)


@caught_by_leaf("looks", "placed")
def near_miss_page_on_its_head(work: Solved) -> None:
    """A letter stands on its head."""
    path, _ = _find_letter(work, turned=True)
    with open_edited(work.files / path) as scan:
        scan.pages[0].rotate(180, relative=True)


@caught_by_leaf("placed")
def near_miss_text_in_one_corner(work: Solved) -> None:
    """The words are on the page, but not where they are printed."""
    path, letter = _find_letter(work, turned=False)
    shutil.copyfile(work.files / letter["source"], work.files / path)
    with open_edited(work.files / path) as scan:
        _write_hidden_text(scan.pages[0], " ".join(letter["pages"][0]["words"]))


@caught_by_leaf("placed")
def near_miss_only_the_reference_in_its_place(work: Solved) -> None:
    """The reference is where it is printed, all other words are in a corner."""
    path, letter = _find_letter(work, turned=False)
    shutil.copyfile(work.files / letter["source"], work.files / path)
    x, y = (side * 72 / 25.4 for side in letter["pages"][0]["place"])

    with open_edited(work.files / path) as scan:
        page = scan.pages[0]
        _write_hidden_text(page, " ".join(letter["pages"][0]["words"]))
        _write_hidden_text(page, letter["row"][0], at=(x - 25, float(page.mediabox[3]) - y), size=9)


@caught_by_leaf("placed")
def near_miss_sender_without_text(work: Solved) -> None:
    """All lines can be searched but the head of the letter, of which only the picture is there."""
    path, letter = _find_letter(work, turned=False)
    shutil.copyfile(work.files / letter["source"], work.files / path)

    with open_edited(work.files / path) as scan:
        page = scan.pages[0]
        for text, left, _, _, bottom in letter["pages"][0]["lines"][1:]:
            place = (left * 72 / 25.4, float(page.mediabox[3]) - bottom * 72 / 25.4 + 3)
            _write_hidden_text(page, text, at=place, size=12)


@caught_by_leaf("looks")
def near_miss_pages_drawn_with_fewer_points(work: Solved) -> None:
    """The picture of a page has a third of the points that it had."""
    import io

    import pikepdf

    with open_edited(work.files / _find_letter(work, turned=False)[0]) as scan:
        for thing in scan.objects:
            if isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == "/Image":
                buffer, picture = io.BytesIO(), pikepdf.PdfImage(thing).as_pil_image()
                picture.reduce(3).save(buffer, "JPEG", quality=90)
                thing.write(buffer.getvalue(), filter=pikepdf.Name.DCTDecode)
                thing.Width, thing.Height = picture.reduce(3).size


@caught_by_leaf("looks")
def near_miss_bookmark_added(work: Solved) -> None:
    """A letter has got a bookmark."""
    import pikepdf

    with open_edited(work.files / _find_letter(work, turned=False)[0]) as scan, scan.open_outline() as outline:
        outline.root.append(pikepdf.OutlineItem("Letter", 0))


@caught_by_leaf("looks")
def near_miss_text_printed_over_the_scan(work: Solved) -> None:
    """The words of the reference line can be seen beside the printed ones."""
    path, letter = _find_letter(work, turned=False)
    x, y = (side * 72 / 25.4 for side in letter["pages"][0]["place"])

    with open_edited(work.files / path) as scan:
        page = scan.pages[0]
        _write_hidden_text(page, letter["row"][0], at=(x - 40, float(page.mediabox[3]) - y), size=12, mode=0)


@caught_by_leaf("searchable")
def near_miss_copying_forbidden(work: Solved) -> None:
    """The file forbids that its text is copied."""
    import pikepdf

    path, _ = _find_letter(work, turned=False)
    closed = pikepdf.Encryption(owner="x", user="", allow=pikepdf.Permissions(extract=False))
    with pikepdf.open(work.files / path, allow_overwriting_input=True) as opened:
        opened.save(work.files / path, encryption=closed)


@caught_by_leaf("once")
def near_miss_scan_read_twice(work: Solved) -> None:
    """The words of a scanned page are there two times."""
    path, letter = _find_letter(work, turned=False)
    with open_edited(work.files / path) as scan:
        _write_hidden_text(scan.pages[0], " ".join(letter["pages"][0]["words"]))


@caught_by_leaf("once")
def near_miss_reference_twice(work: Solved) -> None:
    """The reference was put in by hand where it had been read already."""
    path, letter = _find_letter(work, turned=False)
    x, y = (side * 72 / 25.4 for side in letter["pages"][0]["place"])

    with open_edited(work.files / path) as scan:
        page = scan.pages[0]
        _write_hidden_text(page, letter["row"][0], at=(x - 28, float(page.mediabox[3]) - y - 4), size=11)


@caught_by_leaf("once")
def near_miss_keywords_added(work: Solved) -> None:
    """A letter is found by words that are not in it."""
    path, _ = _find_letter(work, turned=False)
    with open_edited(work.files / path) as scan:
        _write_hidden_text(scan.pages[0], "incoming mail purchasing archive 2026")


@caught_by_leaf("once")
def near_miss_text_laid_over_text(work: Solved) -> None:
    """The page that had text was read once more."""
    path = next(path for path, letter in work.facts["letters"].items() if len(letter["pages"]) > 1)
    with open_edited(work.files / path) as scan:
        _write_hidden_text(scan.pages[1], "Annex The list of articles")


@caught_by_leaf("named", "others")
def near_miss_named_by_their_reference(work: Solved) -> None:
    """The file is named by the reference of the one who got the letter."""
    path, _ = _find_letter(work, turned=False)
    (work.files / path).rename(work.files / path.replace("-2026-", "-2026-9"))


@caught_by_leaf("named")
def near_miss_scan_attached(work: Solved) -> None:
    """The scan as it was is attached to the letter."""
    path, letter = _find_letter(work, turned=False)
    data = (work.files / letter["source"]).read_bytes()
    with open_edited(work.files / path) as scan:
        scan.attachments["scan.pdf"] = data


@caught_by_leaf("named")
def near_miss_text_in_a_file_beside_the_pages(work: Solved) -> None:
    """A file that no list names goes with the letter."""
    import pikepdf

    path, letter = _find_letter(work, turned=False)
    text = " ".join(letter["pages"][0]["words"]).encode()

    with open_edited(work.files / path) as scan:
        embedded_stream = scan.make_stream(text, Type=pikepdf.Name.EmbeddedFile)
        file_specification = pikepdf.Dictionary(F=embedded_stream)
        name = pikepdf.String("text.txt")
        spec = pikepdf.Dictionary(Type=pikepdf.Name.Filespec, F=name, UF=name, EF=file_specification)
        scan.Root.AF = pikepdf.Array([scan.make_indirect(spec)])


@caught_by_leaf("index")
def near_miss_rows_by_name(work: Solved) -> None:
    """The index is ordered the other way round."""

    def change(book: Any) -> None:
        sheet = book["Index"]
        rows = [[cell.value for cell in row] for row in sheet.iter_rows(min_row=2)]
        for number, row in enumerate(reversed(rows), 2):
            for column, value in enumerate(row, 1):
                sheet.cell(number, column).value = value

    _edit_index(work, change)


@caught_by_leaf("index")
def near_miss_second_sheet_in_the_index(work: Solved) -> None:
    """The index has one more sheet."""
    _edit_index(work, lambda book: book.create_sheet("Notes"))


@caught_by_leaf("index")
def near_miss_senders_hidden(work: Solved) -> None:
    """Nobody sees who wrote."""
    _edit_index(work, lambda book: book["Index"].column_dimensions["D"].__setattr__("hidden", True))


@caught_by_leaf("index")
def near_miss_dates_shown_as_years(work: Solved) -> None:
    """The dates are real and look alike."""
    _edit_index(work, lambda book: [cell.__setattr__("number_format", "yyyy") for cell in book["Index"]["C"][1:]])


near_miss_files_counted = misses.change_answer(lambda work: len(work.facts["letters"]))


@caught_by_leaf("others")
def near_miss_scans_tidied_away(work: Solved) -> None:
    """A scan was moved, not copied."""
    _, letter = _find_letter(work, turned=False)
    (work.files / letter["source"]).unlink()


def _find_letter(work: Solved, *, turned: bool) -> tuple[str, Mapping[str, Any]]:
    return next(
        (path, letter)
        for path, letter in work.facts["letters"].items()
        if bool(letter["turn"]) is turned and len(letter["pages"]) == 1
    )


def _edit_index(work: Solved, change: Callable[[Any], object]) -> None:
    with open_edited(work.files / INDEX) as book:
        change(book)


def _write_hidden_text(page: Any, text: str, at: tuple[float, float] = (30, 30), size: int = 3, mode: int = 3) -> None:
    """Write text, invisible unless another mode is given, at the foot of a page or at another place of it."""
    import pikepdf

    font = pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica)
    name = page.add_resource(font, pikepdf.Name.Font)
    encodable_text = text.encode("cp1252", "replace").decode("cp1252").replace("(", "").replace(")", "")
    drawn = f"q BT {mode} Tr {name} {size} Tf {at[0]:.1f} {at[1]:.1f} Td ({encodable_text}) Tj ET Q"
    page.contents_add(drawn.encode("cp1252"), prepend=False)


def _list_scans(agent: Agent) -> list[str]:
    scan_paths = [entry["path"] for entry in agent.call("list_folder", path="scans")["entries"]]
    return [path for path in scan_paths if path.endswith(".pdf")]


def _is_wide(size: str) -> bool:
    wide, tall = re.findall(r"[\d.]+", size)[:2]
    return float(wide) > float(tall)


def _read_words(agent: Agent, path: str) -> list[Mapping[str, Any]]:
    return list(agent.call("read_pdf_text", path=path, pages="1", format="words")["pages"][0]["pieces"])


def _find_angle(agent: Agent, path: str) -> int:
    """By how much a page must be turned: the head of a letter is what tells."""
    sizes = agent.call("inspect_pdf", path=path)["page_sizes"]
    size = next(size for size, pages in sizes.items() if pages.startswith("1"))
    wide, tall = (float(number) for number in re.findall(r"[\d.]+", size)[:2])
    box = next(word["box"] for word in _read_words(agent, path) if re.search(r"2026-\d{4}", word["text"]))
    if wide > tall:
        return -90 if box[0] > wide / 2 else 90
    return 180 if box[1] > tall / 2 else 0


def _file_letter(agent: Agent, path: str) -> Done:
    """Read the head of a letter, move the file to its name; its row in the index."""
    head_lines = agent.call("read_pdf_text", path=path, format="lines")
    lines = [piece["text"].strip() for piece in head_lines["pages"][0]["pieces"]]
    reference = next(m[1] for line in lines if (m := re.search(r"Our\s*reference:?\s*(\w\w-\d{4}-\d{4})", line)))
    place = next(n for n, line in enumerate(lines) if line.startswith("Date"))
    day = _parse_day(lines[place])
    name = f"{reference}_{day}.pdf"
    agent.call("move_path", source=path, target=f"archive/{name}")
    return Done(f"archive/{name}", [name, reference, day, lines[0], lines[place + 1], head_lines["total_pages"]])


def _parse_day(line: str) -> str:
    digits = re.search(r"(\d{2})\.(\d{2})\.(\d{4})", line)
    if digits:
        return f"{digits[3]}-{digits[2]}-{digits[1]}"
    written = re.search(r"(\d{1,2})\s*([A-Z][a-z]+)\s*(\d{4})", line)
    if not written:
        raise AssertionError(f"no date in {line!r}")
    return f"{written[3]}-{MONTHS.index(written[2][:3]) + 1:02d}-{int(written[1]):02d}"


def _list_index_rows(done: Sequence[Done]) -> list[list[Any]]:
    return sorted((letter.row for letter in done), key=lambda row: (row[2], row[1]))
