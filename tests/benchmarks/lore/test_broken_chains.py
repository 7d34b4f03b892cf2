"""How chains break: agents that halt, that lose leads, that get a value wrong, on real episodes."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from yardkit import open_episode
from yardkit.benchmarks.lore.broken_chains import Break, break_of
from yardkit.benchmarks.lore.solving.solver import Perfect, Value, climb_to_answer, page_of
from yardkit.evaluators.proof import ToolFailed
from yardkit.sandbox.agents import Stop
from yardkit.sandbox.episodes.episode import Episode

NAME = "lore/documents@ops=6,width=4,consolidation=1"
Skips = Callable[[str], bool]


class Reader:
    """Works on an episode, all but the documents that it skips."""

    def __init__(self, episode: Episode, skips: Skips = lambda _: False) -> None:
        self._episode, self._skips = episode, skips

    def __call__(self, name: str) -> Any:
        if self._skips(name):
            raise ToolFailed("skipped")
        reply = self._episode.call("read_lore_document", doc_id=name)
        if reply.is_error:
            raise ToolFailed(reply.text)
        return page_of(reply.text.partition("\n")[2])


def find_break(episode: Episode, stop: Stop = "done") -> Break:
    chain_break = break_of(episode.seeded.facts, episode.ledger.calls, stop)
    assert chain_break is not None
    return chain_break


def test_who_reads_nothing_has_halted_before_all_that_the_prompt_tells() -> None:
    with open_episode(NAME, 1) as episode:
        lead_count = len(episode.seeded.facts["leads"]["told"])
        assert find_break(episode) == Break("halted", lead_count, 0, 0, 0)


def test_who_reads_all_that_is_told_and_solves_nothing_has_halted_before_a_rule() -> None:
    with open_episode("lore/documents@ops=6,width=0", 1) as episode:
        for name in episode.seeded.facts["leads"]["told"]:
            episode.call("read_lore_document", doc_id=name)
        chain_break = find_break(episode)
        assert (chain_break.kind, chain_break.unread_leads, chain_break.wrong_results) == ("halted", 0, 0)
        assert chain_break.left_rules > 0
        assert find_break(episode, "max_turns") == replace(chain_break, kind="stopped")


def test_who_never_comes_back_to_what_the_prompt_told_has_lost_a_lead() -> None:
    with open_episode("lore/documents@ops=6,width=0", 1) as episode:
        leads = episode.seeded.facts["leads"]
        missed = next(name for rule in reversed(leads["rules"]) for name in rule if name in leads["told"])
        climb_to_answer(episode.prompt, Reader(episode, lambda name: name == missed), Perfect())
        chain_break = find_break(episode)
        assert (chain_break.kind, chain_break.unread_leads, chain_break.lost_leads) == ("lost leads", 1, 1)
        assert chain_break.left_rules == chain_break.wrong_results == 0


def test_who_stops_in_the_middle_of_the_newest_documents_has_halted_and_lost_nothing() -> None:
    with open_episode("lore/documents@ops=6,mode=top-down", 1) as episode:
        leads = episode.seeded.facts["leads"]
        [root] = leads["told"]
        episode.call("read_lore_document", doc_id=root)
        assert find_break(episode) == Break("halted", len(leads["named"][root]), 0, 0, 0)
        inner = next(name for name in leads["named"][root] if name in leads["named"])
        episode.call("read_lore_document", doc_id=inner)
        assert find_break(episode).lost_leads == 0
        episode.call("read_lore_document", doc_id=leads["named"][inner][0])
        chain_break = find_break(episode)
        assert (chain_break.kind, chain_break.lost_leads) == ("lost leads", len(leads["named"][root]) - 1)


class Slip(Perfect):
    def __init__(self) -> None:
        self.left = 3

    def worked_out(self, value: Value) -> Value:
        self.left -= 1
        return f"{value}1" if self.left == 0 else value


def test_who_works_a_rule_out_wrongly_and_does_all_else_has_a_wrong_value() -> None:
    with open_episode(NAME, 1) as episode:
        climb_to_answer(episode.prompt, Reader(episode), Slip())
        assert find_break(episode) == Break("wrong value", 0, 0, 0, 1)


@pytest.mark.parametrize("name", [NAME, "lore/code@variant=hard", "lore_published/documents", "lore_published/code"])
def test_who_reads_everything_and_answers_otherwise_has_a_wrong_value(name: str) -> None:
    with open_episode(name, 1) as episode:
        for document in episode.seeded.facts["documents"]:
            assert not episode.call("read_lore_document", doc_id=document).is_error
        assert find_break(episode) == Break("wrong value", 0, 0, 0, 0)


def test_another_view_of_a_picture_is_its_document() -> None:
    with open_episode("lore_published/multimodal", 1) as episode:
        for document in episode.seeded.facts["documents"]:
            if episode.call("rotate_image", doc_id=document, angle=90).is_error:
                episode.call("read_lore_document", doc_id=document)
        assert find_break(episode) == Break("wrong value", 0, 0, 0, 0)


def test_tasks_that_are_no_chains_of_documents_have_none() -> None:
    assert break_of({"answer": "4"}, (), "done") is None
