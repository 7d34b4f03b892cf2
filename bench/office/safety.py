"""Killed in the middle of a save, and two processes on one file: nothing corrupt, nothing lost.

    .venv/bin/python bench/office/safety.py [--kills 200] [--updates 1000] [--json]

Processes are forked from one that has the libraries loaded, so that hundreds of trials take minutes. Each edit writes
one number in two places of the file; after a kill both must be there and the same. Files are read with libraries that
the servers do not use for saving.
"""

import argparse
import json
import os
import random
import re
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.world import World, use_world

Edit = Callable[[Path, int], Any]


@dataclass(frozen=True)
class Format:
    """How one format is made, edited and read: `marks` gives the numbers that stand in a file."""

    suffix: str
    make: Callable[[Path], None]
    edit: Edit
    add: Edit
    marks: Callable[[Path], list[int]]


def _make_xlsx(path: Path) -> None:
    import xlsxwriter

    book = xlsxwriter.Workbook(path)
    sheet = book.add_worksheet("Data")
    for row in range(2000):
        sheet.write_row(row, 0, [0 if row == 0 else row] * 10)
    book.close()


def _edit_xlsx(path: Path, number: int) -> None:
    from yardkit.servers.sheets.server import write_cells

    write_cells(path, rows=[[number, number]], start_cell="A1")


def _add_xlsx(path: Path, number: int) -> None:
    from yardkit.servers.sheets.server import append_rows

    append_rows(path, rows=[[1_000_000 + number]])


def _marks_xlsx(path: Path) -> list[int]:
    import openpyxl

    sheet = openpyxl.load_workbook(path).active
    added = [cell.value - 1_000_000 for (cell,) in sheet.iter_rows(min_row=2001, max_col=1) if cell.value]
    return added or [sheet["A1"].value, sheet["B1"].value]


def _make_docx(path: Path) -> None:
    import docx

    document = docx.Document()
    for _ in range(300):
        document.add_paragraph("Some words in a paragraph that stays as it is.")
    document.save(path)


def _edit_docx(path: Path, number: int) -> None:
    _add_docx(path, number, number)


def _add_docx(path: Path, *numbers: int) -> None:
    from yardkit.servers.documents.engine.markup.specs import BlockEdit, NewBlock
    from yardkit.servers.documents.server import edit_blocks

    edit_blocks(path, [BlockEdit("insert", blocks=[NewBlock(text=f"mark {number}") for number in numbers])])


def _marks_docx(path: Path) -> list[int]:
    import docx

    texts = [paragraph.text for paragraph in docx.Document(str(path)).paragraphs]
    return [int(text.split()[1]) for text in texts if text.startswith("mark ")]


def _make_pptx(path: Path) -> None:
    import pptx

    deck = pptx.Presentation()
    for _ in range(20):
        deck.slides.add_slide(deck.slide_layouts[1]).notes_slide.notes_text_frame.text = ""
    deck.save(str(path))


def _edit_pptx(path: Path, number: int) -> None:
    from yardkit.servers.slides.engine.inputs import Notes
    from yardkit.servers.slides.server import set_speaker_notes

    set_speaker_notes(path, [Notes(slide, f"mark {number}") for slide in (1, 2)])


def _add_pptx(path: Path, number: int) -> None:
    from yardkit.servers.slides.engine.inputs import Notes
    from yardkit.servers.slides.server import set_speaker_notes

    set_speaker_notes(path, [Notes(1, f"mark {number}")], append=True)


def _marks_pptx(path: Path) -> list[int]:
    import pptx

    texts = [slide.notes_slide.notes_text_frame.text for slide in pptx.Presentation(str(path)).slides]
    return [int(number) for text in texts for number in re.findall(r"mark (\d+)", text)]


def _make_pdf(path: Path) -> None:
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(path))
    for page in range(20):
        canvas.drawString(72, 700, f"Page {page}")
        canvas.showPage()
    canvas.save()


def _edit_pdf(path: Path, number: int) -> None:
    _add_pdf(path, number, number)


def _add_pdf(path: Path, *numbers: int) -> None:
    from yardkit.servers.pdf.engine.drawing.annotations import Mark
    from yardkit.servers.pdf.server import annotate_pdf

    annotate_pdf(path, [Mark("note", page=1, boxes=[[72, 72, 90, 90]], text=f"mark {number}") for number in numbers])


def _marks_pdf(path: Path) -> list[int]:
    import pikepdf

    with pikepdf.open(path) as pdf:
        texts = [str(note.get("/Contents", "")) for note in pdf.pages[0].get("/Annots", [])]
    return [int(text.split()[1]) for text in texts if text.startswith("mark ")]


FORMATS = {
    "xlsx": Format(".xlsx", _make_xlsx, _edit_xlsx, _add_xlsx, _marks_xlsx),
    "docx": Format(".docx", _make_docx, _edit_docx, _add_docx, _marks_docx),
    "pptx": Format(".pptx", _make_pptx, _edit_pptx, _add_pptx, _marks_pptx),
    "pdf": Format(".pdf", _make_pdf, _edit_pdf, _add_pdf, _marks_pdf),
}


def measure_kills(name: str, trials: int, rng: random.Random) -> dict[str, int]:
    """Kill an editing process at `trials` random moments."""
    form, outcome_counts = (
        FORMATS[name],
        {"kills": trials, "ended before": 0, "corrupt": 0, "half written": 0, "left over": 0},
    )
    with tempfile.TemporaryDirectory() as folder:
        world = World.open_user_folder(Path(folder))
        path = world.files / f"file{form.suffix}"
        form.make(path)
        for trial in range(trials):
            pid = _fork_worker(world, lambda trial=trial: _edit_forever(form.edit, path, trial * 1000))
            time.sleep(0.02 + rng.random() * 0.25)
            os.kill(pid, signal.SIGKILL)
            outcome_counts["ended before"] += os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) != -signal.SIGKILL
            try:
                marks = form.marks(path)
            except Exception:  # noqa: BLE001 - whatever it is, the file cannot be read
                outcome_counts["corrupt"] += 1
                form.make(path)
                continue
            outcome_counts["half written"] += len(marks) % 2 + (len(set(marks[-2:])) > 1)
        outcome_counts["left over"] = sum(other != path for other in world.files.rglob("*"))
    return outcome_counts


def measure_updates(name: str, count: int) -> dict[str, int]:
    """Two processes add `count` marks to one file, turn about as it comes."""
    form = FORMATS[name]
    with tempfile.TemporaryDirectory() as folder:
        world = World.open_user_folder(Path(folder))
        path = world.files / f"file{form.suffix}"
        form.make(path)
        halves = (range(count // 2), range(count // 2, count))
        pids = [_fork_worker(world, lambda half=half: [form.add(path, number) for number in half]) for half in halves]
        codes = [os.waitpid(pid, 0)[1] for pid in pids]
        marks = form.marks(path)
    return {"updates": count, "lost": count - len(set(marks)), "failed processes": sum(code != 0 for code in codes)}


def _edit_forever(edit: Edit, path: Path, number: int) -> None:
    while True:
        edit(path, number)
        number += 1


def _fork_worker(world: World, work: Callable[[], Any]) -> int:
    pid = os.fork()
    if pid:
        return pid
    try:
        with use_world(world):
            work()
    except BaseException as error:  # noqa: BLE001 - a child must never run on as its parent
        print(repr(error), file=sys.stderr)
        os._exit(1)
    os._exit(0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--updates", type=int, default=1000)
    parser.add_argument("--only", nargs="*", choices=list(FORMATS), default=list(FORMATS))
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    rng = random.Random("kills")
    figures = {
        name: measure_kills(name, arguments.kills, rng) | measure_updates(name, arguments.updates)
        for name in arguments.only
    }
    print(
        json.dumps(figures)
        if arguments.json
        else "\n".join(f"{name}: {outcome_counts}" for name, outcome_counts in figures.items())
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
