"""The bars are measured in pixels, and what stands around them is read."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, finding, group, leaf
from yardkit.evaluators.leaves.drawn_charts import DELIVERED, delivered_picture
from yardkit.evaluators.readers.media.compositions import read_shown
from yardkit.evaluators.readers.media.writing import plain, read_lines
from yardkit.evaluators.submission import Submission

COLORS = ("#1f4e79", "#b03a48", "#2e7d32")
BARS = leaves.DrawnBars(
    COLORS, lambda facts: facts["values"], lambda facts: [COLORS.index(facts["color"])] * len(facts["values"])
)


def _words(submission: Submission, facts: Facts) -> Finding:
    """The regions stand side by side in their order, each value does, and the title; small ones are read enlarged."""
    shown = read_shown(submission, delivered_picture(submission, facts))
    lines = [line for factor in (2.0, 1.0) for line in read_lines(submission, shown, factor=factor)]
    said = [plain(word) for line in lines for word in (line.text, *(text for text, _ in line.words))]
    wanted = [facts["title"], *facts["regions"], *map(str, facts["values"])]
    lacking = [text for text in wanted if not any(plain(text) in word for word in said)]
    middles = {
        plain(word): (box[0] + box[2]) / 2 for line in lines for word, box in ((line.text, line.box), *line.words)
    }
    places = [middles[plain(region)] for region in facts["regions"] if plain(region) in middles]
    holds = not lacking and places == sorted(places)
    return finding(holds, f"not read: {lacking or 'none'}; the regions are at {places}")


CHECKS = group(
    "plot_of_table",
    "The bars show the column",
    BARS.to_scale("lengths", "A bar for each region, in order, to scale from zero", weight=4),
    BARS.in_colors("colors", "All bars have the colour that is asked for"),
    leaf("words", "Regions, values and title can be read", _words, observes=DELIVERED, weight=2),
    leaves.answer_picture("The answer says where the picture is stored", weight=0.5),
    leaves.nothing_else("generated/", weight=0.5),
)
