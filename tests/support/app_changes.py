"""Calls of tools that change several parts of an app at once, made by processes that can be killed.

As a program, ``app_changes.py WORLD CHANGE``, it makes calls for each line ``PROCESSES FIRST LAST`` that it reads, each
process those from the first to the last, and says the numbers of the processes, ``done`` after each call, and ``over``.
"""

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parents[1])

from support.answers import Call, make_caller, read_facts
from support.schools import SAM, make_school
from yardkit.apps import courses, drive, forms, notes, shop
from yardkit.apps.calendar import PRIMARY, Agenda
from yardkit.apps.mail import OUTSIDE, Accounts, Mailbox, save_accounts
from yardkit.apps.store import open_store
from yardkit.sandbox.serving.registry import load_server
from yardkit.world import World, current_world, use_world

OWNER, COLLEAGUE = "ada@berg.example", "ben@berg.example"
STOCK = 100_000
ESSAY = {"course_id": 1, "assignment_id": 1, "attachments": ["1.pdf"], "comment": "Once more"}
QUESTIONS = [{"text": "How was it?"}, {"text": "What was missing?"}, {"text": "Anything else?"}]


@dataclass(frozen=True)
class AppChange:
    """A call that changes several parts of an app.

    Attributes:
        call: makes it, for the so-many-th time.
        parts: how often each part of the state shows that it was made: the same number where none is half done.
        begin: makes what it needs.
    """

    server: str
    call: Callable[[Call, int], object]
    parts: Callable[[World], list[int]]
    begin: Callable[[World, Call], object] = lambda _world, _do: None


def do_in(server: str) -> Call:
    """Calls the tools of a server, all of which have to succeed."""
    call = make_caller(load_server(server))
    return lambda tool, **arguments: read_facts(call(tool, **arguments))


def _count_sold(world: World) -> list[int]:
    with open_store(shop.APP, *shop.RECORDS, world=world) as store:
        left = store.get(shop.Product, 1).stock or 0
        return [store.count(shop.Order), store.count(shop.OrderLine), STOCK - left]


def _count_pages(world: World) -> list[int]:
    with open_store(notes.APP, *notes.RECORDS, world=world) as store:
        return [store.count(notes.Page), store.count(notes.Block) // 2]


def _read_page(world: World) -> list[int]:
    with open_store(notes.APP, *notes.RECORDS, world=world) as store:
        texts = [block.text for block in store.find(notes.Block)]
        return [int(text) for text in (store.get(notes.Page, 1).title, *texts)]


def _count_handed_in(world: World) -> list[int]:
    with open_store(courses.APP, *courses.RECORDS, world=world) as store:
        work = store.get(courses.Submission, 1)
        return [work.attempt - 1, len(work.comments), store.count(courses.File) - 1]


def _count_forms(world: World) -> list[int]:
    with open_store(forms.APP, *forms.RECORDS, world=world) as store:
        return [store.count(forms.Form), store.count(forms.Question) // len(QUESTIONS)]


def _count_files(world: World) -> list[int]:
    with drive.opened_drive(world) as store:
        return [
            store.count(drive.Item),
            sum(drive.content_of(world, item).is_file() for item in store.find(drive.Item)),
        ]


def _read_file(world: World) -> list[int]:
    with drive.opened_drive(world) as store:
        item = store.find(drive.Item)[0]
        return [int(item.name), int(drive.content_of(world, item).read_text())]


def _replace_file(do: Call, number: int) -> None:
    (current_world().files / f"{number}.pdf").write_text(str(number))
    first = do("list_drive")["items"][0]["id"]
    do("upload_drive_file", source=f"{number}.pdf", name=str(number), item_id=first)


def _begin_mail(world: World, _: Call) -> None:
    save_accounts(world, Accounts(OWNER, {OWNER: "Ada", COLLEAGUE: "Ben"}, ["berg.example"]))


def _count_mails(world: World) -> list[int]:
    """In each mailbox; a new start undoes what a killed process left half done."""
    world = World.open(world.root)
    return [len(Mailbox(world, address).list_entries()) for address in (OWNER, COLLEAGUE, OUTSIDE)]


def _count_events(world: World) -> list[int]:
    mails = _count_mails(world)
    return [len(Agenda(world).files(OWNER, PRIMARY)), *mails]


CHANGES = {
    "mail": AppChange(
        "mail",
        lambda do, at: do("send_message", to=[COLLEAGUE, "zoe@other.example"], subject=str(at), text="a"),
        _count_mails,
        _begin_mail,
    ),
    "event": AppChange(
        "calendar",
        lambda do, at: do(
            "create_event", title=str(at), starts="2026-03-17T10:00", attendees=[COLLEAGUE, "zoe@other.example"]
        ),
        _count_events,
        _begin_mail,
    ),
    "order": AppChange(
        "shop",
        lambda do, _: do("create_order", goods=[{"product_id": 1, "quantity": 1}], paid=True),
        _count_sold,
        lambda _, do: do("save_product", name="Lamp", sku="LMP", price_cents=4900, stock=STOCK),
    ),
    "page": AppChange("notes", lambda do, at: do("create_note_page", title=str(at), markdown="a\n\nb"), _count_pages),
    "page written anew": AppChange(
        "notes",
        lambda do, at: do("edit_note_page", page_id=1, title=str(at), markdown=f"{at}\n\n{at}"),
        _read_page,
        lambda _, do: do("create_note_page", title="0", markdown="0\n\n0"),
    ),
    "work handed in": AppChange(
        "courses",
        lambda do, _: do("submit_assignment", **ESSAY),
        _count_handed_in,
        lambda world, _: make_school(world, SAM),
    ),
    "form": AppChange("forms", lambda do, at: do("create_form", title=str(at), questions=QUESTIONS), _count_forms),
    "file": AppChange("drive", lambda do, at: do("upload_drive_file", source="1.pdf", name=str(at)), _count_files),
    "file replaced": AppChange(
        "drive", _replace_file, _read_file, lambda _, do: do("upload_drive_file", source="0.pdf", name="0")
    ),
}
ADDING = ("mail", "event", "order", "page", "work handed in", "form", "file")
"""Those of which each call adds one to every part."""


def _write_words(*words: object) -> None:
    os.write(1, f"{' '.join(map(str, words))}\n".encode())


def _serve_lines(world: World, change: AppChange) -> None:
    do = do_in(change.server)
    for line in sys.stdin:
        processes, first, last = map(int, line.split())
        for _ in range(processes):
            if (process := os.fork()) == 0:
                for number in range(first, last + 1):
                    change.call(do, number)
                    _write_words("done")
                os._exit(0)
            _write_words(process)
        ended = [os.wait()[1] for _ in range(processes)]
        _write_words("over", *ended)


if __name__ == "__main__":
    _world = World.open(Path(sys.argv[1]))
    with use_world(_world):
        _serve_lines(_world, CHANGES[sys.argv[2]])
