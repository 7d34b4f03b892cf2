"""Courses, grades, dashboards, and the person who acts."""

from typing import Any

from yardkit.apps.courses import Course, CourseState, EnrolmentState, Role
from yardkit.compat.toolathlon.courses import objects
from yardkit.servers.courses.engine import people, work
from yardkit.servers.courses.engine.school_view import Campus, time_of
from yardkit.world import Problem, current_world

_EVENTS: dict[str, CourseState] = {
    "offer": "available",
    "claim": "unpublished",
    "conclude": "completed",
    "delete": "deleted",
    "undelete": "unpublished",
}
_FIELDS = {
    "name": "name", "course_code": "code", "start_at": "starts", "end_at": "ends", "is_public": "public",
    "public_description": "description", "time_zone": "time_zone", "syllabus_body": "syllabus",
}  # fmt: skip


def canvas_health_check(campus: Campus) -> Any:
    me = campus.me
    return {"status": "ok", "timestamp": campus.now, "user": {"id": me.id, "name": me.name}}


def canvas_list_courses(campus: Campus, include_ended: bool = False) -> Any:
    mine = [
        course for course in _list_own_courses(campus) if include_ended or course.state in ("available", "unpublished")
    ]
    return [objects.build_course(campus, course) for course in mine]


def canvas_get_course(campus: Campus, course_id: int) -> Any:
    return objects.build_course(campus, campus.get_course(course_id))


def canvas_create_course(campus: Campus, account_id: int, name: str, **others: Any) -> Any:
    people.school_of(campus, account_id)
    fields, settings = _split_settings(others)
    return objects.build_course(campus, people.save_course(campus, None, name=name, settings=settings, **fields))


def canvas_update_course(campus: Campus, course_id: int, event: str | None = None, **others: Any) -> Any:
    if event is not None and event not in _EVENTS:
        raise Problem(f"there is no event {event!r}; there are {', '.join(_EVENTS)}")
    fields, settings = _split_settings(others)
    settings = campus.get_course(course_id).settings | settings
    state = _EVENTS[event] if event else None
    return objects.build_course(campus, people.save_course(campus, course_id, state=state, settings=settings, **fields))


def _split_settings(others: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split what is given of a course into fields of ours, and settings that are only shown again."""
    world = current_world()
    fields = {ours: others.pop(theirs) for theirs, ours in _FIELDS.items() if theirs in others}
    return fields | {name: time_of(fields[name], world) for name in ("starts", "ends") if name in fields}, others


def canvas_delete_course(campus: Campus, course_id: int, event: str = "delete") -> str:
    people.save_course(campus, course_id, state=_EVENTS[event])
    return f"Successfully {event}d course {course_id}"


def canvas_get_syllabus(campus: Campus, course_id: int) -> Any:
    course = campus.get_course(course_id)
    return {"course_id": course.id, "syllabus_body": course.syllabus or None}


def canvas_list_calendar_events(campus: Campus, start_date: str | None = None, end_date: str | None = None) -> Any:
    world = current_world()
    since, until = (time_of(text, world) for text in (start_date, end_date))
    if start_date and since and len(start_date) <= len("2026-03-16"):
        since = f"{since[:10]}T00:00:00Z"
    return [
        _build_deadline(campus, assignment)
        for assignment in _list_due_assignments(campus)
        if (since or "") <= (assignment.due or "") <= (until or "9")
    ]


def canvas_get_upcoming_assignments(campus: Campus, limit: int = 10) -> Any:
    coming = [assignment for assignment in _list_due_assignments(campus) if (assignment.due or "") >= campus.now][
        :limit
    ]
    return [_build_deadline(campus, assignment) for assignment in coming]


def canvas_get_dashboard(campus: Campus) -> Any:
    coming = [assignment for assignment in _list_due_assignments(campus) if (assignment.due or "") >= campus.now][:10]
    cards = [_build_card(campus, course) for course in _list_own_courses(campus) if course.state == "available"]
    return {"dashboard_cards": cards, "upcoming_events": [_build_deadline(campus, assignment) for assignment in coming]}


def canvas_get_dashboard_cards(campus: Campus) -> Any:
    return [_build_card(campus, course) for course in _list_own_courses(campus) if course.state == "available"]


def canvas_get_course_grades(campus: Campus, course_id: int) -> Any:
    grades = {grade.user_id: grade for grade in work.list_grades(campus, course_id)}
    enrolled_students = [pair for pair in campus.list_people(course_id, "student") if pair[1].id in grades]
    return [objects.build_enrolment(enrolment, person, grades[person.id]) for enrolment, person in enrolled_students]


def canvas_get_user_grades(campus: Campus) -> Any:
    grade_rows = []
    for course in campus.list_courses():
        grades = {grade.user_id: grade for grade in work.list_grades(campus, course.id)}
        mine = [pair for pair in campus.list_people(course.id) if pair[1].id == campus.me.id]
        grade_rows += [objects.build_enrolment(part, None, grades.get(campus.me.id)) for part, _ in mine]
    return grade_rows


def canvas_get_user_profile(campus: Campus) -> Any:
    return objects.build_profile(campus, campus.me)


def canvas_update_user_profile(
    campus: Campus,
    name: str | None = None,
    short_name: str | None = None,
    bio: str | None = None,
    title: str | None = None,
    time_zone: str | None = None,
) -> Any:
    values = {"name": name, "short_name": short_name, "bio": bio, "title": title, "time_zone": time_zone}
    return objects.build_profile(campus, people.save_profile(campus, **values))


def canvas_enroll_user(
    campus: Campus, course_id: int, user_id: int, role: str = "StudentEnrollment", enrollment_state: str = "active"
) -> Any:
    new_enrolment = people.enrol_user(campus, course_id, user_id, _parse_role(role), _parse_state(enrollment_state))
    return objects.build_enrolment(new_enrolment, people.user_of(campus, user_id))


def canvas_unenroll_user(campus: Campus, course_id: int, enrollment_id: int) -> str:
    people.unenrol_user(campus, course_id, enrollment_id)
    return f"Successfully unenrolled user with enrollment {enrollment_id} from course {course_id}"


def _list_own_courses(campus: Campus) -> list[Course]:
    """The courses that the person who acts takes part in; of an admin who takes part in none, all."""
    mine = [
        course
        for course in campus.list_courses()
        if any(person.id == campus.me.id for _, person in campus.list_people(course.id))
    ]
    return mine or (campus.list_courses() if campus.me.admin else [])


def _list_due_assignments(campus: Campus) -> list[Any]:
    due_assignments = [
        assignment
        for course in _list_own_courses(campus)
        for assignment in work.find_assignments(campus, course.id)
        if assignment.due
    ]
    return sorted(due_assignments, key=lambda assignment: (assignment.due, assignment.id))


def _build_deadline(campus: Campus, assignment: Any) -> objects.Facts:
    return {
        "id": f"assignment_{assignment.id}",
        "title": assignment.name,
        "type": "assignment",
        "start_at": assignment.due,
        "end_at": assignment.due,
        "context_code": f"course_{assignment.course_id}",
        "html_url": f"{objects.ROOT}/courses/{assignment.course_id}/assignments/{assignment.id}",
        "assignment": objects.build_assignment(campus, assignment),
    }


def _build_card(campus: Campus, course: Course) -> objects.Facts:
    return {
        "id": course.id,
        "shortName": course.name,
        "originalName": course.name,
        "courseCode": course.code,
        "assetString": f"course_{course.id}",
        "href": f"/courses/{course.id}",
        "term": course.term or "Default Term",
        "enrollmentType": campus.role(course.id),
        "published": course.state == "available",
        "isFavorited": False,
    }


def _parse_role(text: str) -> Role:
    roles: dict[str, Role] = {
        "student": "student",
        "teacher": "teacher",
        "ta": "ta",
        "observer": "observer",
        "designer": "designer",
    }
    role_text = text.casefold().removesuffix("enrollment")
    if role_text not in roles:
        raise Problem(f"there is no role {text!r}; there are StudentEnrollment, TeacherEnrollment, TaEnrollment ...")
    return roles[role_text]


def _parse_state(text: str) -> EnrolmentState:
    states: dict[str, EnrolmentState] = {
        "active": "active",
        "invited": "invited",
        "inactive": "inactive",
        "completed": "completed",
    }
    if text not in states:
        raise Problem(f"there is no enrollment state {text!r}; there are {', '.join(states)}")
    return states[text]
