"""The server `forms`: questionnaires are made, changed and closed, and answers are read."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from support.answers import make_caller, read_facts, read_text

from yardkit.apps.forms import APP, RECORDS, Response
from yardkit.apps.store import open_store
from yardkit.sandbox.serving.registry import load_server
from yardkit.servers.forms.server import mcp
from yardkit.world import World, use_world

call = make_caller(mcp)
QUESTIONS = [
    {"text": "How was it?", "choices": ["good", "bad"], "required": True},
    {"text": "What was missing?", "kind": "choices", "choices": ["salt", "time", "tea"]},
    {"text": "How often do you come?", "kind": "number"},
    {"text": "Anything else?"},
]
ANSWERS: tuple[dict[int, Any], ...] = (
    {1: "good", 3: 2},
    {1: "bad", 2: ["salt", "tea"], 4: "No\tthanks"},
    {1: "good", 2: ["time"], 3: 0.5},
)


@pytest.fixture(autouse=True)
def world(tmp_path: Path) -> Iterator[World]:
    created = World.create(tmp_path / "world", task="t", seed=3)
    with use_world(created):
        yield created


@pytest.fixture
def canteen(world: World) -> int:
    """A form that three people answered, a day after the other."""
    form = call_forms("create_form", title=" Canteen 2026 ", description="Two minutes", questions=QUESTIONS)
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        for day, answers in enumerate(ANSWERS, start=1):
            at = f"2026-03-0{day}T12:00:00+00:00"
            store.put(Response(store.next_id(Response), form["id"], at, f"p{day}@example.org", answers))
    return int(form["id"])


def call_forms(tool: str, **arguments: Any) -> Any:
    return read_facts(call(tool, **arguments))


def refuse_call(tool: str, **arguments: Any) -> str:
    answer = call(tool, **arguments)
    assert answer.is_error, read_text(answer)
    return read_text(answer)


def list_question_ids(form: int) -> list[int]:
    return [question["id"] for question in call_forms("read_form", form_id=form)["questions"]]


def test_a_form_is_made_with_its_questions_and_shown_with_its_answers(canteen: int) -> None:
    form = call_forms("read_form", form_id=canteen)
    assert (form["title"], form["created"], form["closed"]) == ("Canteen 2026", "2026-03-16T09:00:00+00:00", None)
    assert [(q["position"], q["kind"], q["required"]) for q in form["questions"]] == [
        (1, "choice", True), (2, "choices", False), (3, "number", False), (4, "text", False),
    ]  # fmt: skip
    assert (form["responses"], form["first_response"][:10], form["last_response"][:10]) == (
        3,
        "2026-03-01",
        "2026-03-03",
    )


def test_forms_are_found_by_words_and_state_newest_first(canteen: int) -> None:
    form_ids = [call_forms("create_form", title=f"Canteen {year}", description="old")["id"] for year in (2024, 2025)]
    call_forms("close_form", form_id=form_ids[0])
    listed = call_forms("list_forms", query="CANTEEN")
    assert [(form["id"], form["questions"], form["responses"]) for form in listed["forms"]] == [
        (form_ids[1], 0, 0), (form_ids[0], 0, 0), (canteen, 4, 3),
    ]  # fmt: skip
    assert [form["id"] for form in call_forms("list_forms", query="old canteen", state="open")["forms"]] == [
        form_ids[1]
    ]
    page = call_forms("list_forms", limit=2)
    assert (page["total"], page["next_offset"]) == (3, 2)
    assert [form["id"] for form in call_forms("list_forms", limit=2, offset=2)["forms"]] == [canteen]


def test_questions_are_added_moved_changed_and_deleted_in_their_order(canteen: int) -> None:
    added = call_forms("add_question", form_id=canteen, text="Would you come again?", choices=["yes", "no"], position=2)
    assert (added["kind"], added["position"], list_question_ids(canteen)) == ("choice", 2, [1, 5, 2, 3, 4])
    assert call_forms("add_question", form_id=canteen, text="Your name?")["position"] == 6
    moved = call_forms("change_question", question_id=5, position=6, text="Again?", required=True)
    assert (moved["text"], moved["required"], moved["choices"]) == ("Again?", True, ["yes", "no"])
    assert list_question_ids(canteen) == [1, 2, 3, 4, 6, 5]
    assert call_forms("change_question", question_id=5, kind="text")["choices"] == []
    assert call_forms("delete_question", question_id=6)["answers_lost"] == 0
    positions = [question["position"] for question in call_forms("read_form", form_id=canteen)["questions"]]
    assert (list_question_ids(canteen), positions) == ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5])
    assert call_forms("add_question", form_id=canteen, text="New?")["id"] == 7


def test_answers_are_only_lost_where_that_is_wanted(canteen: int) -> None:
    assert "has 2 answers, which would be lost" in refuse_call("delete_question", question_id=2)
    assert "which are not valid for kind 'number'" in refuse_call("change_question", question_id=1, kind="number")
    assert call_forms("change_question", question_id=1, kind="text")["kind"] == "text"
    assert call_forms("delete_question", question_id=2, discard_answers=True)["answers_lost"] == 2
    responses = call_forms("list_responses", form_id=canteen)["responses"]
    assert [sorted(response["answers"]) for response in responses] == [["1", "3"], ["1", "4"], ["1", "3"]]


def test_responses_come_typed_in_pages_and_between_times(canteen: int) -> None:
    call_forms("create_form", title="Other")
    page = call_forms("list_responses", form_id=canteen, limit=2)
    assert [question["id"] for question in page["questions"]] == [1, 2, 3, 4]
    assert page["responses"][1] == {
        "id": 2, "form_id": canteen, "submitted": "2026-03-02T12:00:00+00:00", "respondent": "p2@example.org",
        "answers": {"1": "bad", "2": ["salt", "tea"], "4": "No\tthanks"},
    }  # fmt: skip
    assert (page["total"], page["next_offset"]) == (3, 2)
    for bounds, expected_count in (
        ({"since": "2026-03-02"}, [2, 3]),
        ({"until": "2026-03-02"}, [1, 2]),
        ({"since": "2026-03-02T12:00:00", "until": "2026-03-02T13:00:00+01:00"}, [2]),
        ({"since": "2026-03-03T12:00:01"}, []),
        ({"newest_first": True}, [3, 2, 1]),
    ):
        assert [response["id"] for response in call_forms("list_responses", **bounds)["responses"]] == expected_count
    assert call_forms("list_responses", form_id=canteen)["responses"][2]["answers"]["3"] == 0.5


def test_a_long_page_is_cut_and_goes_on(world: World, canteen: int) -> None:
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        for _ in range(5):
            at = store.make_stamp(Response, "submitted")
            store.put(Response(store.next_id(Response), canteen, at, "", {4: "word " * 2_500}))
    first = call_forms("list_responses", form_id=canteen, since="2026-03-16")
    rest = call_forms("list_responses", form_id=canteen, since="2026-03-16", offset=first["next_offset"])
    assert [len(page["responses"]) for page in (first, rest)] == [3, 2]
    assert rest["next_offset"] is None


def test_a_form_is_closed_once_and_can_be_opened_again(world: World, canteen: int) -> None:
    assert call_forms("close_form", form_id=canteen)["closed"] == "2026-03-16T09:00:00+00:00"
    closed = world.state_hash()
    call_forms("close_form", form_id=canteen)
    assert world.state_hash() == closed
    assert call_forms("close_form", form_id=canteen, reopen=True)["closed"] is None


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("read_form", {"form_id": 99}, "there is no form 99; there are: 1"),
        ("read_form", {"form_id": 10**30}, "form_id: give a number"),
        ("add_question", {"form_id": 1, "text": "  "}, "1 to 2,000 characters"),
        ("add_question", {"form_id": 1, "text": "a?", "choices": ["yes", " yes"]}, "at least two different"),
        ("add_question", {"form_id": 1, "text": "a?", "kind": "number", "choices": ["1", "2"]}, "has no choices"),
        ("add_question", {"form_id": 1, "text": "a?", "kind": "choices"}, "at least two different"),
        ("add_question", {"form_id": 1, "text": "a?", "position": 9}, "the form has 5 questions"),
        ("add_question", {"form_id": 1, "text": "a\0?"}, "text: character 2 is U+0000"),
        ("add_question", {"form_id": 1, "text": "a", "kind": "essay"}, "kind"),
        ("change_question", {"question_id": 1}, "there is nothing to change"),
        ("change_question", {"question_id": 77, "text": "b"}, "there is no question 77"),
        ("change_question", {"question_id": 1, "choices": ["good"]}, "at least two different"),
        ("create_form", {"title": "T", "questions": [{"text": "a?", "answer": "b"}]}, "no such field"),
        ("create_form", {"title": "T", "questions": [{"text": "a?"}] * 201}, "too many"),
        ("list_responses", {"form_id": 4}, "there is no form 4"),
        ("list_responses", {"since": "last week"}, "is not a valid date or time"),
        ("list_responses", {"since": "2026-03-17", "until": "2026-03-16"}, "is after until"),
        ("close_form", {"form_id": "first"}, "form_id"),
    ],
)
def test_bad_input_is_refused_with_a_reason_and_changes_nothing(
    world: World, canteen: int, tool: str, arguments: dict[str, Any], message: str
) -> None:
    before = world.state_hash()
    assert message in refuse_call(tool, **arguments)
    assert world.state_hash() == before


def test_an_app_that_was_never_used_is_empty_and_stays_so(world: World) -> None:
    before = world.state_hash()
    assert call_forms("list_forms") == {"forms": [], "total": 0, "next_offset": None}
    assert call_forms("list_responses")["responses"] == []
    assert "there are: none" in refuse_call("add_question", form_id=1, text="Who?")
    assert world.state_hash() == before


async def test_forms_are_kept_between_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    command = ["-m", "yardkit", "serve", "forms", "--workspace", str(tmp_path)]
    for expected in (1, 2):
        transport = StdioTransport(sys.executable, command, env={"XDG_CACHE_HOME": str(tmp_path / "cache")})
        async with Client(transport) as client:
            await client.call_tool("create_form", {"title": "Canteen", "questions": QUESTIONS})
            assert f'"total":{expected}' in (await client.call_tool("list_forms", {})).content[0].text


def test_the_dialect_speaks_like_google(world: World, canteen: int) -> None:
    dialect = make_caller(load_server("forms", "toolathlon"))
    created_form = read_facts(dialect("create_form", title="Party", description="d"))
    assert created_form["responderUri"] == "https://forms.example/f/2"
    added = read_facts(dialect("add_text_question", formId=created_form["formId"], questionTitle="Who?", required=True))
    assert (added["success"], added["message"]) == (True, "Text question added successfully")
    options = ["yes", "no"]
    read_facts(
        dialect("add_multiple_choice_question", formId=created_form["formId"], questionTitle="Come?", options=options)
    )
    form = read_facts(dialect("get_form", formId=created_form["formId"]))
    assert form["info"] == {"title": "Party", "description": "d", "documentTitle": "Party"}
    assert [item["title"] for item in form["items"]] == ["Who?", "Come?"]
    asked = form["items"][1]["questionItem"]["question"]
    assert asked["choiceQuestion"] == {"type": "RADIO", "options": [{"value": "yes"}, {"value": "no"}]}
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        store.put(Response(4, 2, "2026-03-05T08:00:00+00:00", "a@example.org", {6: "yes"}))
    (response,) = read_facts(dialect("get_form_responses", formId=created_form["formId"]))["responses"]
    assert response["respondentEmail"] == "a@example.org"
    assert response["answers"][asked["questionId"]]["textAnswers"]["answers"] == [{"value": "yes"}]
    missing = dialect("get_form", formId="nothing")
    assert missing.is_error
    assert "Requested entity was not found" in read_text(missing)
