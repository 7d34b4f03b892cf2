"""People, companies and products for seeded worlds: varied, plausible, invented."""

import random
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass


def _split_words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


FIRST = _split_words(
    """
    Adaeze Aino Akira Alba Alexander Amira Anders Andrea Anja Arjun Ayumi Beatriz Bilal Birgit Bruno Camila Carlos
    Catherine Cem Chiara Chloé Daan Daniel Deepa Diego Dmitri Eilidh Elena Elif Emeka Emma Erik Fatima Felix Fiona
    Francesca Gabriel Giulia Grace Hana Hannah Hassan Helena Hiroshi Ingrid Isabel Ivan Jakub Jana Javier Jing Joana
    João Jonas Julia Kaito Kamila Karim Katarzyna Kenji Lars Laura Leila Liam Lina Lucía Luis Magnus Malik Marek
    Maria Marta Mateo Mei Mia Miriam Nadia Naoko Niamh Nikolai Noor Oliver Olga Oskar Paolo Petra Pierre Priya
    Rafael Ravi Renata Rosa Ruth Samuel Sara Sergio Siobhán Sofia Stefan Tariq Tereza Thomas Tomás Ulrike Valentina
    Vera Viktor Wei Yara Yusuf Zoë
    """
)

MEN = frozenset(
    _split_words(
        """
        Akira Alexander Anders Arjun Bilal Bruno Carlos Cem Daan Daniel Diego Dmitri Emeka Erik Felix Gabriel Hassan
        Hiroshi Ivan Jakub Javier João Jonas Kaito Karim Kenji Lars Liam Luis Magnus Malik Marek Mateo Nikolai Oliver
        Oskar Paolo Pierre Rafael Ravi Samuel Sergio Stefan Tariq Thomas Tomás Viktor Wei Yusuf
        """
    )
)
"""The first names to which "Mr" fits; to the others "Ms" does."""

LAST = _split_words(
    """
    Abebe Adeyemi Almeida Andersson Aslan Baker Banerjee Becker Bianchi Brandt Byrne Castillo Chandra Chen Costa
    Delgado Demir Dubois Eriksson Farrell Ferreira Fischer Fontaine Gallagher García Gupta Haddad Hansen Hashimoto
    Herrera Hoffmann Horváth Ibrahim Ito Jansen Jensen Kaya Keller Khan Kim Kowalski Krüger Larsen Laurent Lehmann
    Lindqvist López Marchetti Martin Mbeki Meier Mendes Moreau Morgan Müller Murphy Nakamura Navarro Nguyen Nielsen
    Novak Nowak Oduya Okafor Oliveira Olsen Ortega Özdemir Park Patel Pereira Petrov Popescu Quinn Rahman Ricci
    Richter Romano Rossi Sato Schäfer Schmidt Silva Singh Sørensen Souza Svensson Takahashi Tanaka Torres Vargas
    Virtanen Vogel Wagner Walsh Weber Williams Wójcik Yamamoto Yilmaz Zhang Zimmermann
    """
)

COMPANY_FIRST = _split_words(
    """
    Alder Amber Arden Aurora Beacon Birch Brightwater Calder Cedar Cobalt Copper Crescent Delta Eastgate Elm Fairway
    Falcon Fjord Granite Halcyon Hazel Helix Highland Indigo Juniper Keystone Kestrel Lakeside Larkspur Lumen Maple
    Meridian Millbrook Moorland Northwind Oakfield Orchard Orion Pinecrest Polar Quarry Quayside Redwood Ridgeway
    Riverbend Rowan Saffron Silverline Solstice Stonebridge Summit Tamarind Thistle Tidewater Umber Vantage Verity
    Vista Wayfarer Westbrook Willow Yarrow Zephyr
    """
)
COMPANY_KINDS = (
    ("Logistics", "Freight", "Shipping"),
    ("Instruments", "Robotics", "Controls"),
    ("Foods", "Bakery Supplies", "Organics"),
    ("Textiles", "Home", "Interiors"),
    ("Consulting", "Advisory", "Partners"),
    ("Energy", "Solar", "Power Systems"),
    ("Pharma", "Diagnostics", "Medical"),
    ("Publishing", "Media", "Press"),
)
COMPANY_FORMS = ("Ltd", "GmbH", "Inc.", "S.A.", "AB", "B.V.", "S.r.l.", "plc", "Oy", "A/S")

STREETS = (
    "Alder Lane",
    "Bridge Street",
    "Canal Road",
    "Chapel Row",
    "Dock Street",
    "Elm Grove",
    "Foundry Lane",
    "Garden Terrace",
    "Harbour Road",
    "King Street",
    "Lime Walk",
    "Market Square",
    "Mill Road",
    "Orchard Way",
    "Park Avenue",
    "Quay Street",
    "Station Road",
    "Tanner Street",
    "Union Street",
    "Wharf Lane",
)
CITIES = (
    ("Aarhus", "DK-8000", "Denmark", "DK"),
    ("Antwerp", "2000", "Belgium", "BE"),
    ("Bilbao", "48001", "Spain", "ES"),
    ("Bristol", "BS1 4DJ", "United Kingdom", "GB"),
    ("Brno", "602 00", "Czechia", "CZ"),
    ("Cork", "T12 XY45", "Ireland", "IE"),
    ("Gdańsk", "80-831", "Poland", "PL"),
    ("Graz", "8010", "Austria", "AT"),
    ("Leipzig", "04109", "Germany", "DE"),
    ("Lyon", "69002", "France", "FR"),
    ("Porto", "4050-253", "Portugal", "PT"),
    ("Tampere", "33100", "Finland", "FI"),
    ("Turin", "10121", "Italy", "IT"),
    ("Utrecht", "3511 AB", "Netherlands", "NL"),
)

PRODUCTS = {
    "office": (
        "Desk lamp",
        "Document tray",
        "Ergonomic chair",
        "Filing cabinet",
        "Footrest",
        "Label printer",
        "Monitor arm",
        "Sit-stand desk",
        "USB-C dock",
        "Whiteboard 120 x 90",
    ),
    "home": (
        "Bath mat",
        "Café set",
        "Crème jug",
        "Linen apron",
        "Müsli bowl",
        "Oak stool",
        "Salt cellar",
        "Tea tray",
        "Wall clock",
        "Wool throw",
    ),
    "lab": (
        "Centrifuge tube 15 ml",
        "Digital caliper",
        "Filter paper 110 mm",
        "Heating plate",
        "Magnetic stirrer",
        "Nitrile gloves",
        "pH meter",
        "Pipette tips 200 µl",
        "Precision balance",
        "Safety goggles",
    ),
    "outdoor": (
        "Camping stove",
        "Carabiner",
        "Dry bag 20 l",
        "Head torch",
        "Hiking poles",
        "Insulated bottle",
        "Rain jacket",
        "Rope 60 m",
        "Sleeping mat",
        "Tent, 2 persons",
    ),
    "software": (
        "Analytics add-on",
        "Archive storage, 1 TB",
        "Backup plan",
        "Basic licence",
        "Onboarding day",
        "Premium licence",
        "Single sign-on",
        "Support, 8 to 18 h",
        "Support, round the clock",
        "Training seat",
    ),
}
"""Names by assortment."""

MATERIALS = {
    "kg": ("Cement", "Copper granulate", "Epoxy resin", "Glass beads", "Plaster", "Soda ash", "Steel shot"),
    "l": ("Acetone", "Coolant", "Gear oil", "Machine oil", "Primer", "Thinner", "Wood varnish"),
    "m": ("Conveyor belt", "Copper pipe", "Edge band", "Hose", "Shrink tube", "Steel cable"),
    "pcs": ("Ball bearing", "Filter cartridge", "Gasket", "Hex bolt", "Seal kit", "Switch", "V-belt"),
}
"""What a workshop keeps in stock, by the unit in which it is counted."""

DEPARTMENTS = ("Engineering", "Finance", "Human Resources", "Legal", "Marketing", "Operations", "Procurement", "Sales")
TITLES = ("Analyst", "Assistant", "Coordinator", "Director", "Engineer", "Lead", "Manager", "Specialist")


@dataclass(frozen=True)
class Person:
    """Somebody; `email` is in ASCII, at the domain of their company."""

    first: str
    last: str
    email: str = ""
    department: str = ""
    title: str = ""

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}"

    @property
    def mailbox(self) -> str:
        """The name with the address, as a mail shows it."""
        return f"{self.name} <{self.email}>"

    @property
    def initials(self) -> str:
        return self.first[0] + self.last[0]


@dataclass(frozen=True)
class Company:
    """A company with its address; `domain` is reserved for examples, nobody can be reached by it."""

    name: str
    form: str
    domain: str
    street: str
    city: str
    postcode: str
    country: str
    vat: str
    iban: str

    @property
    def full(self) -> str:
        return f"{self.name} {self.form}"

    @property
    def address(self) -> tuple[str, str, str]:
        """Its lines below the name."""
        return self.street, f"{self.postcode} {self.city}", self.country


def ascii_of(text: str) -> str:
    """`text` in small ASCII letters and digits, as in an address of mail."""
    table = str.maketrans(
        {"ø": "o", "Ø": "o", "ß": "ss", "ł": "l", "Ł": "l", "\u0131": "i", "æ": "ae", "ö": "oe", "ü": "ue"}
    )
    base_text = unicodedata.normalize("NFKD", unicodedata.normalize("NFC", text).translate(table))
    return "".join(sign for sign in base_text.lower() if sign.isascii() and sign.isalnum())


def make_people(rng: random.Random, count: int, domain: str = "example.com") -> list[Person]:
    """People who share neither first nor last names, so that either is enough to tell them apart."""
    firsts, lasts = rng.sample(FIRST, count), rng.sample(LAST, count)
    return [
        Person(first, last, f"{ascii_of(first)}.{ascii_of(last)}@{domain}", rng.choice(DEPARTMENTS), rng.choice(TITLES))
        for first, last in zip(firsts, lasts, strict=True)
    ]


def make_companies(rng: random.Random, count: int) -> list[Company]:
    """Companies of different names and addresses."""
    firsts = rng.sample(COMPANY_FIRST, count)
    return [_make_company(rng, first) for first in firsts]


def _make_company(rng: random.Random, first: str) -> Company:
    name = f"{first} {rng.choice(rng.choice(COMPANY_KINDS))}"
    city, postcode, country, code = rng.choice(CITIES)
    street = f"{rng.randint(2, 180)} {rng.choice(STREETS)}"
    vat = f"{code}{rng.randint(10**8, 10**9 - 1)}"
    digits = f"{rng.randint(0, 10**18 - 1):018d}"
    iban = f"{code}{rng.randint(10, 97)} " + " ".join(digits[i : i + 4] for i in range(0, 18, 4))
    return Company(
        name,
        rng.choice(COMPANY_FORMS),
        f"{ascii_of(name)}.example",
        street,
        city,
        postcode,
        country,
        vat,
        iban,
    )


def make_products(rng: random.Random, count: int, assortments: Sequence[str] = tuple(PRODUCTS)) -> list[str]:
    """Different products of some assortments."""
    pool = [name for assortment in assortments for name in PRODUCTS[assortment]]
    return rng.sample(pool, count)


def near_duplicate(rng: random.Random, name: str) -> str:
    """A name that is easily taken for `name`: one letter doubled, dropped or swapped with its neighbour."""
    places = [place for place in range(1, len(name) - 1) if name[place].isalpha() and name[place + 1].isalpha()]
    near_names = set()
    for place in places:
        near_names |= {
            name[:place] + name[place] + name[place:],
            name[:place] + name[place + 1 :],
            name[:place] + name[place + 1] + name[place] + name[place + 2 :],
        }
    return rng.choice(sorted(near_names - {name}))
