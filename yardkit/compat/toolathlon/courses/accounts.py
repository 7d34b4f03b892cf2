"""The account: its courses, users and reports."""

import json
from typing import Any

from yardkit.apps.courses import Course, Enrolment, Report, User
from yardkit.compat.toolathlon.courses import objects
from yardkit.servers.courses.engine import people
from yardkit.servers.courses.engine.school_view import Campus, sorted_name
from yardkit.world import Problem

_PAGE = 20
_REPORTS = {
    "grade_export_csv": "Grade Export",
    "student_assignment_outcome_map_csv": "Student Competency",
    "unpublished_courses_csv": "Unpublished Courses",
    "last_user_access_csv": "Last User Access",
}


def canvas_get_account(campus: Campus, account_id: int) -> Any:
    return objects.build_account(people.school_of(campus, account_id))


def canvas_list_account_courses(
    campus: Campus,
    account_id: int,
    with_enrollments: bool | None = None,
    published: bool | None = None,
    completed: bool | None = None,
    search_term: str | None = None,
    sort: str | None = None,
    order: str | None = None,
) -> Any:
    people.school_of(campus, account_id)
    campus.require_admin()
    peopled = {enrolment.course_id for enrolment in campus.store.find(Enrolment, "state != 'deleted'")}
    matching_courses = [
        course
        for course in people.find_courses(campus, search_term or "")
        if with_enrollments in (None, course.id in peopled)
        and published in (None, course.state in ("available", "completed"))
        and completed in (None, course.state == "completed")
    ]
    matching_courses.sort(key=lambda course: (_get_sort_key(course, sort or ""), course.id), reverse=order == "desc")
    return [objects.build_course(campus, course) for course in matching_courses]


def canvas_list_account_users(
    campus: Campus,
    session_id: str | None = None,
    account_id: int | None = None,
    search_term: str | None = None,
    sort: str | None = None,
    order: str | None = None,
    page: int | None = None,
    per_page: int | None = None,
) -> str:
    asked = _decode_session(session_id) if session_id else _build_search(account_id, search_term, sort, order, per_page)
    people.school_of(campus, asked["account_id"])
    campus.require_admin()
    words = (asked["search_term"] or "").casefold()
    users = [user for user in campus.store.find(User) if words in f"{user.name} {user.email}".casefold()]
    users.sort(key=lambda user: user.email if asked["sort"] == "email" else sorted_name(user).casefold())
    users = users[::-1] if asked["order"] == "desc" else users
    size, number, pages = asked["per_page"], page or 1, max(1, -(-len(users) // asked["per_page"]))
    listed = json.dumps(
        [objects.build_user(user) for user in users[(number - 1) * size : number * size]], indent=2, ensure_ascii=False
    )
    identity = _encode_search(asked)
    lines = [f"Users (Page {number}):", "", listed, "", "=== Session & Pagination Info ===", f"Session ID: {identity}"]
    lines += [f"Current page: {number}", f"Total pages: {pages}"]
    for what, other in (("Previous", number - 1), ("Next", number + 1)):
        lines += [f'{what} page: Use {{"session_id": "{identity}", "page": {other}}}'] if 1 <= other <= pages else []
    lines += ["", "📝 Session Usage:", f'• Continue browsing: Use session_id "{identity}" with different page numbers']
    lines += ["• New search: Omit session_id and provide account_id with new parameters"]
    return "\n".join([*lines, "• Sessions expire after 30 minutes of inactivity"])


def canvas_create_user(campus: Campus, account_id: int, user: dict[str, Any], pseudonym: dict[str, Any]) -> Any:
    people.school_of(campus, account_id)
    texts = {key: str(user[key]) for key in ("name", "short_name", "sortable_name", "time_zone") if user.get(key)}
    new_user = people.save_user(campus, email=str(pseudonym.get("unique_id") or ""), **texts)
    return objects.build_user(new_user)


def canvas_list_sub_accounts(campus: Campus, account_id: int) -> Any:
    people.school_of(campus, account_id)
    return []


def canvas_get_account_reports(campus: Campus, account_id: int) -> Any:
    people.school_of(campus, account_id)
    campus.require_admin()
    latest_reports = {report_record.kind: report_record for report_record in campus.all(Report, "id")}
    return [
        {
            "report": name,
            "title": title,
            "parameters": {},
            "last_run": _build_report(latest_reports[name]) if name in latest_reports else None,
        }
        for name, title in _REPORTS.items()
    ]


def canvas_create_account_report(
    campus: Campus, account_id: int, report: str, parameters: dict[str, Any] | None = None
) -> Any:
    if report not in _REPORTS:
        raise Problem(f"there is no report {report!r}; there are {', '.join(_REPORTS)}")
    people.school_of(campus, account_id)
    campus.require_admin()
    new_report = campus.store.put(Report(campus.next_id(Report), report, parameters or {}, campus.now))
    return _build_report(new_report)


def _get_sort_key(course: Course, sort: str) -> str:
    return {"course_name": course.name, "sis_course_id": course.code, "teacher": course.name}.get(sort, "").casefold()


def _build_report(report: Report) -> objects.Facts:
    return {
        "id": report.id,
        "report": report.kind,
        "status": "complete",
        "progress": 100,
        "created_at": report.created,
        "parameters": report.parameters,
    }


def _build_search(
    account_id: int | None, search_term: str | None, sort: str | None, order: str | None, per_page: int | None
) -> dict[str, Any]:
    if not account_id:
        raise Problem("Missing required field: account_id (required for new sessions)")
    size = min(per_page or _PAGE, _PAGE)
    return {"account_id": account_id, "search_term": search_term, "sort": sort, "order": order, "per_page": size}


def _encode_search(asked: dict[str, Any]) -> str:
    """What a search was, as the name of its session: no state is needed to go on with it."""
    return f"session_{json.dumps(asked, separators=(',', ':')).encode().hex()}"


def _decode_session(identity: str) -> dict[str, Any]:
    try:
        asked = json.loads(bytes.fromhex(identity.removeprefix("session_")))
        return _build_search(*(asked[key] for key in ("account_id", "search_term", "sort", "order", "per_page")))
    except (ValueError, KeyError, TypeError) as error:
        raise Problem(f"Session {identity[:40]} not found or expired. Please start a new search.") from error
