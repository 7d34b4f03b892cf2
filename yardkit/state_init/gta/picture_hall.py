"""A leaf of a catalogue with photographs that bear titles, and the pages of their exhibition."""

import random
from typing import TYPE_CHECKING, Any

from yardkit.state_init.photographs import load_photograph
from yardkit.state_init.rendering import save_image
from yardkit.state_init.rendering.ink import Face, get_pen, new_image, write_line
from yardkit.state_init.websites import save_page
from yardkit.world import World

if TYPE_CHECKING:
    from PIL.Image import Image

SUBJECTS = {"horse": "jockey", "cat": "cat", "airplane": "plane"}
"""What may be asked for, and the photograph that shows one."""
CUTS = {"jockey": (100, 10, 520, 400), "plane": (190, 110, 460, 300)}
"""The part of a photograph that is shown, in pixels: enough for the embedded detector."""
REST = ("city", "rocket")
TITLES = (
    "Patience",
    "First Light",
    "The Long Way",
    "Number Seven",
    "Before Noon",
    "A Quiet Hour",
    "Departure",
    "Silver",
)
HALLS = ("Amber Hall", "Blue Hall", "Garden Hall", "North Hall", "Mirror Hall", "Stone Hall")
SIDE_PX, GAP_PX, CAPTION_PX = 420, 30, 60


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """A picture and pages; `others` are the halls of the other pictures, and the one of last year."""
    names = rng.sample([*SUBJECTS.values(), rng.choice(REST)], 4)
    subject = rng.choice(list(SUBJECTS))
    titles, halls = rng.sample(TITLES, 4), rng.sample(HALLS, 5)
    own = names.index(SUBJECTS[subject])
    save_image(_draw_leaf(names, titles, rng), world.files / "catalogue.jpg", 92)
    for place, (title, hall) in enumerate(zip(titles, halls, strict=False), start=1):
        text = f"The photograph {title} hangs in the {hall}, together with {rng.randint(3, 9)} others."
        save_page(world, f"spring-exhibition.example/2026/{place}", f"Spring Exhibition 2026: {title}", [text])
    text = f"The photograph {titles[own]} hung in the {halls[4]}."
    save_page(world, "spring-exhibition.example/2025/9", f"Spring Exhibition 2025: {titles[own]}", [text])
    wrong = [hall for place, hall in enumerate(halls[:4]) if place != own]
    mistakes = ("another_picture", "a_third_picture", "a_fourth_picture")
    return {
        "prompt": {"subject": f"{'an' if subject[0] in 'aeiou' else 'a'} {subject}"},
        "gt_answer": {"whitelist": [[halls[own]]], "blacklist": None},
        "others": {**dict(zip(mistakes, wrong, strict=True)), "year_before": halls[4]},
    }


def _draw_leaf(names: list[str], titles: list[str], rng: random.Random) -> "Image":
    """Two by two photographs, each with its title below it."""
    from PIL import ImageOps

    step, row = SIDE_PX + GAP_PX, SIDE_PX + CAPTION_PX + GAP_PX
    sheet = new_image(2 * step + GAP_PX, 2 * row + GAP_PX, rng.choice([(250, 250, 248), (244, 240, 230)]))
    for place, (name, title) in enumerate(zip(names, titles, strict=True)):
        left, top = GAP_PX + place % 2 * step, GAP_PX + place // 2 * row
        photograph = load_photograph(name)
        photograph = photograph.crop(CUTS.get(name, (0, 0, *photograph.size)))
        part = ImageOps.mirror(photograph) if rng.random() < 0.5 else photograph
        sheet.paste(ImageOps.pad(part, (SIDE_PX, SIDE_PX), color=(222, 218, 208)), (left, top))
        middle = (left + SIDE_PX / 2, top + SIDE_PX + 12)
        write_line(get_pen(sheet), middle, title, Face("Liberation Serif", 38), (30, 30, 34), "center")
    return sheet
