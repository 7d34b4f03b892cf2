"""A supplier before its check: register, sites and a mirror on the web, its letters and references in the mailbox."""

import random
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from yardkit.state_init.cast import Cast, cast_of, get_stream
from yardkit.state_init.company.mail import fill_mail
from yardkit.state_init.company.note_pages import Kinds, open_notebook, parts_of
from yardkit.state_init.company.notes import fill_notes
from yardkit.state_init.company.stories import make_stories
from yardkit.state_init.company.trade import Supplier
from yardkit.state_init.desk.supplier_check import registers
from yardkit.state_init.desk.supplier_check.registers import Entry
from yardkit.state_init.desk.supplier_check.sites import fill_sites, slug_of
from yardkit.state_init.desk.supplier_check.supplier_letters import REFEREES, Mailing, make_ibans
from yardkit.state_init.material import take_out
from yardkit.world import World

DAY = timedelta(days=1)
COLUMNS: Kinds = {
    "Supplier": "title", "Our number": "text", "Register number": "text", "Register entry": "url", "Site": "url",
    "City": "text", "Director": "text", "Tax number": "text", "References": "number",
    "Risk class": ("select", ("A", "B", "C")), "Status": ("select", ("Open", "Checked", "Rejected")),
    "Checked on": "date", "Portal number": "text",
}  # fmt: skip


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Sites, notes and mailbox; the facts say what row, form and mail are to hold."""
    cast, today = cast_of(world), world.now.date()
    ours, other_supplier = rng.sample(cast.suppliers[:2], 2)
    entries = registers.make_entries(cast, rng, today, ours)
    mirror = f"{slug_of(ours.company.name)}-online.example"
    terms = _fill_web(world, cast, rng, ours, entries, mirror)
    numbers = [f"SP-{number}" for number in sorted(rng.sample(range(40_000, 49_999), 7))]
    registers.fill_portal(world, numbers[-1], today - 80 * DAY)
    stories = make_stories(cast, get_stream(world, "stories"), world.now, sales=10)
    by = cast.find_head("Procurement")
    checked = [other_supplier, *rng.sample(cast.suppliers[2:], 5)]
    days = (today - back * DAY for back in (42, 40, 35, 33, 27, 21))
    rows = [
        _make_row(rng, entries[supplier.number], supplier.number, portal, day)
        for supplier, portal, day in zip(checked, numbers, days, strict=False)
    ]
    row = {"Supplier": ours.company.full, "Our number": ours.number, "Status": "Open"}
    filled = fill_notes(world, cast, get_stream(world, "notes"), stories)
    text = take_out(world, "checks.md").format(days=60)
    with open_notebook(world) as notes:
        notes.add_page("Supplier checks", filled.pages["Money"], world.now - 90 * DAY, by.email, parts_of(text))
        table = notes.table("Supplier checks", COLUMNS, world.now - 20 * DAY, filled.pages["Home"])
        ids = [notes.row(table, line.pop("Supplier"), world.now - 20 * DAY, by.email, line).id for line in (*rows, row)]
    asking = [colleague for colleague in cast.colleagues if colleague.department == "Procurement" and colleague != by]
    mails = Mailing(cast, rng, world.now, ours, other_supplier, tuple(rng.sample(asking, 2)))
    referees = [name for name in REFEREES if name != "better" or rng.random() < 0.5]
    ibans = make_ibans(rng, ours.company.iban)
    letters = [
        *mails.write_requests(numbers[0]),
        *mails.write_account_letters(ibans, mirror),
        *mails.write_references(referees),
    ]
    fill_mail(world, cast, get_stream(world, "mail"), count=220 + len(letters), stories=stories, more=letters)
    expected_row = _make_row(rng, entries[ours.number], ours.number, numbers[-1], today, 2 + ("better" in referees))
    return {
        "prompt": {"supplier": ours.company.full}, "row": expected_row, "owner": cast.owner.email, "row_id": ids[-1],
        "form": _fill_form(entries[ours.number], terms, ibans["now"], expected_row),
        "mail": {"to": [mails.asking[0].email], "says": [numbers[-1]]},
        "twin_asking": mails.asking[1].email, "twin_portal": numbers[0], "false_iban": ibans["false"],
        "old": entries["old"].number, "old_city": entries["old"].company.city, "mirror": f"https://{mirror}",
        "twin_number": entries[other_supplier.number].number,
    }  # fmt: skip


def _fill_web(
    world: World, cast: Cast, rng: random.Random, ours: Supplier, entries: Mapping[str, Entry], mirror: str
) -> Mapping[str, str]:
    """All sites; what the supplier's own one says of delivery."""
    today = world.now.date()
    terms = fill_sites(world, cast, get_stream(world, "web"), news=30)[ours.company.domain]
    old = terms | {"Delivery": f"{ours.lead_days + 4} working days", "Least order": f"EUR {rng.randint(31, 40) * 50}"}
    registers.fill_imprint(world, entries[ours.number], ours.company.domain, terms, today - 41 * DAY)
    registers.fill_imprint(world, entries["old"], mirror, old, today - 3 * DAY)
    registers.fill_register(world, rng, list(entries.values()), today - DAY)
    return terms


def _make_row(
    rng: random.Random, entry: Entry, number: str, portal: str, day: date, references: int | None = None
) -> dict[str, Any]:
    """The row of a supplier whose check is done."""
    count = rng.choice((1, 2, 2, 3, 3, 4)) if references is None else references
    return {
        "Supplier": entry.company.full, "Our number": number, "Register number": entry.number,
        "Register entry": entry.url, "Site": f"https://{entry.company.domain}", "City": entry.company.city,
        "Director": entry.director, "Tax number": entry.company.vat, "References": count,
        "Risk class": "A" if count > 2 else "B" if count > 1 else "C", "Status": "Checked", "Checked on": str(day),
        "Portal number": portal,
    }  # fmt: skip


def _fill_form(entry: Entry, terms: Mapping[str, str], iban: str, row: Mapping[str, Any]) -> dict[str, str]:
    """What the portal is to receive."""
    firm = entry.company
    labels = {
        "Legal name": firm.full, "Registration number": entry.number, "Tax number": firm.vat, "Street": firm.street,
        "Postcode": firm.postcode, "City": firm.city, "Country": firm.country, "IBAN": iban,
        "Delivery days": terms["Delivery"].split()[0], "Least order (EUR)": terms["Least order"].split()[1],
        "References": str(row["References"]), "Risk class": str(row["Risk class"]),
    }  # fmt: skip
    return {registers.field_name(label): value for label, value in labels.items()} | {"checked": "on"}
