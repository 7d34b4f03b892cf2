"""The pages of the app `courses`: what the person who is signed in sees of the school, and hands in."""

from collections.abc import Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from yardkit.apps.courses import Assignment, Course, Module, ModuleItem, Submission, SubmissionKind
from yardkit.kit.markup import Html, tag
from yardkit.servers.browser.engine.app_pages.requests import NoPage, Page, Request, Sent, hint, number_of, wrong
from yardkit.servers.browser.engine.app_pages.rich_text import is_link, rich_text, typed_text
from yardkit.servers.courses.engine.campus import MAX_TEXT, Campus, campus
from yardkit.servers.courses.engine.contents import find_modules, find_topics, items_of, page_of
from yardkit.servers.courses.engine.work import find_assignments, is_late, is_missing, submission_of, submit
from yardkit.world import Problem, World

_MAX_NEWS = 5
_WHERE = "This school has courses, with assignments and pages."


def name_of(world: World) -> str:
    """What stands above each page: the school, and who is signed in."""
    with campus(world) as seen:
        return f"{seen.school.name}: {seen.me.name}"


def show(world: World, request: Request) -> Page:
    """The list of courses, a course, an assignment or a page of a course.

    Raises:
        NoPage: the person who is signed in sees none.
    """
    with campus(world) as seen:
        match request.path:
            case ():
                return _list_page(seen)
            case ("courses", number):
                return _course_page(seen, _course(seen, number))
            case ("courses", number, "assignments", assignment):
                course = _course(seen, number)
                return _assignment_page(seen, course, _assignment(seen, course, assignment))
            case ("courses", number, "pages", url):
                return _text_page(seen, _course(seen, number), url)
    raise NoPage(_WHERE)


def take(world: World, request: Request) -> Sent:
    """Hand in a text or a link for an assignment; else its page comes again with what is wrong.

    Raises:
        NoPage: there is none.
    """
    match request.path:
        case ("courses", number, "assignments", assignment_id):
            path = f"/courses/{number_of(number)}/assignments/{number_of(assignment_id)}"
        case _:
            raise NoPage(_WHERE)
    kind: SubmissionKind = "link" if request.sent("kind") == "link" else "text"
    typed = request.sent(kind).replace("\r\n", "\n")
    with campus(world) as seen:
        course = _course(seen, number)
        assignment = _assignment(seen, course, assignment_id)
    try:
        with campus(world, writes=True) as seen:
            body, url = ("", typed) if kind == "link" else (typed, "")
            submit(seen, course.id, assignment.id, kind, body, url)
    except Problem as error:
        with campus(world) as seen:
            return Sent(path, _assignment_page(seen, course, assignment, {kind: typed[:MAX_TEXT]}, str(error)))
    return Sent(path)


def _course(seen: Campus, number: str) -> Course:
    wanted = number_of(number)
    found = [course for course in seen.courses() if course.id == wanted]
    if not found:
        raise NoPage(f"There is no course {wanted} for {seen.me.name}.")
    return found[0]


def _assignment(seen: Campus, course: Course, number: str) -> Assignment:
    wanted = number_of(number)
    found = [assignment for assignment in find_assignments(seen, course.id) if assignment.id == wanted]
    if not found:
        raise NoPage(f"There is no assignment {wanted} in {course.code}.")
    return found[0]


def _list_page(seen: Campus) -> Page:
    cards = [
        tag(
            "li",
            tag("a", course.name, href=f"/courses/{course.id}"),
            hint(f"{course.code} {course.term}"),
            class_="card",
        )
        for course in seen.courses()
    ]
    listed = tag("ul", cards, class_="cards") if cards else tag("p", "You are not in any course.")
    return Page("Courses", Html(tag("h1", "Courses") + listed))


def _course_page(seen: Campus, course: Course) -> Page:
    news = [
        tag("li", tag("strong", topic.title), hint(_when(seen, topic.posted)), rich_text(topic.message))
        for topic in find_topics(seen, course.id, announcements=True)[:_MAX_NEWS]
    ]
    head = tag("tr", [tag("th", words) for words in ("Assignment", "Due", "Points", "")])
    rows = [_row(seen, course, assignment) for assignment in find_assignments(seen, course.id)]
    about = [tag("h1", course.name), hint(f"{course.code} {course.term}"), rich_text(course.syllabus)]
    body = [
        tag("section", about, class_="card"),
        tag("section", tag("h2", "Announcements"), tag("ul", news, class_="plain"), class_="card") if news else "",
        tag("section", tag("h2", "Assignments"), tag("table", head, rows), class_="card") if rows else "",
        *(_module(seen, course, module) for module in find_modules(seen, course.id)),
    ]
    return Page(course.name, Html("".join(body)))


def _module(seen: Campus, course: Course, module: Module) -> Html:
    entries = [_entry(course, entry) for entry in items_of(seen, course.id, module.id)]
    return tag("section", tag("h2", module.name), tag("ul", entries), class_="card")


def _row(seen: Campus, course: Course, assignment: Assignment) -> Html:
    link = tag("a", assignment.name, href=f"/courses/{course.id}/assignments/{assignment.id}")
    state = _state(seen, course, assignment)
    return tag("tr", [tag("td", cell) for cell in (link, _when(seen, assignment.due), f"{assignment.points:g}", state)])


def _entry(course: Course, entry: ModuleItem) -> Html:
    """A thing of a module; pages, assignments and links can be opened here."""
    if entry.kind == "assignment":
        return tag("li", tag("a", entry.title, href=f"/courses/{course.id}/assignments/{entry.content_id}"))
    if entry.kind == "page":
        return tag("li", tag("a", entry.title, href=f"/courses/{course.id}/pages/{entry.content_id}"))
    if entry.kind == "link" and is_link(entry.url):
        return tag("li", tag("a", entry.title, href=entry.url))
    return tag("li", entry.title, f" ({entry.kind})" if entry.kind != "heading" else None)


def _text_page(seen: Campus, course: Course, url: str) -> Page:
    try:
        page = page_of(seen, course.id, url)
    except Problem as error:
        raise NoPage(f"There is no page {url[:100]!r} in {course.code}.") from error
    back = tag("p", tag("a", course.name, href=f"/courses/{course.id}"))
    return Page(page.title, tag("section", tag("h1", page.title), rich_text(page.body), back, class_="card"))


def _assignment_page(
    seen: Campus, course: Course, assignment: Assignment, typed: Mapping[str, str] | None = None, odd: str = ""
) -> Page:
    is_student = seen.role(course.id) == "student"
    facts = {
        "Due": _when(seen, assignment.due),
        "Points": f"{assignment.points:g}",
        "State": _state(seen, course, assignment),
    }
    about = tag(
        "section",
        tag("p", tag("a", course.name, href=f"/courses/{course.id}")),
        tag("h1", assignment.name),
        tag("table", [tag("tr", tag("th", name), tag("td", value)) for name, value in facts.items() if value]),
        rich_text(assignment.description),
        None if is_student else wrong(odd),
        class_="card",
    )
    if not is_student:
        return Page(assignment.name, about)
    submission = submission_of(seen, course.id, assignment.id)
    parts = [about, _handed_in(seen, submission), _entry_form(course, assignment, typed or {}, odd)]
    return Page(assignment.name, Html("".join(part for part in parts if part)))


def _handed_in(seen: Campus, submission: Submission) -> Html | None:
    if not submission.submitted:
        return None
    said = [tag("li", comment.get("text", "")) for comment in submission.comments]
    what = f"Attempt {submission.attempt}, handed in on {_when(seen, submission.submitted)}."
    shown = [typed_text(submission.body), tag("p", submission.url) if submission.url else None]
    comments = [tag("h3", "Comments"), tag("ul", said)] if said else None
    return tag("section", tag("h2", "Your work"), tag("p", what, role="status"), shown, comments, class_="card")


def _entry_form(course: Course, assignment: Assignment, typed: Mapping[str, str], odd: str) -> Html:
    taken = [kind for kind in ("text", "link") if kind in assignment.kinds]
    if not taken:
        text = f"It is handed in elsewhere: {', '.join(assignment.kinds)}. Texts and links are handed in here."
        return tag("section", tag("p", text), wrong(odd), class_="card")
    entries = {
        "text": tag("textarea", "\n", typed.get("text", ""), name="text", id="text", rows="10"),
        "link": tag("input", type="url", name="link", id="link", value=typed.get("link", "")),
    }
    labels = {"text": "Your text", "link": "Your link"}
    forms = [
        tag("form", tag("input", type="hidden", name="kind", value=kind), tag("label", labels[kind], for_=kind),
            entries[kind], tag("p", tag("button", f"Hand in {kind}")), method="post", novalidate=True,
            action=f"/courses/{course.id}/assignments/{assignment.id}")
        for kind in taken
    ]  # fmt: skip
    return tag("section", tag("h2", "Hand in"), wrong(odd), forms, class_="card")


def _state(seen: Campus, course: Course, assignment: Assignment) -> str:
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


def _when(seen: Campus, moment: str | None) -> str:
    """A time by the clock of the school."""
    try:
        return f"{datetime.fromisoformat(moment or '').astimezone(ZoneInfo(seen.school.time_zone)):%Y-%m-%d %H:%M}"
    except (ValueError, KeyError):  # no time, or no such zone
        return moment or ""
