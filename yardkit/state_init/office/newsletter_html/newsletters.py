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

from yardkit.state_init.material import read_texts

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
_TEXTS = read_texts(__file__)
NAMES = _TEXTS["names"]
LEADS = _TEXTS["leads"]
FACTS = _TEXTS["facts"]
EVENTS = _TEXTS["events"]
PLACES = _TEXTS["places"]

_TEMPLATE = Path(__file__).with_name("newsletters.html")
_STYLE = Path(__file__).with_name("newsletters.css")
FAULTS = ("banner", "headline", "box", "facts", "address", "table")
"""What can be too wide for a phone: each has a rule that is right and one that is not."""
HIDING = ("stamp", "lead")
"""What can cover the headline or cut off the first text on a phone, without making the page any wider."""
_RIGHT = _TEXTS["right"]
_WRONG = _TEXTS["wrong"]


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
