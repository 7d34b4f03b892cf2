"""Solutions and near misses of office/board_pack."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent, Solved, caught_by_leaf
from yardkit.evaluators.solving.solver import read_mail_files

PACK, WORK, STAMP = "board_pack.pdf", "work", "CONFIDENTIAL"
TITLE = "Board pack 26 March 2026"
PAPERS = {
    "Minutes": "minutes_2026-02_signed.docx",
    "Report": "md_report_v3.docx",
    "Financials": "financials_2026-02.xlsx",
    "Strategy": "strategy_2030_b.pptx",
    "Contract": "contract_{}.pdf",
    "Risk": "risks_2026.docx",
    "Letter": "audit_letter_2026-03.pdf",
}
POSITIONS = ("bottom-center", "bottom-right", "top-right", "top-center", "top-left", "bottom-left")
MARGINS = (16.0, 26.0, 9.0)
Box = Sequence[float]
Item = tuple[str, bool]


def solve(agent: Agent) -> str:
    """Convert, merge, turn, find room for numbers and stamps, set bookmarks, look, and tidy up."""
    items = _read_items(agent)
    starts, count = _merge_papers(agent, items, _convert_papers(agent, items))
    _turn_pages(agent)
    agent.call("stamp_pdf", path=PACK, stamps=list(_place_stamps(agent, items, starts, count, POSITIONS)))
    entries = [{"title": title, "page": page} for (title, _), page in zip(items, starts, strict=True)]
    agent.call("set_pdf_outline", path=PACK, entries=entries)
    agent.call("set_pdf_metadata", path=PACK, properties={"title": TITLE})
    agent.call("render_contact_sheet", path=PACK)
    agent.call("delete_path", path=WORK, recursive=True)
    return f"The pack is ready.\n{count}"


def alternative_at_the_top_with_finer_bookmarks(agent: Agent, files: Path) -> str:
    """Numbers at the top where they fit, a second level of bookmarks, and the file saved again by pikepdf."""
    import pikepdf

    items = _read_items(agent)
    starts, count = _merge_papers(agent, items, _convert_papers(agent, items))
    agent.call("set_pdf_metadata", path=PACK, properties={"title": TITLE, "author": "Office of the board"})
    entries: list[dict[str, Any]] = []
    for (title, _), page in zip(items, starts, strict=True):
        entries += [{"title": title, "page": page}, {"title": "First page", "page": page, "level": 2}]
    agent.call("set_pdf_outline", path=PACK, entries=entries)
    _turn_pages(agent)
    positions = ("top-right", "top-left", "top-center", "bottom-left", "bottom-right", "bottom-center")
    agent.call("stamp_pdf", path=PACK, stamps=list(_place_stamps(agent, items, starts, count, positions, size=8)))
    agent.call("delete_path", path=WORK, recursive=True)
    with pikepdf.open(files / PACK, allow_overwriting_input=True) as opened:
        opened.save(files / PACK, linearize=True)
    agent.call("show_pdf_page", path=PACK, page=count)
    return str(count)


def alternative_page_by_page_inserted(agent: Agent, _files: Path) -> str:
    """The first paper is the beginning of the pack, the others are inserted behind it; stamped in two calls."""
    items = _read_items(agent)
    paths = _convert_papers(agent, items)
    counts = [int(agent.call("inspect_pdf", path=path)["pages"]) for path in paths]
    starts = [1 + sum(counts[:n]) for n in range(len(counts))]
    ops = [{"op": "insert", "source": path} for path in paths[1:]]
    agent.call("arrange_pdf_pages", path=paths[0], edits=ops, target=PACK)
    _turn_pages(agent)
    for is_confidential in (True, False):
        stamps = [
            stamp
            for stamp in _place_stamps(agent, items, starts, sum(counts), POSITIONS)
            if (stamp["text"] == STAMP) is is_confidential
        ]
        agent.call("stamp_pdf", path=PACK, stamps=stamps)
    entries = [{"title": title, "page": page} for (title, _), page in zip(items, starts, strict=True)]
    agent.call("set_pdf_outline", path=PACK, entries=entries)
    agent.call("set_pdf_metadata", path=PACK, properties={"title": TITLE})
    agent.call("show_pdf_page", path=PACK, page=1)
    agent.call("delete_path", path=WORK, recursive=True)
    return f"**{sum(counts)}**"


@caught_by_leaf("clear")
def near_miss_numbers_over_the_foot_of_the_letter(work: Solved) -> None:
    """The number of the last page stands at the bottom in the middle, where the foot of the letter is."""
    _renumber_page(work, len(_list_page_texts(work)), 240, 24)


@caught_by_leaf("clear")
def near_miss_number_in_the_middle_of_a_page(work: Solved) -> None:
    _renumber_page(work, 1, 240, 420)


edited = partial(misses.edit_file, PACK)
near_miss_numbers_begin_anew = edited(
    lambda merged: _draw_line(merged.pages[1], f"Board pack 1 / {len(merged.pages)}", 30, 820), "numbers"
)
near_miss_number_covered = edited(
    lambda merged: _paint_white(merged.pages[1], "0 0 600 60 re 0 770 600 80 re"), "numbers"
)
near_miss_numbers_too_small = edited(lambda merged: _replace_stamp(merged, rb"\b[\d.]+ Tf", b"6 Tf"), "numbers")
near_miss_stamps_in_black = edited(
    lambda merged: _replace_stamp(merged, rb"[\d.]+ [\d.]+ [\d.]+ rg", b"0 0 0 rg"), "stamps"
)
near_miss_page_covered = edited(lambda merged: _paint_white(merged.pages[1], "0 70 600 700 re"), "order")
near_miss_second_sheet_upright = misses.set_attributes(
    PACK,
    lambda merged, work: merged.pages[next(n for n, text in enumerate(_list_page_texts(work)) if "Overtimeh" in text)],
    "sheets",
    MediaBox=[0, 0, 595.3, 841.9],
)


@misses.make_edit_decorator(PACK, caught_by="latest")
def near_miss_old_paper_inside(merged: Any, work: Solved) -> None:
    data = (work.files / "papers/strategy_2030_final.pptx").read_bytes()
    merged.attachments["strategy.pptx"] = data


near_miss_page_left_on_its_side = edited(lambda merged: merged.pages[1].rotate(90, relative=True), ("upright", "clear"))


@misses.make_edit_decorator(PACK, caught_by=("order", "bookmarks"))
def near_miss_strategy_before_the_contract(merged: Any, work: Solved) -> None:
    page = merged.pages[_find_first_page(work, 4) - 1]
    merged.pages.append(page)
    del merged.pages[_find_first_page(work, 4) - 1]


@misses.make_edit_decorator(PACK, caught_by="order")
def near_miss_last_page_of_the_minutes(merged: Any, work: Solved) -> None:
    del merged.pages[_find_first_page(work, 1) - 2]


@misses.make_edit_decorator(PACK, caught_by=("latest", "order"))
def near_miss_page_of_an_older_version(merged: Any, work: Solved) -> None:
    import pikepdf

    with pikepdf.open(work.files / "papers/audit_letter_2025-03.pdf") as old:
        merged.pages.append(old.pages[0])


@misses.make_edit_decorator(PACK, caught_by="stamps")
def near_miss_letter_not_confidential(merged: Any, work: Solved) -> None:
    """The stamp of the last page is gone: a copy of the letter's page without it stands in its place."""
    import pikepdf

    with pikepdf.open(work.files / "papers/audit_letter_2026-03.pdf") as letter:
        merged.pages[-1] = letter.pages[1]
    _draw_line(merged.pages[-1], f"Board pack {len(merged.pages)} / {len(merged.pages)}", 30, 820)


near_miss_everything_stamped = edited(
    lambda merged: _draw_line(merged.pages[0], STAMP, 30, 820, "1 0 0 rg"), ("stamps", "clear")
)


@misses.make_edit_decorator(PACK, caught_by="bookmarks")
def near_miss_bookmarks_named_like_files(merged: Any) -> None:
    with merged.open_outline() as outline:
        outline.root[0].title = "minutes_2026-02_signed"


@misses.make_edit_decorator(PACK, caught_by="title")
def near_miss_title_of_the_first_paper(merged: Any) -> None:
    merged.docinfo["/Title"] = "Minutes"


near_miss_nobody_looked = misses.never_looked()


near_miss_one_page_too_few = misses.change_answer(lambda work: len(_list_page_texts(work)) - 1)


def _list_page_texts(work: Solved) -> list[str]:
    """The texts of the pages of the pack, without spaces."""
    import pypdfium2

    opened = pypdfium2.PdfDocument((work.files / PACK).read_bytes())
    texts = ["".join(page.get_textpage().get_text_bounded().split()) for page in opened]
    opened.close()
    return texts


def _find_first_page(work: Solved, item: int) -> int:
    """The first page of an item, counted from 0."""
    text = "".join(work.facts["items"][item]["texts"][0].split())
    return next(n for n, page in enumerate(_list_page_texts(work), 1) if text in page)


def _renumber_page(work: Solved, number: int, x: float, y: float) -> None:
    """Move the number of a page: cover the paper's own page with a new one at another place."""
    import pypdfium2

    path = work.files / PACK
    opened = pypdfium2.PdfDocument(path.read_bytes())
    page = opened[number - 1]
    raw = pypdfium2.raw
    font = raw.FPDFText_LoadStandardFont(opened.raw, b"Helvetica")
    text = raw.FPDFPageObj_CreateTextObj(opened.raw, font, 9)
    number_text = (f"Board pack {number} / {len(opened)}" + "\0").encode("utf-16-le")
    import ctypes

    raw.FPDFText_SetText(text, ctypes.cast(ctypes.create_string_buffer(number_text), ctypes.POINTER(ctypes.c_ushort)))
    raw.FPDFPageObj_Transform(text, 1, 0, 0, 1, x, y)
    raw.FPDFPage_InsertObject(page.raw, text)
    page.gen_content()
    opened.save(path)
    opened.close()


def _paint_white(page: Any, areas: str) -> None:
    """Lay white over parts of a page."""
    page.contents_add(f"q 1 g {areas} f Q".encode(), prepend=False)


def _replace_stamp(opened: Any, pattern: bytes, stamp_text: bytes) -> None:
    """Change the drawing of what was stamped on the pages."""
    for page in opened.pages:
        for name, form in page.Resources.get("/XObject", {}).items():
            if name.startswith("/Tyd"):
                form.write(re.sub(pattern, stamp_text, form.read_bytes()))


def _draw_line(page: Any, text: str, x: float, y: float, color: str = "0 g") -> None:
    """Write a line on a page in Helvetica."""
    import pikepdf

    font = pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica)
    name = page.add_resource(font, pikepdf.Name.Font)
    page.contents_add(f"q {color} BT {name} 9 Tf {x} {y} Td ({text}) Tj ET Q".encode(), prepend=False)


def _read_items(agent: Agent) -> list[Item]:
    """Titles with their final numbers, and whether they are confidential."""
    texts = []
    for mail in read_mail_files(agent, "mail"):
        body = mail.get_body(preferencelist=("plain",))
        texts.append((mail["Subject"], " ".join(str(body.get_content() if body else "").split())))
    agenda = next(text for subject, text in texts if subject == "Agenda of the board meeting on 26 March")
    change = next(text for subject, text in texts if subject.startswith("Re: Agenda"))
    item_titles = re.findall(r"\d\. (.+?)(?= \d\. | The papers are)", agenda)
    listed = [(item.replace(" (confidential)", ""), "(confidential)" in item) for item in item_titles]
    swap = re.findall(r'item "(.+?)" goes before "(.+?)"', change)[0]
    places = [next(n for n, (title, _) in enumerate(listed) if title == wanted_title) for wanted_title in swap]
    listed[places[0]], listed[places[1]] = listed[places[1]], listed[places[0]]
    also = re.findall(r'item "([^"]+)" is confidential', change)
    return [(f"{n}. {title}", secret or title in also) for n, (title, secret) in enumerate(listed, 1)]


def _convert_papers(agent: Agent, items: Sequence[Item]) -> list[str]:
    """The papers of the items as PDF files."""
    paths = []
    for number, (title, _) in enumerate(items, 1):
        words = title.split()
        name = PAPERS[words[1]].format(words[3].lower() if words[1] == "Contract" else "")
        if name.endswith(".pdf"):
            paths.append(f"papers/{name}")
            continue
        paths.append(f"{WORK}/{number}.pdf")
        source = f"papers/{name}"
        if name.endswith(".xlsx"):
            source = f"{WORK}/{name}"
            agent.call("copy_path", source=f"papers/{name}", target=source)
            for sheet in ("Result", "Personnel"):
                page = {"paper": "a4", "orientation": "landscape", "fit_wide": 1, "fit_tall": 1}
                agent.call("set_print", path=source, sheet=sheet, **page)
        agent.call("convert_to_pdf", path=source, target=paths[-1])
    return paths


def _merge_papers(agent: Agent, items: Sequence[Item], paths: Sequence[str]) -> tuple[list[int], int]:
    """Merge; the first page of each item, and how many pages there are."""
    agent.call("merge_pdfs", sources=[{"path": path} for path in paths], target=PACK)
    marks = agent.call("list_pdf_items", path=PACK, what="outline")["items"]
    starts = [int(mark["to_page"]) for mark in marks if mark.get("level", 1) == 1][: len(items)]
    return starts, int(agent.call("inspect_pdf", path=PACK)["pages"])


def _turn_pages(agent: Agent) -> None:
    """Turn the pages upright whose words stand on their sides."""
    lying = [
        number
        for number, words in _read_word_boxes(agent).items()
        if (sum(box[3] - box[1] > box[2] - box[0] for box in words) > 0.6 * len(words))
    ]
    ops = [{"op": "rotate", "pages": str(number), "angle": -90} for number in lying]
    agent.call("arrange_pdf_pages", path=PACK, edits=ops)


def _read_word_boxes(agent: Agent) -> dict[int, list[Box]]:
    """The boxes of the words of each page of the pack."""
    boxes_by_page: dict[int, list[Box]] = {}
    pages, offset = "all", 0
    while pages:
        part = agent.call(
            "read_pdf_text", path=PACK, format="words", offset=offset, **({} if pages == "all" else {"pages": pages})
        )
        for page in part["pages"]:
            boxes_by_page.setdefault(page["page"], []).extend(word["box"] for word in page.get("pieces", []))
        pages, offset = part.get("next_pages", ""), part.get("next_offset", 0)
    return boxes_by_page


def _place_stamps(
    agent: Agent, items: Sequence[Item], starts: Sequence[int], count: int, positions: Sequence[str], size: float = 9
) -> Iterator[dict[str, Any]]:
    """Number and stamp of each page at the first place that is free."""
    sizes, words = _read_page_sizes(agent), _read_word_boxes(agent)
    for number in range(1, count + 1):
        taken = words[number]
        secret = items[max(n for n, start in enumerate(starts) if start <= number)][1]
        for text in [f"Board pack {number} / {count}", *([STAMP] if secret else [])]:
            place = _find_free_area(sizes[number], taken, 0.62 * size * len(text), size, positions)
            taken.append(place["box"])
            color = "#CC0000" if text == STAMP else "#000000"
            stamp = {name: place[name] for name in ("position", "margin")}
            yield {
                "text": text,
                "pages": str(number),
                "font_size": size,
                "color": color,
                "bold": text == STAMP,
                **stamp,
            }


def _read_page_sizes(agent: Agent) -> dict[int, tuple[float, float]]:
    """Width and height of each page."""
    page_sizes: dict[int, tuple[float, float]] = {}
    for size, pages in agent.call("inspect_pdf", path=PACK)["page_sizes"].items():
        wide, tall = (float(number) for number in re.findall(r"[\d.]+", size))
        for run in pages.split(","):
            first, _, last = run.partition("-")
            page_sizes |= dict.fromkeys(range(int(first), int(last or first) + 1), (wide, tall))
    return page_sizes


def _find_free_area(
    page: tuple[float, float], taken: Sequence[Box], wide: float, tall: float, positions: Sequence[str]
) -> dict[str, Any]:
    """A place in the margin where nothing stands, with its box and some air."""
    for margin in MARGINS:
        for position in positions:
            left = {"left": margin, "right": page[0] - margin - wide, "center": (page[0] - wide) / 2}[
                position.partition("-")[2]
            ]
            top = margin if position.startswith("top") else page[1] - margin - tall
            box = [left - 3, top - 3, left + wide + 3, top + tall + 3]
            if not any(
                box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3] for other in taken
            ):
                return {"position": position, "margin": margin, "box": box}
    raise AssertionError("no room")
