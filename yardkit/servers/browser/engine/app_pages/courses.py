"""The pages of the app `courses`: what the person who is signed in sees of the school, and hands in."""

from collections.abc import Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from yardkit.apps.courses import Assignment, Course, Module, ModuleItem, Submission, SubmissionKind
from yardkit.kit.markup import Html, make_tag
from yardkit.servers.browser.engine.app_pages.requests import (
    NoPage,
    Page,
    Request,
    Sent,
    build_error,
    build_hint,
    number_of,
)
from yardkit.servers.browser.engine.app_pages.rich_text import is_link, rich_text, typed_text
from yardkit.servers.courses.engine.contents import find_modules, find_topics, items_of, page_of
from yardkit.servers.courses.engine.school_view import MAX_TEXT, Campus, open_campus
from yardkit.servers.courses.engine.work import find_assignments, is_late, is_missing, submission_of, submit_work
from yardkit.world import Problem, World

_MAX_NEWS = 5
_WHERE = "This school has courses, with assignments and pages."


def name_of(world: World) -> str:
    """What stands above each page: the school, and who is signed in."""
    with open_campus(world) as seen:
        return f"{seen.school.name}: {seen.me.name}"


def show_page(world: World, request: Request) -> Page:
    """The list of courses, a course, an assignment or a page of a course.

    Raises:
        NoPage: the person who is signed in sees none.
    """
    with open_campus(world) as seen:
        match request.path:
            case ():
                return _list_page(seen)
            case ("courses", number):
                return _course_page(seen, _find_course(seen, number))
            case ("courses", number, "assignments", assignment):
                course = _find_course(seen, number)
                return _assignment_page(seen, course, _find_assignment(seen, course, assignment))
            case ("courses", number, "pages", url):
                return _text_page(seen, _find_course(seen, number), url)
    raise NoPage(_WHERE)


def take_form(world: World, request: Request) -> Sent:
    """Hand in a text or a link for an assignment; else its page comes again with what is wrong.

    Raises:
        NoPage: there is none.
    """
    match request.path:
        case ("courses", number, "assignments", assignment_id):
            path = f"/courses/{number_of(number)}/assignments/{number_of(assignment_id)}"
        case _:
            raise NoPage(_WHERE)
    kind: SubmissionKind = "link" if request.get_form_text("kind") == "link" else "text"
    typed = request.get_form_text(kind).replace("\r\n", "\n")
    with open_campus(world) as seen:
        course = _find_course(seen, number)
        assignment = _find_assignment(seen, course, assignment_id)
    try:
        with open_campus(world, writes=True) as seen:
            body, url = ("", typed) if kind == "link" else (typed, "")
            submit_work(seen, course.id, assignment.id, kind, body, url)
    except Problem as error:
        with open_campus(world) as seen:
            return Sent(path, _assignment_page(seen, course, assignment, {kind: typed[:MAX_TEXT]}, str(error)))
    return Sent(path)


def _find_course(seen: Campus, number: str) -> Course:
    course_id = number_of(number)
    matching_courses = [course for course in seen.list_courses() if course.id == course_id]
    if not matching_courses:
        raise NoPage(f"There is no course {course_id} for {seen.me.name}.")
    return matching_courses[0]


def _find_assignment(seen: Campus, course: Course, number: str) -> Assignment:
    assignment_id = number_of(number)
    matching_assignments = [
        assignment for assignment in find_assignments(seen, course.id) if assignment.id == assignment_id
    ]
    if not matching_assignments:
        raise NoPage(f"There is no assignment {assignment_id} in {course.code}.")
    return matching_assignments[0]


def _list_page(seen: Campus) -> Page:
    cards = [
        make_tag(
            "li",
            make_tag("a", course.name, href=f"/courses/{course.id}"),
            build_hint(f"{course.code} {course.term}"),
            class_="card",
        )
        for course in seen.list_courses()
    ]
    listed = make_tag("ul", cards, class_="cards") if cards else make_tag("p", "You are not in any course.")
    return Page("Courses", Html(make_tag("h1", "Courses") + listed))


def _course_page(seen: Campus, course: Course) -> Page:
    news = [
        make_tag(
            "li",
            make_tag("strong", topic.title),
            build_hint(_format_moment(seen, topic.posted)),
            rich_text(topic.message),
        )
        for topic in find_topics(seen, course.id, announcements=True)[:_MAX_NEWS]
    ]
    head = make_tag("tr", [make_tag("th", words) for words in ("Assignment", "Due", "Points", "")])
    rows = [_build_row(seen, course, assignment) for assignment in find_assignments(seen, course.id)]
    about = [make_tag("h1", course.name), build_hint(f"{course.code} {course.term}"), rich_text(course.syllabus)]
    body = [
        make_tag("section", about, class_="card"),
        make_tag("section", make_tag("h2", "Announcements"), make_tag("ul", news, class_="plain"), class_="card")
        if news
        else "",
        make_tag("section", make_tag("h2", "Assignments"), make_tag("table", head, rows), class_="card")
        if rows
        else "",
        *(_build_module(seen, course, module) for module in find_modules(seen, course.id)),
    ]
    return Page(course.name, Html("".join(body)))


def _build_module(seen: Campus, course: Course, module: Module) -> Html:
    entries = [_build_entry(course, entry) for entry in items_of(seen, course.id, module.id)]
    return make_tag("section", make_tag("h2", module.name), make_tag("ul", entries), class_="card")


def _build_row(seen: Campus, course: Course, assignment: Assignment) -> Html:
    link = make_tag("a", assignment.name, href=f"/courses/{course.id}/assignments/{assignment.id}")
    state = _describe_state(seen, course, assignment)
    return make_tag(
        "tr",
        [
            make_tag("td", cell)
            for cell in (link, _format_moment(seen, assignment.due), f"{assignment.points:g}", state)
        ],
    )


def _build_entry(course: Course, entry: ModuleItem) -> Html:
    """A thing of a module; pages, assignments and links can be opened here."""
    if entry.kind == "assignment":
        return make_tag("li", make_tag("a", entry.title, href=f"/courses/{course.id}/assignments/{entry.content_id}"))
    if entry.kind == "page":
        return make_tag("li", make_tag("a", entry.title, href=f"/courses/{course.id}/pages/{entry.content_id}"))
    if entry.kind == "link" and is_link(entry.url):
        return make_tag("li", make_tag("a", entry.title, href=entry.url))
    return make_tag("li", entry.title, f" ({entry.kind})" if entry.kind != "heading" else None)


def _text_page(seen: Campus, course: Course, url: str) -> Page:
    try:
        page = page_of(seen, course.id, url)
    except Problem as error:
        raise NoPage(f"There is no page {url[:100]!r} in {course.code}.") from error
    back = make_tag("p", make_tag("a", course.name, href=f"/courses/{course.id}"))
    return Page(page.title, make_tag("section", make_tag("h1", page.title), rich_text(page.body), back, class_="card"))


def _assignment_page(
    seen: Campus, course: Course, assignment: Assignment, typed: Mapping[str, str] | None = None, fault: str = ""
) -> Page:
    is_student = seen.role(course.id) == "student"
    facts = {
        "Due": _format_moment(seen, assignment.due),
        "Points": f"{assignment.points:g}",
        "State": _describe_state(seen, course, assignment),
    }
    about = make_tag(
        "section",
        make_tag("p", make_tag("a", course.name, href=f"/courses/{course.id}")),
        make_tag("h1", assignment.name),
        make_tag(
            "table",
            [make_tag("tr", make_tag("th", name), make_tag("td", value)) for name, value in facts.items() if value],
        ),
        rich_text(assignment.description),
        None if is_student else build_error(fault),
        class_="card",
    )
    if not is_student:
        return Page(assignment.name, about)
    submission = submission_of(seen, course.id, assignment.id)
    parts = [about, _handed_in(seen, submission), _entry_form(course, assignment, typed or {}, fault)]
    return Page(assignment.name, Html("".join(part for part in parts if part)))


def _handed_in(seen: Campus, submission: Submission) -> Html | None:
    if not submission.submitted:
        return None
    comment_items = [make_tag("li", comment.get("text", "")) for comment in submission.comments]
    what = f"Attempt {submission.attempt}, handed in on {_format_moment(seen, submission.submitted)}."
    content_parts = [typed_text(submission.body), make_tag("p", submission.url) if submission.url else None]
    comments = [make_tag("h3", "Comments"), make_tag("ul", comment_items)] if comment_items else None
    return make_tag(
        "section",
        make_tag("h2", "Your work"),
        make_tag("p", what, role="status"),
        content_parts,
        comments,
        class_="card",
    )


def _entry_form(course: Course, assignment: Assignment, typed: Mapping[str, str], fault: str) -> Html:
    taken = [kind for kind in ("text", "link") if kind in assignment.kinds]
    if not taken:
        text = f"It is handed in elsewhere: {', '.join(assignment.kinds)}. Texts and links are handed in here."
        return make_tag("section", make_tag("p", text), build_error(fault), class_="card")
    entries = {
        "text": make_tag("textarea", "\n", typed.get("text", ""), name="text", id="text", rows="10"),
        "link": make_tag("input", type="url", name="link", id="link", value=typed.get("link", "")),
    }
    labels = {"text": "Your text", "link": "Your link"}
    forms = [
        make_tag(
            "form",
            make_tag("input", type="hidden", name="kind", value=kind),
            make_tag("label", labels[kind], for_=kind),
            entries[kind],
            make_tag("p", make_tag("button", f"Hand in {kind}")),
            method="post",
            novalidate=True,
            action=f"/courses/{course.id}/assignments/{assignment.id}",
        )
        for kind in taken
    ]
    return make_tag("section", make_tag("h2", "Hand in"), build_error(fault), forms, class_="card")


def _describe_state(seen: Campus, course: Course, assignment: Assignment) -> str:
    """How far the student who is signed in is with an assignment; of others, nothing."""
    if seen.role(course.id) != "student":
        return ""
    submission = submission_of(seen, course.id, assignment.id)
    if submission.excused:
        return "Excused"
    if submission.score is not None:
        return f"{submission.score:g} points"
    if submission.submitted:
        return "Handed in late" if is_late(submission, assignment) else "Handed in"
    return "Missing" if is_missing(submission, assignment, seen.now) else "Open"


def _format_moment(seen: Campus, moment: str | None) -> str:
    """A time by the clock of the school."""
    try:
        return f"{datetime.fromisoformat(moment or '').astimezone(ZoneInfo(seen.school.time_zone)):%Y-%m-%d %H:%M}"
    except (ValueError, KeyError):  # no time, or no such zone
        return moment or ""
