"""Solutions and near misses of office/feedback_form."""

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent, Solved, caught_by_leaf

TABLE = "feedback_2025.csv"


def solve(agent: Agent) -> str:
    """Change, add and close as the memo says; count the last response of each guest."""
    memo = _read_memo(agent)
    target, old = _find_form(agent, memo["target"]), _find_form(agent, memo["old"])
    places = {question["text"]: question for question in agent.call("read_form", form_id=target)["questions"]}
    room, before = places[memo["room"]]["id"], places[memo["before"]]["position"]
    agent.call("change_question", question_id=room, text=memo["reworded"], choices=memo["choices"])
    asked = {"text": memo["first"], "choices": memo["first_choices"], "required": True}
    agent.call("add_question", form_id=target, **asked, position=before)
    agent.call("add_question", form_id=target, text=memo["last"])
    agent.call("close_form", form_id=old)
    counts = _count_answers(agent, old, memo)
    agent.call("write_file", path=TABLE, content=_build_csv(counts))
    return _compute_share(memo, counts)


def alternative_in_another_order(agent: Agent, files: Path) -> str:
    """Counts first, with semicolons; a question is added at the end and moved, its choices come later."""
    memo = _read_memo(agent)
    target, old = _find_form(agent, memo["target"]), _find_form(agent, memo["old"])
    counts = _count_answers(agent, old, memo)
    (files / TABLE).write_bytes(_build_csv(counts).replace(",", ";").replace("\n", "\r\n").encode("utf-8-sig"))
    agent.call("add_question", form_id=target, text=memo["last"], kind="text")
    added = agent.call("add_question", form_id=target, text=memo["first"], kind="choice", choices=["a", "b"])
    agent.call("change_question", question_id=added["id"], choices=memo["first_choices"], required=True, position=4)
    room = agent.call("read_form", form_id=target)["questions"][2]["id"]
    agent.call("change_question", question_id=room, text=f" {memo['reworded']} ", choices=memo["choices"])
    agent.call("close_form", form_id=old)
    return f"All is done.\n\n**{_compute_share(memo, counts)} %**"


def alternative_after_mistakes_that_were_undone(agent: Agent, _files: Path) -> str:
    """The wrong form was closed and opened again, and a question was added and deleted."""
    target = _find_form(agent, _read_memo(agent)["target"])
    agent.call("close_form", form_id=target)
    agent.call("close_form", form_id=target, reopen=True)
    wrong = agent.call("add_question", form_id=target, text="Were there enough?", position=1)
    agent.call("delete_question", question_id=wrong["id"])
    return solve(agent)


near_miss_draft_extended_instead = misses.change_records(
    "forms",
    "UPDATE questions SET form_id = (SELECT id FROM forms WHERE title LIKE '%(draft)') "
    "WHERE form_id = :target AND position = 4",
    caught_by="added",
)
near_miss_new_question_after_the_named_one = misses.change_records(
    "forms",
    "UPDATE questions SET position = 9 - position WHERE form_id = :target AND position IN (4, 5)",
    caught_by="order",
)
near_miss_online_questionnaire_closed_instead = misses.change_records(
    "forms",
    "UPDATE forms SET closed = NULL WHERE id = :old",
    "UPDATE forms SET closed = :now WHERE title LIKE '%(online)'",
    caught_by=("closed", "records"),
)
near_miss_question_replaced_so_that_its_answers_belong_to_none = misses.change_records(
    "forms", "UPDATE questions SET id = 900 WHERE id = :room", caught_by=("reworded", "added", "records")
)


@caught_by_leaf("counted")
def near_miss_tests_counted(work: Solved) -> None:
    _recount_answers(work, "with_tests")


@caught_by_leaf("counted")
def near_miss_people_counted_twice(work: Solved) -> None:
    _recount_answers(work, "twice")


@caught_by_leaf("share")
def near_miss_share_of_the_best_choice_alone(work: Solved) -> None:
    counts = [people for _, people in work.facts["counts"]["right"]]
    work.answer = f"{100 * counts[0] / sum(counts):.1f}"


def _read_memo(agent: Agent) -> dict[str, Any]:
    """What the memo names, in the order in which it does."""
    text = " ".join(agent.call("read_file", path="memo.md")["content"].split())
    head, change, first, rest = (re.findall('"([^"]+)"', part) for part in re.split(r" \d\. ", text))
    names = {"target": head[0], "room": change[0], "reworded": change[1], "choices": change[2:]}
    names |= {"before": first[0], "first": first[1], "first_choices": first[2:], "last": rest[0]}
    names |= {"old": rest[1], "asked": rest[3], "best": rest[4:], "own": re.findall(r"\((@\S+)\)", text)[0]}
    return names


def _find_form(agent: Agent, title: str) -> int:
    matching_forms = agent.call("list_forms", query=title)["forms"]
    return int(next(form["id"] for form in matching_forms if form["title"] == title))


def _count_answers(agent: Agent, form: int, memo: Mapping[str, Any]) -> Mapping[str, int]:
    asked = next(
        question for question in agent.call("read_form", form_id=form)["questions"] if question["text"] == memo["asked"]
    )
    responses = agent.call("list_responses", form_id=form, limit=200)["responses"]
    last = {response["respondent"]: response["answers"] for response in responses}
    chosen = Counter(answers[str(asked["id"])] for who, answers in last.items() if not who.endswith(memo["own"]))
    return {choice: chosen[choice] for choice in asked["choices"]}


def _build_csv(counts: Mapping[str, int]) -> str:
    return "".join(f"{answer},{people}\n" for answer, people in {"answer": "people", **counts}.items())


def _compute_share(memo: Mapping[str, Any], counts: Mapping[str, int]) -> str:
    return f"{100 * sum(counts[choice] for choice in memo['best']) / sum(counts.values()):.1f}"


def _recount_answers(work: Solved, reading: str) -> None:
    (work.files / TABLE).write_text(_build_csv(dict(work.facts["counts"][reading])), "utf-8")
