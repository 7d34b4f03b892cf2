"""khal and Radicale, programs of Debian, read what the server wrote; and the server works on Radicale's calendars."""

import json
import socket
import subprocess
import time
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any

import httpx2
import pytest
from support.agendas import ADA, BEN, Put, make_agenda, make_moment
from support.answers import Call, make_caller
from support.live_programs import needed_program
from zoo.calendars import CALENDARS
from zoo.contacts import CARDS

from yardkit.apps.calendar import Agenda, Event, calendar_file
from yardkit.apps.contacts import AddressBook, Contact, contact_card
from yardkit.kit.dav import DavServer, DavSettings
from yardkit.sandbox.serving.registry import load_server
from yardkit.world import Problem, World, use_world

pytestmark = [pytest.mark.drill, pytest.mark.live]
KHAL = """[calendars]
[[ada]]
path = {folder}
type = calendar
[locale]
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%dT%H:%M
longdatetimeformat = %Y-%m-%dT%H:%M
local_timezone = Europe/Vienna
default_timezone = Europe/Vienna
[sqlite]
path = {cache}
"""
KHAL_FAILS = (
    *("exchange, utc", "offset as a zone", "skipped day of a series of times", "extra day", "rule of a named scale"),
    *("skipped midnights of a series of days", "moved date named by its day", "moved date without a zone"),
    *("folded within a letter", "windows letters", "byte order mark, bare line feeds", "carriage returns alone"),
    *(
        "rule with blanks",
        "two calendars in one",
        "two descriptions",
        "alarm with an odd trigger",
        "words before the calendar",
        "utc that names a zone besides",
        "american zone as windows shows it",
        "extra dates with ends",
        "last date as a day",
        "length in seconds, of android",
        "two exceptions for one date",
        "skipped dates without any",
        "rule said twice",
        "zone of the whole calendar",
    ),
)
"""Files of the zoo that khal 0.10 drops, or of which it takes a date for another."""
COMMON = [name for name in CALENDARS if name not in KHAL_FAILS]


@pytest.mark.parametrize("name", COMMON)
def test_khal_sees_the_same_times_in_the_files_of_other_programs(agenda: Agenda, tmp_path: Path, name: str) -> None:
    agenda.save(ADA, "primary", "zoo.ics", CALENDARS[name].data)
    starts = [line.split()[0] for line in _list_with_khal(agenda, tmp_path)]
    # What lasts over midnight is listed on each of its days.
    assert list(dict.fromkeys(starts)) == [start[:16] for start in CALENDARS[name].starts]


def test_khal_reads_series_exceptions_and_whole_days(done: Call, agenda: Agenda, put: Put, tmp_path: Path) -> None:
    moved = Event("fixe", "Moved; far", make_moment(25, 15), make_moment(25, 16), occurrence=make_moment(24, 10))
    put(
        "fixe",
        make_moment(17, 10),
        1,
        moved,
        title="Fixe, ü",
        rule="FREQ=WEEKLY;COUNT=4",
        skipped=(make_moment(31, 10),),
    )
    done("create_event", title="Trip", starts="2026-03-20", ends="2026-03-22")
    done("create_event", title="Call", starts="2026-03-19T09:00", time_zone="America/New_York")
    done("update_event", event_id="fixe", occurrence="2026-04-07T10:00", ends="2026-04-07T12:00")
    assert _list_with_khal(agenda, tmp_path) == [
        "2026-03-17T10:00 2026-03-17T11:00 Fixe, ü",
        "2026-03-19T14:00 2026-03-19T15:00 Call",
        "2026-03-20 2026-03-21 Trip",
        "2026-03-20 2026-03-21 Trip",
        "2026-03-25T15:00 2026-03-25T16:00 Moved; far",
        "2026-04-07T10:00 2026-04-07T12:00 Fixe, ü",
    ]


@pytest.mark.parametrize("rule", ["FREQ=WEEKLY;COUNT=5", "FREQ=WEEKLY;UNTIL=20260414T080000Z"])
def test_khal_reads_both_halves_of_a_series_that_was_split(
    done: Call, agenda: Agenda, put: Put, tmp_path: Path, rule: str
) -> None:
    moved = Event(
        "fixe",
        "Moved",
        make_moment(8, 15, month=4),
        make_moment(8, 16, month=4),
        occurrence=make_moment(7, 10, month=4),
    )
    put("fixe", make_moment(17, 10), 1, moved, rule=rule)
    done("update_event", event_id="fixe", occurrence="2026-03-31T10:00", following=True, starts="2026-03-31T11:00")
    trip = Event("trip", "Trip", date(2026, 3, 17), date(2026, 3, 18), rule="FREQ=DAILY")
    agenda.save(ADA, "primary", "trip.ics", calendar_file([trip]))
    done("cancel_event", event_id="trip", occurrence="2026-03-19", following=True)
    assert _list_with_khal(agenda, tmp_path) == [
        "2026-03-17 2026-03-17 Trip",
        "2026-03-17T10:00 2026-03-17T11:00 fixe",
        "2026-03-18 2026-03-18 Trip",
        "2026-03-24T10:00 2026-03-24T11:00 fixe",
        "2026-03-31T11:00 2026-03-31T12:00 fixe",
        "2026-04-08T15:00 2026-04-08T16:00 Moved",
        "2026-04-14T11:00 2026-04-14T12:00 fixe",
    ]


def _list_with_khal(agenda: Agenda, folder: Path) -> list[str]:
    config = folder / "config"
    config.write_text(KHAL.format(folder=agenda.root / ADA / "primary", cache=folder / "khal.db"))
    command: list[str | Path] = [
        needed_program("khal"),
        "-c",
        config,
        "list",
        "--format",
        "{start} {end} {title}",
        "--day-format",
        "",
    ]
    khal_run = subprocess.run(
        [*command, "2026-03-16", "46d"],
        capture_output=True, text=True, check=True, env={"HOME": str(folder), "LC_ALL": "C.UTF-8"},
    ).stdout.splitlines()  # fmt: skip
    return [line.strip() for line in khal_run if line.strip()]


@pytest.fixture
def radicale(world: World, agenda: Agenda, put: Put, tmp_path: Path) -> Iterator[str]:
    """The address of a Radicale over the world's own folders."""
    program = needed_program("radicale")
    put("fixe", make_moment(17, 10), title="Fixe", rule="FREQ=WEEKLY;COUNT=4")
    AddressBook(world, ADA).save("a.vcf", contact_card(Contact("a", "Eva Lind", ("e@x.example",))))
    home = tmp_path / "radicale" / "collection-root" / ADA
    home.mkdir(parents=True)
    for name in ("primary", "home"):
        (home / name).symlink_to(agenda.root / ADA / name)
    (home / "book").symlink_to(world.root / "apps" / "contacts" / ADA)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = [
        "--config",
        "",
        "--server-hosts",
        f"127.0.0.1:{port}",
        "--auth-type",
        "none",
        "--rights-type",
        "authenticated",
    ]
    with subprocess.Popen(
        [program, *options, "--storage-filesystem-folder", tmp_path / "radicale"], stderr=subprocess.DEVNULL
    ) as process:
        url = f"http://127.0.0.1:{port}/{ADA}/"
        deadline = time.monotonic() + 240
        while not _has_answer(url):
            assert time.monotonic() < deadline
            assert process.poll() is None
        yield url
        process.terminate()


def _has_answer(url: str) -> bool:
    try:
        return httpx2.get(url, timeout=1).status_code > 0
    except httpx2.HTTPError:
        return False


@pytest.fixture
def live(radicale: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Any]:
    """Calls on Radicale's calendars and contacts, from a world that has none."""
    for server in ("CALENDAR", "CONTACTS"):
        for name, value in (("URL", radicale), ("USER", ADA), ("PASSWORD", "x"), ("WRITES", "1")):
            monkeypatch.setenv(f"YARDKIT_{server}_{name}", value)
    with use_world(World.create(tmp_path / "other", task="t", seed=1)):
        yield lambda server, tool, **arguments: make_caller(load_server(server))(tool, **arguments)


def _read_facts(answer: Any) -> Any:
    assert not answer.is_error, answer.content
    return json.loads(answer.content[0].text)


def test_the_server_works_on_the_calendars_and_contacts_of_another_server(
    live: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    calendars = _read_facts(live("calendar", "list_calendars"))["calendars"]
    assert sorted((calendar["name"], calendar["title"]) for calendar in calendars) == [
        ("home", "At home"),
        ("primary", "Ada Berg"),
    ]
    event = _read_facts(
        live(
            "calendar",
            "create_event",
            title="Plan",
            starts="2026-03-18T10:00",
            time_zone="Europe/Vienna",
            attendees=[BEN],
        )
    )
    assert "mailed" not in event
    _read_facts(live("calendar", "update_event", event_id="fixe", occurrence="2026-03-24T10:00+01:00", title="Moved"))
    _read_facts(live("calendar", "cancel_event", event_id="fixe", occurrence="2026-03-31T10:00+02:00"))
    titles = [event["title"] for event in _read_facts(live("calendar", "list_events"))["events"]]
    assert titles == ["Fixe", "Plan", "Moved", "Fixe"]
    _read_facts(live("calendar", "cancel_event", event_id=event["id"]))
    assert _read_facts(live("calendar", "list_events"))["total"] == 3
    (eva,) = _read_facts(live("contacts", "find_contacts"))["contacts"]
    _read_facts(live("contacts", "save_contact", contact_id=eva["id"], phones=["+43 1"]))
    _read_facts(live("contacts", "save_contact", name="Bo Ek"))
    assert [contact["phones"] for contact in _read_facts(live("contacts", "find_contacts"))["contacts"]] == [
        [],
        ["+43 1"],
    ]
    monkeypatch.setenv("YARDKIT_CALENDAR_WRITES", "")
    refused = live("calendar", "create_event", title="x", starts="2026-03-18")
    assert refused.is_error
    assert "read only" in refused.content[0].text


def test_the_files_of_other_programs_are_read_from_another_server(live: Any, agenda: Agenda) -> None:
    _read_facts(live("calendar", "cancel_event", event_id="fixe"))
    # by Radicale itself, as what cannot be read is
    refused = (
        "skipped time without a zone",
        "last date by the clock",
        "tasks beside the event",
        "day that names no kind",
    )
    names = [name for name in COMMON if name not in refused and not CALENDARS[name].noted]
    for number, name in enumerate(names):
        data = CALENDARS[name].data.replace(b"UID:talk", f"UID:talk{number}".encode())
        agenda.save(ADA, "primary", f"talk{number}.ics", data)
    listed = _read_facts(live("calendar", "list_events", since="2026-03-01", until="2026-04-30", limit=200))["events"]
    # A world that is on a server has its own zone, which no calendar there says: moments are compared.
    moments = {datetime.fromisoformat(event["starts"]).timestamp() for event in listed if "T" in event["starts"]}
    fixed = [start for name in names if name != "no zone" for start in CALENDARS[name].starts if "T" in start]
    assert moments >= {datetime.fromisoformat(start).timestamp() for start in fixed}


def test_a_series_on_another_server_is_split_and_ended(live: Any, radicale: str) -> None:
    asked = {"event_id": "fixe", "occurrence": "2026-03-31T10:00+02:00", "following": True}
    changed_event = _read_facts(live("calendar", "update_event", **asked, title="Later"))
    titles = [event["title"] for event in _read_facts(live("calendar", "list_events"))["events"]]
    assert titles == ["Fixe", "Fixe", "Later", "Later"]
    _read_facts(
        live(
            "calendar",
            "cancel_event",
            **asked | {"event_id": changed_event["id"], "occurrence": "2026-04-07T10:00+02:00"},
        )
    )
    assert _read_facts(live("calendar", "list_events"))["total"] == 3


def test_what_somebody_else_changed_meanwhile_is_not_overwritten(radicale: str) -> None:
    first_server, other = (DavServer(DavSettings(radicale, ADA, "x", writes=True)) for _ in range(2))
    (primary,) = (
        collection
        for collection in first_server.list_collections("C:calendar-home-set", "calendar")
        if collection.name == "primary"
    )
    (file,), _ = (server.files(primary.path, "C:calendar-query", "C:calendar-data") for server in (first_server, other))
    other.save(file.path, file.data.replace(b"Fixe", b"Theirs"), "text/calendar")
    with pytest.raises(Problem, match="it has been changed by another client"):
        first_server.save(file.path, file.data, "text/calendar")


def test_a_server_that_is_away_is_said_without_its_address(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    make_agenda(world)
    monkeypatch.setenv("YARDKIT_CALENDAR_URL", "http://127.0.0.1:9/secret/")
    answer = make_caller(load_server("calendar"))("list_events")
    assert answer.is_error
    assert "does not answer" in answer.content[0].text
    assert "secret" not in answer.content[0].text


def test_the_cards_of_other_programs_are_read_from_another_server(live: Any, world: World) -> None:
    book = AddressBook(world, ADA)
    refused = ("name in parts alone", "company", "windows letters", "folded within a letter")  # by Radicale itself
    readable = {name: case for name, case in CARDS.items() if not case.noted and b"UID:eva" in case.data}
    names = [name for name in readable if name not in refused]
    for number, name in enumerate(names):
        book.save(f"card{number}.vcf", CARDS[name].data.replace(b"UID:eva", f"UID:card{number}".encode()))
    contacts = _read_facts(live("contacts", "find_contacts", limit=100))["contacts"]
    here = {contact["id"]: (contact["name"], contact["emails"], contact["phones"]) for contact in contacts}
    there = {f"card{n}": (CARDS[name].name, CARDS[name].emails, CARDS[name].phones) for n, name in enumerate(names)}
    assert {id_: here.get(id_) for id_ in there} == there
