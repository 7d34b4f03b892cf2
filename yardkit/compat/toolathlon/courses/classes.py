"""Courses, grades, dashboards, and the person who acts."""

from typing import Any

from yardkit.apps.courses import Course, CourseState, EnrolmentState, Role
from yardkit.compat.toolathlon.courses import objects
from yardkit.compat.toolathlon.courses.app import format_answer, open_for_changing, open_for_reading, require_values
from yardkit.kit.dialect import Offset, Text, TextPage
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


def canvas_health_check() -> TextPage:
    with open_for_reading() as campus:
        me = campus.me
        return format_answer({"status": "ok", "timestamp": campus.now, "user": {"id": me.id, "name": me.name}})


def canvas_list_courses(include_ended: bool = False, offset: Offset = 0) -> TextPage:
    with open_for_reading() as campus:
        mine = [
            course
            for course in _list_own_courses(campus)
            if include_ended or course.state in ("available", "unpublished")
        ]
        return format_answer([objects.build_course(campus, course) for course in mine], offset)


def canvas_get_course(course_id: int) -> TextPage:
    require_values(course_id=course_id)
    with open_for_reading() as campus:
        return format_answer(objects.build_course(campus, campus.get_course(course_id)))


def canvas_create_course(
    account_id: int,
    name: str,
    course_code: str | None = None,
    start_at: str | None = None,
    end_at: str | None = None,
    license: str | None = None,
    is_public: bool | None = None,
    is_public_to_auth_users: bool | None = None,
    public_syllabus: bool | None = None,
    public_syllabus_to_auth: bool | None = None,
    public_description: str | None = None,
    allow_student_wiki_edits: bool | None = None,
    allow_wiki_comments: bool | None = None,
    allow_student_forum_attachments: bool | None = None,
    open_enrollment: bool | None = None,
    self_enrollment: bool | None = None,
    restrict_enrollments_to_course_dates: bool | None = None,
    term_id: int | None = None,
    sis_course_id: str | None = None,
    integration_id: str | None = None,
    hide_final_grades: bool | None = None,
    apply_assignment_group_weights: bool | None = None,
    time_zone: str | None = None,
    syllabus_body: str | None = None,
) -> TextPage:
    require_values(account_id=account_id, name=name)
    settings = {
        "license": license, "is_public_to_auth_users": is_public_to_auth_users, "public_syllabus": public_syllabus,
        "public_syllabus_to_auth": public_syllabus_to_auth, "allow_student_wiki_edits": allow_student_wiki_edits,
        "allow_wiki_comments": allow_wiki_comments, "allow_student_forum_attachments": allow_student_forum_attachments,
        "open_enrollment": open_enrollment, "self_enrollment": self_enrollment, "term_id": term_id,
        "restrict_enrollments_to_course_dates": restrict_enrollments_to_course_dates, "sis_course_id": sis_course_id,
        "integration_id": integration_id, "hide_final_grades": hide_final_grades,
        "apply_assignment_group_weights": apply_assignment_group_weights,
    }  # fmt: skip
    world = current_world()
    with open_for_changing() as campus:
        people.school_of(campus, account_id)
        new_course = people.save_course(
            campus, None, name=name, code=course_code, starts=time_of(start_at, world), ends=time_of(end_at, world),
            public=is_public, description=public_description, time_zone=time_zone, syllabus=syllabus_body,
            settings={key: value for key, value in settings.items() if value is not None},
        )  # fmt: skip
        return format_answer(objects.build_course(campus, new_course))


def canvas_update_course(
    course_id: int,
    name: str | None = None,
    course_code: str | None = None,
    start_at: str | None = None,
    end_at: str | None = None,
    event: str | None = None,
    is_public: bool | None = None,
    is_public_to_auth_users: bool | None = None,
    public_syllabus: bool | None = None,
    public_syllabus_to_auth: bool | None = None,
    public_description: str | None = None,
    restrict_enrollments_to_course_dates: bool | None = None,
    time_zone: str | None = None,
    syllabus_body: str | None = None,
) -> TextPage:
    require_values(course_id=course_id)
    if event is not None and event not in _EVENTS:
        raise Problem(f"there is no event {event!r}; there are {', '.join(_EVENTS)}")
    settings = {
        "is_public_to_auth_users": is_public_to_auth_users, "public_syllabus": public_syllabus,
        "public_syllabus_to_auth": public_syllabus_to_auth,
        "restrict_enrollments_to_course_dates": restrict_enrollments_to_course_dates,
    }  # fmt: skip
    world = current_world()
    with open_for_changing() as campus:
        old = campus.get_course(course_id)
        changed_course = people.save_course(
            campus, course_id, name=name, code=course_code,
            starts=time_of(start_at, world), ends=time_of(end_at, world),
            state=_EVENTS[event] if event else None, public=is_public, description=public_description,
            time_zone=time_zone, syllabus=syllabus_body,
            settings=old.settings | {key: value for key, value in settings.items() if value is not None},
        )  # fmt: skip
        return format_answer(objects.build_course(campus, changed_course))


def canvas_delete_course(course_id: int, event: str = "delete") -> Text:
    require_values(course_id=course_id)
    with open_for_changing() as campus:
        people.save_course(campus, course_id, state=_EVENTS[event])
    return Text(f"Successfully {event}d course {course_id}")


def canvas_get_syllabus(course_id: int, offset: Offset = 0) -> TextPage:
    require_values(course_id=course_id)
    with open_for_reading() as campus:
        course = campus.get_course(course_id)
        return format_answer({"course_id": course.id, "syllabus_body": course.syllabus or None}, offset)


def canvas_list_calendar_events(
    start_date: str | None = None, end_date: str | None = None, offset: Offset = 0
) -> TextPage:
    world = current_world()
    since, until = (time_of(text, world) for text in (start_date, end_date))
    if start_date and since and len(start_date) <= len("2026-03-16"):
        since = f"{since[:10]}T00:00:00Z"
    with open_for_reading() as campus:
        return format_answer(
            [
                _build_deadline(campus, assignment)
                for assignment in _list_due_assignments(campus)
                if (since or "") <= (assignment.due or "") <= (until or "9")
            ],
            offset,
        )


def canvas_get_upcoming_assignments(limit: int = 10, offset: Offset = 0) -> TextPage:
    with open_for_reading() as campus:
        coming = [assignment for assignment in _list_due_assignments(campus) if (assignment.due or "") >= campus.now][
            :limit
        ]
        return format_answer([_build_deadline(campus, assignment) for assignment in coming], offset)


def canvas_get_dashboard(offset: Offset = 0) -> TextPage:
    with open_for_reading() as campus:
        coming = [assignment for assignment in _list_due_assignments(campus) if (assignment.due or "") >= campus.now][
            :10
        ]
        cards = [_build_card(campus, course) for course in _list_own_courses(campus) if course.state == "available"]
        return format_answer(
            {
                "dashboard_cards": cards,
                "upcoming_events": [_build_deadline(campus, assignment) for assignment in coming],
            },
            offset,
        )


def canvas_get_dashboard_cards(offset: Offset = 0) -> TextPage:
    with open_for_reading() as campus:
        return format_answer(
            [_build_card(campus, course) for course in _list_own_courses(campus) if course.state == "available"], offset
        )


def canvas_get_course_grades(course_id: int, offset: Offset = 0) -> TextPage:
    require_values(course_id=course_id)
    with open_for_reading() as campus:
        grades = {grade.user_id: grade for grade in work.list_grades(campus, course_id)}
        enrolled_students = [pair for pair in campus.list_people(course_id, "student") if pair[1].id in grades]
        return format_answer(
            [objects.build_enrolment(enrolment, person, grades[person.id]) for enrolment, person in enrolled_students],
            offset,
        )


def canvas_get_user_grades(offset: Offset = 0) -> TextPage:
    with open_for_reading() as campus:
        grade_rows = []
        for course in campus.list_courses():
            grades = {grade.user_id: grade for grade in work.list_grades(campus, course.id)}
            mine = [pair for pair in campus.list_people(course.id) if pair[1].id == campus.me.id]
            grade_rows += [objects.build_enrolment(part, None, grades.get(campus.me.id)) for part, _ in mine]
        return format_answer(grade_rows, offset)


def canvas_get_user_profile() -> TextPage:
    with open_for_reading() as campus:
        return format_answer(objects.build_profile(campus, campus.me))


def canvas_update_user_profile(
    name: str | None = None,
    short_name: str | None = None,
    bio: str | None = None,
    title: str | None = None,
    time_zone: str | None = None,
) -> TextPage:
    with open_for_changing() as campus:
        values = {"name": name, "short_name": short_name, "bio": bio, "title": title, "time_zone": time_zone}
        return format_answer(objects.build_profile(campus, people.save_profile(campus, **values)))


def canvas_enroll_user(
    course_id: int, user_id: int, role: str = "StudentEnrollment", enrollment_state: str = "active"
) -> TextPage:
    require_values(course_id=course_id, user_id=user_id)
    with open_for_changing() as campus:
        new_enrolment = people.enrol_user(campus, course_id, user_id, _parse_role(role), _parse_state(enrollment_state))
        return format_answer(objects.build_enrolment(new_enrolment, people.user_of(campus, user_id)))


def canvas_unenroll_user(course_id: int, enrollment_id: int) -> Text:
    require_values(course_id=course_id, enrollment_id=enrollment_id)
    with open_for_changing() as campus:
        people.unenrol_user(campus, course_id, enrollment_id)
    return Text(f"Successfully unenrolled user with enrollment {enrollment_id} from course {course_id}")


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
