"""The chart is measured in pixels; the table says what was drawn."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, finding, group, leaf
from yardkit.evaluators.readers.answers import fold, read_number
from yardkit.evaluators.readers.pages import chart_bars, pictures
from yardkit.evaluators.readers.pages.chart_bars import Bars, Patch
from yardkit.evaluators.readers.tables import find_records, near, read_csv_rows
from yardkit.evaluators.submission import Submission

COLUMNS = ("branch", "loans", "target_reached")


def _bars(submission: Submission, facts: Facts) -> Bars:
    pixels = pictures.read_picture(submission, "chart.png")
    return chart_bars.find_bars(pixels, facts["colors"], horizontal=facts["horizontal"])


def _values(facts: Facts) -> list[int]:
    return [count for _, count in facts["bars"]]


def _size(submission: Submission, facts: Facts) -> Finding:
    height, width = pictures.read_picture(submission, "chart.png").shape[:2]
    good = all(abs(side / asked - 1) <= 0.05 for side, asked in zip((width, height), facts["size_px"], strict=True))
    return finding(good, f"chart.png has {width} x {height} pixels, asked for were {facts['size_px']}, within 5 %")


def _lengths(submission: Submission, facts: Facts) -> Finding:
    """One bar per branch; whatever their order, the lengths are to scale from zero."""
    lengths = _bars(submission, facts).lengths
    good = chart_bars.are_proportional(sorted(lengths), sorted(_values(facts)))
    return finding(good, f"bars of {lengths} px, the values are {_values(facts)}")


def _order(submission: Submission, facts: Facts) -> Finding:
    lengths, values = _bars(submission, facts).lengths, _values(facts)
    ranks = [sorted(row).index(number) for row in (lengths, values) for number in row]
    return finding(ranks[: len(lengths)] == ranks[len(lengths) :], f"bars of {lengths} px, the values are {values}")


def _colors(submission: Submission, facts: Facts) -> Finding:
    found = _bars(submission, facts).colors
    wanted = [int(count < facts["target"]) for count in _values(facts)]
    return finding(found == wanted, f"colours {found}, expected {wanted}; 0 is {facts['colors'][0]}")


def _labels(submission: Submission, facts: Facts) -> Finding:
    """Lettering inside each bar or just beyond its end."""
    pixels, found = pictures.read_picture(submission, "chart.png"), _bars(submission, facts)
    places = [(_inside(bar), _beyond(bar, found.horizontal)) for bar in found.patches]
    bare = [bar for bar, boxes in zip(found.patches, places, strict=True) if not _lettered(pixels, boxes)]
    return finding(bool(places) and not bare, f"{len(places)} bars, without a value: {bare}")


def _lettered(pixels: object, boxes: tuple[Patch, Patch]) -> bool:
    return any(chart_bars.has_lettering(pixels, box) for box in boxes)


def _inside(bar: Patch) -> Patch:
    return Patch(bar.left + 3, bar.top + 3, bar.right - 3, bar.bottom - 3)


def _beyond(bar: Patch, horizontal: bool) -> Patch:
    if horizontal:
        return Patch(bar.right + 2, bar.top - 4, bar.right + 110, bar.bottom + 4)
    return Patch(bar.left - 12, bar.top - 60, bar.right + 12, bar.top - 2)


def _title(submission: Submission, facts: Facts) -> Finding:
    pixels, found = pictures.read_picture(submission, "chart.png"), _bars(submission, facts)
    height, width = pixels.shape[:2]
    top = min([bar.top for bar in found.patches] + [height // 8])
    return finding(
        chart_bars.has_lettering(pixels, Patch(width // 12, 0, width, top), least=8), f"the top {top} px were looked at"
    )


def _legend(submission: Submission, facts: Facts) -> Finding:
    """A key in each colour, right of all bars, with lettering beside it."""
    pixels, found = pictures.read_picture(submission, "chart.png"), _bars(submission, facts)
    end = max((bar.right for bar in found.patches), default=pixels.shape[1])
    beside = [
        any(key.left > end and chart_bars.has_lettering(pixels, _right_of(key), least=5) for key in keys)
        for keys in found.keys
    ]
    return finding(all(beside), f"keys {found.keys}, the plot's bars end at {end} px")


def _right_of(key: Patch) -> Patch:
    return Patch(key.right + 2, key.top - 6, key.right + 260, key.bottom + 6)


def _rows(submission: Submission) -> list[dict[str, object]]:
    return find_records(read_csv_rows(submission, "data.csv"), COLUMNS, "data.csv")


def _drawn(submission: Submission, facts: Facts) -> Finding:
    """Names and values in the order of the bars; a space more or less in a name that was read does not matter."""
    rows = _rows(submission)
    found = [(fold(str(row["branch"])).replace(" ", ""), row["loans"]) for row in rows]
    good = len(found) == len(facts["bars"]) and all(
        name == fold(branch).replace(" ", "") and near(value, count)
        for (name, value), (branch, count) in zip(found, facts["bars"], strict=True)
    )
    return finding(good, f"found {found}, expected {facts['bars']}")


def _reached(submission: Submission, facts: Facts) -> Finding:
    found = [fold(str(row["target_reached"])) for row in _rows(submission)]
    wanted = ["yes" if count >= facts["target"] else "no" for count in _values(facts)]
    return finding(found == wanted, f"found {found}, expected {wanted}")


def _answer(submission: Submission, facts: Facts) -> Finding:
    stated, wanted = read_number(submission.answer), sum(count >= facts["target"] for count in _values(facts))
    return finding(stated == wanted, f"{stated} was stated, {wanted} branches reached the target")


CHART = ("image:chart.png",)
TABLE = ("text:data.csv",)

CHECKS = group(
    "chart_in_style",
    "The table is drawn in the house style",
    leaf("answer", "The number of branches that reached the target is stated", _answer, observes=("answer",)),
    group(
        "chart",
        "The chart shows the figures as the style guide asks",
        leaf("size", "The picture has the stated size", _size, observes=CHART, kind="format"),
        leaf("lengths", "One bar per branch, to scale from zero", _lengths, observes=CHART, weight=3),
        leaf("order", "The bars are in the order of the style", _order, observes=CHART, weight=2),
        leaf("colors", "Each bar has the colour that its value asks for", _colors, observes=CHART, weight=2),
        leaf("labels", "A value is written at each bar", _labels, observes=CHART),
        leaf("title", "A title is above the plot", _title, observes=CHART),
        leaf("legend", "The legend is to the right of the plot", _legend, observes=CHART),
        weight=4,
    ),
    group(
        "data",
        "The table says what was drawn",
        leaf("drawn", "Branches and loans in the order of the bars", _drawn, observes=TABLE, weight=2),
        leaf("reached", "The branches that reached the target", _reached, observes=TABLE),
        weight=2,
    ),
    leaves.nothing_else("chart.png", "data.csv"),
)
