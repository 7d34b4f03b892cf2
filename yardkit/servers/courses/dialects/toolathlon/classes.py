"""Courses, grades, dashboards, and the person who acts."""

from typing import Annotated, Any, Literal

from pydantic import Field

from yardkit.apps.courses import Course, CourseState, EnrolmentState, Role
from yardkit.kit.dialect import Text, TextPage
from yardkit.kit.surface import tool
from yardkit.servers.courses.dialects.toolathlon import objects
from yardkit.servers.courses.dialects.toolathlon.app import (
    AccountId,
    Body,
    CourseId,
    Name,
    NewName,
    Offset,
    Time,
    UserId,
    YesNo,
    changing,
    mcp,
    need,
    seeing,
    shown,
)
from yardkit.servers.courses.engine import people, work
from yardkit.servers.courses.engine.campus import Campus, time_of
from yardkit.world import Problem, current_world

Event = Annotated[str | None, Field(description="What happens to it.", max_length=40)]
_EVENTS: dict[str, CourseState] = {
    "offer": "available",
    "claim": "unpublished",
    "conclude": "completed",
    "delete": "deleted",
    "undelete": "unpublished",
}


@tool(mcp)
def canvas_health_check() -> TextPage:
    """Check the health and connectivity of the Canvas API."""
    with seeing() as campus:
        me = campus.me
        return shown({"status": "ok", "timestamp": campus.now, "user": {"id": me.id, "name": me.name}})


@tool(mcp)
def canvas_list_courses(
    include_ended: Annotated[bool, Field(description="Also courses that have ended.")] = False, offset: Offset = 0
) -> TextPage:
    """List all courses for the current user."""
    with seeing() as campus:
        mine = [one for one in _mine(campus) if include_ended or one.state in ("available", "unpublished")]
        return shown([objects.course(campus, one) for one in mine], offset)


@tool(mcp)
def canvas_get_course(course_id: CourseId) -> TextPage:
    """Get detailed information about a specific course."""
    need(course_id=course_id)
    with seeing() as campus:
        return shown(objects.course(campus, campus.course(course_id)))


@tool(mcp, writes=True, idempotent=False)
def canvas_create_course(
    account_id: AccountId,
    name: Name,
    course_code: Annotated[str | None, Field(description="Course code.", max_length=100)] = None,
    start_at: Time = None,
    end_at: Time = None,
    license: Annotated[str | None, Field(description="License.", max_length=100)] = None,  # noqa: A002 - Canvas's name
    is_public: YesNo = None,
    is_public_to_auth_users: YesNo = None,
    public_syllabus: YesNo = None,
    public_syllabus_to_auth: YesNo = None,
    public_description: Body = None,
    allow_student_wiki_edits: YesNo = None,
    allow_wiki_comments: YesNo = None,
    allow_student_forum_attachments: YesNo = None,
    open_enrollment: YesNo = None,
    self_enrollment: YesNo = None,
    restrict_enrollments_to_course_dates: YesNo = None,
    term_id: Annotated[int | None, Field(description="ID of the term.")] = None,
    sis_course_id: Annotated[str | None, Field(description="SIS course ID.", max_length=100)] = None,
    integration_id: Annotated[str | None, Field(description="Integration ID.", max_length=100)] = None,
    hide_final_grades: YesNo = None,
    apply_assignment_group_weights: YesNo = None,
    time_zone: Annotated[str | None, Field(description="Time zone, such as Europe/Vienna.", max_length=100)] = None,
    syllabus_body: Body = None,
) -> TextPage:
    """Create a new course in Canvas."""
    need(account_id=account_id, name=name)
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
    with changing() as campus:
        people.school_of(campus, account_id)
        made = people.save_course(
            campus, None, name=name, code=course_code, starts=time_of(start_at, world), ends=time_of(end_at, world),
            public=is_public, description=public_description, time_zone=time_zone, syllabus=syllabus_body,
            settings={key: value for key, value in settings.items() if value is not None},
        )  # fmt: skip
        return shown(objects.course(campus, made))


@tool(mcp, writes=True, destructive=True)
def canvas_update_course(
    course_id: CourseId,
    name: NewName = None,
    course_code: Annotated[str | None, Field(description="Course code.", max_length=100)] = None,
    start_at: Time = None,
    end_at: Time = None,
    event: Event = None,
    is_public: YesNo = None,
    is_public_to_auth_users: YesNo = None,
    public_syllabus: YesNo = None,
    public_syllabus_to_auth: YesNo = None,
    public_description: Body = None,
    restrict_enrollments_to_course_dates: YesNo = None,
    time_zone: Annotated[str | None, Field(description="Time zone.", max_length=100)] = None,
    syllabus_body: Body = None,
) -> TextPage:
    """Update an existing course in Canvas."""
    need(course_id=course_id)
    if event is not None and event not in _EVENTS:
        raise Problem(f"there is no event {event!r}; there are {', '.join(_EVENTS)}")
    settings = {
        "is_public_to_auth_users": is_public_to_auth_users, "public_syllabus": public_syllabus,
        "public_syllabus_to_auth": public_syllabus_to_auth,
        "restrict_enrollments_to_course_dates": restrict_enrollments_to_course_dates,
    }  # fmt: skip
    world = current_world()
    with changing() as campus:
        old = campus.course(course_id)
        made = people.save_course(
            campus, course_id, name=name, code=course_code,
            starts=time_of(start_at, world), ends=time_of(end_at, world),
            state=_EVENTS[event] if event else None, public=is_public, description=public_description,
            time_zone=time_zone, syllabus=syllabus_body,
            settings=old.settings | {key: value for key, value in settings.items() if value is not None},
        )  # fmt: skip
        return shown(objects.course(campus, made))


@tool(mcp, writes=True, destructive=True, idempotent=False)
def canvas_delete_course(
    course_id: CourseId, event: Annotated[Literal["delete", "conclude"], Field(description="What happens.")] = "delete"
) -> Text:
    """Delete or conclude a course."""
    need(course_id=course_id)
    with changing() as campus:
        people.save_course(campus, course_id, state=_EVENTS[event])
    return Text(f"Successfully {event}d course {course_id}")


@tool(mcp)
def canvas_get_syllabus(course_id: CourseId, offset: Offset = 0) -> TextPage:
    """Get course syllabus."""
    need(course_id=course_id)
    with seeing() as campus:
        one = campus.course(course_id)
        return shown({"course_id": one.id, "syllabus_body": one.syllabus or None}, offset)


@tool(mcp)
def canvas_list_calendar_events(start_date: Time = None, end_date: Time = None, offset: Offset = 0) -> TextPage:
    """List calendar events."""
    world = current_world()
    since, until = (time_of(text, world) for text in (start_date, end_date))
    if start_date and since and len(start_date) <= len("2026-03-16"):
        since = f"{since[:10]}T00:00:00Z"
    with seeing() as campus:
        return shown(
            [_deadline(campus, one) for one in _due(campus) if (since or "") <= (one.due or "") <= (until or "9")],
            offset,
        )


@tool(mcp)
def canvas_get_upcoming_assignments(
    limit: Annotated[int, Field(description="At most so many.", ge=1, le=200)] = 10, offset: Offset = 0
) -> TextPage:
    """Get upcoming assignment due dates."""
    with seeing() as campus:
        coming = [one for one in _due(campus) if (one.due or "") >= campus.now][:limit]
        return shown([_deadline(campus, one) for one in coming], offset)


@tool(mcp)
def canvas_get_dashboard(offset: Offset = 0) -> TextPage:
    """Get user's dashboard information."""
    with seeing() as campus:
        coming = [one for one in _due(campus) if (one.due or "") >= campus.now][:10]
        cards = [_card(campus, one) for one in _mine(campus) if one.state == "available"]
        return shown({"dashboard_cards": cards, "upcoming_events": [_deadline(campus, one) for one in coming]}, offset)


@tool(mcp)
def canvas_get_dashboard_cards(offset: Offset = 0) -> TextPage:
    """Get dashboard course cards."""
    with seeing() as campus:
        return shown([_card(campus, one) for one in _mine(campus) if one.state == "available"], offset)


@tool(mcp)
def canvas_get_course_grades(course_id: CourseId, offset: Offset = 0) -> TextPage:
    """Get grades for a course."""
    need(course_id=course_id)
    with seeing() as campus:
        grades = {one.user_id: one for one in work.grades(campus, course_id)}
        found = [pair for pair in campus.people(course_id, "student") if pair[1].id in grades]
        return shown([objects.enrolment(one, person, grades[person.id]) for one, person in found], offset)


@tool(mcp)
def canvas_get_user_grades(offset: Offset = 0) -> TextPage:
    """Get all grades for the current user."""
    with seeing() as campus:
        found = []
        for one in campus.courses():
            grades = {grade.user_id: grade for grade in work.grades(campus, one.id)}
            mine = [pair for pair in campus.people(one.id) if pair[1].id == campus.me.id]
            found += [objects.enrolment(part, None, grades.get(campus.me.id)) for part, _ in mine]
        return shown(found, offset)


@tool(mcp)
def canvas_get_user_profile() -> TextPage:
    """Get current user's profile."""
    with seeing() as campus:
        return shown(objects.profile(campus, campus.me))


@tool(mcp, writes=True, destructive=True)
def canvas_update_user_profile(
    name: NewName = None,
    short_name: NewName = None,
    bio: Body = None,
    title: Annotated[str | None, Field(description="Title.", max_length=200)] = None,
    time_zone: Annotated[str | None, Field(description="Time zone.", max_length=100)] = None,
) -> TextPage:
    """Update current user's profile."""
    with changing() as campus:
        values = {"name": name, "short_name": short_name, "bio": bio, "title": title, "time_zone": time_zone}
        return shown(objects.profile(campus, people.save_profile(campus, **values)))


@tool(mcp, writes=True)
def canvas_enroll_user(
    course_id: CourseId,
    user_id: UserId,
    role: Annotated[str, Field(description="Role, such as StudentEnrollment.", max_length=60)] = "StudentEnrollment",
    enrollment_state: Annotated[str, Field(description="State, such as active or invited.", max_length=20)] = "active",
) -> TextPage:
    """Enroll a user in a course."""
    need(course_id=course_id, user_id=user_id)
    with changing() as campus:
        made = people.enrol(campus, course_id, user_id, _role(role), _state(enrollment_state))
        return shown(objects.enrolment(made, people.user_of(campus, user_id)))


@tool(mcp, writes=True, destructive=True)
def canvas_unenroll_user(
    course_id: CourseId, enrollment_id: Annotated[int, Field(description="ID of the enrollment.")]
) -> Text:
    """Unenroll a user from a course."""
    need(course_id=course_id, enrollment_id=enrollment_id)
    with changing() as campus:
        people.unenrol(campus, course_id, enrollment_id)
    return Text(f"Successfully unenrolled user with enrollment {enrollment_id} from course {course_id}")


def _mine(campus: Campus) -> list[Course]:
    """The courses that the person who acts takes part in; of an admin who takes part in none, all."""
    mine = [one for one in campus.courses() if any(person.id == campus.me.id for _, person in campus.people(one.id))]
    return mine or (campus.courses() if campus.me.admin else [])


def _due(campus: Campus) -> list[Any]:
    found = [one for course in _mine(campus) for one in work.find_assignments(campus, course.id) if one.due]
    return sorted(found, key=lambda one: (one.due, one.id))


def _deadline(campus: Campus, one: Any) -> objects.Facts:
    return {
        "id": f"assignment_{one.id}",
        "title": one.name,
        "type": "assignment",
        "start_at": one.due,
        "end_at": one.due,
        "context_code": f"course_{one.course_id}",
        "html_url": f"{objects.ROOT}/courses/{one.course_id}/assignments/{one.id}",
        "assignment": objects.assignment(campus, one),
    }


def _card(campus: Campus, one: Course) -> objects.Facts:
    return {
        "id": one.id,
        "shortName": one.name,
        "originalName": one.name,
        "courseCode": one.code,
        "assetString": f"course_{one.id}",
        "href": f"/courses/{one.id}",
        "term": one.term or "Default Term",
        "enrollmentType": campus.role(one.id),
        "published": one.state == "available",
        "isFavorited": False,
    }


def _role(text: str) -> Role:
    roles: dict[str, Role] = {
        "student": "student",
        "teacher": "teacher",
        "ta": "ta",
        "observer": "observer",
        "designer": "designer",
    }
    plain = text.casefold().removesuffix("enrollment")
    if plain not in roles:
        raise Problem(f"there is no role {text!r}; there are StudentEnrollment, TeacherEnrollment, TaEnrollment ...")
    return roles[plain]


def _state(text: str) -> EnrolmentState:
    states: dict[str, EnrolmentState] = {
        "active": "active",
        "invited": "invited",
        "inactive": "inactive",
        "completed": "completed",
    }
    if text not in states:
        raise Problem(f"there is no enrollment state {text!r}; there are {', '.join(states)}")
    return states[text]
