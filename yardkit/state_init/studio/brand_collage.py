"""The world of studio/brand_collage: photographs with worse copies of some, a screen shot, a brand sheet and a logo."""

import random
from typing import TYPE_CHECKING, Any, Literal

from yardkit.state_init.booth_prints import CUTS
from yardkit.state_init.material import fill_in
from yardkit.state_init.photographs import load_photograph
from yardkit.state_init.photos import as_taken, load_photo
from yardkit.state_init.rendering import save_image, web_page
from yardkit.state_init.rendering.logos import MARKS, draw_house_logo
from yardkit.world import World, save_bytes

if TYPE_CHECKING:
    from PIL.Image import Image

PEOPLE = {name: face for name, (_, face) in CUTS.items() if name != "mona_lisa"}
THINGS: dict[str, tuple[int, int, int, int] | None] = {
    "cat": (60, 5, 390, 290),
    "cup": None,
    "rocket": None,
    "photographer": (225, 55, 300, 130),
}
"""Other motifs, and the face that must stay whole."""
GROUNDS = ("#123B5D", "#5B2440", "#1F4D3A", "#3A3357")
LEAST_PX = 260
CORNERS = ("bottom left", "bottom right", "top left", "top right")


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Write photos, brand sheet and logo; the facts hold which photo shows which motif, and the faces."""
    things = rng.sample(sorted(THINGS), 4)
    motifs = [*rng.sample(sorted(PEOPLE), 3), *things[:3]]
    files = {(motif, "right"): _load_motif(motif) for motif in motifs}
    blurred, small = rng.sample(motifs, rng.choice((1, 2, 3))), rng.sample(motifs, rng.choice((1, 2)))
    files |= {(motif, "blurred"): _load_motif(motif).filter(_make_blur_filter()) for motif in blurred}
    files |= {(motif, "small"): _shrink_image(_load_motif(motif)) for motif in [*small, things[3]]}
    numbers, sideways, paths = rng.sample(range(2210, 2990), len(files) + 1), rng.sample(motifs, 2), {}
    for (motif, kind), number in zip(rng.sample(sorted(files), len(files)), numbers, strict=False):
        orientation: Literal[1, 6, 8] = rng.choice((6, 8)) if motif in sideways else 1
        taken = f"2026:02:{rng.randint(1, 27):02} 11:{rng.randint(10, 59)}:05"
        paths[motif, kind] = f"photos/DSC_{number}.jpg"
        data = as_taken(files[motif, kind], taken, orientation=orientation, quality=93)
        save_bytes(world.files / paths[motif, kind], data)
    screen = web_page(
        "intranet.example", "Photos for the report", ["Please put all photos here by Friday.", "Thanks!"], "light", rng
    )
    save_image(
        screen.image.crop((0, 0, screen.image.width, min(640, screen.image.height))),
        world.files / f"photos/DSC_{numbers[-1]}.png",
    )
    measures = {
        "width": 1500, "height": 1080, "color": rng.choice(GROUNDS), "margin": rng.choice((40, 48)), "least": LEAST_PX,
        "gap": rng.choice((20, 24)), "cell": 280, "corner": rng.choice(CORNERS), "logo": rng.choice((220, 240)),
    }  # fmt: skip
    fill_in(world, "brand_sheet.md", **measures)
    house = draw_house_logo(
        rng.choice(("Harbour Hall", "Orchard Forum")), rng.choice(MARKS), (250, 250, 248), (236, 180, 70)
    )
    save_image(house, world.files / "logo.png")
    collage_pictures = [
        {"path": paths[motif, "right"], "face": PEOPLE.get(motif) or THINGS.get(motif)} for motif in motifs
    ]
    return {"photos": collage_pictures, "others": len(files) - 5, **measures}


def _load_motif(name: str) -> "Image":
    return load_photo("photographer") if name == "photographer" else load_photograph(name)


def _shrink_image(image: "Image") -> "Image":
    """A copy as it is sent by telephone."""
    return image.resize((image.width * 2 // 5, image.height * 2 // 5))


def _make_blur_filter() -> Any:
    """What a picture out of focus is made with."""
    from PIL import ImageFilter

    return ImageFilter.GaussianBlur(3.2)
