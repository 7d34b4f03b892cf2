"""Logs: entries with a time and a severity, found by words or by a filter of Google's logging."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from yardkit.apps.warehouse import Entry, locate_folder, log_file, read_entries, write_entries
from yardkit.world import Problem, World, lock_file

SEVERITIES = ("DEFAULT", "DEBUG", "INFO", "NOTICE", "WARNING", "ERROR", "CRITICAL", "ALERT", "EMERGENCY")
_CLAUSE = re.compile(
    r'\s*(?P<not>NOT\s+|-)?(?:(?P<field>[\w.]+)\s*(?P<sign>>=|<=|!=|=~|=|>|<|:)\s*)?(?P<value>"(?:[^"\\]|\\.)*"|[^\s()]+)'
    r"\s*(?P<and>AND\b)?",
    re.IGNORECASE,
)
_FIELDS = {
    "severity": "severity",
    "timestamp": "time",
    "textpayload": "message",
    "logname": "log",
    "message": "message",
}


@dataclass(frozen=True)
class LogLine:
    """An entry of a log. time: ISO 8601, UTC."""

    log: str
    time: str
    severity: str
    message: str
    labels: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class LogLines:
    """A page of entries, newest first. total: all that match; next_offset: where the list goes on."""

    entries: list[LogLine]
    total: int
    next_offset: int | None
    logs: list[str]


def log_names(world: World) -> list[str]:
    """All logs."""
    return sorted(path.stem for path in (locate_folder(world) / "@logs").glob("*.jsonl"))


def find_entries(
    world: World, query: str = "", log: str = "", severity: str = "", since: str = "", offset: int = 0, limit: int = 50
) -> LogLines:
    """Entries with all words of `query`, of at least a severity, from a time on, newest first.

    Raises:
        Problem: there is no such log, or the time cannot be read.
    """
    words = query.casefold().split()
    least = SEVERITIES.index(severity) if severity else 0
    first = _parse_moment(since) if since else None
    matching_lines = [
        line
        for line in _read_lines(world, log)
        if SEVERITIES.index(line.severity) >= least
        and (first is None or _parse_moment(line.time) >= first)
        and all(word in line.message.casefold() for word in words)
    ]
    return _page_lines(matching_lines, world, offset, limit)


def filter_entries(world: World, text: str, offset: int = 0, limit: int = 50) -> LogLines:
    """Entries that a filter of Google's logging lets through: ``severity>=ERROR AND textPayload:"timeout"``.

    Raises:
        Problem: the filter cannot be read.
    """
    clauses = _parse_clauses(text)
    matching_lines = [line for line in _read_lines(world) if all(_matches_clause(clause, line) for clause in clauses)]
    return _page_lines(matching_lines, world, offset, limit)


def write_entry(world: World, log: str, message: str, severity: str, labels: dict[str, str] | None = None) -> LogLine:
    """Add an entry to a log, which is made if it is missing. Its time is the world's, or a second after the last one.

    Raises:
        Problem: the name is not valid, or there is no such severity.
    """
    if severity not in SEVERITIES:
        raise Problem(f"{severity!r} is not a severity; use one of {', '.join(SEVERITIES)}")
    path = log_file(world, log)
    with lock_file(path, world.locks):
        entries = read_entries(path)
        last = max((_parse_moment(entry.time) for entry in entries), default=None)
        now = world.now.astimezone(UTC).replace(microsecond=0)
        moment = max(now, last + timedelta(seconds=1)) if last else now
        entry = Entry(f"{moment:%Y-%m-%dT%H:%M:%SZ}", severity, message, labels or {})
        write_entries(path, [*entries, entry])
    return LogLine(log, entry.time, entry.severity, entry.message, entry.labels)


def _read_lines(world: World, log: str = "") -> list[LogLine]:
    names = log_names(world)
    if log and log not in names:
        raise Problem(f"there is no log {log!r}; there are: {', '.join(names) or 'none'}")
    lines = [
        LogLine(name, entry.time, entry.severity, entry.message, entry.labels)
        for name in ([log] if log else names)
        for entry in read_entries(log_file(world, name))
    ]
    return sorted(lines, key=lambda line: (line.time, line.log), reverse=True)


def _page_lines(log_lines: list[LogLine], world: World, offset: int, limit: int) -> LogLines:
    end = offset + limit
    return LogLines(log_lines[offset:end], len(log_lines), end if end < len(log_lines) else None, log_names(world))


def _parse_moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise Problem(
            f"{text!r} is not a valid date or time; use one such as 2026-03-16 or 2026-03-16T09:30:00Z"
        ) from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _parse_clauses(text: str) -> list[re.Match[str]]:
    clauses, at = [], 0
    while text[at:].strip():
        match = _CLAUSE.match(text, at)
        if (
            match is None
            or match["value"].upper() in ("OR", "AND")
            or (match["field"] and not _is_known_field(match["field"]))
        ):
            raise Problem(
                f"the filter cannot be parsed at {text[at : at + 40]!r}; clauses are joined by AND: "
                'severity>=ERROR, timestamp>="2026-03-16T00:00:00Z", logName="app", textPayload:"timeout", '
                'labels.zone="a", or words'
            )
        clauses.append(match)
        at = match.end()
    return clauses


def _is_known_field(name: str) -> bool:
    return name.lower() in _FIELDS or name.lower().startswith(("labels.", "resource.labels."))


def _matches_clause(clause: re.Match[str], line: LogLine) -> bool:
    value = re.sub(r"\\(.)", r"\1", clause["value"][1:-1]) if clause["value"].startswith('"') else clause["value"]
    if not clause["field"]:
        contains_value = value.casefold() in line.message.casefold()
    else:
        contains_value = _compare_values(
            _get_field(line, clause["field"]), clause["sign"], value, clause["field"].lower()
        )
    return contains_value != bool(clause["not"])


def _get_field(line: LogLine, name: str) -> str:
    known = _FIELDS.get(name.lower())
    return getattr(line, known) if known else line.labels.get(name.rpartition(".")[2], "")


def _compare_values(field_value: str, sign: str, value: str, name: str) -> bool:
    if name == "logname":
        value = value.rpartition("/logs/")[2] or value
    if sign in (":", "=~"):
        return bool(re.search(value if sign == "=~" else re.escape(value), field_value, re.IGNORECASE))
    if sign in ("=", "!="):
        return (field_value.casefold() == value.casefold()) == (sign == "=")
    return _compare_order(_rank_value(field_value, name), sign, _rank_value(value, name))


def _compare_order(left: float | str, sign: str, other: float | str) -> bool:
    above, equal = left > other, left == other  # type: ignore[operator]
    return {">": above, ">=": above or equal, "<": not above and not equal, "<=": not above}[sign]


def _rank_value(value: str, name: str) -> float | str:
    if name == "severity":
        if value.upper() not in SEVERITIES:
            raise Problem(f"{value!r} is not a severity; use one of {', '.join(SEVERITIES)}")
        return float(SEVERITIES.index(value.upper()))
    return _parse_moment(value).timestamp() if name == "timestamp" else value
