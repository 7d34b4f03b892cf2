"""Runs of ``openai:`` that are longer than the model's context."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.models import Line, Model, make_call_line, make_text_line, scripted_model

from yardkit.sandbox.agents import Outcome, Transcript, make_agent
from yardkit.sandbox.agents.dialogue import Seen, ToolCalling
from yardkit.sandbox.agents.history import DROP, LIST, READ, SEARCH, History
from yardkit.sandbox.agents.react import React
from yardkit.sandbox.agents.service import ToolCall
from yardkit.sandbox.episodes.episode import Episode

TOO_LONG = Line(b'{"error": {"code": "context_length_exceeded"}}', 400)
Talk = Callable[..., tuple[Outcome, Model, list[dict[str, Any]]]]


@pytest.fixture
def talk(episode: Episode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Talk:
    """Let a scripted model work on an episode with the files ``0.txt`` ... ``5.txt`` of 4,000 characters."""
    for number in range(6):
        (episode.workspace / f"{number}.txt").write_text(f"the number {number} " * 300)

    def run(*lines: Line, **settings: str) -> tuple[Outcome, Model, list[dict[str, Any]]]:
        path = tmp_path / "transcript.jsonl"
        with scripted_model(*lines) as model, Transcript(path) as transcript:
            monkeypatch.setenv("OPENAI_BASE_URL", model.url)
            outcome = make_agent("openai:tester", {"retries": "0", **settings}).run(episode, transcript, 60)
        return outcome, model, [json.loads(line) for line in path.read_text().splitlines()]

    return run


def make_reading_calls(*numbers: int) -> list[Line]:
    return [make_call_line(("read_file", {"path": f"{number}.txt"})) for number in numbers]


def list_tool_results(model: Model, request: int = -1) -> list[str]:
    return [message["content"] for message in model.requests[request]["messages"] if message["role"] == "tool"]


def test_the_model_is_told_how_full_its_context_is(talk: Talk) -> None:
    lines = [make_call_line(("read_file", {"path": "0.txt"}), prompt_tokens=5_000), make_text_line("done")]
    _, model, transcript = talk(*lines, context_meter="true", context_tokens="20000")
    meter = model.requests[1]["messages"][-1]
    assert meter["role"] == "user"
    assert meter["content"].startswith("[context: about ")
    assert " of 20,000, " in meter["content"]
    assert [line["content"] for line in transcript if line.get("context") == "meter"] == [meter["content"]]


def test_old_results_are_dropped_and_can_be_looked_up(talk: Talk) -> None:
    lines = make_reading_calls(0, 1, 2)
    looked = make_call_line(
        (LIST, {}), (SEARCH, {"pattern": "number 0 the number 0"}), (READ, {"turn": 1}), (READ, {"turn": 9})
    )
    _, model, transcript = talk(*lines, looked, make_text_line("done"), keep_turns="2")
    dropped, *full_results = list_tool_results(model, 3)
    assert dropped == f"[dropped: {len(list_tool_results(model, 1)[0]):,} characters; {READ}(turn=1) has them]"
    assert [f"number {number}" in text for number, text in enumerate(full_results, 1)] == [True, True]
    assert [line["turns"] for line in transcript if line.get("context") == "dropped"] == [[1], [2]]
    listed, search_result, read, unknown = list_tool_results(model)[-4:]
    assert 'turn 1 (thinned): read_file({"path": "0.txt"})' in listed
    assert "turn 3 (whole)" in listed
    assert search_result.startswith("turn 1 at ")
    assert "the number 0 the number 0" in read
    assert unknown == "error: turn 9 is not between 1 and 4"


def test_the_model_can_make_room_itself(talk: Talk) -> None:
    _, model, _ = talk(
        *make_reading_calls(0, 1), make_call_line((DROP, {"keep_turns": 1})), make_text_line("done"), when_full="cut"
    )
    assert "dropped the results of turns 1 to 2." in list_tool_results(model)[-1]
    assert [text.startswith("[dropped: ") for text in list_tool_results(model)] == [True, True, False]


def test_a_context_that_the_service_finds_full_is_cut_and_the_run_goes_on(talk: Talk) -> None:
    outcome, model, transcript = talk(
        *make_reading_calls(0, 1, 2), TOO_LONG, make_text_line("at the end"), when_full="cut"
    )
    assert (outcome.stop, outcome.answer) == ("done", "at the end")
    assert [text.startswith("[dropped: ") for text in list_tool_results(model)] == [True, True, False]
    [event] = [line["content"] for line in transcript if line.get("context") == "cut"]
    assert event.startswith("thinned turns 1 to 2: about ")


def test_a_context_of_known_size_is_cut_before_it_is_full(talk: Talk) -> None:
    _, model, _ = talk(
        *make_reading_calls(0, 1, 2, 3, 4, 5), make_text_line("done"), when_full="cut", context_tokens="12000"
    )
    longest = max(len(json.dumps(request["messages"])) for request in model.requests)
    assert longest < 0.9 * 12_000 / 0.3
    assert model.requests[-1]["messages"][1]["role"] == "user"
    assert "number 5" in list_tool_results(model)[-1]


def test_a_full_context_ends_the_run_where_it_may_not_be_cut_or_nothing_is_left_to_cut(talk: Talk) -> None:
    outcome, model, _ = talk(*make_reading_calls(0), TOO_LONG)
    assert (outcome.stop, len(model.requests)) == ("token_limit", 2)
    assert not {LIST, READ, SEARCH, DROP} & {tool["function"]["name"] for tool in model.requests[0]["tools"]}
    outcome, model, _ = talk(*make_reading_calls(0, 1), TOO_LONG, when_full="cut")
    assert outcome.stop == "token_limit"
    assert [text.startswith("[dropped: ") for text in list_tool_results(model)] == [True]
    assert len({len(json.dumps(request)) for request in model.requests}) == len(model.requests) > 4


@given(st.lists(st.tuples(st.integers(0, 9_000), st.booleans()), min_size=1, max_size=12), st.booleans())
def test_each_cut_leaves_a_conversation_that_a_service_takes(turns: list[tuple[int, bool]], as_text: bool) -> None:
    history = History(React([]) if as_text else ToolCalling([], None))
    history.add_message({"role": "user", "content": "the task"})
    for number, (length, fed_back) in enumerate(turns):
        call = ToolCall(f"c{number}", "write_file", json.dumps({"content": "x" * length}))
        function = {"name": call.name, "arguments": call.arguments}
        calls_made = {} if as_text else {"tool_calls": [{"id": call.id, "type": "function", "function": function}]}
        history.add({"role": "assistant", "content": "y" * length, **calls_made})
        history.add_results([(call, Seen("z" * length))], images=True)
        if fed_back:
            history.add_message({"role": "user", "content": f"feedback {number}"})
    full_texts = [replace(turn).text() for turn in history.turns]
    while history.make_room():
        messages = history.list_messages()
        asked = [tool_call["id"] for message in messages for tool_call in message.get("tool_calls", ())]
        assert asked == [message["tool_call_id"] for message in messages if message["role"] == "tool"]
        for message in messages:
            assert all(json.loads(tool_call["function"]["arguments"]) for tool_call in message.get("tool_calls", ()))
    words = [message["content"] for message in history.list_messages()]
    assert {f"feedback {number}" for number, (_, fed_back) in enumerate(turns) if fed_back} <= set(words)
    assert [turn.retention for turn in history.turns[:-1]] == ["left out"] * (len(turns) - 1)
    assert [turn.text() for turn in history.turns] == full_texts
