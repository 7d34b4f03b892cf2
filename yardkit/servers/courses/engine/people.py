"""Courses, people, and who takes part in what."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from yardkit.apps.courses import (
    AssignmentGroup,
    Course,
    CourseState,
    Enrolment,
    EnrolmentState,
    Folder,
    Role,
    School,
    Section,
    User,
)
from yardkit.apps.store import drop_missing
from yardkit.servers.courses.engine.school_view import Campus, require_storable_text, sorted_name
from yardkit.world import Problem


@dataclass(frozen=True)
class Person:
    """Somebody of the school, with the courses that the one who acts sees. roles: by number of the course."""

    id: int
    name: str
    email: str
    roles: dict[int, str]
    admin: bool = False


def find_courses(campus: Campus, query: str = "", state: CourseState | None = None, term: str = "") -> list[Course]:
    """Courses in whose name, code or term each word of `query` stands, by number."""
    words = query.casefold().split()
    courses = []
    for course in campus.list_courses():
        searched_text = f"{course.name} {course.code} {course.term}".casefold()
        if (
            all(word in searched_text for word in words)
            and state in (None, course.state)
            and term.casefold() in searched_text
        ):
            courses.append(course)
    return courses


def save_course(campus: Campus, course_id: int | None, *, clear: Sequence[str] = (), **values: Any) -> Course:
    """A new course with a section, a group of assignments and a folder; or what is given changed of one.

    The fields of `clear` are emptied.

    Raises:
        Problem: there is none, the person may not, or a new one has no name.
    """
    require_storable_text("the syllabus", values.get("syllabus") or "")
    if course_id is not None:
        course = campus.require_teacher(course_id)
        return campus.store.change(course, **(dict.fromkeys(clear) | drop_missing(**values)))
    campus.require_admin()
    if not (values.get("name") or "").strip():
        raise Problem("a new course needs a name")
    number = campus.next_id(Course)
    values["code"] = values.get("code") or values["name"]
    course = campus.store.put(Course(number, created=campus.now, **drop_missing(**values)))
    campus.store.put(Section(campus.next_id(Section), number, course.name))
    campus.store.put(AssignmentGroup(campus.next_id(AssignmentGroup), number, "Assignments", 1))
    campus.store.put(Folder(campus.next_id(Folder), number, "course files"))
    return course


def find_people(
    campus: Campus, query: str = "", course_id: int | None = None, role: Role | None = None
) -> list[Person]:
    """People in whose name or address each word of `query` stands, by name; of all the school only for admins."""
    if course_id is not None:
        campus.get_course(course_id)
        users = {user.id: user for _, user in campus.list_people(course_id, role or "")}
    elif campus.me.admin:
        users = {user.id: user for user in campus.store.find(User)}
    else:
        users = {user.id: user for course in campus.list_courses() for _, user in campus.list_people(course.id)}
        users[campus.me.id] = campus.me
    seen = {course.id for course in campus.list_courses()}
    roles: dict[int, dict[int, str]] = {}
    for enrolment in campus.store.find(Enrolment, "state != 'deleted'"):
        if enrolment.course_id in seen:
            roles.setdefault(enrolment.user_id, {})[enrolment.course_id] = enrolment.role
    words = query.casefold().split()
    matching_users = [
        user for user in users.values() if all(word in f"{user.name} {user.email}".casefold() for word in words)
    ]
    remaining_users = [user for user in matching_users if role is None or role in roles.get(user.id, {}).values()]
    remaining_users.sort(key=lambda user: (sorted_name(user).casefold(), user.id))
    return [Person(user.id, user.name, user.email, roles.get(user.id, {}), user.admin) for user in remaining_users]


def save_user(campus: Campus, **values: Any) -> User:
    """A new person of the school.

    Raises:
        Problem: the person who acts is not an admin, or the address is taken.
    """
    campus.require_admin()
    if not values.get("name", "").strip() or not values.get("email", "").strip():
        raise Problem("a new person needs a name and an address")
    if campus.find_first(User, email=values["email"]):
        raise Problem(f"the address {values['email']!r} already belongs to another person")
    return campus.store.put(User(campus.next_id(User), created=campus.now, **drop_missing(**values)))


def save_profile(campus: Campus, **values: Any) -> User:
    """What the person who acts says of themselves."""
    return campus.store.change(campus.me, **drop_missing(**values))


def user_of(campus: Campus, user_id: int) -> User:
    """A person of the school.

    Raises:
        Problem: there is none of this number.
    """
    return campus.store.get(User, user_id)


def enrol_user(
    campus: Campus,
    course_id: int,
    user_id: int,
    role: Role = "student",
    state: EnrolmentState = "active",
    section_id: int | None = None,
) -> Enrolment:
    """Let somebody take part in a course; who takes part in this role already stays, in this state.

    Raises:
        Problem: there is no such course, person or section, or the person who acts may not.
    """
    campus.require_teacher(course_id)
    user_of(campus, user_id)
    sections = campus.all(Section, course_id=course_id)
    chosen = next((course_section for course_section in sections if section_id in (None, course_section.id)), None)
    if chosen is None:
        named = ", ".join(f"{course_section.id} ({course_section.name})" for course_section in sections) or "none"
        raise Problem(f"there is no section {section_id} in course {course_id}; there are: {named}")
    old = campus.find_first(Enrolment, course_id=course_id, user_id=user_id, role=role)
    if old:
        return campus.store.change(old, state=state, section_id=chosen.id if section_id else old.section_id)
    number = campus.next_id(Enrolment)
    return campus.store.put(Enrolment(number, course_id, chosen.id, user_id, role, state, campus.now))


def unenrol_user(campus: Campus, course_id: int, enrolment_id: int) -> Enrolment:
    """End that somebody takes part in a course; what they handed in stays.

    Raises:
        Problem: there is no such enrolment, or the person who acts may not.
    """
    campus.require_teacher(course_id)
    enrolment = campus.get_course_record(Enrolment, enrolment_id, course_id)
    return campus.store.change(enrolment, state="deleted")


def school_of(campus: Campus, number: int) -> School:
    """The school by its number.

    Raises:
        Problem: it has another one.
    """
    if number != campus.school.id:
        raise Problem(f"there is no account {number}; there is {campus.school.id} ({campus.school.name})")
    return campus.school
