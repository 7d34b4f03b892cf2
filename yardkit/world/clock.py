"""The time of a world: frozen in a seeded world, the machine's in a user's own folder."""

from datetime import UTC, datetime


def parse_time(text: str) -> datetime:
    """Parse an ISO 8601 time with an offset, as in ``world.json``; without an offset it is UTC."""
    time = datetime.fromisoformat(text)
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def machine_time() -> datetime:
    """Return the wall clock, for ledgers and users' own folders; never for anything seeded or graded."""
    return datetime.now(UTC)
