"""The documents of service contracts: the contracts, their amendments, and the credits of a month."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from yardkit.state_init.desk.service_levels.service import Contract, list_document_rows, with_total
from yardkit.state_init.documents import Paper
from yardkit.state_init.material import typeset_markdown
from yardkit.world import World


def save_contracts(
    world: World, us: str, contracts: Sequence[Contract], coming: tuple[Contract, date], text: str, amendment: str
) -> None:
    """Each contract, the amendments that hold, and one that holds from a coming day on, by texts with gaps."""
    for contract in contracts:
        hours = "around the clock, on all days of the year, and public holidays too"
        if contract.hours is not None:
            hours = (
                f"from Monday to Friday, {contract.hours[0]}:00 to {contract.hours[1]}:00 by the clocks of"
                f" {contract.country}, but for the public holidays of {contract.country}"
            )
        contact, times = (
            contract.customer.contacts[0],
            {key.lower(): value // 60 for key, value in contract.targets.items()},
        )
        gaps = {
            "hours": hours,
            "fee": f"{contract.fee / 100:,.2f}",
            "contact": contact.name,
            "email": contact.email,
            **times,
        }
        _save_contract(
            world,
            us,
            contract,
            contract.number,
            text.format(number=contract.number, us=us, customer=contract.customer.name, **gaps),
        )
    later = coming[0], (coming[1], coming[0].targets["P2"] * 3 // 600 * 60)
    for contract, (day, minutes) in (
        later,
        *((contract, contract.amended) for contract in contracts if contract.amended),
    ):
        gaps = {"day": f"{day.day} {day:%B %Y}", "hours": str(minutes // 60), "customer": contract.customer.name}
        _save_contract(
            world,
            us,
            contract,
            f"{contract.number}_amendment_1",
            amendment.format(number=contract.number, us=us, **gaps),
        )


def _save_contract(world: World, us: str, contract: Contract, name: str, text: str) -> None:
    created_at, header = world.now - timedelta(days=140), (f"{contract.number}, {us}",)
    typeset_markdown(text, author=us, now=created_at, header=header, widths_mm=(40, 60)).save(
        world.files / f"contracts/{name}.docx"
    )


def save_credits(world: World, rows: Sequence[dict[str, Any]]) -> None:
    """The credits of the month before the last."""
    created_at = world.now - timedelta(days=31)
    title = f"Credits for {created_at - timedelta(days=5):%B %Y}"
    paper = Paper(title, author="Service", now=created_at)
    paper.add_heading(title, 1)
    paper.add_paragraph("Credits by our service contracts, for Finance to agree.")
    paper.table([*list_document_rows(with_total(rows))], widths_mm=(22, 54, 44, 22, 26))
    paper.save(world.files / f"service/credits_{created_at - timedelta(days=5):%Y-%m}.docx")
