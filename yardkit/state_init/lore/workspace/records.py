"""Records: what a node of a tree says in one version, with the trimmings of the file in which it stands."""

import datetime
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from yardkit.benchmarks.lore.generation.bottom_up import GeneratedTree, Node
from yardkit.state_init.lore.workspace.filing import Place, day_in
from yardkit.state_init.lore.workspace.versions import Names, Value, Version
from yardkit.state_init.names import Company, Person, make_companies, make_people

SUBJECTS = (
    "Annual maintenance",
    "Cleaning contract",
    "Customs clearance",
    "Forklift hire",
    "Freight charges",
    "Insurance premium",
    "Office supplies",
    "Packaging material",
    "Pallet exchange",
    "Printing services",
    "Security checks",
    "Software licences",
    "Spare parts",
    "Temporary staff",
    "Trade fair stand",
    "Training course",
    "Travel expenses",
    "Utilities",
    "Warehouse rent",
    "Waste disposal",
)
LIST_ENTRY = "See also"
_VALUES = ("{entry}: {value}", "{entry} = {value}", "{entry} comes to {value}", "{entry} stands at {value}")
_RULES = (
    "X = {formula}. The next record has reference X and lies in {place}.",
    "Take X = {formula} and go on with reference X in {place}.",
    "Next: reference X in {place}, where X = {formula}.",
)


@dataclass(frozen=True)
class Record:
    """One record.

    Attributes:
        reference: under which it is found, once in the whole workspace.
        entry: the figure or the operation that it tells of, or `LIST_ENTRY`.
        value: of a figure; None where there is none.
        text: of an operation or a list; empty for a figure.
        place, day, partner, contact, subject: where and when it was made, and what about.
    """

    reference: str
    entry: str
    value: Value | None
    text: str
    place: Place
    day: datetime.date
    partner: Company
    contact: Person
    subject: str

    def format_sentence(self, rng: random.Random) -> str:
        """What it says as a sentence."""
        if self.value is None:
            return f"{self.entry}: {self.text}"
        return rng.choice(_VALUES).format(entry=self.entry, value=self.value) + "."

    @property
    def number(self) -> int | str:
        """The reference as a spreadsheet holds it."""
        return int(self.reference) if self.reference.isdigit() else self.reference


@dataclass(frozen=True)
class Firm:
    """Whose workspace it is, with whom it does business, and who works there."""

    company: Company
    staff: list[Person]
    partners: list[tuple[Company, Person]]

    @classmethod
    def make_random(cls, rng: random.Random) -> "Firm":
        """A random one."""
        company, *others = make_companies(rng, 25)
        contacts = make_people(rng, len(others))
        partners = [
            (other, Person(contact.first, contact.last, contact.email.replace("example.com", other.domain)))
            for other, contact in zip(others, contacts, strict=True)
        ]
        return cls(company, make_people(rng, 8, company.domain), partners)


def records_of(
    generated_tree: GeneratedTree,
    version: Version,
    names: Names,
    places: Mapping[Node, Place],
    firm: Firm,
    rng: random.Random,
) -> Iterator[Record]:
    """The records of one version, all or some."""
    for node in generated_tree.nodes:
        if node not in version.references:
            continue
        place = places[node]
        partner, contact = rng.choice(firm.partners)
        yield Record(
            version.references[node],
            _format_entry(node, names),
            version.values.get(node),
            _format_text(node, version, places, rng),
            place,
            day_in(place.month, rng),
            partner,
            contact,
            rng.choice(SUBJECTS),
        )


def _format_entry(node: Node, names: Names) -> str:
    if node.role == "value":
        return names.figures[node]
    return f"Operation {names.operations[node]}" if node.role == "rule" else LIST_ENTRY


def _format_text(node: Node, version: Version, places: Mapping[Node, Place], rng: random.Random) -> str:
    if node.role == "list":
        return "; ".join(f"{version.references[child]} in {places[child].description}" for child in node.listed) + "."
    if node.role == "value" or node.target is None:
        return ""
    return rng.choice(_RULES).format(formula=version.formulas[node], place=places[node.target].description)
