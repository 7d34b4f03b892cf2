"""Solutions and near misses of studio/menu_photo."""

import re
from collections.abc import Callable
from difflib import get_close_matches
from itertools import groupby
from pathlib import Path

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent, Miss, Solved, caught_by_leaf
from yardkit.evaluators.solving.solver import read_csv_records, read_full_sheet

MENU = "menu.pdf"
Line = tuple[str, str, str, str]
"""German, English, allergens, price; a heading has neither of the last two."""
CSS = """body { font-family: 'Liberation Sans'; font-size: 12pt } td { padding: 3pt 0 }
.g { width: 44% } .e { width: 42% }
.p { text-align: right } .h { font-weight: bold; padding-top: 10pt } p { font-size: 9pt; margin: 2pt 0 }"""


def solve(agent: Agent) -> str:
    """Read the photo row by row, name dishes by the glossary, set the page, look, repair."""
    lines, legend = _read_menu(agent)
    for size_pt in (19, 12, 10):
        _set_page(agent, lines, legend, css=CSS.replace("12pt", f"{size_pt}pt"))
        agent.look("show_pdf_page", path=MENU, page=1)
        text = agent.text("read_pdf_text", path=MENU)
        is_complete = all(name in text for line in lines for name in line[:2])
        if is_complete and agent.call("inspect_pdf", path=MENU)["pages"] == 1:
            break
    return "The menu is set."


def alternative_with_the_price_between(agent: Agent, _files: Path) -> str:
    """The price stands between the languages, the letters in one row of small paragraphs, in another font."""
    _set_page(agent, *_read_menu(agent), css=CSS.replace("Sans", "Serif"), order="gpe")
    agent.call("read_pdf_text", path=MENU)
    return "Done"


def alternative_saved_again_with_wider_margins(agent: Agent, files: Path) -> str:
    """Margins of 30 mm, and the file saved by another program."""
    _set_page(agent, *_read_menu(agent), css=CSS.replace("12pt", "10pt"), margin_mm=30)
    agent.look("show_pdf_page", path=MENU, page=1)
    with open_edited(files / MENU):
        pass
    return "Done"


near_miss_never_looked = misses.never_inspected()
near_miss_photo_deleted = misses.delete_file("menu.jpg")


def _make_other_page(change: Callable[[Line], Line], caught_by: str, css: str = "") -> Miss:
    """The page set anew by another program, with other lines."""

    @caught_by_leaf(caught_by)
    def corrupt_world(work: Solved) -> None:
        _print_page(work.files / MENU, [change((*line,)) for line in work.facts["lines"]], work.facts["legend"], css)

    return corrupt_world


near_miss_price_of_last_year = _make_other_page(lambda line: (*line[:3], line[3] and "3,33"), caught_by="prices")
near_miss_near_name_of_the_glossary = _make_other_page(lambda line: (line[0] + "suppe", *line[1:]), caught_by="dishes")
near_miss_umlauts_lost = _make_other_page(
    lambda line: (re.sub("[äöüèûß]", "?", line[0]), *line[1:]), caught_by="dishes"
)
near_miss_allergens_left_out = _make_other_page(lambda line: (*line[:2], "", line[3]), caught_by="allergens")
near_miss_text_beyond_the_edge = _make_other_page(
    lambda line: line, caught_by="printable", css="body { margin-left: -70pt }"
)


@caught_by_leaf("gone")
def near_miss_crossed_out_dish_left(work: Solved) -> None:
    german, english, price = work.facts["crossed"]
    _print_page(work.files / MENU, [*work.facts["lines"], (german, english, "", price)], work.facts["legend"], "")


def _print_page(path: Path, lines: list[Line], legend: list[str], css: str) -> None:
    import weasyprint

    page = f"<style>@page {{ size: A4; margin: 20mm }} {CSS} {css}</style>{_build_html(lines, legend)}"
    weasyprint.HTML(string=page).write_pdf(path)


def _build_html(lines: list[Line], legend: list[str], order: str = "gep") -> str:
    rows = ""
    for german, english, letters, price in lines:
        beside = f" ({letters})" if letters else ""
        cells = {
            "g": f'<td class="g">{german}{beside}</td>',
            "e": f'<td class="e">{english}{beside}</td>',
            "p": f'<td class="p">{f"{price} €" if price else ""}</td>',
        }
        rows += f"<tr{'' if price else ' class=h'}>{''.join(cells[cell] for cell in order)}</tr>"
    return f"<table style='width: 100%'>{rows}</table>" + "".join(f"<p>{text}</p>" for text in legend)


def _set_page(
    agent: Agent, lines: list[Line], legend: list[str], *, css: str, order: str = "gep", margin_mm: float = 18
) -> None:
    agent.call("create_pdf", path=MENU, html=_build_html(lines, legend, order), css=css, margin_mm=margin_mm)


def _read_menu(agent: Agent) -> tuple[list[Line], list[str]]:
    """The lines of the new menu and its legend, from the photo, the glossary and the prices of last year."""
    rows = read_full_sheet(agent, "glossary.xlsx", "Dishes")[1:]
    glossary = {str(german): (str(english), str(letters or "")) for german, english, letters in rows}
    old = {row["Dish"]: row["Price EUR"] for row in read_csv_records(agent, "price_list.csv")}
    pieces = agent.call("read_image_text", path="menu.jpg", languages=["de"])["pieces"]
    lines: list[Line] = []
    for _, row in groupby(pieces, key=lambda piece: piece["row"]):
        text = " ".join(piece["text"] for piece in row)
        if re.search("ent[a-zäöü]{3,}t", text):
            continue
        price = re.findall(r"(\d+[.,]\d\d)", text)
        name = re.sub(r"\d.*|€", "", text).strip()
        near = get_close_matches(name, glossary, n=1, cutoff=0.7)
        if near:
            is_heading = not price and near[0] not in old
            stated_price = "" if is_heading else price[0].replace(".", ",") if price else old[near[0]]
            lines.append((near[0], *glossary[near[0]], stated_price))
    used = {letter for line in lines for letter in line[2].split(", ") if letter}
    letters = read_full_sheet(agent, "glossary.xlsx", "Allergens")[1:]
    return lines, [f"{letter} = {text}" for letter, text in letters if letter in used]
