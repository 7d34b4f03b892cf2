"""A newsletter with prints of a photo booth, and a list of who agrees to be shown."""

import datetime
import random
from collections.abc import Sequence
from typing import Any

from yardkit.state_init.booth_prints import CUTS, PRINT_PX, SHOT_PX, Box, Shot, draw_print, shot_corner
from yardkit.state_init.material import take_out, typeset_markdown
from yardkit.state_init.names import make_people
from yardkit.state_init.pdfs import Sheet
from yardkit.state_init.rendering import encode_image
from yardkit.state_init.workbooks import make_single_sheet
from yardkit.world import World, save_text

PAINTING = "mona_lisa"
PRINT_MM, PRINTS_AT_MM = 80.0, ((22.0, 92.0, 1), (108.0, 92.0, 1), (22.0, 60.0, 2), (108.0, 60.0, 2))
"""How wide a print is, and of each one how far it lies from the left and from the top of which page."""
_PT_PER_MM = 72 / 25.4


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Write newsletter and list; the facts hold the faces by page and box in points, and which must be hidden."""
    visitors = rng.sample([who for who in CUTS if who != PAINTING], 4)
    numbers = dict(zip(visitors, rng.sample(range(2000, 9800), 4), strict=True))
    captions, portrayed_visitors = {who: f"No. {number}" for who, number in numbers.items()}, [visitors[0]] * 2
    while any(portrayed_visitors[at] == portrayed_visitors[at + 1] for at in range(0, len(portrayed_visitors), 2)):
        portrayed_visitors = rng.sample([*visitors, *rng.sample(visitors, 3), PAINTING], 8)
    shots = [
        Shot(who, captions.get(who, "Hall 2: copy"), rng.random() < 0.5, rng.uniform(0.94, 1.06))
        for who in portrayed_visitors
    ]
    hidden = visitors[: rng.choice((2, 2, 3))]
    _write_newsletter(world, rng, shots)
    _write_consents(world, rng, list(numbers.values()), len(hidden))
    rules, header = take_out(world, "privacy_rules.md"), ("Museum of the City", "\t\t", "Pictures of guests")
    typeset_markdown(rules, author=make_people(rng, 1)[0].name, now=world.now, header=header).save(
        world.files / "privacy_rules.docx"
    )
    log = "".join(f"2026-03-05 {rng.randint(18, 23)}:{rng.randint(10, 59)} print ok\n" for _ in range(9))
    save_text(world.files / "booth_log.txt", log)
    faces = [
        {
            "page": PRINTS_AT_MM[at // 2][2],
            "box": _on_page(at, shot.face),
            "shot": _on_page(at, (0, 0, *SHOT_PX)),
            "print": _on_page(at, (0, 0, *PRINT_PX), of_print=True),
            "who": shot.caption,
            "hidden": shot.who in hidden,
        }
        for at, shot in enumerate(shots)
    ]
    return {"faces": faces, "covered": sum(face["hidden"] for face in faces), "guests": len(hidden)}


def _on_page(at: int, box: Box, *, of_print: bool = False) -> list[float]:
    """A box on a shot, or on the print that it is of, in points of its page, from the upper left corner."""
    corner = (0, 0) if of_print else shot_corner(at % 2)
    scale = PRINT_MM / PRINT_PX[0]
    sides = (PRINTS_AT_MM[at // 2][side % 2] + (corner[side % 2] + value) * scale for side, value in enumerate(box))
    return [round(side * _PT_PER_MM, 2) for side in sides]


def _write_newsletter(world: World, rng: random.Random, shots: Sequence[Shot]) -> None:
    first, second, *news = take_out(world, "news.md").format(guests=rng.randint(310, 890)).strip().split("\n\n\n")
    paper = Sheet("House News, March 2026", author="Museum of the City")
    for page, (text, below) in enumerate(((first, news[0]), (second, news[1])), 1):
        if page == 2:
            paper.new_page()
        for part, y in ((text, paper.y), (below, 152)):
            heading, words = part.split("\n", 1)
            paper.y = y
            paper.add_heading(heading, 0 if paper.y < 30 and page == 1 else 1)
            paper.text(words)
        for at, (x, top, here) in enumerate(PRINTS_AT_MM):
            if here == page:
                data = encode_image(draw_print(shots[2 * at : 2 * at + 2]), "jpeg", 90)
                paper.add_picture(data, x_mm=x, y_mm=top, width_mm=PRINT_MM)
        paper.at(22, 278, f"Page {page} of 2", size_pt=9)
    paper.save(world.files / "newsletter.pdf")


def _write_consents(world: World, rng: random.Random, visitors: Sequence[int], hidden: int) -> None:
    """Intranet and newsletter. Guests to be hidden took it back, agreed to one alone, or are not on the list."""
    day, rows = datetime.date(2026, 3, 6), []
    ways = rng.sample([[("yes", "yes"), ("yes", "no")], [("yes", "no")], []], hidden)
    ways += [[("no", "yes")], [("no", "no"), ("no", "yes")]]
    for visitor, way in zip(visitors, ways, strict=False):
        rows += [[visitor, *answers, day + datetime.timedelta(days=3 * number)] for number, answers in enumerate(way)]
    for other in rng.sample(sorted({*range(2000, 9800)} - {*visitors}), 22):
        answers = [rng.choice(("yes", "no")) for _ in range(2)]
        rows.append([other, *answers, day + datetime.timedelta(days=rng.randint(0, 9))])
    rows.sort(key=lambda row: (row[3], row[0]))
    head = ["Visitor", "Intranet", "Newsletter", "Signed on"]
    make_single_sheet("Consents", [head, *rows], world.now, title="Consents").save(world.files / "consents.xlsx")
