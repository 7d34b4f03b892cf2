"""The chart is measured in pixels; the table says what was drawn."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, define_leaf, make_finding, make_group
from yardkit.evaluators.readers.answers import simplify_text
from yardkit.evaluators.readers.pages import chart_bars, pictures
from yardkit.evaluators.readers.pages.chart_bars import Bars, Patch
from yardkit.evaluators.readers.tables import find_records, is_near, read_csv_rows
from yardkit.evaluators.submission import Submission

COLUMNS = ("branch", "loans", "target_reached")
CHART = ("image:chart.png",)
TABLE = ("text:data.csv",)


def _find_chart_bars(submission: Submission, facts: Facts) -> Bars:
    pixels = pictures.read_picture(submission, "chart.png")
    return chart_bars.find_bars(pixels, facts["colors"], horizontal=facts["horizontal"])


def _list_values(facts: Facts) -> list[int]:
    return [count for _, count in facts["bars"]]


@define_leaf("size", "The picture has the stated size", *CHART, kind="format")
def _check_size(submission: Submission, facts: Facts) -> Finding:
    height, width = pictures.read_picture(submission, "chart.png").shape[:2]
    good = all(abs(side / asked - 1) <= 0.05 for side, asked in zip((width, height), facts["size_px"], strict=True))
    return make_finding(good, f"chart.png has {width} x {height} pixels, asked for were {facts['size_px']}, within 5 %")


@define_leaf("lengths", "One bar per branch, to scale from zero", *CHART, weight=3)
def _check_lengths(submission: Submission, facts: Facts) -> Finding:
    """One bar per branch; whatever their order, the lengths are to scale from zero."""
    lengths = _find_chart_bars(submission, facts).lengths
    good = chart_bars.are_proportional(sorted(lengths), sorted(_list_values(facts)))
    return make_finding(good, f"bars of {lengths} px, the values are {_list_values(facts)}")


@define_leaf("order", "The bars are in the order of the style", *CHART, weight=2)
def _check_order(submission: Submission, facts: Facts) -> Finding:
    lengths, values = _find_chart_bars(submission, facts).lengths, _list_values(facts)
    ranks = [sorted(row).index(number) for row in (lengths, values) for number in row]
    return make_finding(
        ranks[: len(lengths)] == ranks[len(lengths) :], f"bars of {lengths} px, the values are {values}"
    )


@define_leaf("colors", "Each bar has the colour that its value asks for", *CHART, weight=2)
def _check_colors(submission: Submission, facts: Facts) -> Finding:
    bar_colors = _find_chart_bars(submission, facts).colors
    expected_colors = [int(count < facts["target"]) for count in _list_values(facts)]
    return make_finding(
        bar_colors == expected_colors, f"colours {bar_colors}, expected {expected_colors}; 0 is {facts['colors'][0]}"
    )


@define_leaf("labels", "A value is written at each bar", *CHART)
def _check_labels(submission: Submission, facts: Facts) -> Finding:
    """Lettering inside each bar or just beyond its end."""
    pixels, bars = pictures.read_picture(submission, "chart.png"), _find_chart_bars(submission, facts)
    places = [
        (Patch(bar.left + 3, bar.top + 3, bar.right - 3, bar.bottom - 3), _locate_beyond(bar, bars.horizontal))
        for bar in bars.patches
    ]
    bare = [
        bar
        for bar, boxes in zip(bars.patches, places, strict=True)
        if not any(chart_bars.has_lettering(pixels, box) for box in boxes)
    ]
    return make_finding(bool(places) and not bare, f"{len(places)} bars, without a value: {bare}")


def _locate_beyond(bar: Patch, horizontal: bool) -> Patch:
    if horizontal:
        return Patch(bar.right + 2, bar.top - 4, bar.right + 110, bar.bottom + 4)
    return Patch(bar.left - 12, bar.top - 60, bar.right + 12, bar.top - 2)


@define_leaf("title", "A title is above the plot", *CHART)
def _check_title(submission: Submission, facts: Facts) -> Finding:
    pixels, bars = pictures.read_picture(submission, "chart.png"), _find_chart_bars(submission, facts)
    height, width = pixels.shape[:2]
    top = min([bar.top for bar in bars.patches] + [height // 8])
    return make_finding(
        chart_bars.has_lettering(pixels, Patch(width // 12, 0, width, top), least=8), f"the top {top} px were looked at"
    )


@define_leaf("legend", "The legend is to the right of the plot", *CHART)
def _check_legend(submission: Submission, facts: Facts) -> Finding:
    """A key in each colour, right of all bars, with lettering beside it."""
    pixels, bars = pictures.read_picture(submission, "chart.png"), _find_chart_bars(submission, facts)
    end = max((bar.right for bar in bars.patches), default=pixels.shape[1])
    beside = [
        any(
            key.left > end
            and chart_bars.has_lettering(
                pixels, Patch(key.right + 2, key.top - 6, key.right + 260, key.bottom + 6), least=5
            )
            for key in keys
        )
        for keys in bars.keys
    ]
    return make_finding(all(beside), f"keys {bars.keys}, the plot's bars end at {end} px")


def _read_data_rows(submission: Submission) -> list[dict[str, object]]:
    return find_records(read_csv_rows(submission, "data.csv"), COLUMNS, "data.csv")


@define_leaf("drawn", "Branches and loans in the order of the bars", *TABLE, weight=2)
def _check_data_rows(submission: Submission, facts: Facts) -> Finding:
    """Names and values in the order of the bars; a space more or less in a name that was read does not matter."""
    rows = _read_data_rows(submission)
    branch_rows = [(simplify_text(str(row["branch"])).replace(" ", ""), row["loans"]) for row in rows]
    good = len(branch_rows) == len(facts["bars"]) and all(
        name == simplify_text(branch).replace(" ", "") and is_near(value, count)
        for (name, value), (branch, count) in zip(branch_rows, facts["bars"], strict=True)
    )
    return make_finding(good, f"found {branch_rows}, expected {facts['bars']}")


@define_leaf("reached", "The branches that reached the target", *TABLE)
def _check_reached(submission: Submission, facts: Facts) -> Finding:
    reached_column = [simplify_text(str(row["target_reached"])) for row in _read_data_rows(submission)]
    expected_column = ["yes" if count >= facts["target"] else "no" for count in _list_values(facts)]
    return make_finding(reached_column == expected_column, f"found {reached_column}, expected {expected_column}")


CHECKS = make_group(
    "chart_in_style",
    "The table is drawn in the house style",
    leaves.answer_number(
        "The number of branches that reached the target is stated",
        lambda facts: sum(count >= facts["target"] for count in _list_values(facts)),
    ),
    make_group(
        "chart",
        "The chart shows the figures as the style guide asks",
        _check_size,
        _check_lengths,
        _check_order,
        _check_colors,
        _check_labels,
        _check_title,
        _check_legend,
        weight=4,
    ),
    make_group("data", "The table says what was drawn", _check_data_rows, _check_reached, weight=2),
    leaves.nothing_else("chart.png", "data.csv"),
)
