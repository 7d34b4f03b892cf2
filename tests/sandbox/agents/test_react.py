"""The text protocol, as models write it."""

import json
from typing import Any

import pytest

from yardkit.sandbox.agents.react import read_step

FIRST_THOUGHT = "Thought: I look first.\n"


@pytest.mark.parametrize(
    "written",
    [
        'Action: read_file\nAction Input: {"path": "a.txt"}',
        'action: read_file\naction input: {"path": "a.txt"}',
        '**Action:** `read_file`\n**Action Input:** {"path": "a.txt"}',
        '- Action: read_file.\n- Action_Input: {"path": "a.txt"}',
        'Action:\nread_file\nAction Input:\n```json\n{\n  "path": "a.txt"\n}\n```',
        "Action: read_file\nAction Input: {'path': 'a.txt'}",
        'Action: read_file({"path": "a.txt"})',
        'Action: {"name": "read_file", "arguments": {"path": "a.txt"}}',
        'Action:\n```\n{"action": "read_file", "action_input": {"path": "a.txt"}}\n```',
        'Action: read_file\nAction Input: {"path": "a.txt"}\nObservation: made up\nFinal Answer: made up as well',
        'Action: read_file\nAction Input: {"path": "a.txt"}\nAction: delete_file\nAction Input: {"path": "a.txt"}',
    ],
)
def test_an_action_is_read_however_it_is_written(written: str) -> None:
    step = read_step(FIRST_THOUGHT + written)
    assert step is not None
    assert (step.tool, json.loads(step.given)) == ("read_file", {"path": "a.txt"})
    assert step.text.startswith(FIRST_THOUGHT)
    assert "made up" not in step.text
    assert "delete_file" not in step.text


def test_labels_inside_an_input_are_its_text() -> None:
    content = "Action: x\nObservation: y\nFinal Answer: z"
    written = f"Action: write_file\nAction Input: {json.dumps({'content': content})}"
    for text in (written, written.replace("\\n", "\n")):
        step = read_step(text)
        assert step is not None
        assert json.loads(step.given) == {"content": content}


@pytest.mark.parametrize("written", ["", "None", "{}", "\nObservation: none"])
def test_a_tool_without_arguments_needs_no_input(written: str) -> None:
    for text in (f"Action: list_forms\nAction Input: {written}", "Action: list_forms"):
        step = read_step(text)
        assert step is not None
        assert (step.tool, step.given) == ("list_forms", "{}")


@pytest.mark.parametrize(
    ("written", "given"),
    [
        ("a.txt", "a.txt"),
        ('{"path": "a.txt"', '{"path": "a.txt"'),
        ("{'path': open('x')}", "{'path': open('x')}"),
        ("{" * 50_000, "{" * 50_000),
        ("{'a': " * 3_000 + "}", "{'a': " * 3_000 + "}"),
        ("{'a': {1, 2}}", "{'a': {1, 2}}"),
    ],
)
def test_an_input_that_cannot_be_read_is_given_as_it_is(written: str, given: str) -> None:
    step = read_step(f"Action: read_file\nAction Input: {written}\nObservation: ?")
    assert step is not None
    assert (step.tool, step.given) == ("read_file", given)


@pytest.mark.parametrize(
    ("written", "answer"),
    [
        ("Final Answer: 42", "42"),
        ("**Final Answer:**\n42\nAction: none", "42\nAction: none"),
        ("FINAL_ANSWER: **42**", "**42**"),
        ("**Final Answer: 42**", "42"),
        ("Action: Final Answer\nAction Input: 42", "42"),
        ("Thought: Action is needed no more.\nfinal answer:", ""),
    ],
)
def test_a_final_answer_is_all_that_stands_behind_it(written: str, answer: str) -> None:
    step = read_step(FIRST_THOUGHT + written)
    assert step is not None
    assert (step.tool, step.given) == ("", answer)


@pytest.mark.parametrize("written", ["", "The total is 42.", "Thought: hm", "Action:", "Action: 12", "Action: {}"])
def test_what_says_neither_is_no_step(written: str) -> None:
    assert read_step(written) is None


def test_the_first_of_action_and_answer_counts() -> None:
    texts: list[Any] = ['Action: a\nAction Input: {"b": 1}', "Final Answer: c"]
    for first, second in (texts, texts[::-1]):
        step = read_step(f"{first}\n{second}")
        assert step is not None
        assert bool(step.tool) is (first == texts[0])
