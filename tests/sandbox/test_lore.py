"""The suite `lore` through episodes: proofs, and agents that do not do the work."""

import asyncio

import pytest

from toolyard import open_episode
from toolyard.sandbox.proving import prove
from toolyard.sandbox.tasks import load_task, suites

INSTANCES = [
    *suites()["lore"],
    "lore/documents@mode=top-down",
    "lore/multimodal@variant=hard",
    "lore/multimodal@mode=top-down,variant=hard",
    "lore/code@variant=hard",
]
HIDDEN = ["lore/documents", "lore/documents@mode=top-down", "lore/multimodal", "lore/code"]


@pytest.mark.heavy
@pytest.mark.parametrize("task", INSTANCES)
def test_an_instance_of_every_domain_mode_and_variant_is_proved(task: str) -> None:
    """The cards hold five seeds; this catches a change in a server, a seed or a check since then."""
    proof = prove(load_task(task), [0])
    assert proof.failures == []
    assert proof.seeds[0].mutants >= 4
    assert len(proof.seeds[0].misses) >= 4


@pytest.mark.parametrize("name", HIDDEN)
def test_who_answers_at_once_without_reading_gets_nothing(name: str) -> None:
    with open_episode(name, seed=1) as episode:
        grade = episode.grade(answer="12")
    assert (grade.reward, grade.passed, grade.valid) == (0, False, True)


@pytest.mark.parametrize("name", HIDDEN)
def test_who_only_reads_what_the_prompt_names_gets_little(name: str) -> None:
    with open_episode(name, seed=1) as episode:
        for word in episode.prompt.replace(",", " ").split():
            if "%" in word or word.endswith(".py"):
                episode.call("read_lore_document", doc_id=word.rstrip("."))
        grade = episode.grade(answer="I have read them all")
    assert grade.passed is False
    assert grade.reward < 0.5


def test_who_floods_the_server_with_ids_fails_and_the_grade_comes_all_the_same() -> None:
    with open_episode("lore/documents@ops=2", seed=1) as episode:
        for number in range(300):
            assert episode.call("read_lore_document", doc_id=f"v1%{number}").is_error
        for name in episode.seeded.facts["documents"]:
            episode.call("read_lore_document", doc_id=name)
        grade = episode.grade(answer=episode.seeded.facts["answer"])
    assert (grade.reward, grade.passed, grade.valid) == (0, False, True)


@pytest.mark.parametrize("answer", ["{0}", "v0 = {0}", "The rest was easy.\n\n**{0}**", "v0: {0}.", "`{0}`", '"{0}"'])
def test_the_same_answer_said_in_other_ways_is_right(answer: str) -> None:
    with open_episode("lore/documents@ops=1", seed=2) as episode:
        for name in episode.seeded.facts["documents"]:
            episode.call("read_lore_document", doc_id=name)
        assert episode.grade(answer=answer.format(episode.seeded.facts["answer"])).passed


@pytest.mark.parametrize("answer", ["{0}x", "x{0}", "{1}", "{0} or {1}", "{0}\nI am not sure.", "", "v1 = {0}"])
def test_an_answer_that_is_not_exactly_the_value_is_wrong(answer: str) -> None:
    with open_episode("lore/documents@ops=1", seed=2) as episode:
        right = episode.seeded.facts["answer"]
        assert episode.grade(answer=answer.format(right, right.swapcase())).passed is False


def test_the_documents_lie_where_no_other_tool_finds_them() -> None:
    with open_episode("lore/documents", seed=1) as episode:
        assert list(episode.world.files.iterdir()) == []
        tools = {tool["name"] for tool in asyncio.run(episode.tools())}
    assert tools == {"read_lore_document", "rotate_image", "flip_image", "stretch_image"}
