"""Each motif once, in its best shot, undistorted and with its face, apart from the others, on the brand's ground."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import make_group
from yardkit.evaluators.leaves import Collage, Logo

COLLAGE = "collage.png"
LOGO = Logo(COLLAGE, ("logo.png",), lambda facts: (facts["corner"], facts["logo"], facts["margin"]))
SHEET = Collage(COLLAGE, LOGO, lambda facts: facts["photos"], lambda facts: facts)
CHECKS = make_group(
    "brand_collage",
    "The collage can be printed",
    leaves.picture_size("size", "It has its size", COLLAGE, (1500, 1080)),
    make_group(
        "photos",
        "The right photos are shown properly",
        SHEET.check_motifs("motifs", "Each motif is there in its best shot", weight=3),
        SHEET.shapes("shapes", "None is distorted"),
        SHEET.check_faces("faces", "No face is cut or covered"),
        SHEET.check_room("room", "All are large enough and do not touch"),
        weight=4,
    ),
    make_group(
        "brand",
        "It looks like the brand",
        SHEET.check_ground("ground", "Nothing else is on the background in its colour"),
        LOGO.check_logo("logo", "The logo is in its corner, in its size"),
        weight=2,
    ),
    leaves.answer_number("The answer counts the photos left out", lambda facts: facts["others"]),
    leaves.check_inspected("The agent looked at the collage that it hands in", COLLAGE),
    leaves.nothing_else(COLLAGE),
)
