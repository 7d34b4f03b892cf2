"""Questionnaires in the browser: they are shown, filled in and sent once, whatever becomes of the browser."""

import contextlib
import math
import os
import random
import re
import shutil
import signal
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from support.answers import Call, read_facts
from support.scale import count_tries
from support.web_pages import find_ref, session_of

from yardkit.apps.form_answers import MAX_ANSWER, Unfit, add_response
from yardkit.apps.forms import APP, RECORDS, Form, Question, Response
from yardkit.apps.store import open_store
from yardkit.servers.browser.engine import live_pages
from yardkit.servers.browser.engine.app_pages.hosts import answer_request
from yardkit.world import Problem, World, use_world

URL = "https://forms.example/f/1"
HOSTILE = '</textarea><script>document.title = "taken"</script><b onclick=x>&amp;"\''
QUESTIONS = [
    Question(1, 1, 1, f"How was it? {HOSTILE}", "choice", ["good", f"bad {HOSTILE}"], required=True),
    Question(2, 1, 2, "What was missing?", "choices", ["salt", "time", "tea"], required=False),
    Question(3, 1, 3, "How often?", "number", [], required=False),
    Question(4, 1, 4, "Since when?", "date", [], required=False),
    Question(5, 1, 5, "Anything else?", "text", [], required=False),
]


@pytest.fixture(autouse=True)
def canteen(world: World) -> None:
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        store.put(Form(1, f"Canteen {HOSTILE}", HOSTILE, "2026-03-01T09:00:00+00:00"))
        store.put(Form(2, "Old", "", "2026-02-01T09:00:00+00:00", closed="2026-03-02T09:00:00+00:00"))
        for question in QUESTIONS:
            store.put(question)


def list_responses(world: World) -> list[Response]:
    with open_store(APP, *RECORDS, world=world) as store:
        return store.find(Response)


def close_forms(world: World) -> None:
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        store.change(store.get(Form, 1), closed="2026-03-16T09:00:00+00:00")


def make_request(
    url: str, body: str = "", method: str = "", kind: str = "application/x-www-form-urlencoded"
) -> dict[str, Any]:
    method = method or ("POST" if body else "GET")
    return {"method": method, "url": url, "top": True, "body": body, "kind": kind, "cookies": {}}


def test_a_form_is_filled_in_and_sent_once(world: World, done: Call) -> None:
    page = done("open_page", url=URL)
    assert page["title"] == f"Canteen {HOSTILE}"
    page = done("click_element", ref=find_ref(page, 'button "Send"'))
    assert (page["url"], list_responses(world)) == (URL, [])
    assert "Nothing was sent yet: 1 answer is missing or wrong." in page["tree"]
    done("click_element", ref=find_ref(page, 'radio "good"'))
    done("click_element", ref=find_ref(page, 'checkbox "tea"'))
    done("type_text", ref=find_ref(page, 'spinbutton "How often?"'), text="2.5")
    done("type_text", ref=find_ref(page, 'textbox "Anything else?"'), text=f"two\nlines {HOSTILE}")
    done("type_text", ref=find_ref(page, 'textbox "Your e-mail'), text="ann@example.org")
    page = done("click_element", ref=find_ref(page, 'button "Send"'), double=True)
    assert page["url"] == f"{URL}/sent", page["tree"]
    (response,) = list_responses(world)
    assert response.answers == {1: "good", 2: ["tea"], 3: 2.5, 5: f"two\nlines {HOSTILE}"}
    assert (response.respondent, response.submitted) == ("ann@example.org", "2026-03-16T09:00:00+00:00")
    assert [post["url"] for post in session_of(world)["posts"]] == [URL, URL]


def test_choices_with_marks_that_turn_the_direction_are_answered(world: World) -> None:
    arabic, turned = "العربية\u200f", "\u2067both\u2069"
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        store.put(Form(3, "Languages", "", "2026-03-01T09:00:00+00:00"))
        store.put(Question(6, 3, 1, "Which?", "choice", [arabic, "English"], required=True))
        store.put(Question(7, 3, 2, "And?", "choices", [turned, "English"], required=False))
    url = "https://forms.example/f/3"
    page = answer_request(world, make_request(url))
    assert page
    first, second = (re.findall(f'name="{name}" value="([^"]*)"', page["body"])[0] for name in ("q6", "q7"))
    refused = answer_request(world, make_request(url, urlencode({"q6": "none", "q7": second})))
    assert refused
    assert f'value="{second}" checked' in refused["then"]["page"]["body"]
    sent = answer_request(world, make_request(url, urlencode({"q6": first, "q7": second})))
    assert sent
    assert sent["then"]["url"] == f"{url}/sent"
    assert list_responses(world)[0].answers == {6: arabic, 7: [turned]}


@pytest.mark.drill
def test_neither_a_fork_nor_a_new_browser_nor_the_way_back_sends_again(
    world: World, done: Call, call: Call, tmp_path: Path
) -> None:
    page = done("open_page", url=URL)
    page = done("click_element", ref=find_ref(page, f'radio "bad {HOSTILE[:10]}'))
    fork = World.open(Path(shutil.copytree(world.root, tmp_path / "fork")))
    sent = done("click_element", ref=find_ref(page, 'button "Send"'))
    with use_world(fork):
        assert read_facts(call("read_page_tree"))["tree"] == page["tree"]
        assert list_responses(fork) == []
        assert read_facts(call("click_element", ref=find_ref(page, 'button "Send"')))["tree"] == sent["tree"]
    assert fork.state_hash() == world.state_hash()
    before = world.state_hash()
    live_pages.stop_browsers()
    assert done("read_page_tree")["tree"] == sent["tree"]
    assert world.state_hash() == before
    for way in (False, True, False):
        done("go_back", forward=way)
        live_pages.stop_browsers()
        done("read_page_tree")
    done("run_page_script", script="() => { location.reload() }")
    assert len(list_responses(world)) == len(session_of(world)["posts"]) == 1


@pytest.mark.drill
def test_a_browser_that_dies_while_it_sends_has_sent_once(
    world: World, done: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = done("open_page", url=URL)
    page = done("click_element", ref=find_ref(page, 'radio "good"'))
    deaths = []

    def answer_and_die(world: World, page_request: dict[str, Any]) -> Any:
        given = answer_request(world, page_request)
        if page_request["method"] == "POST":
            deaths.append(page_request)
            for pid in live_pages._keepers[0].get_worker().pids():
                with contextlib.suppress(ProcessLookupError):  # gone with the one before
                    os.kill(pid, signal.SIGKILL)
        return given

    monkeypatch.setattr(live_pages, "answer", answer_and_die)
    assert done("click_element", ref=find_ref(page, 'button "Send"'))["url"] == f"{URL}/sent"
    assert len(deaths) == len(list_responses(world)) == len(session_of(world)["posts"]) == 1


@pytest.mark.drill
def test_a_page_stays_as_it_was_loaded_though_the_form_has_changed(world: World, done: Call) -> None:
    page = done("open_page", url=URL)
    done("click_element", ref=find_ref(page, 'radio "good"'))
    close_forms(world)
    live_pages.stop_browsers()
    page = done("read_page_tree")
    assert 'radio "good" [checked]' in page["tree"]
    page = done("click_element", ref=find_ref(page, 'button "Send"'))
    assert "takes no more responses; it was closed on 2026-03-16" in page["tree"]
    assert list_responses(world) == []
    assert "closed on 2026-03-16" in done("open_page", url=URL)["tree"]


@pytest.mark.drill
def test_a_very_long_answer_is_refused_on_the_page(world: World, done: Call) -> None:
    page = done("open_page", url=URL)
    done("run_page_script", script="() => { document.getElementById('q5').value = 'é'.repeat(1_000_000) }")
    page = done("click_element", ref=find_ref(page, 'button "Send"'))
    assert "The form data has 6,000," in page["tree"]
    page = done("open_page", url=URL)
    done("run_page_script", script="() => { document.getElementById('q5').value = 'x'.repeat(1_000_000) }")
    page = done("click_element", ref=find_ref(page, 'button "Send"'))
    assert "This answer is too long; write at most 20,000 characters." in page["tree"]
    assert list_responses(world) == []


@pytest.mark.drill
def test_forms_of_a_site_scripts_and_frames_send_nothing_to_an_app(world: World, done: Call) -> None:
    site = world.root / "apps/web/news.example"
    site.mkdir(parents=True)
    form = f'<form method=post action="{URL}"><input name=q1 value=good><button>Vote</button></form>'
    (site / "index.html").write_text(f"<title>News</title>{form}")
    (site / "frame.html").write_text('<iframe src="/index.html" title=Vote></iframe>')
    page = done("open_page", url="https://news.example/frame")
    framed = done("click_element", ref=find_ref(page, 'button "Vote"'))
    fetched = f"() => fetch('{URL}', {{method: 'POST', body: new URLSearchParams({{q1: 'good'}})}}).then(r => r.status)"
    done("open_page", url=URL)
    assert done("run_page_script", script=fetched)["value"] == "403"
    assert (framed["url"], list_responses(world)) == ("https://news.example/frame", [])
    page = done("open_page", url="https://news.example")
    assert "this came from news.example" in done("click_element", ref=find_ref(page, 'button "Vote"'))["tree"]
    assert done("go_back")["title"] == "News"
    assert list_responses(world) == []


@pytest.mark.drill
def test_a_site_of_the_world_wins_over_an_app(world: World, done: Call) -> None:
    site = world.root / "apps/web/forms.example"
    site.mkdir(parents=True)
    (site / "index.html").write_text("<title>Ours</title>")
    assert done("open_page", url="https://forms.example")["title"] == "Ours"
    assert done("open_page", url=URL)["title"] == "404 Not Found"


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("f/99", "There is no form 99"), ("f/x", "not a valid number"),
        ("f/²", "not a valid number"), ("f/-1", "not a valid number"),
        ("f/" + "9" * 400, "not a valid number"), ("f/%00", "not a valid number"), ("f/1/answers", "has one page"),
        ("g", "looks like"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_a_page_that_says_so(world: World, path: str, says: str) -> None:
    page = answer_request(world, make_request(f"https://forms.example/{path}"))
    assert page
    assert (page["status"], says in page["body"]) == (404, True)
    sent = answer_request(world, make_request(f"https://forms.example/{path}", "q1=good"))
    assert sent
    assert sent["then"]["page"]["status"] == 404
    assert list_responses(world) == []


def test_a_world_without_forms_says_so(tmp_path: Path) -> None:
    bare = World.create(tmp_path / "bare", task="t", seed=1)
    before = bare.state_hash()
    page = answer_request(bare, make_request(URL))
    assert page
    assert (page["status"], "There are no forms here yet" in page["body"]) == (404, True)
    assert answer_request(bare, make_request("https://elsewhere.example/f/1")) is None
    assert bare.state_hash() == before


@pytest.mark.parametrize(
    "asked",
    [
        make_request(URL, "q1=good", kind="text/plain"),
        make_request(URL, "q1=good", kind="multipart/form-data; boundary=x"),
        make_request(URL, "q1=good", method="DELETE"), make_request(URL, "q1=maybe"),
        make_request(URL, "q1=good&q1=good"),
        make_request(URL, "q1=good&q3=nan"), make_request(URL, "q1=good&q3=1e999"),
        make_request(URL, "q1=good&q3=12345678901234567891"),
        make_request(URL, "q1=good&q4=2026-02-30"),
        make_request(URL, "q1=good&q2=pepper"), make_request(URL, "q1=good&q9=x"), make_request(URL, "q1=good&qx=1"),
        make_request(URL, "q1=good&respondent=ann"), make_request(URL, "&".join(f"q{n}=1" for n in range(6_000))),
        make_request("https://forms.example/f/2", "q1=good"), {**make_request(URL, "q1=good"), "top": False},
    ],
)  # fmt: skip
def test_what_does_not_fit_changes_nothing(world: World, asked: dict[str, Any]) -> None:
    before = world.state_hash()
    assert answer_request(world, asked)
    assert world.state_hash() == before


def test_a_page_holds_no_element_that_a_text_of_the_app_names(world: World) -> None:
    for asked in (
        make_request(URL),
        make_request(URL, "q5=" + "%3Cscript%3E&q3=%22%3E%3Cscript%3E"),
        make_request(f"{URL}/sent"),
    ):
        given = answer_request(world, asked)
        assert given
        page = given.get("then", {}).get("page") or given
        assert "&lt;script&gt;" in page["body"]
        assert "<script" not in page["body"]
        assert " onclick=x>" not in page["body"]


def fits_question(question: Question, value: Any) -> bool:
    """Whether an answer, None where there is none, is one of its question."""
    if value is None:
        return not question.required
    if question.kind == "choices":
        return isinstance(value, list) and set(value) <= set(question.choices)
    if question.kind == "number":
        return isinstance(value, int | float) and math.isfinite(value)
    return isinstance(value, str) and (question.kind != "choice" or value in question.choices)


def test_whatever_is_given_a_response_fits_its_questions_or_nothing_is_kept(world: World) -> None:
    rng, response_count = random.Random(1), 0
    texts = ["good", "salt", "tea", "", " ", "1", "-2.50", "1e3", "٣", "inf", "2026-03-16", "2026-13-01", "\0", "bad"]
    texts.append("x" * (MAX_ANSWER + 1))
    for _ in range(count_tries(2_000, 200)):
        given = {number: rng.sample(texts, rng.choice((0, 1, 1, 1, 2))) for number in rng.sample(range(1, 6), 4)}
        try:
            response = add_response(world, 1, given | ({1: ["good"]} if rng.random() < 0.7 else {}))
        except Unfit:
            continue
        response_count += 1
        assert [q.text for q in QUESTIONS if not fits_question(q, response.answers.get(q.id))] == []
    assert len(list_responses(world)) == response_count > 10


def test_a_closed_form_takes_no_response(world: World) -> None:
    with pytest.raises(Problem, match="is closed since"):
        add_response(world, 2, {})
