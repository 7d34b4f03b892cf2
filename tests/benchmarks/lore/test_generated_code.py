"""Generated programs: how they look, how far they reach, that they are the same everywhere."""

import hashlib
import re
import time

import pytest
from support.lore import generate_task

from yardkit.benchmarks.lore.generation.task import LoreTask
from yardkit.sandbox.tasks.suites import find_task
from yardkit.world import Problem

VARIANTS = ("lore/code", "lore/code@variant=hard")


def _generate_program(name: str, seed: int) -> LoreTask:
    return generate_task(name, seed)[1]


def _list_sources(task: LoreTask) -> dict[str, str]:
    return {record["id"]: record["text"] for record in task.records}


def _digest_task(task: LoreTask) -> str:
    return hashlib.sha256(repr(task.as_dict()).encode()).hexdigest()[:16]


@pytest.mark.parametrize(("name", "digest"), [(VARIANTS[0], "0ea2dd5bf410d7ed"), (VARIANTS[1], "7c5a13433d89f748")])
def test_a_seed_gives_the_same_bytes_on_every_machine_and_python(name: str, digest: str) -> None:
    assert _digest_task(_generate_program(name, 4)) == _digest_task(_generate_program(name, 4)) == digest
    assert _digest_task(_generate_program(name, 5)) != digest


@pytest.mark.parametrize("name", VARIANTS)
def test_the_answer_stands_in_no_file(name: str) -> None:
    for seed in range(100):
        task = _generate_program(name, seed)
        assert 0 <= int(task.answer) < 999_983
        assert all(task.answer not in re.findall(r"\d+", source) for source in _list_sources(task).values())


@pytest.mark.parametrize("name", VARIANTS)
def test_main_reaches_every_file_and_only_those(name: str) -> None:
    for seed in range(50):
        sources = _list_sources(_generate_program(name, seed))
        todo, reached = ["main.py"], set()
        while todo:
            file = todo.pop()
            if file not in reached:
                reached.add(file)
                todo += [f"{module}.py" for module in re.findall(r"^import (v\w+)$", sources[file], re.MULTILINE)]
        assert reached == set(sources)


def test_a_module_is_named_by_those_that_import_it_and_cannot_be_found_by_counting() -> None:
    names = [
        re.fullmatch(r"v(\d+)_([a-z]{5})\.py", step.read) for step in _generate_program("lore/code@ops=60", 1).steps[1:]
    ]
    assert sorted(int(name[1]) for name in names if name) == list(range(len(names)))
    assert len({name[2] for name in names if name}) == len(names)


@pytest.mark.parametrize("name", VARIANTS)
def test_files_are_complete_python_and_say_everything_once(name: str) -> None:
    for seed in range(30):
        for file, source in _list_sources(
            _generate_program(f"{name}{',' if '@' in name else '@'}branching={2 + seed % 8}", seed)
        ).items():
            compile(source, file, "exec")
            names = re.findall(r"^(?:(?:async )?def )?(\w+)(?: = |\()", source, re.MULTILINE)
            assert len(names) == len(set(names)), source
            assert max(map(len, source.splitlines())) <= 88, source


def test_only_the_hard_variant_has_coroutines_and_it_keeps_them_apart() -> None:
    texts = {
        name: "".join("".join(_list_sources(_generate_program(name, seed)).values()) for seed in range(20))
        for name in VARIANTS
    }
    assert "async" not in texts[VARIANTS[0]]
    assert texts[VARIANTS[1]].count("asyncio.run(") > 40


def test_a_module_with_several_importers_keeps_its_result() -> None:
    """Else running a program would take exponential time."""
    for seed in range(20):
        sources = _list_sources(_generate_program("lore/code@ops=40,width=3,consolidation=1", seed))
        imports = {file: re.findall(r"^import (v\w+)$", text, re.MULTILINE) for file, text in sources.items()}
        for file, text in sources.items():
            importers = sum(file == f"{module}.py" for modules in imports.values() for module in modules)
            assert ("@functools.cache\ndef main" in text) == (importers > 1 and bool(imports[file]))


def test_without_distractors_everything_is_used() -> None:
    for seed in range(20):
        for source in _list_sources(_generate_program("lore/code@variant=hard,distractors=0", seed)).values():
            names = re.findall(r"^(?:(?:async )?def )?(\w+)(?: = |\()", source, re.MULTILINE)
            assert all(len(re.findall(rf"\b{name}\b", source)) > 1 for name in names if name not in ("main", "print"))


def test_programs_grow_higher_with_consolidation() -> None:
    heights = [
        sum(_generate_program(f"lore/code@ops=200,width=8,consolidation={share}", seed).height for seed in range(10))
        for share in (0, 0.3, 1)
    ]
    assert heights == sorted(heights)
    assert heights[2] > 3 * heights[0]


def test_the_measures_are_those_of_the_program() -> None:
    for operations in (1, 2, 17):
        task = _generate_program(f"lore/code@ops={operations}", 3)
        importing = [text for text in _list_sources(task).values() if re.search(r"^import v", text, re.MULTILINE)]
        assert len(importing) == operations
        assert len(task.steps) == len(task.records)
        assert task.steps[0].read == "main.py"
        assert task.steps[0].result_text == f"main.main() = {task.answer}"


@pytest.mark.drill
def test_ten_thousand_operations_and_heights_of_thousands_take_seconds() -> None:
    started = time.process_time()
    wide = _generate_program("lore/code@ops=10000,variant=hard", 1)
    high = _generate_program("lore/code@ops=10000,width=8,consolidation=1", 1)
    assert time.process_time() - started < 15
    assert len(wide.records) > 10_000
    assert high.height > 2_000


@pytest.mark.parametrize(
    "parameters",
    ["ops=0", "ops=100001", "ops=3.5", "mode=bottom-up", "variant=soft", "operators=asynchronous", "operators=eval",
     "operators=", "branching=1", "branching=10", "width=-1", "consolidation=2", "consolidation=nan", "depth=3"],
)  # fmt: skip
def test_parameters_that_do_not_exist_are_problems(parameters: str) -> None:
    with pytest.raises(Problem):
        find_task(f"lore/code@{parameters}")
