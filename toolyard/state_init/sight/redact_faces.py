"""A newsletter with prints of a photo booth, and a list of who agrees to be shown."""

import datetime
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolyard.state_init.material import take_out, typeset
from toolyard.state_init.names import people
from toolyard.state_init.pdfs import Sheet
from toolyard.state_init.photographs import load_photograph
from toolyard.state_init.rendering import encode
from toolyard.state_init.rendering.ink import Face, new_image, pen, write
from toolyard.state_init.workbooks import Book
from toolyard.world import World, save_text

if TYPE_CHECKING:
    from PIL.Image import Image

Box = tuple[float, float, float, float]
CUTS: Mapping[str, tuple[Box, Box]] = {
    "collins": ((75, 10, 365, 339), (190, 85, 268, 172)),
    "hopper": ((60, 30, 430, 450), (170, 140, 330, 295)),
    "douglass": ((40, 30, 400, 438), (150, 130, 262, 290)),
    "caller": ((30, 0, 380, 397), (150, 75, 255, 195)),
    "mona_lisa": ((10, 0, 184, 197), (52, 45, 138, 145)),
}
"""Of each photograph the part that is shown, and the face in it, from brows to chin; left, top, right, bottom."""
PAINTING = "mona_lisa"
SHOT = (300, 340)
"""Width and height of one shot of a print of two."""
EDGE, CAPTION = 16, 56
PRINT_MM, PRINTS_AT_MM = 80.0, ((22.0, 1, 92.0), (108.0, 1, 92.0), (22.0, 2, 60.0), (108.0, 2, 60.0))
"""How wide a print is, and of each one where it lies: from the left, on which page, from the top."""
_PT_PER_MM = 72 / 25.4
NEWS = (
    "In April the hall of clocks is painted anew. Until then its forty pieces stand in the cellar, where a guide shows "
    "them on Tuesdays and Fridays.\n\nThe evening lectures go on: how a watch keeps time, what a ship's clock had to "
    "endure, and why the station clock is always right.",
    "From April on there is breakfast from eight o'clock. Members pay half for the first cup.\n\nWe thank the band of "
    "the fire brigade, who played until the last guest had gone, and the neighbours, who bore it.",
)


@dataclass(frozen=True)
class Shot:
    """A shot of a print: who is on it, its caption, whether it is mirrored, its brightness."""

    who: str
    caption: str
    mirrored: bool
    light: float

    def draw(self) -> "Image":
        """The shot without its caption."""
        from PIL import Image, ImageEnhance, ImageOps

        cut = load_photograph(self.who).crop([round(side) for side in CUTS[self.who][0]])  # type: ignore[arg-type]
        image = ImageEnhance.Brightness(cut.resize(SHOT, Image.Resampling.LANCZOS)).enhance(self.light)
        return ImageOps.mirror(image) if self.mirrored else image

    @property
    def face(self) -> Box:
        """The face in pixels of the shot."""
        (left, top, right, bottom), face = CUTS[self.who]
        x, y = SHOT[0] / (right - left), SHOT[1] / (bottom - top)
        one, other = (face[0] - left) * x, (face[2] - left) * x
        if self.mirrored:
            one, other = SHOT[0] - other, SHOT[0] - one
        return one, (face[1] - top) * y, other, (face[3] - top) * y


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Write newsletter and list; the facts hold the faces by page and box in points, and which must be covered."""
    visitors = rng.sample([who for who in CUTS if who != PAINTING], 4)
    numbers = dict(zip(visitors, map(str, rng.sample(range(2000, 9800), 4)), strict=True))
    shown = rng.sample([*visitors, *rng.sample(visitors, 3), PAINTING], 8)
    while any(shown[at] == shown[at + 1] for at in range(0, 8, 2)):
        shown = rng.sample(shown, 8)
    shots = [
        Shot(
            who,
            f"No. {numbers[who]}" if who in numbers else "Hall 2: copy",
            rng.random() < 0.5,
            rng.uniform(0.94, 1.06),
        )
        for who in shown
    ]
    hidden = visitors[: rng.choice((2, 2, 3))]
    _write_newsletter(world, rng, shots)
    _write_consents(world, rng, [numbers[who] for who in visitors], len(hidden))
    _write_rules(world, rng)
    faces = [
        {
            "page": PRINTS_AT_MM[at // 2][1],
            "box": _on_page(at, shot),
            "shot": _shot_box(at),
            "print": _print_box(at),
            "who": shot.caption,
            "hidden": shot.who in hidden,
        }
        for at, shot in enumerate(shots)
    ]
    return {"faces": faces, "covered": sum(face["hidden"] for face in faces)}


def _print_size() -> tuple[int, int]:
    return 2 * SHOT[0] + 3 * EDGE, SHOT[1] + EDGE + CAPTION


def _corner_px(at: int) -> tuple[int, int]:
    """The upper left corner of a shot on its print."""
    return EDGE + (at % 2) * (SHOT[0] + EDGE), EDGE


def _placed(at: int, box: Box) -> list[float]:
    """A box on a shot in points of its page, from the upper left corner."""
    (x, _, y), (left, top) = PRINTS_AT_MM[at // 2], _corner_px(at)
    scale = PRINT_MM / _print_size()[0]
    sides = (
        x + (left + box[0]) * scale,
        y + (top + box[1]) * scale,
        x + (left + box[2]) * scale,
        y + (top + box[3]) * scale,
    )
    return [round(side * _PT_PER_MM, 2) for side in sides]


def _on_page(at: int, shot: Shot) -> list[float]:
    return _placed(at, shot.face)


def _shot_box(at: int) -> list[float]:
    return _placed(at, (0, 0, *SHOT))


def _print_box(at: int) -> list[float]:
    x, _, y = PRINTS_AT_MM[at // 2]
    width, height = _print_size()
    return [round(side * _PT_PER_MM, 2) for side in (x, y, x + PRINT_MM, y + PRINT_MM * height / width)]


def _draw_print(shots: Sequence[Shot]) -> "Image":
    """Two shots of the booth side by side, with their captions."""
    sheet = new_image(*_print_size(), (250, 250, 248))
    for place, shot in enumerate(shots):
        left, top = _corner_px(place)
        sheet.paste(shot.draw(), (left, top))
        middle = (left + SHOT[0] / 2, top + SHOT[1] + 8)
        write(pen(sheet), middle, shot.caption, Face("Liberation Sans", 32, bold=True), (30, 30, 34), "center")
    return sheet


def _write_newsletter(world: World, rng: random.Random, shots: Sequence[Shot]) -> None:
    guests = rng.randint(310, 890)
    paper = Sheet("House News, March 2026", author="Museum of the City")
    paper.heading("House News, March 2026", 0)
    paper.text(f"The night of the open doors brought {guests} guests into our halls.", size_pt=12)
    paper.text("Whoever wanted could have a picture taken in the photo booth beside the cloakroom. Each guest "
               "got a number, which the booth prints below the picture; here are the best shots.")  # fmt: skip
    for page in (1, 2):
        if page == 2:
            paper.new_page()
            paper.heading("More from the booth")
            paper.text("In hall 2 somebody put the copy of a famous lady into the booth. She did not complain.")
        for at, (x, here, y) in enumerate(PRINTS_AT_MM):
            if here == page:
                data = encode(_draw_print(shots[2 * at : 2 * at + 2]), "jpeg", 90)
                paper.picture(data, x_mm=x, y_mm=y, width_mm=PRINT_MM)
        paper.y = 152
        paper.heading(("What comes next", "The café opens earlier")[page - 1])
        paper.text(NEWS[page - 1])
        paper.at(22, 275, f"Page {page} of 2. Next open doors: {rng.randint(9, 28)} October 2026.", size_pt=9)
    paper.save(world.files / "newsletter.pdf")


def _write_consents(world: World, rng: random.Random, visitors: Sequence[str], hidden: int) -> None:
    """Who may not be shown never said so: withdrew it, agreed to the intranet alone, or is not on the list."""
    day = datetime.date(2026, 3, 6)
    rows: list[list[Any]] = []
    ways = [[("yes", "yes"), ("yes", "no")], [("yes", "no")], []]
    rng.shuffle(ways)
    for visitor, way in zip(visitors, [*ways[:hidden], [("no", "yes")], [("no", "no"), ("no", "yes")]], strict=False):
        rows += [[visitor, *said, day + datetime.timedelta(days=3 * number)] for number, said in enumerate(way)]
    others = [str(number) for number in rng.sample(range(2000, 9800), 22) if str(number) not in visitors]
    rows += [
        [other, rng.choice(("yes", "no")), rng.choice(("yes", "no")), day + datetime.timedelta(days=rng.randint(0, 9))]
        for other in others
    ]
    rows.sort(key=lambda row: (row[3], row[0]))
    head = ["Visitor", "Intranet", "Newsletter", "Signed on"]
    book = Book(world.now, title="Consents", author=people(rng, 1)[0].name)
    book.sheet("Consents", [head, *([int(row[0]), *row[1:]] for row in rows)])
    book.save(world.files / "consents.xlsx")


def _write_rules(world: World, rng: random.Random) -> None:
    rules, header = take_out(world, "privacy_rules.md"), ("Museum of the City", "\t\t", "Pictures of guests")
    typeset(rules, author=people(rng, 1)[0].name, now=world.now, header=header).save(world.files / "privacy_rules.docx")
    save_text(
        world.files / "booth_log.txt",
        "".join(f"2026-03-05 {rng.randint(18, 23)}:{rng.randint(10, 59)} print ok\n" for _ in range(9)),
    )
