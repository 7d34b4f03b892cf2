"""The suite `lore` through episodes: agents that do not do the work."""

import asyncio
import re

import pytest

from yardkit import open_episode
from yardkit.benchmarks.lore.checkpoints import is_same_value, read_stated_value
from yardkit.benchmarks.lore.solving.solver import starts_of


def pair_answers(right: str, *answers: str) -> list[tuple[str, str]]:
    return [(answer, right) for answer in answers]


HIDDEN = ["lore/documents", "lore/documents@mode=top-down", "lore/multimodal", "lore/code"]


@pytest.mark.parametrize("name", HIDDEN)
def test_who_answers_at_once_without_reading_gets_nothing(name: str) -> None:
    with open_episode(name, seed=1) as episode:
        grade = episode.grade(answer="12")
    assert (grade.reward, grade.passed, grade.valid) == (0, False, True)


@pytest.mark.parametrize("name", HIDDEN)
def test_who_reads_without_working_anything_out_gets_nothing(name: str) -> None:
    """All that the prompt and the documents name."""
    with open_episode(name, seed=1) as episode:
        todo, read = ["main.py", *starts_of(episode.prompt)], set[str]()
        while todo:
            reply = episode.call("read_lore_document", doc_id=todo.pop())
            names = re.findall(r"'(v\d+%\w+)'", reply.text)
            names += [f"{module}.py" for module in re.findall(r"^import (v\w+)", reply.text, re.MULTILINE)]
            todo += [path for path in names if not path.endswith("%X") and path not in read]
            read.update(names)
        grade = episode.grade(answer="I have read them all")
    assert (grade.reward, grade.passed, grade.valid) == (0, False, True)


def test_who_solves_half_of_the_operations_gets_half_of_the_chain() -> None:
    with open_episode("lore/documents", seed=1) as episode:
        for name in episode.seeded.facts["solved"][:5]:
            episode.call("read_lore_document", doc_id=name)
        grade = episode.grade(answer="I am lost")
    assert grade.verdict is not None
    assert next(part.score for part in grade.verdict.parts if part.id == "chain") == 0.5
    assert 0.1 < grade.reward < 0.3


def test_a_picture_that_was_seen_in_another_view_counts_as_read() -> None:
    with open_episode("lore/multimodal", seed=1) as episode:
        facts = episode.seeded.facts
        for name in facts["documents"]:
            if episode.call("rotate_image", doc_id=name, angle=0).is_error:
                episode.call("read_lore_document", doc_id=name)
        assert episode.grade(answer=facts["answer"]).passed


def test_who_floods_the_server_with_ids_fails_and_the_grade_comes_all_the_same() -> None:
    with open_episode("lore/documents@ops=2", seed=1) as episode:
        for number in range(300):
            assert episode.call("read_lore_document", doc_id=f"v1%{number}").is_error
        for name in episode.seeded.facts["documents"]:
            episode.call("read_lore_document", doc_id=name)
        grade = episode.grade(answer=episode.seeded.facts["answer"])
    assert (grade.reward, grade.passed, grade.valid) == (0, False, True)


def test_as_published_ids_may_be_tried() -> None:
    with open_episode("lore_published/documents@ops=2", seed=1) as episode:
        for number in range(30):
            assert episode.call("read_lore_document", doc_id=f"v1%{number}").is_error
        for name in episode.seeded.facts["documents"]:
            episode.call("read_lore_document", doc_id=name)
        grade = episode.grade(answer=episode.seeded.facts["answer"])
    assert (grade.reward, grade.passed) == (1, True)


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        *(
            (name, "kLVxy")
            for name in ("kLVxy", "v0 = kLVxy", "Easy.\n\n**kLVxy**", "v0: kLVxy.", "`kLVxy`", '"kLVxy"')
        ),
        *(
            (name, "kLVxy")
            for name in ("**v0** = kLVxy", "`v0` is `kLVxy`", "V0 = kLVxy", "The value of v0 is **kLVxy**.")
        ),
        *(
            (name, "kLVxy")
            for name in ("Answer: kLVxy", "Final answer: v0 = kLVxy", "```\nkLVxy\n```", "\u201ckLVxy\u201d")
        ),
        *(
            (name, "-5")
            for name in ("-5", "\u22125", "\u20135", "- 5", "v0 = -5.", "$-5$", "\\boxed{-5}", "-5.0", "-05")
        ),
        *pair_answers("1234", "1,234", "+1234", "The result is 1234", "**Answer:** 1234", "01234"),
    ],
)
def test_the_same_value_said_in_other_ways_is_right(answer: str, right: str) -> None:
    assert is_same_value(read_stated_value(answer, "v0"), right)


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        *(
            (name, "kLVxy")
            for name in ("kLVxyx", "xkLVxy", "klvxy", "kLVxy or kLVxz", "kLVxy\nI am not sure.", "v1 = kLVxy")
        ),
        *pair_answers("kLVxy", "not kLVxy", "k L V x y", "v0", "v0 =", "is"),
        *(
            (name, "17")
            for name in ("-17", "17 18", "17 or 18", "1 7", "17.5", "117", "17%", "17e1", "seventeen", "17, 18")
        ),
    ],
)
def test_what_is_not_exactly_the_value_is_wrong(answer: str, right: str) -> None:
    assert not is_same_value(read_stated_value(answer, "v0"), right)


@pytest.mark.parametrize("answer", ["main() returns -5", "`main()` = -5", "main() returns **-5**.", "-5"])
def test_what_a_program_returns_is_read_as_people_write_it(answer: str) -> None:
    assert is_same_value(read_stated_value(answer, "main()"), "-5")


def test_the_documents_lie_where_no_other_tool_finds_them() -> None:
    with open_episode("lore/documents", seed=1) as episode:
        assert list(episode.world.files.iterdir()) == []
        tools = {tool["name"] for tool in asyncio.run(episode.tools())}
    assert tools == {"read_lore_document", "rotate_image", "flip_image", "stretch_image"}
