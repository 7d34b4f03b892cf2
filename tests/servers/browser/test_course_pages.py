"""The school in the browser: a student sees courses and assignments, and hands in a text."""

from typing import Any
from urllib.parse import urlencode

import pytest
from support.answers import Call
from support.web_pages import find_ref

from yardkit.apps.courses import (
    APP,
    RECORDS,
    Assignment,
    AssignmentGroup,
    Course,
    Enrolment,
    Module,
    ModuleItem,
    Page,
    School,
    Section,
    Submission,
    Topic,
    User,
)
from yardkit.apps.store import open_store
from yardkit.servers.browser.engine import live_pages
from yardkit.servers.browser.engine.app_pages.hosts import answer_request
from yardkit.servers.browser.engine.app_pages.rich_text import rich_text, typed_text
from yardkit.world import World

SITE = "https://courses.example"
HOSTILE = '<script>document.title = "taken"</script><p onclick="x">Read <b>this</b></div>'
ESSAY, PAPER, SECRET = "/courses/1/assignments/1", "/courses/1/assignments/2", "/courses/1/assignments/3"


@pytest.fixture(autouse=True)
def school(world: World) -> None:
    """Ann is a student of the first course and no part of the second; she is signed in."""
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        store.put(School(1, "Harbour School", 1))
        store.put(User(1, "Ann Berg", "ann@example.org"))
        store.put(User(2, "Ben Ode", "ben@example.org"))
        for number, name in ((1, "Writing"), (2, "Secrets")):
            store.put(Course(number, name, f"C{number}", "available", syllabus=HOSTILE))
            store.put(Section(number, number, "All"))
        store.put(Enrolment(1, 1, 1, 1))
        store.put(Enrolment(2, 1, 1, 2, "teacher"))
        store.put(AssignmentGroup(1, 1, "All", 1))
        due = "2026-03-20T12:00:00Z"
        store.put(Assignment(1, 1, 1, "Essay", HOSTILE, due, 10, ["text", "link"], published=True))
        store.put(Assignment(2, 1, 1, "Paper", "", None, 10, ["paper"], published=True))
        store.put(Assignment(3, 1, 1, "Secret", kinds=["text"]))
        store.put(Module(1, 1, "Begin", 1))
        store.put(Page(1, 1, "rules", "Rules", HOSTILE))
        store.put(ModuleItem(1, 1, 1, "page", "The rules", 1))
        for number, url in ((2, "https://news.example/"), (3, "javascript:alert(1)")):
            store.put(ModuleItem(number, 1, number, "link", "Elsewhere", url=url))
        store.put(Topic(1, 1, "Welcome", HOSTILE, 2, "2026-03-01T09:00:00Z", announcement=True))


def get_page(world: World, path: str) -> tuple[int, str]:
    given = answer_request(world, make_request(path))
    assert given
    return given["status"], given["body"]


def send_form(world: World, path: str, **fields: str) -> dict[str, Any]:
    given = answer_request(world, {**make_request(path), "method": "POST", "body": urlencode(fields)})
    assert given
    return {"url": given["then"]["url"], **(given["then"]["page"] or {})}


def make_request(path: str) -> dict[str, Any]:
    kind = "application/x-www-form-urlencoded"
    return {"method": "GET", "url": f"{SITE}{path}", "top": True, "body": "", "kind": kind, "cookies": {}}


def handed_in(world: World) -> list[tuple[int, str, str]]:
    with open_store(APP, *RECORDS, world=world) as store:
        return [(submission.attempt, submission.body, submission.url) for submission in store.find(Submission)]


@pytest.mark.drill
def test_a_student_hands_in_a_text_once(world: World, done: Call) -> None:
    page = done("open_page", url=SITE)
    assert ("Writing" in page["tree"], "Secrets" in page["tree"]) == (True, False)
    page = done("click_element", ref=find_ref(page, 'link "Writing"'))
    page = done("click_element", ref=find_ref(page, 'link "Essay"'))
    page = done("click_element", ref=find_ref(page, 'button "Hand in text"'))
    assert "nothing was submitted: 'text' needs its content" in page["tree"]
    page = done("type_text", ref=find_ref(page, 'textbox "Your text"'), text="It was\na good day.")
    page = done("click_element", ref=find_ref(page, 'button "Hand in text"'))
    assert "Attempt 1, handed in on 2026-03-16 09:00." in page["tree"]
    live_pages.stop_browsers()
    assert done("read_page_tree")["tree"] == page["tree"]
    assert handed_in(world) == [(1, "It was\na good day.", "")]


def test_what_the_student_may_not_see_is_not_there(world: World) -> None:
    for path in ("/courses/2", SECRET, "/courses/1/pages/none", "/courses/x", "/courses/1/assignments/9", "/grades"):
        assert get_page(world, path)[0] == 404
        assert send_form(world, path, text="x").get("status") == 404
    assert handed_in(world) == []


@pytest.mark.parametrize(
    ("path", "fields", "says"),
    [
        (PAPER, {"text": "Mine"}, "does not accept"), (ESSAY, {"text": " "}, "nothing was submitted"),
        (ESSAY, {"kind": "link", "text": "x"}, "nothing was submitted"), (ESSAY, {}, "nothing was submitted"),
        (ESSAY, {"text": "x" * 1_000_000}, "the limit is 200,000"),
    ],
)  # fmt: skip
def test_what_is_not_taken_changes_nothing(world: World, path: str, fields: dict[str, str], says: str) -> None:
    before = world.state_hash()
    sent = send_form(world, path, **fields)
    assert (sent["url"], says in sent["body"]) == (f"{SITE}{path}", True)
    assert world.state_hash() == before


def test_a_link_is_an_attempt_too_and_a_teacher_hands_in_nothing(world: World) -> None:
    send_form(world, ESSAY, text="First")
    assert send_form(world, ESSAY, kind="link", link="https://news.example/1") == {"url": f"{SITE}{ESSAY}"}
    assert handed_in(world) == [(2, "", "https://news.example/1")]
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        store.change(store.get(School, 1), acting=2)
    assert "is not a student of course" in send_form(world, ESSAY, text="x")["body"]
    assert ("Secret" in get_page(world, "/courses/1")[1], "Hand in text" in get_page(world, ESSAY)[1]) == (True, False)


def test_texts_of_teachers_keep_their_plain_marks_alone(world: World) -> None:
    before = world.state_hash()
    for path in ("/", "/courses/1", ESSAY, "/courses/1/pages/rules", "/courses/1/pages/1"):
        status, page = get_page(world, path)
        assert (status, "<script" in page, "onclick" in page) == (200, False, False)
    assert world.state_hash() == before
    course = get_page(world, "/courses/1")[1]
    assert ('href="https://news.example/"' in course, "javascript:" in course) == (True, False)
    assert rich_text(HOSTILE) == "<p>Read <strong>this</strong></p>"
    assert rich_text('a < b & "c" <i>d<ul><li>e') == "a &lt; b &amp; &quot;c&quot; <em>d<ul><li>e</li></ul></em>"
    link = '<a href="https://news.example/a?b=1&amp;c">it</a>'
    assert rich_text(f'<p>Read {link}, <img src="x" alt="a <figure>">') == f"<p>Read {link}, a &lt;figure&gt;</p>"
    assert rich_text("<p>" * 10_000 + "x</style></b>").count("<p>") < 100


@pytest.mark.parametrize(
    "source",
    [
        '<p><a href="javascript:alert(1)">x</a></p>', '<p><a href=" java&#10;script:alert(1)">x</a></p>',
        '<p><a href="\x01javascript:alert(1)" onclick="alert(1)">x</a></p>', '<p><a href="data:text/html,x">x</a></p>',
        '<p><a href="https://[x">x</a></p>', '<p><a href="https:\\\\x">x</a></p>', '<p><a href>x</a></p>',
        '<p><script>alert(1)</script>x</p>', "<p><style>p {}</style>x</p>", '<p><img src=a onerror="alert(1)">x</p>',
        '<p onmouseover="alert(1)">x</p>', '<p><iframe src="https://news.example"></iframe>x</p>',
    ],
)  # fmt: skip
def test_nothing_of_hostile_html_comes_through(source: str) -> None:
    assert rich_text(source) == typed_text(source) == "<p>x</p>"


def test_of_a_hostile_link_the_address_alone_is_kept() -> None:
    source = '<a href="https://news.example/&quot; onclick=&quot;alert(1)" onclick="alert(1)" target="x">a<a href="b">c'
    escaped_link = '<a href="https://news.example/&quot; onclick=&quot;alert(1)">ac</a>'
    assert rich_text(source) == escaped_link
    typed = typed_text("<script>alert(1)</script>\n\n<a href='javascript:alert(1)'>x</a>")
    assert (typed.count("<"), typed.count("<p "), typed.count("</p>")) == (4, 2, 2)


def test_work_that_was_typed_is_shown_as_it_was_typed(world: World) -> None:
    send_form(world, ESSAY, text="if i<len(x) and x>3:\r\n    pass\r\n \r\nSecond <b>a</b>")
    typed_html = (
        '<p class="typed">if i&lt;len(x) and x&gt;3:\n    pass</p><p class="typed">Second &lt;b&gt;a&lt;/b&gt;</p>'
    )
    assert typed_html in get_page(world, ESSAY)[1]
    send_form(world, ESSAY, text="<p>My report is <b>below</b>.</p>")
    assert "<p>My report is <strong>below</strong>.</p>" in get_page(world, ESSAY)[1]
