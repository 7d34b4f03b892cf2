"""The world of gta/alt_text: the print of a photograph, with its town and year, and when it was printed."""

import random
from typing import Any

from yardkit.state_init.photographs import vary_photograph
from yardkit.state_init.rendering import save_image
from yardkit.state_init.rendering.ink import Face, get_pen, new_image, write_line
from yardkit.world import World

PRINT_MOTIFS = {
    "jockey": ("horse", "a rider on a galloping horse"),
    "plane": ("airplane", "an airplane below the clouds"),
    "soccer": ("ball", "three players who run after a ball"),
    "cup": ("cup", "a cup of coffee on a wooden table"),
}
ALIASES = {
    "horse": ["horse", "racehorse"],
    "airplane": ["airplane", "aeroplane", "plane", "aircraft", "jet", "airliner"],
    "ball": ["ball", "football", "soccer", "footballers", "players"],
    "cup": ["cup", "coffee", "espresso"],
}
TOWNS = ("Seaton", "Marlow", "Kelso", "Brora", "Whitby", "Ludlow", "Totnes", "Oban")


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """The facts hold what a sentence must name; the town of the laboratory and its year stand there too."""
    thing, description = PRINT_MOTIFS[name := rng.choice(sorted(PRINT_MOTIFS))]
    town, laboratory = rng.sample(TOWNS, 2)
    year = rng.randint(1998, 2012)
    printed = year + rng.randint(2, 9)
    image = vary_photograph(name, rng)
    image = image.resize((800, round(image.height * 800 / image.width)))
    sheet = new_image(880, image.height + 210, (250, 249, 246))
    sheet.paste(image, (40, 40))
    face, ink = Face("Liberation Sans", 38), (44, 44, 48)
    write_line(
        get_pen(sheet), (44, image.height + 62), f"Taken in {town}, {rng.choice(('May', 'June'))} {year}", face, ink
    )
    write_line(get_pen(sheet), (44, image.height + 132), f"Print: Foto {laboratory}, {printed}", face.scale(0.85), ink)
    save_image(sheet, world.files / "print.jpg")
    return {
        "named": [ALIASES[thing], [town], [str(year)]],
        "others": {"laboratory": laboratory, "printed": str(printed)},
        "gt_answer": [
            f"The photograph shows {description}, taken in {town} in {year}.",
            f"{description.capitalize()}, photographed in {town}, {year}.",
            f"In {town}, {year}: {description}.",
        ],
    }
