import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.models import Line, Model, make_call_line, make_text_line, scripted_model
from support.scale import select_drills

from yardkit.sandbox.agents import Outcome, Transcript, make_agent
from yardkit.sandbox.agents.outputs import READ, SEARCH
from yardkit.sandbox.episodes.episode import Episode, open_episode
from yardkit.sandbox.tasks.task import load_task
from yardkit.world import Problem

Talk = Callable[..., tuple[Outcome, Model]]


@pytest.fixture
def talk(episode: Episode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Talk:
    """Let a scripted model work on the episode."""

    def run(*lines: Line, time_limit_s: float = 240, **settings: str) -> tuple[Outcome, Model]:
        with scripted_model(*lines) as model, Transcript(tmp_path / "transcript.jsonl") as transcript:
            monkeypatch.setenv("OPENAI_BASE_URL", model.url)
            monkeypatch.setenv("OPENAI_API_KEY", "sesame")
            agent = make_agent("openai:tester", {"backoff_s": "0.001", "retries": "2", **settings})
            return agent.run(episode, transcript, time_limit_s), model

    return run


def list_observations(model: Model, request: int = -1) -> list[str]:
    """The tool results that the model was shown in its request number `request`."""
    return [message["content"] for message in model.requests[request]["messages"] if message["role"] == "tool"]


def test_the_model_works_with_tools_until_it_claims_to_be_done(talk: Talk, episode: Episode) -> None:
    outcome, model = talk(
        make_call_line(("write_file", {"path": "a.txt", "content": "hello"}), ("read_file", {"path": "a.txt"})),
        make_call_line(("claim_done", {"answer": "It is written."})),
    )
    assert (outcome.answer, outcome.stop) == ("It is written.", "done")
    assert (episode.world.files / "a.txt").read_text() == "hello"
    assert [call.tool for call in episode.ledger.calls] == ["write_file", "read_file"]
    assert "hello" in list_observations(model)[1]
    first = model.requests[0]
    assert first["model"] == "tester"
    assert [message["role"] for message in first["messages"]] == ["system", "user"]
    assert first["messages"][1]["content"] == episode.prompt
    assert model.headers[0]["authorization"] == "Bearer sesame"
    offered = {tool["function"]["name"]: tool["function"] for tool in first["tools"]}
    assert offered["read_file"]["parameters"]["properties"]["path"]
    assert {"claim_done", READ, SEARCH} < offered.keys()


def test_plain_text_ends_the_run_as_the_answer(talk: Talk) -> None:
    outcome, _ = talk(make_text_line("42"))
    assert (outcome.answer, outcome.stop, outcome.usage.turns) == ("42", "done", 1)


def test_calls_before_claim_done_in_one_turn_are_carried_out(talk: Talk, episode: Episode) -> None:
    outcome, _ = talk(
        make_call_line(("write_file", {"path": "a.txt", "content": "x"}), ("claim_done", {"answer": "so"}))
    )
    assert outcome.answer == "so"
    assert (episode.world.files / "a.txt").exists()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (("fly_to_moon", {"speed": 3}), "Unknown tool: 'fly_to_moon'"),
        (("read_file", '{"path": "a.txt'), "the arguments are not JSON"),
        (("read_file", "[1]"), "not a JSON object"),
        (("read_file", "[" * 100_000), "the arguments are not JSON"),
        (("read_file", {"path": "missing.txt"}), "missing.txt"),
        (("read_file", {"pth": "a"}), "It takes: path"),
        (("claim_done", "{"), "the arguments are not JSON"),
        ((READ, {"output": "output_9", "offset": 0}), "there is no output"),
    ],
)
def test_what_the_model_does_wrong_comes_back_as_an_observation(
    talk: Talk, call: tuple[str, object], message: str
) -> None:
    outcome, model = talk(make_call_line(call), make_text_line("I give up"))
    assert (outcome.answer, outcome.stop) == ("I give up", "done")
    [observation] = list_observations(model)
    assert observation.startswith("error: ")
    assert message in observation


def test_a_long_output_is_cut_and_can_be_paged_and_searched(talk: Talk, episode: Episode) -> None:
    text = "".join(f"row {number} of the long file\n" for number in range(1, 1_501))
    (episode.workspace / "long.txt").write_text(text)
    _, model = talk(
        make_call_line(("read_file", {"path": "long.txt"})),
        make_call_line(
            (READ, {"output": "output_1", "offset": 30_000}),
            (SEARCH, {"output": "output_1", "pattern": r"row 1[2-3]77 of"}),
            (SEARCH, {"output": "output_1", "pattern": "("}),
            (SEARCH, {"output": "output_1", "pattern": "(r*)*$"}),
            (READ, {"output": "output_1", "offset": -1}),
        ),
        make_text_line("done"),
        output_limit="2000",
    )
    cut, page, hits, broken, evil, outside = list_observations(model)
    assert len(cut) < 2_500
    assert "kept as output_1" in cut
    assert "row 1 of" in cut
    long_call = episode.ledger.calls[0]
    assert long_call.bytes_out > 30_000
    assert "characters 30,000 to" in page
    assert "row 1277 of" in hits
    assert "row 1377 of" in hits
    assert "is not a valid regular expression" in broken
    assert evil.startswith("at ")
    assert "is not between" in outside


def test_pictures_follow_as_image_parts(talk: Talk, episode: Episode) -> None:
    import PIL.Image

    PIL.Image.new("RGB", (30, 20), "red").save(episode.workspace / "red.png")
    _, model = talk(make_call_line(("read_media", {"path": "red.png"})), make_text_line("red"))
    last = model.requests[-1]["messages"][-1]
    assert last["role"] == "user"
    [text, picture] = last["content"]
    assert "read_media" in text["text"]
    assert picture["image_url"]["url"].startswith("data:image/png;base64,")
    _, blind = talk(make_call_line(("read_media", {"path": "red.png"})), make_text_line("no idea"), images="false")
    assert blind.requests[-1]["messages"][-1]["role"] == "tool"


@pytest.mark.parametrize(
    ("line", "protocol", "stop", "answer"),
    [
        (make_text_line("I will now move the first fi", "length"), "tools", "cut_off", "I will now move the first fi"),
        (make_text_line("I cannot", "content_filter"), "tools", "cut_off", "I cannot"),
        (make_text_line("", "length"), "tools", "cut_off", ""),
        (make_text_line("Thought: so\nFinal Answer: it is 4", "length"), "react", "cut_off", "it is 4"),
        (
            make_text_line("Thought: I look first, then I", "length"),
            "react",
            "cut_off",
            "Thought: I look first, then I",
        ),
        (make_text_line(" \n"), "tools", "no_answer", " \n"),
        (make_text_line("<think>What now?</think>\n"), "tools", "no_answer", "<think>What now?</think>\n"),
        (make_text_line("<think>What"), "react", "no_answer", ""),
        (make_text_line("<think>So.</think>It is done."), "tools", "done", "<think>So.</think>It is done."),
        (make_call_line(("claim_done", {"answer": ""}), finish="length"), "tools", "done", ""),
    ],
)
def test_an_answer_that_is_cut_off_or_empty_is_no_end_of_the_work(
    talk: Talk, line: Line, protocol: str, stop: str, answer: str
) -> None:
    outcome, _ = talk(line, protocol=protocol)
    assert (outcome.stop, outcome.answer) == (stop, answer)
    assert (outcome.detail == "") == (stop == "done")


def test_a_call_that_is_cut_off_comes_back_with_the_reason(talk: Talk) -> None:
    outcome, model = talk(
        make_call_line(("write_file", '{"path": "a.txt", "con'), finish="length"), make_text_line("shorter, then")
    )
    assert outcome.stop == "done"
    assert list_observations(model)[0].endswith("your answer was cut off (length), so write less at a time")
    _, model = talk(make_text_line("Thought: I lo", "length"), make_text_line("Final Answer: 4"), protocol="react")
    assert model.requests[1]["messages"][-1]["content"].endswith("(length), so write less at a time")


def test_turn_and_token_limits_end_the_run(talk: Talk) -> None:
    endless = make_call_line(("list_folder", {"path": "."}))
    outcome, model = talk(endless, max_turns="3")
    assert (outcome.stop, outcome.usage.turns, len(model.requests)) == ("max_turns", 3, 3)
    outcome, _ = talk(endless, max_tokens="200")
    assert (outcome.stop, outcome.usage.turns, outcome.usage.tokens) == ("token_limit", 2, 220)
    outcome, _ = talk(endless, max_turns="0", max_tokens="1000")
    assert outcome.stop == "token_limit"


WRONG = ("read_file", {"path": "missing.txt"})
RIGHT = ("list_folder", {"path": "."})


def test_rounds_in_which_every_call_fails_end_the_run_without_an_answer(talk: Talk) -> None:
    outcome, model = talk(
        make_call_line(WRONG, ("read_file", "{")),
        make_call_line((READ, {})),
        make_text_line("unheard"),
        failed_rounds="2",
    )
    assert (outcome.stop, outcome.answer, outcome.usage.turns, len(model.requests)) == ("failed_rounds", "", 2, 2)
    assert "2 rounds in a row" in outcome.detail


def test_one_call_that_succeeds_begins_the_count_anew(talk: Talk, episode: Episode) -> None:
    (episode.workspace / "log.txt").write_text("error: this is what the file says")
    lines = [
        make_call_line(WRONG),
        make_call_line(WRONG, RIGHT),
        make_call_line(WRONG),
        make_call_line(("read_file", {"path": "log.txt"})),
        make_call_line(WRONG),
    ]
    outcome, _ = talk(*lines, make_text_line("found"), failed_rounds="2")
    assert (outcome.stop, outcome.answer) == ("done", "found")


@pytest.mark.parametrize(("given", "turns"), [({}, 3), ({"failed_rounds": "1"}, 1), ({"failed_rounds": "0"}, 6)])
def test_the_task_says_how_many_failed_rounds_end_a_run_unless_the_settings_do(
    tmp_path: Path, given: dict[str, str], turns: int
) -> None:
    lost = make_call_line(("read_lore_document", {"doc_id": "v1%guessed"}))
    with (
        open_episode("lore/documents@ops=2") as episode,
        scripted_model(lost) as model,
        Transcript(tmp_path / "transcript.jsonl") as transcript,
    ):
        agent = make_agent("openai:m", {"base_url": model.url, "max_turns": "6", **given})
        outcome = agent.run(episode, transcript, 60)
    assert outcome.usage.turns == turns
    assert outcome.stop == ("failed_rounds" if turns < 6 else "max_turns")


@pytest.mark.parametrize(("given", "turns"), [*select_drills(({}, 102)), ({"max_turns": "4"}, 4)])
def test_the_task_says_how_many_turns_it_takes_unless_the_settings_do(
    episode: Episode, tmp_path: Path, given: dict[str, str], turns: int
) -> None:
    episode.task = replace(episode.task, max_turns=102)
    with scripted_model(make_call_line((READ, {}))) as model, Transcript(tmp_path / "transcript.jsonl") as transcript:
        outcome = make_agent("openai:m", {"base_url": model.url, **given}).run(episode, transcript, 60)
    assert (outcome.stop, outcome.usage.turns) == ("max_turns", turns)


def test_a_task_allows_more_turns_the_more_operations_it_has() -> None:
    few, many = (load_task(f"lore/documents@ops={ops}") for ops in (5, 105))
    assert 100 < few.max_turns < many.max_turns
    # Bottom-up an operation takes 4.3 documents on average, and who reads one in a turn must come to the end.
    assert (many.max_turns - few.max_turns) / 100 > 2 * 4.3
    assert load_task("quickstart/sort_inbox").max_turns == 100
    assert {load_task(f"lore_published/{name}").max_turns for name in ("documents", "multimodal", "code")} == {0}


def test_a_task_that_says_nothing_goes_on_after_any_number_of_failures(talk: Talk) -> None:
    outcome, _ = talk(*[make_call_line(WRONG)] * 5, make_text_line("found"))
    assert (outcome.stop, outcome.answer) == ("done", "found")


def test_the_time_limit_ends_a_run_that_waits_for_the_service(talk: Talk) -> None:
    busy = Line(b"{}", 429, {"Retry-After": "30"})
    outcome, _ = talk(busy, time_limit_s=0.5)
    assert outcome.stop == "time_limit"


def test_usage_and_cost_are_summed(talk: Talk) -> None:
    details: dict[str, Any] = {"prompt_tokens_details": {"cached_tokens": 7}}
    outcome, _ = talk(make_call_line(("list_folder", {"path": "."}), **details), make_text_line("x"), price="2,10")
    usage = outcome.usage
    assert (usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens) == (200, 20, 7)
    assert usage.cost_usd == pytest.approx((200 * 2 + 20 * 10) / 1e6)
    outcome, _ = talk(make_text_line("x", cost=0.25))
    assert outcome.usage.cost_usd == 0.25


@pytest.mark.parametrize(
    ("counts", "cached"),
    [
        ({"prompt_tokens_details": {"cached_tokens": 60}}, 60),
        ({"prompt_cache_hit_tokens": 60}, 60),
        ({"cached_tokens": 60}, 60),
        ({"prompt_tokens_details": {"cached_tokens": 1_000}}, 100),
        ({"prompt_tokens_details": {"cached_tokens": "many"}}, 0),
    ],
)
def test_cached_tokens_have_a_price_of_their_own(talk: Talk, counts: dict[str, Any], cached: int) -> None:
    usage = talk(make_text_line("x", **counts), price="2,10,0.5")[0].usage
    assert usage.cached_tokens == cached
    assert usage.cost_usd == pytest.approx(((100 - cached) * 2 + cached * 0.5 + 10 * 10) / 1e6)


def test_efforts_free_fields_and_parallel_calls_are_asked_of_the_service(talk: Talk) -> None:
    given = {"reasoning_effort": "high", "extra_body": '{"top_k": 5, "chat_template_kwargs": {"thinking": true}}'}
    _, model = talk(make_text_line("x"), **given, parallel_tool_calls="true")
    asked = model.requests[0]
    assert (asked["reasoning_effort"], asked["top_k"], asked["parallel_tool_calls"]) == ("high", 5, True)
    assert asked["chat_template_kwargs"] == {"thinking": True}
    _, default_request = talk(make_text_line("x"))
    assert default_request.requests[0].keys() == {"model", "messages", "tools"}


def test_of_calls_that_may_not_be_parallel_the_first_is_carried_out(talk: Talk, episode: Episode) -> None:
    write = [("write_file", {"path": f"{name}.txt", "content": name}) for name in ("a", "b")]
    outcome, model = talk(
        make_call_line(*write, ("claim_done", {"answer": "hasty"})), make_text_line("so"), parallel_tool_calls="no"
    )
    assert outcome.answer == "so"
    assert [(episode.world.files / name).exists() for name in ("a.txt", "b.txt")] == [True, False]
    assert [text[:23] for text in list_observations(model)[1:]] == ["error: not carried out:"] * 2


def test_a_model_without_tool_calling_works_by_text(talk: Talk, episode: Episode, tmp_path: Path) -> None:
    outcome, model = talk(
        make_text_line(
            '<think>Action: none</think>Thought: write\nAction: write_file\nAction Input: {"path": "a", "content": "b"}'
        ),
        make_text_line("Action: read_file\nAction Input: {'path': 'missing'}\nObservation: I made this up"),
        make_text_line("Thought: it is written\nFinal Answer: written"),
        protocol="react",
    )
    assert (outcome.answer, outcome.stop, outcome.usage.turns) == ("written", "done", 3)
    assert [call.tool for call in episode.ledger.calls] == ["write_file", "read_file"]
    asked = model.requests[0]
    assert asked["stop"] == ["\nObservation:"]
    assert "tools" not in asked
    assert "\nread_file: " in asked["messages"][0]["content"]
    assert READ in asked["messages"][0]["content"]
    user_texts = [message["content"] for message in model.requests[-1]["messages"][2:]]
    assert [message["role"] for message in model.requests[-1]["messages"]] == [
        "system",
        "user",
        *["assistant", "user"] * 2,
    ]
    assert user_texts[1].startswith("Observation: ")
    assert user_texts[3].startswith("Observation: error: ")
    assert "made this up" not in json.dumps(user_texts)
    lines = [json.loads(line) for line in (tmp_path / "transcript.jsonl").read_text("utf-8").splitlines()]
    assert [call["name"] for line in lines for call in line.get("tool_calls", ())] == ["write_file", "read_file"]


def test_text_that_is_no_step_is_asked_for_again_and_then_taken_as_the_answer(talk: Talk) -> None:
    outcome, model = talk(make_text_line("Hm."), make_text_line("Well."), make_text_line("It is 42."), protocol="react")
    assert (outcome.answer, len(model.requests)) == ("It is 42.", 3)
    assert "neither an action nor a final answer" in model.requests[-1]["messages"][-1]["content"]
    assert talk(make_text_line("Hm."), protocol="react", failed_rounds="2")[0].stop == "failed_rounds"


def test_pictures_follow_an_observation(talk: Talk, episode: Episode) -> None:
    import PIL.Image

    PIL.Image.new("RGB", (30, 20), "red").save(episode.workspace / "red.png")
    look = make_text_line('Action: read_media\nAction Input: {"path": "red.png"}')
    _, model = talk(look, make_text_line("Final Answer: red"), protocol="react")
    [text, name, picture] = model.requests[-1]["messages"][-1]["content"]
    assert text["text"].startswith("Observation: ")
    assert "read_media" in name["text"]
    assert picture["image_url"]["url"].startswith("data:image/png;base64,")


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_service_is_asked_again(talk: Talk, status: int) -> None:
    outcome, model = talk(Line(b"wait", status), Line(b"wait", status, {"Retry-After": "0"}), make_text_line("at last"))
    assert (outcome.answer, outcome.stop, len(model.requests)) == ("at last", "done", 3)


@pytest.mark.parametrize(
    "garbage",
    [
        Line(b""),
        Line(b"<html>login</html>"),
        Line(b"null"),
        Line(b"{}"),
        Line(b'{"choices": []}'),
        Line(b'{"choices": [{"message": "hello"}]}'),
        Line(b'{"choices": [{"message": {"content": 5}}]}'),
        Line(b'{"choices": [{"message": {"content": null, "tool_calls": {"a": 1}}}]}'),
        Line(b'{"choices": [{"message": {"tool_calls": ["x"]}}]}'),
        Line(b'{"choices": [{"message": {"tool_calls": [{"function": {}}]}}]}'),
        Line(b"\xff\xfe\x00"),
        Line(b"[" * 200_000),
        Line(b"no", 500),
        Line(b"no key", 401),
        Line(b"", 302, {"Location": "/elsewhere"}),
    ],
)
def test_a_service_that_answers_garbage_makes_the_run_invalid(talk: Talk, garbage: Line) -> None:
    outcome, _ = talk(garbage)
    assert outcome.stop == "service_invalid"
    assert outcome.detail


def test_a_full_context_is_the_agents_own_limit(talk: Talk) -> None:
    outcome, _ = talk(Line(b'{"error": {"code": "context_length_exceeded"}}', 400))
    assert outcome.stop == "token_limit"


def test_a_service_that_is_not_there_makes_the_run_invalid(talk: Talk) -> None:
    outcome, _ = talk(make_text_line("never heard"), base_url="http://127.0.0.1:9/v1")
    assert outcome.stop == "service_invalid"


def test_the_transcript_holds_every_turn(talk: Talk, tmp_path: Path) -> None:
    talk(make_call_line(("list_folder", {"path": "."})), make_text_line("fine"))
    lines = [json.loads(line) for line in (tmp_path / "transcript.jsonl").read_text("utf-8").splitlines()]
    assert [line["role"] for line in lines] == ["system", "user", "assistant", "tool", "assistant", "event"]
    assert lines[2]["tool_calls"][0]["name"] == "list_folder"
    assert "sesame" not in (tmp_path / "transcript.jsonl").read_text("utf-8")


@pytest.mark.parametrize(
    ("spec", "settings", "message"),
    [
        ("openai:", {}, "needs a model"),
        ("openai:m", {"base_url": "localhost:80"}, "OPENAI_BASE_URL"),
        ("openai:m", {"base_url": "http://x", "max_turns": "-1"}, "max_turns"),
        ("openai:m", {"base_url": "http://x", "failed_rounds": "-1"}, "failed_rounds"),
        ("openai:m", {"base_url": "http://x", "temprature": "0"}, "Did you mean 'temperature'"),
        ("openai:m", {"base_url": "http://x", "price": "1"}, "write IN,OUT or IN,OUT,CACHED"),
        ("openai:m", {"base_url": "http://x", "price": "1,-2"}, "price"),
        ("openai:m", {"base_url": "http://x", "extra_body": "[1]"}, "one JSON object"),
        ("openai:m", {"base_url": "http://x", "extra_body": '{"messages": []}'}, "the agent fills it in"),
        ("openai:m", {"base_url": "http://x", "extra_body": '{"temperature": 1}'}, "use the setting 'temperature'"),
        ("openai:m", {"base_url": "http://x", "protocol": "xml"}, "protocol"),
        ("openai:m", {"base_url": "http://x", "protocol": "react", "parallel_tool_calls": "no"}, "one call"),
        ("nop", {"x": "1"}, "no setting"),
        ("wizard", {}, "there is no agent 'wizard'"),
        ("command:", {}, "empty"),
        ("command:'", {}, "quotes"),
        ("command:no-such-program-x", {}, "not found"),
    ],
)
def test_a_wrong_agent_is_refused_before_anything_starts(spec: str, settings: dict[str, str], message: str) -> None:
    with pytest.raises(Problem, match=message):
        make_agent(spec, settings)
