"""A slip in task.toml or prompt.md is told by its task, with what to write instead."""

import re
from pathlib import Path

import pytest

from yardkit.sandbox.tasks.task_files import fill_prompt, read_prompt, read_task_file
from yardkit.world import Problem

GOOD = """title = "Books that are overdue"
servers = ["files"]
now = "2026-03-02T09:00:00+00:00"
"""


def read_refusal(folder: Path, text: str) -> str:
    (folder / "task.toml").write_text(text)
    with pytest.raises(Problem) as caught:
        read_task_file("mine/overdue", folder)
    assert "mine/overdue" in str(caught.value)
    return str(caught.value)


def test_a_task_as_it_should_be_is_read(tmp_path: Path) -> None:
    (tmp_path / "task.toml").write_text(GOOD + "time_limit_s = 90\n[free]\nanswer = 'not asked for'\n")
    facts = read_task_file("mine/overdue", tmp_path)
    assert (facts["servers"], facts["time_limit_s"], facts["free"]) == (["files"], 90, {"answer": "not asked for"})


@pytest.mark.parametrize("name", ["title", "servers", "now"])
def test_what_is_missing_is_named(tmp_path: Path, name: str) -> None:
    remaining_lines = [line for line in GOOD.splitlines() if not line.startswith(name)]
    assert f"has no {name}; state a" in read_refusal(tmp_path, "\n".join(remaining_lines))


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('colour = "red"', "holds 'colour', which is unknown; there are: title, "),
        ("time_limt_s = 3", "did you mean 'time_limit_s'?"),
        ('time_limit_s = "x"', "is 'x'; state a number"),
        ("max_turns = true", "is True; state a number"),
        ('tools = "read_file"', "is 'read_file'; state a list of texts"),
        ("withheld = [1]", "is [1]; state a list of texts"),
        ("free = 3", "is 3; state a table"),
        ("dialect = ?", "is not valid TOML: Invalid value (at line 4"),
    ],
)
def test_what_is_wrong_is_told_with_its_value(tmp_path: Path, line: str, says: str) -> None:
    assert says in read_refusal(tmp_path, GOOD + line)


@pytest.mark.parametrize("now", ["yesterday", "2026-03-02T09:00:00"])
def test_the_clock_of_a_task_is_a_moment_with_its_offset(tmp_path: Path, now: str) -> None:
    assert f"now of mine/overdue is '{now}'; state a moment" in read_refusal(
        tmp_path, GOOD.replace("2026-03-02T09:00:00+00:00", now)
    )


def test_a_task_without_a_prompt_says_so(tmp_path: Path) -> None:
    with pytest.raises(Problem, match=r"mine/overdue has no prompt\.md"):
        read_prompt("mine/overdue", tmp_path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It is {todai}.", "uses {todai}, which has no value; use one of today, who, or return"),
        ('Write {"a": 1}.', 'uses {"a"}, which has no value; use one of today, who, or return'),
        ("{", "has a brace that does not enclose a name; write a literal brace twice: '{{' or '}}'"),
        ("{0}", "has a brace that does not enclose a name"),
        ("{today.nothing}", "has a brace that does not enclose a name"),
    ],
)
def test_a_prompt_that_cannot_be_filled_in_says_which_names_there_are(text: str, words: str) -> None:
    with pytest.raises(Problem, match=re.escape(f"prompt.md of mine/overdue {words}")):
        fill_prompt("mine/overdue", text, {"today": "Monday", "who": "Ann"})


def test_doubled_braces_stand_for_themselves() -> None:
    assert fill_prompt("mine/overdue", 'On {today}: {{"a": 1}}', {"today": "Monday"}) == 'On Monday: {"a": 1}'
