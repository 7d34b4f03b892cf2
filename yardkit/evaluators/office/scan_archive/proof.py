"""Solutions and near misses of office/scan_archive."""

import datetime
import io
import math
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent, Miss, Solved, caught_by_leaf
from yardkit.evaluators.solving.sheet_layout import format_sheets
from yardkit.evaluators.solving.solver import find_paths

INDEX, WORK = "archive/index.xlsx", "work"
HEAD = ["File", "Reference", "Date", "Sender", "Subject", "Pages"]
MM = 72 / 25.4
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
    import pikepdf

    answer = solve(agent)
    for path in sorted((files / "archive").glob("*.pdf")):
        with pikepdf.open(path, allow_overwriting_input=True) as pdf:
            for stream, picture in _list_pictures(pdf):
                _store_picture(stream, picture, quality=60)
            pdf.pages[0].mediabox = [math.ceil(float(side)) for side in pdf.pages[0].mediabox]
            pdf.save(path, linearize=True)
    with open_edited(files / INDEX) as book:
        for row in book["Index"].iter_rows(min_row=2):
            row[0].hyperlink = str(row[0].value)
            row[2].number_format = "d mmmm yyyy"
    return answer


def in_letter(*, caught_by: str | tuple[str, ...], turned: bool = False, scanned: bool = False) -> Callable[..., Miss]:
    """Make a decorator for a change of the file of a letter of one page, with what the facts know of it; one that was
    `turned` in the scanner, or as it was `scanned`.
    """

    def edit(work: Solved, change: Callable[..., object]) -> None:
        path, letter = _find_letter(work, turned=turned)
        if scanned:
            shutil.copyfile(work.files / letter["source"], work.files / path)
        with open_edited(work.files / path) as scan:
            change(scan, letter)

    return misses.edits_by(edit, caught_by=caught_by)


def _find_letter(work: Solved, *, turned: bool) -> tuple[str, Mapping[str, Any]]:
    return next(
        (path, letter)
        for path, letter in work.facts["letters"].items()
        if bool(letter["turn"]) is turned and len(letter["pages"]) == 1
    )


def _write_words(scan: Any, letter: Mapping[str, Any]) -> None:
    _write_hidden_text(scan.pages[0], " ".join(letter["pages"][0]["words"]))


def _write_reference(scan: Any, letter: Mapping[str, Any], left: float, down: float = 0, **look: int) -> None:
    """Write the reference so many points to the left of, and below, the middle of the printed one."""
    page, (x, y) = scan.pages[0], (side * MM for side in letter["pages"][0]["place"])
    _write_hidden_text(page, letter["row"][0], at=(x - left, float(page.mediabox[3]) - y - down), **look)


in_index = misses.InSheet(INDEX, "Index")
near_miss_scan_without_text = in_letter(caught_by=("searchable", "placed"), scanned=True)(lambda _scan, _letter: None)
near_miss_page_on_its_head = in_letter(caught_by=("looks", "placed"), turned=True)(
    lambda scan, _: scan.pages[0].rotate(180, relative=True)
)
near_miss_text_in_one_corner = in_letter(caught_by="placed", scanned=True)(_write_words)
near_miss_scan_read_twice = in_letter(caught_by="once")(_write_words)
near_miss_text_printed_over_the_scan = in_letter(caught_by="looks")(
    lambda scan, letter: _write_reference(scan, letter, 40, size=12, mode=0)
)
near_miss_reference_twice = in_letter(caught_by="once")(
    lambda scan, letter: _write_reference(scan, letter, 28, 4, size=11)
)
near_miss_keywords_added = in_letter(caught_by="once")(
    lambda scan, _: _write_hidden_text(scan.pages[0], "incoming mail purchasing archive 2026")
)
near_miss_scan_attached = in_letter(caught_by="named")(
    lambda scan, letter, work: scan.attachments.__setitem__("scan.pdf", (work.files / letter["source"]).read_bytes())
)
near_miss_second_sheet_in_the_index = in_index.edit_sheet(
    lambda sheet: sheet.parent.create_sheet("Notes"), caught_by="index"
)
near_miss_senders_hidden = in_index.edit_sheet(
    lambda sheet: setattr(sheet.column_dimensions["D"], "hidden", True), caught_by="index"
)
near_miss_files_counted = misses.change_answer(lambda work: len(work.facts["letters"]))


@in_letter(caught_by="placed", scanned=True)
def near_miss_only_the_reference_in_its_place(scan: Any, letter: Mapping[str, Any]) -> None:
    """The reference is where it is printed, all other words are in a corner."""
    _write_words(scan, letter)
    _write_reference(scan, letter, 25, size=9)


@in_letter(caught_by="placed", scanned=True)
def near_miss_sender_without_text(scan: Any, letter: Mapping[str, Any]) -> None:
    """All lines can be searched but the head of the letter, of which only the picture is there."""
    page = scan.pages[0]
    for text, left, _, _, bottom in letter["pages"][0]["lines"][1:]:
        _write_hidden_text(page, text, at=(left * MM, float(page.mediabox[3]) - bottom * MM + 3), size=12)


@in_letter(caught_by="looks")
def near_miss_pages_drawn_with_fewer_points(scan: Any, _letter: Mapping[str, Any]) -> None:
    """The picture of a page has a third of the points that it had."""
    for stream, picture in _list_pictures(scan):
        _store_picture(stream, picture.reduce(3), quality=90)
        stream.Width, stream.Height = picture.reduce(3).size


@in_letter(caught_by="looks")
def near_miss_bookmark_added(scan: Any, _letter: Mapping[str, Any]) -> None:
    """A letter has got a bookmark."""
    import pikepdf

    with scan.open_outline() as outline:
        outline.root.append(pikepdf.OutlineItem("Letter", 0))


@caught_by_leaf("searchable")
def near_miss_copying_forbidden(work: Solved) -> None:
    """The file forbids that its text is copied."""
    import pikepdf

    path, _ = _find_letter(work, turned=False)
    closed = pikepdf.Encryption(owner="x", user="", allow=pikepdf.Permissions(extract=False))
    with pikepdf.open(work.files / path, allow_overwriting_input=True) as opened:
        opened.save(work.files / path, encryption=closed)


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


@in_letter(caught_by="named")
def near_miss_text_in_a_file_beside_the_pages(scan: Any, letter: Mapping[str, Any]) -> None:
    """A file that no list names goes with the letter."""
    import pikepdf

    text, name = " ".join(letter["pages"][0]["words"]).encode(), pikepdf.String("text.txt")
    file_specification = pikepdf.Dictionary(F=scan.make_stream(text, Type=pikepdf.Name.EmbeddedFile))
    spec = pikepdf.Dictionary(Type=pikepdf.Name.Filespec, F=name, UF=name, EF=file_specification)
    scan.Root.AF = pikepdf.Array([scan.make_indirect(spec)])


@in_index.make_edit_decorator(caught_by="index")
def near_miss_rows_by_name(sheet: Any) -> None:
    """The index is ordered the other way round."""
    rows = [[cell.value for cell in row] for row in sheet.iter_rows(min_row=2)]
    for cells, row in zip(sheet.iter_rows(min_row=2), reversed(rows), strict=True):
        for cell, value in zip(cells, row, strict=True):
            cell.value = value


@in_index.make_edit_decorator(caught_by="index")
def near_miss_dates_shown_as_years(sheet: Any) -> None:
    """The dates are real and look alike."""
    for cell in sheet["C"][1:]:
        cell.number_format = "yyyy"


@caught_by_leaf("others")
def near_miss_scans_tidied_away(work: Solved) -> None:
    """A scan was moved, not copied."""
    _, letter = _find_letter(work, turned=False)
    (work.files / letter["source"]).unlink()


def _list_pictures(scan: Any) -> list[tuple[Any, Any]]:
    """The streams of the pictures in a file, each with its picture."""
    import pikepdf

    streams = [thing for thing in scan.objects if isinstance(thing, pikepdf.Stream)]
    return [
        (stream, pikepdf.PdfImage(stream).as_pil_image()) for stream in streams if stream.get("/Subtype") == "/Image"
    ]


def _store_picture(stream: Any, picture: Any, quality: int) -> None:
    import pikepdf

    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=quality)
    stream.write(buffer.getvalue(), filter=pikepdf.Name.DCTDecode)


def _write_hidden_text(page: Any, text: str, at: tuple[float, float] = (30, 30), size: int = 3, mode: int = 3) -> None:
    """Write text, invisible unless another mode is given, at the foot of a page or at another place of it."""
    import pikepdf

    font = pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica)
    name = page.add_resource(font, pikepdf.Name.Font)
    encodable_text = text.encode("cp1252", "replace").decode("cp1252").replace("(", "").replace(")", "")
    drawn = f"q BT {mode} Tr {name} {size} Tf {at[0]:.1f} {at[1]:.1f} Td ({encodable_text}) Tj ET Q"
    page.contents_add(drawn.encode("cp1252"), prepend=False)


def _list_scans(agent: Agent) -> list[str]:
    return find_paths(agent, "scans", ".pdf")


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
    written = re.search(r"(\d{2})\.(\d{2})\.(\d{4})|(\d{1,2})\s*([A-Z][a-z]{2})[a-z]*\s*(\d{4})", line)
    if not written:
        raise AssertionError(f"no date in {line!r}")
    if written[1]:
        return f"{written[3]}-{written[2]}-{written[1]}"
    return f"{written[6]}-{MONTHS.index(written[5]) + 1:02d}-{int(written[4]):02d}"


def _list_index_rows(done: Sequence[Done]) -> list[list[Any]]:
    return sorted((letter.row for letter in done), key=lambda row: (row[2], row[1]))
