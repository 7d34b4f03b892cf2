"""The documents of service contracts: the contracts, their amendments, and the credits of a month."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from yardkit.state_init.company.service import Contract, shown, with_total
from yardkit.state_init.documents import Paper
from yardkit.state_init.material import typeset
from yardkit.world import World


def save_contracts(
    world: World, us: str, contracts: Sequence[Contract], coming: tuple[Contract, date], text: str, amendment: str
) -> None:
    """Each contract, the amendments that hold, and one that holds from a coming day on, by texts with gaps."""
    for one in contracts:
        hours = "around the clock, on all days of the year, and public holidays too"
        if one.hours is not None:
            hours = (
                f"from Monday to Friday, {one.hours[0]}:00 to {one.hours[1]}:00 by the clocks of {one.country}, but "
                f"for the public holidays of {one.country}"
            )
        contact, times = one.customer.contacts[0], {key.lower(): value // 60 for key, value in one.targets.items()}
        gaps = {
            "hours": hours,
            "fee": f"{one.fee / 100:,.2f}",
            "contact": contact.name,
            "email": contact.email,
            **times,
        }
        _save(world, us, one, one.number, text.format(number=one.number, us=us, customer=one.customer.name, **gaps))
    later = coming[0], (coming[1], coming[0].targets["P2"] * 3 // 600 * 60)
    for one, (day, minutes) in (later, *((one, one.amended) for one in contracts if one.amended)):
        gaps = {"day": f"{day.day} {day:%B %Y}", "hours": str(minutes // 60), "customer": one.customer.name}
        _save(world, us, one, f"{one.number}_amendment_1", amendment.format(number=one.number, us=us, **gaps))


def _save(world: World, us: str, contract: Contract, name: str, text: str) -> None:
    made, header = world.now - timedelta(days=140), (f"{contract.number}, {us}",)
    typeset(text, author=us, now=made, header=header, widths_mm=(40, 60)).save(world.files / f"contracts/{name}.docx")


def save_credits(world: World, rows: Sequence[dict[str, Any]]) -> None:
    """The credits of the month before the last."""
    made = world.now - timedelta(days=31)
    title = f"Credits for {made - timedelta(days=5):%B %Y}"
    paper = Paper(title, author="Service", now=made)
    paper.heading(title, 1)
    paper.paragraph("Credits by our service contracts, for Finance to agree.")
    paper.table([*shown(with_total(rows))], widths_mm=(22, 54, 44, 22, 26))
    paper.save(world.files / f"service/credits_{made - timedelta(days=5):%Y-%m}.docx")
