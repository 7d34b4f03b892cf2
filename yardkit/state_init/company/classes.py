"""Who is in a course of a seeded school, beside what `fill_courses` draws; and lists of marks."""

from collections.abc import Iterator, Mapping
from itertools import islice

from yardkit.apps.courses import Enrolment, Role, Section, User
from yardkit.apps.store import Store
from yardkit.state_init.company.persons import SPELLINGS, Somebody
from yardkit.state_init.csv_files import save_csv
from yardkit.world import World


def students_of(store: Store, course: int, state: str = "active") -> list[User]:
    """The students of a course, in the order in which they came."""
    where = "course_id = ? AND role = 'student' AND state = ?"
    return [
        store.get(User, enrolment.user_id) for enrolment in store.find(Enrolment, where, [course, state], order="id")
    ]


def enrol_user(store: Store, course: int, user: User, role: Role = "student") -> User:
    """Let somebody take part in the first section of a course, as just this."""
    there = store.find(Enrolment, "course_id = ? AND user_id = ?", [course, user.id])
    (section, *_) = store.find(Section, "course_id = ?", [course], order="id")
    number = there[0].id if there else store.next_id(Enrolment)
    added = store.find(Enrolment, "course_id = ?", [course], order="id")[0].created
    store.put(Enrolment(number, course, section.id, user.id, role, "active", added))
    return user


def list_outsiders(store: Store, course: int) -> Iterator[User]:
    """The students of the school who have no part in a course, in the order in which they came."""
    inside = {enrolment.user_id for enrolment in store.find(Enrolment, "course_id = ?", [course])}
    students = store.find(User, "email LIKE '%@students.%'", order="id")
    yield from (user for user in students if user.id not in inside)


def fill_up(store: Store, course: int, count: int) -> list[User]:
    """Enrol students until a course has at least so many; all of them."""
    for user in islice(list_outsiders(store, course), max(0, count - len(students_of(store, course)))):
        enrol_user(store, course, user)
    return students_of(store, course)


def to_person(user: User) -> Somebody:
    """A student as letters know them."""
    last, first = user.sortable_name.split(", ")
    return Somebody(first, last, user.email)


def save_marks(world: World, store: Store, title: str, scores: Mapping[int, float]) -> None:
    """A list of marks, by number of the student, as ``marks/<title>.csv``."""
    users = sorted((store.get(User, user) for user in scores), key=lambda user: user.sortable_name)
    rows = [(user.sortable_name, user.email, f"{scores[user.id]:g}") for user in users]
    save_csv(world.files / f"marks/{title.replace(' ', '_')}.csv", [("student", "address", "points"), *rows])


def find_namesakes(store: Store) -> tuple[User, User]:
    """Two students of the school whose names are easily mixed up."""
    by_name = {user.name: user for user in store.find(User, "email LIKE '%@students.%'", order="id")}
    pairs = (
        (known_name, name.replace(first, last))
        for name, known_name in by_name.items()
        for first, last in _list_spellings(name)
    )
    return next((twin_name, by_name[other]) for twin_name, other in pairs if other in by_name)


def _list_spellings(name: str) -> list[tuple[str, str]]:
    """The spellings of a last name, of which it has the first."""
    return [(f" {first}", f" {last}") for first, last in SPELLINGS if name.endswith(f" {first}")]
