"""An inbox with invoices, exports, notes, duplicates and things that are none of these."""

import datetime
import hashlib
import random
from pathlib import PurePosixPath
from typing import Any

from yardkit.world import World, save_bytes

SUPPLIERS = (
    "North Lake Paper",
    "Bergmann Tools",
    "Ruiz & Sons",
    "Helio Print",
    "Oakfield Dairy",
    "Kessel Logistics",
    "Anvil Works",
)
ITEMS = ("paper A4", "toner", "pallet hire", "delivery", "oat milk", "drill bits", "flyers", "repair", "tape")
TOPICS = ("kickoff", "retro", "pricing", "hiring", "roadmap", "offsite", "warehouse", "printer", "budget", "launch")
REPORTS = ("sales", "stock", "visits", "returns", "payroll")
SENTENCES = (
    "We agreed to look at it again after the trade fair.",
    "The invoice from last month is still open.",
    "Nadia will ask for a second offer.",
    "The export of the warehouse system was wrong, a new one follows.",
    "Decision postponed until the figures are complete.",
    "Bring the old contract to the next meeting.",
)


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Fill ``inbox`` and ``finance``; the facts give the right final tree."""
    cutoff = datetime.date(2025, 1, 1) + datetime.timedelta(days=31 * rng.randint(0, 8))
    cutoff = cutoff.replace(day=1)
    inbox: dict[str, bytes] = {}
    places: dict[str, str] = {}
    for name, text, place in [
        *_make_invoices(rng),
        *_make_exports(rng),
        *_make_notes(rng, cutoff),
        *_make_other_files(rng),
    ]:
        inbox[name] = text.encode()
        places[name] = place
    for name in rng.sample(sorted(inbox), 5):
        inbox[_copy_name(name, rng)] = inbox[name]
    for name, content in inbox.items():
        save_bytes(world.files / "inbox" / name, content)
    for year in (2024, 2025):
        text = f"INVOICE register {year}\nclosed by the accountant, do not touch\n"
        save_bytes(world.files / "finance" / f"register_{year}.txt", text.encode())
    expected = {places[name]: hashlib.sha256(inbox[name]).hexdigest() for name in places}
    tops = [PurePosixPath(path).parts[0] for path in expected]
    counts = {folder: tops.count(folder) for folder in ("invoices", "exports", "notes", "archive", "inbox")}
    example = f"{rng.randint(1000, 9999)}-{rng.choice('ABCD')}"
    return {"prompt": {"cutoff": cutoff.isoformat(), "example": example}, "expected": expected, "counts": counts}


def _make_invoices(rng: random.Random) -> list[tuple[str, str, str]]:
    invoice_files = []
    for index in range(9):
        supplier = SUPPLIERS[index % len(SUPPLIERS)]
        date = datetime.date(2024, 2, 1) + datetime.timedelta(days=rng.randint(0, 760))
        number = f"{rng.randint(1000, 9999)}-{rng.choice('ABCD')}"
        lines = [f"{rng.randint(1, 40):>3} x {item:<16}{rng.uniform(2, 90):>9.2f}" for item in rng.sample(ITEMS, 3)]
        # The due date and the order date are traps: the year is that of the invoice date.
        text = "\n".join(
            [
                f"INVOICE {number}",
                f"Supplier: {supplier}",
                f"Order date: {date - datetime.timedelta(days=rng.randint(20, 90))}",
                f"Invoice date: {date}",
                f"Due date: {date + datetime.timedelta(days=60)}",
                "",
                *lines,
                "",
            ]
        )
        name = rng.choice([f"scan_{rng.randint(100, 999)}{index}.txt", f"{supplier.split()[0].lower()} {index}.txt"])
        slug = supplier.lower().replace(" ", "-")
        invoice_files.append((name, text, f"invoices/{date.year}/{slug}_{number}.txt"))
    return invoice_files


def _make_exports(rng: random.Random) -> list[tuple[str, str, str]]:
    export_files = []
    for index in range(7):
        day = datetime.date(2025, 1, 1) + datetime.timedelta(days=rng.randint(0, 430))
        report = REPORTS[index % len(REPORTS)]
        name = rng.choice([f"{report}_{day}_{index}.csv", f"export-{report}{index}-{day}.csv"])
        rows = [f"{rng.randint(100, 999)},{rng.choice(ITEMS)},{rng.randint(1, 500)}" for _ in range(rng.randint(4, 9))]
        export_files.append((name, "\n".join(["id,item,amount", *rows, ""]), f"exports/{day:%Y-%m}/{name}"))
    return export_files


def _make_notes(rng: random.Random, cutoff: datetime.date) -> list[tuple[str, str, str]]:
    note_files = []
    for index, topic in enumerate(rng.sample(TOPICS, 8)):
        # The first two stand on either side of the cutoff day.
        offset = (-1, 0)[index] if index < 2 else rng.randint(-300, 300)
        day = cutoff + datetime.timedelta(days=offset)
        body = " ".join(rng.sample(SENTENCES, 3))
        text = f"---\ntitle: {topic}\ndate: {day}\n---\n\n{body}\n"
        name = f"{topic}.md" if index % 2 else f"notes {topic} {cutoff.year}.md"
        note_files.append((name, text, f"archive/notes/{name}" if day < cutoff else f"notes/{name}"))
    return note_files


def _make_other_files(rng: random.Random) -> list[tuple[str, str, str]]:
    letter = f"Dear all,\n\nthe INVOICE for the hall is on its way.\n\nYours\nM. Okafor, {rng.randint(2, 28)} March\n"
    keys = f"[printer]\nhost = print-{rng.randint(1, 9)}\nduplex = yes\n"
    todo = f"call the landlord\nrenew pass {rng.randint(100, 999)}\n"
    other_files = {"letter.txt": letter, "settings.ini": keys, "todo.txt": todo}
    return [(name, text, f"inbox/{name}") for name, text in other_files.items()]


def _copy_name(name: str, rng: random.Random) -> str:
    stem, dot, suffix = name.rpartition(".")
    return f"{stem}{rng.choice([' (1)', ' copy', '_old2'])}{dot}{suffix}"
