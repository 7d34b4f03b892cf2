"""Trade fairs that a seeded company goes to, and what is written when one of them is put off."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from yardkit.apps.calendar import Event
from yardkit.state_init.company.calendar import Set
from yardkit.state_init.company.letters import Letter, join_paragraphs
from yardkit.state_init.company.persons import Somebody

BRANDS = ("Officeworld", "Roomscape", "Interior Fair", "Contract Expo")
DAYS = 3


@dataclass(frozen=True)
class Fair:
    """A fair: its first day, and the hotel where our people sleep."""

    brand: str
    city: str
    begins: date
    hotel: str

    @property
    def name(self) -> str:
        return f"{self.brand} {self.city}"

    @property
    def ends(self) -> date:
        """Its last day."""
        return self.begins + timedelta(days=DAYS - 1)

    @property
    def organiser(self) -> str:
        return f"{self.brand} <exhibitors@{self.brand.casefold().replace(' ', '-')}.example>"

    def format_dates(self, later: timedelta = timedelta()) -> str:
        """From when to when it is, as its organiser writes it."""
        return f"from {self.begins + later:%d %B} to {self.ends + later:%d %B %Y}"

    def as_set(self, domain: str) -> Set:
        """Its days in somebody's calendar."""
        stamp = datetime.combine(self.begins, time(9), UTC) - timedelta(days=200)
        uid = f"{self.name.casefold().replace(' ', '-')}@{domain}"
        begins, after = self.begins, self.ends + timedelta(days=1)
        return Set(Event(uid, self.name, begins, after, location=self.city, stamp=stamp, busy=False))


@dataclass(frozen=True)
class PutOff:
    """A fair that was put off, and another one of the same brand that was not.

    Attributes:
        wrong: by how much the papers say that it was; the organiser, too, if it has to be `corrected`.
        curious: who asks about it, and has nothing to do with it.
    """

    fair: Fair
    other: Fair
    later: timedelta
    wrong: timedelta
    curious: Somebody
    corrected: bool

    def write_letters(self, reader: Somebody, now: datetime) -> Iterator[Letter]:
        """What was written about it."""
        fair, other, to = self.fair, self.other, (reader.mailbox,)
        for days, subject, text in self._iter_notices():
            body = join_paragraphs("Dear exhibitors,", text, f"Your team of {fair.brand}")
            yield Letter(f"fair/{days}", fair.organiser, to, subject, body, now - timedelta(days=days))
        rumour = (
            f"{fair.name} is said to move by {self.wrong.days // 7} weeks. The organiser has not said anything yet."
        )
        ask = f"Hi {reader.first},\n\nis {fair.name} put off, or {other.name}? Just curious.\n\n{self.curious.first}"
        papers = "Fair Watch <news@fairwatch.example>", rumour, 12
        for by, text, days in (papers, (self.curious.mailbox, ask, 1)):
            sent = now - timedelta(days=days, minutes=44)
            yield Letter(f"fair/put-off-{days}", by, to, f"{fair.name} put off?", text, sent)

    def _iter_notices(self) -> Iterator[tuple[int, str, str]]:
        """What the organiser told how many days ago."""
        fair, other = self.fair, self.other
        yield (
            41,
            f"{fair.name}: handbook",
            f"{fair.name} takes place {fair.format_dates()}. Stands are built up before.",
        )
        new = fair.format_dates(self.wrong if self.corrected else self.later)
        text = (
            f"{fair.name} will not take place {fair.format_dates()}, but {new}. Stands and contracts stay as they are."
        )
        yield 5, f"New dates of {fair.name}", text
        yield (
            4,
            f"{other.name} keeps its dates",
            f"Many of you have asked: {other.name} takes place {other.format_dates()}.",
        )
        if self.corrected:
            sorry = "We are sorry: the week was wrong in our mail about the new dates."
            yield (
                2,
                f"Correction: dates of {fair.name}",
                f"{sorry} {fair.name} takes place {fair.format_dates(self.later)}.",
            )
