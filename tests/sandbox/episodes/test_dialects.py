"""Episodes whose tools have the words of another suite."""

import asyncio
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from yardkit.sandbox.episodes.distractors import list_distractors, with_distractors
from yardkit.sandbox.episodes.episode import Episode, open_new
from yardkit.sandbox.proofs.proof_parts import digest_sources
from yardkit.sandbox.serving.registry import list_dialects
from yardkit.sandbox.tasks.suites import find_tasks, list_suites
from yardkit.sandbox.tasks.task import load_task

TASK = replace(load_task("quickstart/csv_to_workbook"), servers=("calculator", "sheets"), dialect="gta")


def _list_offered(episode: Episode) -> set[str]:
    return {str(tool["name"]) for tool in asyncio.run(episode.tools())}


def test_a_task_in_a_dialect_offers_its_tools_in_those_words_and_the_ledger_keeps_them(tmp_path: Path) -> None:
    with closing(open_new(TASK, 0, tmp_path)) as episode:
        assert _list_offered(episode) == {"Calculator", "CsvFileGenerator", "ReadCSV", "ReadXLSX", "XlsxFileGenerator"}
        assert episode.call("Calculator", expression="6*7").text.strip() == "42"
        assert episode.call("calculate", expression="6*7").is_error
        calls = [(call.server, call.tool) for call in episode.ledger.calls]
        assert calls == [("calculator", "Calculator"), ("", "calculate")]


def test_a_task_may_offer_some_tools_of_its_servers_only(tmp_path: Path) -> None:
    with closing(open_new(replace(TASK, tools=("Calculator", "ReadCSV")), 0, tmp_path)) as episode:
        assert _list_offered(episode) == {"Calculator", "ReadCSV"}
        assert "Unknown tool" in episode.call("ReadXLSX", file="a.xlsx").text


def test_servers_that_distract_speak_the_dialect_and_offer_all_of_their_tools(tmp_path: Path) -> None:
    assert all("gta" in list_dialects(server) for server in list_distractors(TASK))
    task = with_distractors(replace(TASK, tools=("Calculator",)), 0, 1)
    with closing(open_new(task, 0, tmp_path)) as episode:
        offered = _list_offered(episode)
    assert "Calculator" in offered
    assert "ReadCSV" not in offered
    assert len(offered) > 1


def test_a_proof_rests_on_the_dialect_of_the_tools_that_it_calls() -> None:
    rests = digest_sources(TASK, "solve", ("calculator.Calculator",), ())
    assert "yardkit.compat.gta.calculator" in rests
    assert "yardkit.compat.gta.sheets" not in rests


def test_every_task_names_tools_that_its_servers_have(tmp_path: Path) -> None:
    naming = [task for task in find_tasks(list(list_suites())) if task.tools]
    with closing(open_new(naming[0], 0, tmp_path)) as episode:
        for task in naming:
            episode.task = task  # which tools are offered is a matter of the task, not of its world
            assert _list_offered(episode) == set(task.tools)
