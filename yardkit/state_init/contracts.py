"""The text of a service agreement for seeded worlds: articles of clauses with open values, and the same in other words.

    values = draw(rng)
    numbers = numbered(AGREEMENT)
    text = CLAUSES["late_interest"].say(values["late_interest"], numbers)

The texts lie in ``contract.txt``: articles begin with ``#``, a clause has its key (and the key of the clause that it
refers to), its text, and the same in other words after ``=``. A text holds slots of the kinds `amount`, `days`, `date`,
`percent`, `modal`, `party` and `city`, each at most once, and ``{see}``, the number of the clause that it refers to.
"""

import datetime
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from yardkit.state_init.days import some_day
from yardkit.state_init.spellings import in_words

Agreement = Sequence[tuple[str, Sequence[str]]]
"""Titles of articles, each with the keys of its clauses, in order."""
Values = Mapping[str, str]
"""What stands in the slots of a clause, by kind."""
_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Clause:
    """A clause; `see` is the key of the clause that it refers to, `reworded` says the same in other words."""

    key: str
    text: str
    reworded: str = ""
    see: str = ""

    @property
    def kinds(self) -> list[str]:
        """The kinds of its slots, `see` left out."""
        return [kind for kind in _SLOT.findall(self.text) if kind != "see"]

    def parts(self, values: Values, numbers: Mapping[str, str]) -> list[tuple[str, str]]:
        """Its text in parts, each with the kind of slot that it fills, empty for what is fixed."""
        filled = {**values, "see": numbers.get(self.see, "")}
        pieces = enumerate(_SLOT.split(self.text))
        return [(piece, filled[piece]) if place % 2 else ("", piece) for place, piece in pieces if piece]

    def format_text(self, values: Values, numbers: Mapping[str, str], *, other_words: bool = False) -> str:
        """The text with its values and the number of the clause that it refers to."""
        text = self.reworded if other_words and self.reworded else self.text
        return text.format(see=numbers.get(self.see, ""), **values)


def _read_articles() -> Iterator[tuple[str, list[Clause]]]:
    text = Path(__file__).with_name("contract.txt").read_text("utf-8")
    for article in text.split("# ")[1:]:
        title, *clauses = article.strip().split("\n\n")
        yield title, [_parse_clause(*block.split("\n")) for block in clauses]


def _parse_clause(head: str, text: str, reworded: str = "") -> Clause:
    key, _, see = head.partition(" -> ")
    return Clause(key, text, reworded.removeprefix("= "), see)


_ARTICLES = tuple(_read_articles())
CLAUSES = {clause.key: clause for _, clauses in _ARTICLES for clause in clauses}
AGREEMENT: Agreement = tuple((title, tuple(clause.key for clause in clauses)) for title, clauses in _ARTICLES)
ADDED: tuple[tuple[str, str], ...] = (
    ("General provisions", "The Supplier may name the Customer as a reference in its advertising."),
    ("Fees and payment", "The Supplier may suspend the Services while an invoice is overdue."),
    ("Liability and insurance", "Claims for damages become time-barred six months after the event that caused them."),
    ("Term and termination", "If the Customer terminates early, the fees for the rest of the term become due at once."),
    ("Services", "The Supplier may carry out the Services from any location that it chooses."),
)
"""Clauses that somebody may add, with the title of the article."""
_CITIES = ("Utrecht", "Graz", "Bilbao", "Leipzig", "Cork", "Porto", "Antwerp", "Turin")
_LONG = {"warranty", "notice_period", "force_majeure", "good_cause"}
_SMALL = {"expenses", "penalty_solicitation", "secrecy_penalty", "exit_fee"}


def number_clauses(agreement: Agreement) -> dict[str, str]:
    """The number of each clause, such as 3.2, by its key."""
    return {
        key: f"{article}.{place}" for article, (_, keys) in enumerate(agreement, 1) for place, key in enumerate(keys, 1)
    }


def draw_values(rng: random.Random) -> dict[str, dict[str, str]]:
    """Values for all slots of all clauses, by key and kind."""
    city = rng.choice(_CITIES)
    return {
        key: {kind: city if kind == "city" else draw_other_value(key, kind, rng) for kind in clause.kinds}
        for key, clause in CLAUSES.items()
    }


def draw_other_value(key: str, kind: str, rng: random.Random, but: str = "") -> str:
    """A value for a slot of a clause, another one than `but`."""
    return next(drawn for drawn in iter(lambda: _draw_value(key, kind, rng, but), "") if drawn != but)


def _draw_value(key: str, kind: str, rng: random.Random, but: str) -> str:
    if kind == "amount":
        return f"EUR {rng.randrange(8, 50) * 250:,}" if key in _SMALL else f"EUR {rng.randrange(60, 900) * 500:,}"
    if kind == "days":
        return f"{rng.choice((60, 75, 90, 120, 150, 180) if key in _LONG else (5, 7, 10, 14, 20, 21, 30, 45))} days"
    if kind == "percent":
        return f"{rng.randrange(4, 40) / 4:g} %"
    if kind == "date":
        return in_words(some_day(rng, datetime.date(2026, 5, 1), 900))
    if kind == "modal":
        return "may" if but == "shall" else "shall"
    return {"Supplier": "Customer", "Customer": "Supplier"}.get(but, rng.choice(("Customer", "Supplier")))
