"""The school as the person who acts sees it: what is there, and what this person may do."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, TypeVar

from yardkit.apps.courses import APP, RECORDS, Course, Enrolment, School, User
from yardkit.apps.store import Record, Store, open_store
from yardkit.world import Problem, World

MAX_TEXT = 200_000
"""Characters of a text that is kept."""
_STAFF = ("teacher", "ta", "designer")

Row = TypeVar("Row", bound=Record)


class Campus:
    """The records of a school within one transaction, for the person who acts."""

    def __init__(self, store: Store, *, writes: bool) -> None:
        self.store = store
        schools = store.find(School)
        self.school = schools[0] if schools else School(1, "School", 1)
        users = store.find(User, "id = ?", [self.school.acting])
        if schools and not users:
            raise Problem(f"the acting person, {self.school.acting}, is not in the school; set another in its record")
        self.me = users[0] if users else User(1, "Me", "me@example.com", admin=True)
        if writes and not schools:
            store.put(self.school)
            store.put(self.me)

    @property
    def now(self) -> str:
        """The world's time."""
        return in_utc(self.store.now)

    def all(self, kind: type[Row], /, order: str = "", **equal: Any) -> list[Row]:
        """The records of a kind whose fields are so."""
        where = " AND ".join(["1", *(f'"{name}" = ?' for name in equal)])
        return self.store.find(kind, where, list(equal.values()), order=order)

    def find_first(self, kind: type[Row], **equal: Any) -> Row | None:
        """The first of them."""
        return next(iter(self.all(kind, **equal)), None)

    def next_id(self, kind: type[Record]) -> int:
        """The number of the next record."""
        return self.store.next_id(kind)

    def make_stamp(self, kind: type[Record], column: str) -> str:
        """The time for a new record: what is later sorts later."""
        return in_utc(datetime.fromisoformat(self.store.make_stamp(kind, column)))

    def role(self, course_id: int) -> str:
        """What the person is in a course: ``admin``, a role, or nothing."""
        if self.me.admin:
            return "admin"
        mine = self.all(Enrolment, course_id=course_id, user_id=self.me.id, state="active")
        roles = [enrolment.role for enrolment in mine]
        return next((role for role in (*_STAFF, "student", "observer") if role in roles), "")

    def is_teacher(self, course_id: int) -> bool:
        """Whether the person may change a course and see all that is in it."""
        return self.role(course_id) in ("admin", *_STAFF)

    def list_courses(self) -> list[Course]:
        """The courses that the person sees, by number."""
        return [course for course in self.store.find(Course) if self._can_see(course)]

    def get_course(self, course_id: int) -> Course:
        """A course that the person sees.

        Raises:
            Problem: there is none of this number for them; those that there are, are named.
        """
        courses = self.list_courses()
        for course in courses:
            if course.id == course_id:
                return course
        named = ", ".join(f"{course.id} ({course.code})" for course in courses[:12]) or "none"
        raise Problem(f"there is no course {course_id}; there are: {named}")

    def require_teacher(self, course_id: int) -> Course:
        """A course that the person may change.

        Raises:
            Problem: they may not.
        """
        course = self.get_course(course_id)
        if not self.is_teacher(course_id):
            raise Problem(
                f"{self.me.name} is {self.role(course_id) or 'not a member'} of {course.code}; only teachers "
                "may do this"
            )
        return course

    def require_admin(self) -> None:
        """Refuse what only admins may do.

        Raises:
            Problem: the person does not exist.
        """
        if not self.me.admin:
            raise Problem(f"{self.me.name} is not an admin of {self.school.name}; only admins may do this")

    def get_course_record(self, kind: type[Row], number: int, course_id: int) -> Row:
        """A record of a course that the person sees.

        Raises:
            Problem: there is none of this number; those that there are, are named.
        """
        self.get_course(course_id)
        rows = [row for row in self.all(kind, course_id=course_id) if self.is_visible(row, course_id)]
        for row in rows:
            if row.id == number:  # type: ignore[attr-defined]
                return row
        named = ", ".join(f"{row.id} ({name_of(row)})" for row in rows[:10]) or "none"  # type: ignore[attr-defined]
        noun = re.sub(r"(?<!^)(?=[A-Z])", " ", kind.__name__).lower()
        raise Problem(f"there is no {noun} {number} in course {course_id}; there are {len(rows)}: {named}")

    def is_visible(self, row: Record, course_id: int) -> bool:
        """Whether the person sees a thing of a course: students see what is published, and announcements in time."""
        if self.is_teacher(course_id):
            return True
        late = getattr(row, "shows", None)
        return bool(getattr(row, "published", True)) and not (late and late > self.now)

    def list_people(self, course_id: int, role: str = "") -> list[tuple[Enrolment, User]]:
        """Who takes part in a course, by name."""
        users = {user.id: user for user in self.store.find(User)}
        enrolments = [
            enrolment for enrolment in self.all(Enrolment, course_id=course_id) if enrolment.state != "deleted"
        ]
        pairs = [
            (enrolment, users[enrolment.user_id])
            for enrolment in enrolments
            if enrolment.user_id in users and role in ("", enrolment.role)
        ]
        return sorted(pairs, key=lambda pair: (sorted_name(pair[1]), pair[0].id))

    def _can_see(self, course: Course) -> bool:
        if course.state == "deleted":
            return False
        if self.is_teacher(course.id):
            return True
        return course.state != "unpublished" and bool(self.role(course.id))


@contextmanager
def open_campus(world: World, *, writes: bool = False) -> Iterator[Campus]:
    """The school of a world; with `writes`, all that the body does or, if it raises, nothing."""
    with open_store(APP, *RECORDS, writes=writes, world=world) as store:
        yield Campus(store, writes=writes)


def in_utc(moment: datetime) -> str:
    """A time as the records have it."""
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def time_of(text: str | None, world: World) -> str | None:
    """A time that a caller gives, as the records have it; a day is its last minute, an empty text is none.

    Raises:
        Problem: it is not valid.
    """
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
        if len(text) == len("2026-03-16"):
            moment = moment.replace(hour=23, minute=59)
        return in_utc(moment if moment.tzinfo else moment.replace(tzinfo=world.now.tzinfo))
    except (ValueError, OverflowError) as error:
        raise Problem(
            f"{text[:60]!r} is not a valid date or time; use one such as 2026-03-16 or 2026-03-16T23:59:00Z"
        ) from error


def sorted_name(user: User) -> str:
    """A name as lists sort it: ``Berg, Ada``."""
    if user.sortable_name:
        return user.sortable_name
    first, _, last = user.name.rpartition(" ")
    return f"{last}, {first}" if first else last


def name_of(row: object) -> str:
    """What a record is called."""
    return next((str(getattr(row, name)) for name in ("name", "title", "subject") if hasattr(row, name)), "")


def require_storable_text(what: str, text: str) -> str:
    """A text that may be kept.

    Raises:
        Problem: it is too long.
    """
    if len(text) > MAX_TEXT:
        raise Problem(f"{what} has {len(text):,} characters; the limit is {MAX_TEXT:,}")
    return text
