"""The account: its courses, users and reports."""

import json
from typing import Annotated, Any, Literal

from pydantic import Field

from yardkit.apps.courses import Course, Enrolment, Report, User
from yardkit.kit.dialect import Text, TextPage
from yardkit.kit.surface import tool
from yardkit.servers.courses.dialects.toolathlon import objects
from yardkit.servers.courses.dialects.toolathlon.app import AccountId, Offset, changing, mcp, need, seeing, shown
from yardkit.servers.courses.engine import people
from yardkit.servers.courses.engine.campus import sorted_name
from yardkit.world import Problem

_PAGE = 20
_REPORTS = {
    "grade_export_csv": "Grade Export",
    "student_assignment_outcome_map_csv": "Student Competency",
    "unpublished_courses_csv": "Unpublished Courses",
    "last_user_access_csv": "Last User Access",
}
Search = Annotated[str | None, Field(description="Part of a name or address.", max_length=200)]
Sort = Annotated[str | None, Field(description="What it is sorted by.", max_length=40)]
Order = Annotated[Literal["asc", "desc"] | None, Field(description="Sort direction.")]


@tool(mcp)
def canvas_get_account(account_id: AccountId) -> TextPage:
    """Get account details."""
    need(account_id=account_id)
    with seeing() as campus:
        return shown(objects.account(people.school_of(campus, account_id)))


@tool(mcp)
def canvas_list_account_courses(
    account_id: AccountId,
    with_enrollments: Annotated[bool | None, Field(description="Only courses with, or without, users.")] = None,
    published: Annotated[bool | None, Field(description="Only published, or unpublished, courses.")] = None,
    completed: Annotated[bool | None, Field(description="Only completed courses, or others.")] = None,
    search_term: Search = None,
    sort: Sort = None,
    order: Order = None,
    offset: Offset = 0,
) -> TextPage:
    """List courses for an account."""
    need(account_id=account_id)
    with seeing() as campus:
        people.school_of(campus, account_id)
        campus.require_admin()
        peopled = {one.course_id for one in campus.store.find(Enrolment, "state != 'deleted'")}
        found = [
            one
            for one in people.find_courses(campus, search_term or "")
            if with_enrollments in (None, one.id in peopled)
            and published in (None, one.state in ("available", "completed"))
            and completed in (None, one.state == "completed")
        ]
        found.sort(key=lambda one: (_key(one, sort or ""), one.id), reverse=order == "desc")
        return shown([objects.course(campus, one) for one in found], offset)


@tool(mcp)
def canvas_list_account_users(
    session_id: Annotated[str | None, Field(description="Session of an earlier search.", max_length=500)] = None,
    account_id: Annotated[int | None, Field(description="ID of the account, for a new search.")] = None,
    search_term: Search = None,
    sort: Sort = None,
    order: Order = None,
    page: Annotated[int | None, Field(description="Page, from 1.", ge=1, le=100_000)] = None,
    per_page: Annotated[int | None, Field(description="Users per page, at most 20.", ge=1, le=1_000)] = None,
) -> Text:
    """List users for an account with pagination support and session management."""
    asked = _session(session_id) if session_id else _asked(account_id, search_term, sort, order, per_page)
    with seeing() as campus:
        people.school_of(campus, asked["account_id"])
        campus.require_admin()
        words = (asked["search_term"] or "").casefold()
        users = [one for one in campus.store.find(User) if words in f"{one.name} {one.email}".casefold()]
    users.sort(key=lambda one: one.email if asked["sort"] == "email" else sorted_name(one).casefold())
    users = users[::-1] if asked["order"] == "desc" else users
    size, number, pages = asked["per_page"], page or 1, max(1, -(-len(users) // asked["per_page"]))
    listed = json.dumps(
        [objects.user(one) for one in users[(number - 1) * size : number * size]], indent=2, ensure_ascii=False
    )
    identity = _identity(asked)
    lines = [f"Users (Page {number}):", "", listed, "", "=== Session & Pagination Info ===", f"Session ID: {identity}"]
    lines += [f"Current page: {number}", f"Total pages: {pages}"]
    for what, other in (("Previous", number - 1), ("Next", number + 1)):
        lines += [f'{what} page: Use {{"session_id": "{identity}", "page": {other}}}'] if 1 <= other <= pages else []
    lines += ["", "📝 Session Usage:", f'• Continue browsing: Use session_id "{identity}" with different page numbers']
    lines += ["• New search: Omit session_id and provide account_id with new parameters"]
    return Text("\n".join([*lines, "• Sessions expire after 30 minutes of inactivity"]))


@tool(mcp, writes=True, idempotent=False)
def canvas_create_user(
    account_id: AccountId,
    user: Annotated[dict[str, Any], Field(description="name, short_name, sortable_name, time_zone.")],
    pseudonym: Annotated[dict[str, Any], Field(description="unique_id: the login, an address.")],
) -> TextPage:
    """Create a new user in an account."""
    need(account_id=account_id, user=user or None, pseudonym=pseudonym or None)
    with changing() as campus:
        people.school_of(campus, account_id)
        texts = {key: str(user[key]) for key in ("name", "short_name", "sortable_name", "time_zone") if user.get(key)}
        made = people.save_user(campus, email=str(pseudonym.get("unique_id") or ""), **texts)
        return shown(objects.user(made))


@tool(mcp)
def canvas_list_sub_accounts(account_id: AccountId) -> TextPage:
    """List sub-accounts for an account."""
    need(account_id=account_id)
    with seeing() as campus:
        people.school_of(campus, account_id)
        return shown([])


@tool(mcp)
def canvas_get_account_reports(account_id: AccountId) -> TextPage:
    """List available reports for an account."""
    need(account_id=account_id)
    with seeing() as campus:
        people.school_of(campus, account_id)
        campus.require_admin()
        made = {one.kind: one for one in campus.all(Report, "id")}
        return shown(
            [
                {
                    "report": name,
                    "title": title,
                    "parameters": {},
                    "last_run": _report(made[name]) if name in made else None,
                }
                for name, title in _REPORTS.items()
            ]
        )


@tool(mcp, writes=True, idempotent=False)
def canvas_create_account_report(
    account_id: AccountId,
    report: Annotated[str, Field(description="Type of the report.", max_length=100)],
    parameters: Annotated[dict[str, Any] | None, Field(description="Parameters of the report.")] = None,
) -> TextPage:
    """Generate a report for an account."""
    need(account_id=account_id, report=report)
    if report not in _REPORTS:
        raise Problem(f"there is no report {report!r}; there are {', '.join(_REPORTS)}")
    with changing() as campus:
        people.school_of(campus, account_id)
        campus.require_admin()
        made = campus.store.put(Report(campus.next_id(Report), report, parameters or {}, campus.now))
        return shown(_report(made))


def _key(one: Course, sort: str) -> str:
    return {"course_name": one.name, "sis_course_id": one.code, "teacher": one.name}.get(sort, "").casefold()


def _report(one: Report) -> objects.Facts:
    return {
        "id": one.id,
        "report": one.kind,
        "status": "complete",
        "progress": 100,
        "created_at": one.created,
        "parameters": one.parameters,
    }


def _asked(
    account_id: int | None, search_term: str | None, sort: str | None, order: str | None, per_page: int | None
) -> dict[str, Any]:
    if not account_id:
        raise Problem("Missing required field: account_id (required for new sessions)")
    size = min(per_page or _PAGE, _PAGE)
    return {"account_id": account_id, "search_term": search_term, "sort": sort, "order": order, "per_page": size}


def _identity(asked: dict[str, Any]) -> str:
    """What a search was, as the name of its session: no state is needed to go on with it."""
    return f"session_{json.dumps(asked, separators=(',', ':')).encode().hex()}"


def _session(identity: str) -> dict[str, Any]:
    try:
        asked = json.loads(bytes.fromhex(identity.removeprefix("session_")))
        return _asked(*(asked[key] for key in ("account_id", "search_term", "sort", "order", "per_page")))
    except (ValueError, KeyError, TypeError) as error:
        raise Problem(f"Session {identity[:40]} not found or expired. Please start a new search.") from error
