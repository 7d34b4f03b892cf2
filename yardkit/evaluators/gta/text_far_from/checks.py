"""The slogan stands in the farthest corner, beside the thing, in its colour; the photograph is as it was."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import make_group
from yardkit.evaluators.leaves import Lettering

POSTCARD = "generated/postcard.png"
SLOGAN = Lettering(POSTCARD, lambda facts: {"slogan": facts["slogan"]})
CHECKS = make_group(
    "text_far_from",
    "The postcard is ready",
    SLOGAN.says("slogan", "The slogan that the note settles on is read on it", weight=2),
    SLOGAN.check_position("corner", "It is in the farthest corner", lambda _, facts: facts["place"], weight=2),
    SLOGAN.check_clearance("apart", "It is not over the thing", lambda _, facts: facts["thing"], lambda _: 0),
    SLOGAN.check_ink("color", "It has the colour that is asked for", lambda facts: facts["color"]),
    leaves.changed_only_at(
        "rest",
        "The rest of the photograph is as it was",
        POSTCARD,
        lambda _: "photo.jpg",
        lambda facts: [facts["place"]],
    ),
    leaves.nothing_else(POSTCARD),
)
