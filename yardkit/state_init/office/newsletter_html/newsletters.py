"""Staff newsletters for seeded worlds: articles with values, events, the page and its style sheet with their faults.

The articles lie in ``newsletters.txt``: each begins with ``#``, its key, the headline in the newsletter, the title of
its draft and what its picture shows; ``##`` is a subheading, ``=`` a last line that only an older draft has.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from string import Template

MONTH = "April"
_LINK = re.compile(r"\[([^\]]+)\]\(([^)]+)\)")


@dataclass(frozen=True)
class Article:
    """An article with open values, such as ``{who}``; a line that begins with ``##`` is a subheading."""

    key: str
    headline: str
    title: str
    shows: str
    lines: tuple[str, ...]
    late: str

    def fill(self, values: Mapping[str, object]) -> list[str]:
        """Its lines in Markdown."""
        return [line.format(**values) for line in self.lines]


def strip_markdown(line: str) -> str:
    """A line of Markdown as it is read."""
    return _LINK.sub(r"\1", line).removeprefix("## ")


def list_links(lines: Sequence[str]) -> list[tuple[str, str]]:
    """Text and address of each link."""
    return [(text, address) for line in lines for text, address in _LINK.findall(line)]


def _read_articles() -> tuple[Article, ...]:
    text = Path(__file__).with_suffix(".txt").read_text("utf-8")
    articles = []
    for block in re.split(r"^# ", text, flags=re.M)[1:]:
        head, *rest = [line for line in block.splitlines() if line]
        body = tuple(line for line in rest if not line.startswith("="))
        late = next(line.removeprefix("= ") for line in rest if line.startswith("="))
        key, headline, title, shows = head.split(" | ")
        articles.append(Article(key, headline, title, shows, body, late))
    return tuple(articles)


ARTICLES = _read_articles()
NAMES = ("The Harbour Light", "The Weekly Thread", "Inside Matters", "The Morning Shift", "Between the Halls")
LEADS = (
    "Dear colleagues, the winter was long, and much of what was planned in it is now ready to be shown. In this "
    "issue you read what changes at the gate, in the kitchen and on the roof, and who has been working on it. At the "
    "end you find what is on this month. Some dates were still open when we went to press, so please have a look at "
    "the notice boards, too. We wish you a good start into spring.",
    "Dear colleagues, spring is here, and with it comes an issue that is fuller than usual. We have spoken with "
    "people who cook, ride, run, plant and repair, and who do most of it beside their work. At the end there is the "
    "list of what is on this month. Should you miss something in it, then tell us in time for the next issue; our "
    "address stands on the last lines, as always.",
)
FACTS = (
    ("new colleagues", "days without an accident", "ideas handed in"),
    ("orders shipped", "visitors at the open day", "hours of training"),
    ("colleagues at this site", "cups of coffee a day", "bicycles at gate 2"),
)
EVENTS = (
    "Guided tour of the new control room",
    "Lunchtime concert of the staff choir",
    "Works meeting for all shifts",
    "Introduction to the new time sheets",
    "Blood donation in the first-aid room",
    "Workshop: minutes that people read",
    "Evening of board games and pizza",
    "Information about the pension plan",
    "Round table of parents on leave",
    "Flea market of the sports club",
    "Welcome of new colleagues",
    "Open day of the training workshop",
    "Chess tournament, first round",
    "Talk: sleep well in spite of shifts",
    "Repair café for lamps and toasters",
    "Yoga in the lunch break",
    "Language café: Polish and Turkish",
    "Safety walk through the warehouse",
    "Retirement party of the paint shop",
    "Photo walk along the canal",
    "Question time with the managers",
    "Bicycle check before the season",
    "Reading for children of the staff",
    "Fire drill in halls 1 to 4",
    "Course: pivot tables for beginners",
    "Tasting of the new canteen menu",
)
PLACES = (
    "Entrance hall",
    "Canteen, upper floor",
    "Training centre, room 2.14",
    "Hall 3, meeting point",
    "Car park behind hall 2",
    "Library corner",
    "Gate 2",
    "Conference room Elbe",
)

_TEMPLATE = Path(__file__).with_name("newsletters.html")
_STYLE = Path(__file__).with_name("newsletters.css")
FAULTS = ("banner", "headline", "box", "facts", "address", "table")
"""What can be too wide for a phone: each has a rule that is right and one that is not."""
HIDING = ("stamp", "lead")
"""What can cover the headline or cut off the first text on a phone, without making the page any wider."""
_RIGHT = {
    "banner": ".banner { max-width: 100%; height: auto; }",
    "headline": ".masthead h1 { font-size: 44px; }\n@media (max-width: 600px) { .masthead h1 { font-size: 32px; } }",
    "box": ".box { max-width: 560px; }",
    "facts": ".facts { display: flex; flex-wrap: wrap; gap: 12px; }\n.facts div { flex: 1 1 200px; }",
    "address": ".box .address { font-size: 20px; overflow-wrap: anywhere; }",
    "table": ".events td, .events th { padding: 8px; }",
    "stamp": ".stamp { display: inline-block; margin: 0 0 8px; }",
    "lead": ".lead { min-height: 64px; }",
}
_WRONG = {
    "banner": ".banner { width: 960px; height: 300px; }",
    "headline": ".masthead h1 { font-size: 46px; white-space: nowrap; }",
    "box": ".box { width: 560px; }",
    "facts": ".facts { display: grid; grid-template-columns: repeat(3, 240px); gap: 16px; }",
    "address": ".box .address { font-size: 24px; white-space: nowrap; }",
    "table": ".events table { min-width: 720px; }\n.events td, .events th { padding: 8px; white-space: nowrap; }",
    "stamp": ".stamp { position: absolute; right: 20px; top: 92px; margin: 0; transform: rotate(-4deg); }",
    "lead": ".lead { height: 144px; overflow: hidden; }",
}


def style_sheet(accent: str, pale: str, wrong: Sequence[str]) -> str:
    """The brand's style sheet; the parts in `wrong` do not fit a phone, and those that the page itself styles."""
    rules = "\n".join((_WRONG if name in wrong else _RIGHT)[name] for name in (*FAULTS, *HIDING))
    return Template(_STYLE.read_text("utf-8")).substitute(accent=accent, pale=pale) + rules + "\n"


def page_rules(names: Sequence[str]) -> str:
    """The wrong rules of these parts, for the page's own style."""
    return "\n".join(line for name in names for line in _WRONG[name].splitlines())


def render_page(values: Mapping[str, str]) -> str:
    """The page, its text escaped; `values` whose names end in ``html`` are put in as they are."""
    filled = {key: value if key.endswith("html") else escape(value) for key, value in values.items()}
    return Template(_TEMPLATE.read_text("utf-8")).substitute(filled)
