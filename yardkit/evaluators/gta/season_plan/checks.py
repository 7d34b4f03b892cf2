"""The deck says what 2025 cost and what 2026 gets, and shows a true chart and the product."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Check, Facts, Finding, InvalidArtifact, finding, group, leaf
from yardkit.evaluators.leaves import ColumnChart
from yardkit.evaluators.readers.answers import find_numbers, fold
from yardkit.evaluators.readers.office.presentations import read_deck
from yardkit.evaluators.submission import Submission

PLAN = "plan_2026.pptx"
TITLES = ["Plan 2026", "What 2025 brought", "Budgets 2026", "The product"]
OPENING, RESULTS, BUDGETS, PHOTOGRAPH = 1, 2, 3, 4
_TEXTS = (f"file:{PLAN}", f"slides:{PLAN}", f"texts:{PLAN}", f"shapes:{PLAN}")


def _lines(submission: Submission, number: int) -> list[str]:
    """The lines of a slide but its title, and the rows of its tables."""
    slides = read_deck(submission, PLAN).slides
    if len(slides) < number:
        raise InvalidArtifact(f"{PLAN} has {len(slides)} slides")
    slide = slides[number - 1]
    return [fold(line) for line in slide.text.split("\n") if line.strip() and fold(line) != fold(slide.title)]


def _titles(submission: Submission, _facts: Facts) -> Finding:
    titles = read_deck(submission, PLAN).titles
    return finding(list(map(fold, titles)) == list(map(fold, TITLES)), f"slides: {titles}")


def _per_channel(number: int, name: str) -> Check:
    """Each channel stands in one line of the slide, with its number and no other one."""

    def check(submission: Submission, facts: Facts) -> Finding:
        lines, wrong = _lines(submission, number), []
        for channel, amount in facts[name]:
            own = [line for line in lines if fold(channel) in line]
            if len(own) != 1 or [f"{value:.2f}" for value in find_numbers(own[0])] != [f"{float(amount):.2f}"]:
                wrong.append(f"{channel}: {own}, expected {amount}")
        return finding(not wrong, f"{wrong or 'each has its own'}")

    return check


def _stands(number: int, *names: str) -> Check:
    """These numbers, and no others, stand on a slide in lines that name no channel."""

    def check(submission: Submission, facts: Facts) -> Finding:
        channels = [fold(name) for name, _ in facts["costs"]]
        rest = [line for line in _lines(submission, number) if not any(name in line for name in channels)]
        found = sorted(value for line in rest for value in find_numbers(line))
        wanted = sorted(facts[name] for name in names)
        return finding(found == wanted, f"beside the channels are {found[:8]}, expected {wanted}")

    return check


def _slogan(submission: Submission, facts: Facts) -> Finding:
    text = " ".join(_lines(submission, OPENING))
    lacking = [name for name in (facts["slogan"], *facts["audiences"]) if fold(name) not in text]
    old = any(fold(facts["old_slogan"]) in fold(slide.text) for slide in read_deck(submission, PLAN).slides)
    return finding(not lacking and not old, f"missing: {lacking or 'none'}; the old slogan is still there: {old}")


def _inside(submission: Submission, _facts: Facts) -> Finding:
    deck = read_deck(submission, PLAN)
    beside = [shape.name for slide in deck.slides for shape in deck.off_slide(slide)]
    return finding(not beside, f"beside the slides: {beside}")


CHART = ColumnChart(
    PLAN, RESULTS, lambda facts: facts["color"], lambda facts: [(name, float(cost)) for name, cost in facts["costs"]]
)
CHECKS = group(
    "season_plan",
    "The plan can be shown to the board",
    leaf("titles", "It has just the four slides", _titles, observes=(*_TEXTS, f"titles:{PLAN}"), kind="format"),
    leaf("slogan", "It opens with the new slogan and the audience", _slogan, observes=_TEXTS, weight=2),
    group(
        "results",
        "The results of 2025 are presented",
        leaf("costs", "Each channel has what an order cost", _per_channel(RESULTS, "costs"), observes=_TEXTS, weight=2),
        leaf("sums", "So have all of them", _stands(RESULTS, "spent", "orders"), observes=_TEXTS),
        CHART.proportional("columns", "The columns are as high as that", weight=2),
        CHART.labelled("labelled", "Each column has its name"),
        weight=4,
    ),
    group(
        "budgets",
        "The money is shared by the rule",
        leaf("shares", "Each channel has its budget", _per_channel(BUDGETS, "budgets"), observes=_TEXTS, weight=2),
        leaf("total", "The total is right", _stands(BUDGETS, "total"), observes=_TEXTS),
        weight=3,
    ),
    leaves.slide_photograph("product", "The photograph is there, whole", PLAN, PHOTOGRAPH, "product.jpg", weight=2),
    leaf("inside", "Everything is on its slide", _inside, observes=_TEXTS, kind="format"),
    leaves.all_of("whole", "No picture is distorted, or over a text", leaves.pictures_whole("shape", "", PLAN)),
    leaves.drafts_open(),
    leaves.nothing_else(PLAN, "generated/"),
)  # fmt: skip
