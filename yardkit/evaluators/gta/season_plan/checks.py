"""The deck says what 2025 cost and what 2026 gets, and shows a true chart and the product."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import (
    Check,
    Facts,
    Finding,
    InvalidArtifact,
    make_checkpoint,
    make_finding,
    make_group,
)
from yardkit.evaluators.leaves import ColumnChart
from yardkit.evaluators.readers.answers import find_numbers, simplify_text
from yardkit.evaluators.readers.office.presentations import read_deck
from yardkit.evaluators.submission import Submission

PLAN = "plan_2026.pptx"
TITLES = ["Plan 2026", "What 2025 brought", "Budgets 2026", "The product"]
OPENING, RESULTS, BUDGETS, PHOTOGRAPH = 1, 2, 3, 4
_TEXTS = (f"file:{PLAN}", f"slides:{PLAN}", f"texts:{PLAN}", f"shapes:{PLAN}")


def _read_slide_lines(submission: Submission, number: int) -> list[str]:
    """The lines of a slide but its title, and the rows of its tables."""
    slides = read_deck(submission, PLAN).slides
    if len(slides) < number:
        raise InvalidArtifact(f"{PLAN} has {len(slides)} slides")
    slide = slides[number - 1]
    return [
        simplify_text(line)
        for line in slide.text.split("\n")
        if line.strip() and simplify_text(line) != simplify_text(slide.title)
    ]


def _check_titles(submission: Submission, _facts: Facts) -> Finding:
    titles = read_deck(submission, PLAN).titles
    return make_finding(list(map(simplify_text, titles)) == list(map(simplify_text, TITLES)), f"slides: {titles}")


def _per_channel(number: int, name: str) -> Check:
    """Each channel stands in one line of the slide, with its number and no other one."""

    def check(submission: Submission, facts: Facts) -> Finding:
        lines, wrong = _read_slide_lines(submission, number), []
        for channel, amount in facts[name]:
            own = [line for line in lines if simplify_text(channel) in line]
            if len(own) != 1 or [f"{value:.2f}" for value in find_numbers(own[0])] != [f"{float(amount):.2f}"]:
                wrong.append(f"{channel}: {own}, expected {amount}")
        return make_finding(not wrong, f"{wrong or 'each has its own'}")

    return check


def _check_numbers(number: int, *names: str) -> Check:
    """These numbers, and no others, stand on a slide in lines that name no channel."""

    def check(submission: Submission, facts: Facts) -> Finding:
        channels = [simplify_text(name) for name, _ in facts["costs"]]
        rest = [line for line in _read_slide_lines(submission, number) if not any(name in line for name in channels)]
        line_numbers = sorted(value for line in rest for value in find_numbers(line))
        expected_numbers = sorted(facts[name] for name in names)
        return make_finding(
            line_numbers == expected_numbers, f"beside the channels are {line_numbers[:8]}, expected {expected_numbers}"
        )

    return check


def _check_slogan(submission: Submission, facts: Facts) -> Finding:
    text = " ".join(_read_slide_lines(submission, OPENING))
    missing_texts = [name for name in (facts["slogan"], *facts["audiences"]) if simplify_text(name) not in text]
    old = any(
        simplify_text(facts["old_slogan"]) in simplify_text(slide.text) for slide in read_deck(submission, PLAN).slides
    )
    return make_finding(
        not missing_texts and not old, f"missing: {missing_texts or 'none'}; the old slogan is still there: {old}"
    )


def _check_inside(submission: Submission, _facts: Facts) -> Finding:
    deck = read_deck(submission, PLAN)
    beside = [shape.name for slide in deck.slides for shape in deck.off_slide(slide)]
    return make_finding(any(deck.titles) and not beside, f"beside the slides: {beside}; titles: {deck.titles}")


CHART = ColumnChart(
    PLAN, RESULTS, lambda facts: facts["color"], lambda facts: [(name, float(cost)) for name, cost in facts["costs"]]
)
CHECKS = make_group(
    "season_plan",
    "The plan can be shown to the board",
    make_checkpoint(
        "titles", "It has just the four slides", _check_titles, covers=(*_TEXTS, f"titles:{PLAN}"), kind="format"
    ),
    make_checkpoint("slogan", "It opens with the new slogan and the audience", _check_slogan, covers=_TEXTS, weight=2),
    make_group(
        "results",
        "The results of 2025 are presented",
        make_checkpoint(
            "costs", "Each channel has what an order cost", _per_channel(RESULTS, "costs"), covers=_TEXTS, weight=2
        ),
        make_checkpoint("sums", "So have all of them", _check_numbers(RESULTS, "spent", "orders"), covers=_TEXTS),
        CHART.check_proportions("columns", "The columns are as high as that", weight=2),
        CHART.check_labels("labelled", "Each column has its name"),
        weight=4,
    ),
    make_group(
        "budgets",
        "The money is shared by the rule",
        make_checkpoint(
            "shares", "Each channel has its budget", _per_channel(BUDGETS, "budgets"), covers=_TEXTS, weight=2
        ),
        make_checkpoint("total", "The total is right", _check_numbers(BUDGETS, "total"), covers=_TEXTS),
        weight=3,
    ),
    leaves.slide_photograph("product", "The photograph is there, whole", PLAN, PHOTOGRAPH, "product.jpg", weight=2),
    make_checkpoint("inside", "Everything is on its slide", _check_inside, covers=_TEXTS, kind="format"),
    leaves.all_of("whole", "No picture is cut or over text", leaves.check_complete_pictures("p", "", PLAN, least=2)),
    leaves.drafts_open(),
    leaves.nothing_else(PLAN, "generated/"),
)
