"""The bars are measured in pixels, and what stands around them is read."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.leaves.drawn_charts import DELIVERED, delivered_picture
from yardkit.evaluators.readers.media.compositions import read_upright_picture
from yardkit.evaluators.readers.media.writing import normalize_text, read_lines
from yardkit.evaluators.submission import Submission

COLORS = ("#1f4e79", "#b03a48", "#2e7d32")
BARS = leaves.DrawnBars(
    COLORS, lambda facts: facts["values"], lambda facts: [COLORS.index(facts["color"])] * len(facts["values"])
)


def _check_words(submission: Submission, facts: Facts) -> Finding:
    """The regions stand side by side in their order, each value does, and the title; small ones are read enlarged."""
    visible_text = read_upright_picture(submission, delivered_picture(submission, facts))
    lines = [line for factor in (2.0, 1.0) for line in read_lines(submission, visible_text, factor=factor)]
    read_words = [normalize_text(word) for line in lines for word in (line.text, *(text for text, _ in line.words))]
    expected_texts = [facts["title"], *facts["regions"], *map(str, facts["values"])]
    missing_texts = [text for text in expected_texts if not any(normalize_text(text) in word for word in read_words)]
    middles = {
        normalize_text(word): (box[0] + box[2]) / 2
        for line in lines
        for word, box in ((line.text, line.box), *line.words)
    }
    places = [middles[normalize_text(region)] for region in facts["regions"] if normalize_text(region) in middles]
    holds = not missing_texts and places == sorted(places)
    return make_finding(holds, f"not read: {missing_texts or 'none'}; the regions are at {places}")


CHECKS = make_group(
    "plot_of_table",
    "The bars show the column",
    BARS.to_scale("lengths", "A bar for each region, in order, to scale from zero", weight=4),
    BARS.in_colors("colors", "All bars have the colour that is asked for"),
    make_checkpoint("words", "Regions, values and title can be read", _check_words, covers=DELIVERED, weight=2),
    leaves.answer_picture("The answer says where the picture is stored", weight=0.5),
    leaves.nothing_else("generated/", weight=0.5),
)
