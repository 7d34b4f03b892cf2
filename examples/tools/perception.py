"""Pictures for the examples of the servers that look: photographs, a receipt on a table, a page of a report."""

import shutil
from pathlib import Path

from PIL import Image, ImageDraw
from support.drawn import draw_table, load_lettering
from support.pictures import PICTURES

from tools import images

CAT, CUP, HER, COINS = "cat.jpg", "coffee.jpg", "astronaut.jpg", "coins.png"
BILL, PAGE, PAGE_PDF, ASIDE = images.BILL, "page.png", "page.pdf", "turned.png"
WORDS = (
    "The committee met in spring and agreed on the budget of the coming year after a long and lively talk about the "
    "coffee that is served in the offices. It costs more than the lamps, the chairs and the paper together, as the "
    "table below shows, and nobody wants to give it up."
)


def prepare_files(files: Path) -> None:
    images.prepare_files(files)
    shutil.copy(PICTURES / COINS, files)
    page = draw_report()
    page.save(files / PAGE)
    page.save(files / PAGE_PDF, resolution=100)
    page.rotate(90, expand=True).save(files / ASIDE)


def draw_report() -> Image.Image:
    """A page with a title, two columns of text, a photograph with its caption, and a ruled table."""
    page = Image.new("RGB", (1000, 1300), "white")
    draw = ImageDraw.Draw(page)
    draw.text((80, 70), "Coffee in the offices", font=load_lettering(44), fill="black")
    for left in (80, 520):
        for row, line in enumerate(wrap_words(WORDS, 400)):
            draw.text((left, 170 + 27 * row), line, font=load_lettering(20), fill="black")
    with Image.open(PICTURES / CUP) as cup:
        page.paste(cup.resize((405, 270)), (297, 535))
    draw.text((330, 820), "Figure 1: A cup in the morning sun", font=load_lettering(18), fill="black")
    page.paste(draw_table(ruled=True), (120, 890))
    draw.text((490, 1240), "12", font=load_lettering(18), fill="black")
    return page


def wrap_words(words: str, width: int) -> list[str]:
    wrapped_lines = [""]
    for word in words.split():
        longer = f"{wrapped_lines[-1]} {word}".strip()
        if load_lettering(20).getlength(longer) > width:
            wrapped_lines.append(word)
        else:
            wrapped_lines[-1] = longer
    return wrapped_lines
