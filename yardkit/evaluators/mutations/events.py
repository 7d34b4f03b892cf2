"""Mutants of events: of each that the solver added or changed, and of one that it did not touch.

Targets are ``event:time#uid`` (another day, another zone, shorter), ``event:guests#uid``, ``event:series#uid``,
``event:count#uid`` (doubled, or restored), ``event:calendar#uid``, and ``bystander:calendar/uid`` for an event that
must not be touched.
"""

import random
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from yardkit.evaluators.checkpoints import InvalidArtifact
from yardkit.evaluators.mutations.mutant import Mutant, on_apps
from yardkit.evaluators.readers.content_lines import unfold_lines
from yardkit.evaluators.submission import Submission, build_manifest

MAX_EVENTS = 6
"""Events that are mutated in every way."""
_TIME = re.compile(r"(?P<name>DTSTART|DTEND|RECURRENCE-ID)(?P<params>[^:]*):(?P<date>\d{8})(?P<clock>T\d{6}Z?)?")

Change = Callable[[str], str]


def event_mutants(submission: Submission, rng: random.Random) -> Iterator[Mutant]:
    """Generate all mutants of the events of a solved submission, which must provide its untouched world."""
    before, after = (build_manifest(state.apps) for state in (submission.untouched, submission))
    files = [path for path in after if re.fullmatch(r"calendar/[^/]+/[^/]+/[^/]+\.ics", path)]
    touched = [path for path in files if before.get(path) != after[path]]
    for path in sorted(rng.sample(touched, min(MAX_EVENTS, len(touched)))):
        yield from _of_event(submission.apps, path)
    gone = [path for path in before if path.startswith("calendar/") and path.endswith(".ics") and path not in after]
    for path in gone[:MAX_EVENTS]:
        yield _restore_file(submission.untouched.apps, path)
    others = [path for path in files if path not in touched]
    if others:
        yield from _change_other_event(submission.apps, rng.choice(others))


def _of_event(apps: Path, path: str) -> Iterator[Mutant]:
    text = _read_unfolded(apps / path)
    operators: tuple[tuple[str, str, str, Change], ...] = (
        ("shift_day", "time", "is a day later", shift_day),
        ("shift_zone", "time", "is one hour off", shift_zone),
        ("shorten", "time", "is half as long", shorten_event),
        ("drop_attendee", "guests", "has one guest fewer", drop_attendee),
        ("move_series_instead_of_instance", "series", "is moved as a whole, not on one date", move_series),
    )
    for operator, aspect, description, change in operators:
        if change(text) != text:
            yield _make_mutant(operator, aspect, path, description, _make_rewrite(path, change))
    yield _make_mutant("double_event", "count", path, "is there twice", _make_double(path))
    yield _make_mutant("other_calendar", "calendar", path, "is in another calendar", _make_move(path))


def shift_day(text: str) -> str:
    """Shift the event of a file by a day; in a series with exceptions, only the last exception."""
    return _shift_times(text, lambda day: day + timedelta(days=1))


def shift_zone(text: str) -> str:
    """Shift an event by an hour at the same clock time, like a confused zone."""
    return _shift_times(text, lambda moment: moment + timedelta(hours=1), only_times=True)


def shorten_event(text: str) -> str:
    """End the last event of the file halfway."""
    head, block, tail = _last_event(text)
    times_by_name = {match["name"]: match for match in _TIME.finditer(block)}
    if "DTSTART" not in times_by_name or "DTEND" not in times_by_name or not times_by_name["DTEND"]["clock"]:
        return text
    starts, ends = (_parse_time(times_by_name[name]) for name in ("DTSTART", "DTEND"))
    return (
        head
        + block.replace(times_by_name["DTEND"][0], _format_time(times_by_name["DTEND"], starts + (ends - starts) / 2))
        + tail
    )


def drop_attendee(text: str) -> str:
    """Remove the last guest from all events of the file."""
    guests = re.findall(r"(?m)^ATTENDEE[^\n]*:(\S+)\s*$", text)
    return re.sub(rf"(?m)^ATTENDEE[^\n]*:{re.escape(guests[-1])}\s*\n", "", text) if guests else text


def move_series(text: str) -> str:
    """Move the entire series by the amount by which one of its dates was moved."""
    blocks = re.findall(r"(?s)BEGIN:VEVENT\n.*?END:VEVENT\n", text)
    main = next((block for block in blocks if "\nRRULE" in block), "")
    exceptions = [block for block in blocks if "\nRECURRENCE-ID" in block]
    if not main or not exceptions:
        return text
    times_by_name = {match["name"]: match for match in _TIME.finditer(exceptions[-1])}
    if {match and bool(match["clock"]) for match in times_by_name.values()} != {True}:
        return text
    by = _parse_time(times_by_name["DTSTART"]) - _parse_time(times_by_name["RECURRENCE-ID"])
    moved = _TIME.sub(lambda match: _format_time(match, _parse_time(match) + by), main)
    return text.replace(exceptions[-1], "").replace(main, moved) if by else text


def _shift_times(text: str, change: Callable[[datetime], datetime], *, only_times: bool = False) -> str:
    head, block, tail = _last_event(text)

    def moved(match: "re.Match[str]") -> str:
        if match["name"] == "RECURRENCE-ID" or (only_times and not match["clock"]):
            return match[0]
        return _format_time(match, change(_parse_time(match)))

    return head + _TIME.sub(moved, block) + tail


def _last_event(text: str) -> tuple[str, str, str]:
    """Split a file into three parts, the middle one its last event, which is an exception if the series has one."""
    start, end = text.rfind("BEGIN:VEVENT"), text.rfind("END:VEVENT")
    return (text[:start], text[start:end], text[end:]) if start >= 0 else (text, "", "")


def _parse_time(match: "re.Match[str]") -> datetime:
    return datetime.strptime(f"{match['date']}{(match['clock'] or 'T000000').rstrip('Z')}", "%Y%m%dT%H%M%S").replace(
        tzinfo=UTC
    )


def _format_time(match: "re.Match[str]", moment: datetime) -> str:
    zulu = "Z" if (match["clock"] or "").endswith("Z") else ""
    clock = f"{moment:T%H%M%S}{zulu}" if match["clock"] else ""
    return f"{match['name']}{match['params']}:{moment:%Y%m%d}{clock}"


def _change_other_event(apps: Path, path: str) -> Iterator[Mutant]:
    try:
        text = _read_unfolded(apps / path)
    except InvalidArtifact:
        return
    change = _make_rewrite(path, shift_day)
    yield Mutant("touch_bystander", f"bystander:calendar/{_read_uid(text)}", f"{path} is a day later", on_apps(change))


def _restore_file(untouched: Path, path: str) -> Mutant:
    data = (untouched / path).read_bytes()

    def change(apps: Path) -> None:
        (apps / path).parent.mkdir(parents=True, exist_ok=True)
        (apps / path).write_bytes(data)

    return _make_mutant("restore_event", "count", path, "is there again", change)


def _make_rewrite(path: str, change: Change) -> Callable[[Path], None]:
    def rewrite(apps: Path) -> None:
        (apps / path).write_bytes(change(_read_unfolded(apps / path)).replace("\n", "\r\n").encode())

    return rewrite


def _make_double(path: str) -> Callable[[Path], None]:
    def double(apps: Path) -> None:
        again = re.sub(r"(?m)^UID[^\n]*:(.*)$", r"UID:\1-2", _read_unfolded(apps / path))
        (apps / path).with_name(f"{Path(path).stem}-2.ics").write_bytes(again.replace("\n", "\r\n").encode())

    return double


def _make_move(path: str) -> Callable[[Path], None]:
    def move(apps: Path) -> None:
        calendar = (apps / path).parent
        others = [sibling for sibling in sorted(calendar.parent.iterdir()) if sibling.is_dir() and sibling != calendar]
        target = others[0] if others else calendar.with_name("other")
        target.mkdir(exist_ok=True)
        (apps / path).rename(target / Path(path).name)

    return move


def _make_mutant(operator: str, aspect: str, path: str, description: str, change: Callable[[Path], object]) -> Mutant:
    return Mutant(operator, f"event:{aspect}#{Path(path).stem}", f"{path} {description}", on_apps(change))


def _read_unfolded(path: Path) -> str:
    """Read a file and unfold its lines."""
    return "\n".join(unfold_lines(path.read_bytes())) + "\n"


def _read_uid(text: str) -> str:
    match = re.search(r"(?m)^UID[^:\n]*:(.*)$", text)
    return match[1].strip() if match else ""
