"""Generated programs are interpreted as Python runs them; what is uncertain or unknown is refused."""

import json
import random
from pathlib import Path

import pytest
from support.lore import generate_task, open_instance
from support.scale import count_tries, select_drills

from yardkit.benchmarks.lore.generation.task import LoreTask
from yardkit.benchmarks.lore.solving.interpreter import Module
from yardkit.benchmarks.lore.solving.solver import Perfect, Value
from yardkit.evaluators.lore.code.proof import ROOT, evaluate_root, modules_read
from yardkit.programs.runner import run_python
from yardkit.sandbox.tasks.suites import find_task

VARIANTS = ["lore/code", *select_drills("lore/code@variant=hard")]
PROGRAMS = count_tries(200, 60)
_DRIVER = """
import asyncio, json, pathlib, runpy, sys

class Loop(asyncio.SelectorEventLoop):
    "Its clock jumps to the next timer, so that sleeping takes no time."
    now = 0.0
    def time(self):
        return self.now
    def _run_once(self):
        if not self._ready and self._scheduled:
            self.now = self._scheduled[0].when()
        super()._run_once()

asyncio.run = lambda main: asyncio.Runner(loop_factory=Loop).run(main)
returned = {}
for folder in sorted(pathlib.Path().iterdir()):
    sys.path.insert(0, str(folder.resolve()))
    import main
    returned[folder.name] = main.main()
    for path in folder.iterdir():
        sys.modules.pop(path.stem, None)
    del sys.path[0]
print(json.dumps(returned))
"""


def _generate_programs(name: str, count: int, most: int) -> list[LoreTask]:
    """Programs of all sizes and forms."""
    rng = random.Random(name)
    at = "," if "@" in name else "@"
    shapes = [
        f"ops={1 + seed % most},branching={rng.randint(2, 9)},"
        f"width={rng.choice((0, 4, 12))},consolidation={rng.choice((0.3, 1))}"
        for seed in range(count)
    ]
    return [generate_task(f"{name}{at}{shape}", seed)[1] for seed, shape in enumerate(shapes)]


def _list_modules(task: LoreTask) -> dict[str, Module]:
    return {record["id"].removesuffix(".py"): Module(record["text"]) for record in task.records}


@pytest.mark.parametrize("name", VARIANTS)
def test_two_hundred_programs_are_worked_out(name: str) -> None:
    for task in _generate_programs(name, PROGRAMS, 40):
        assert str(evaluate_root(_list_modules(task), Perfect())) == task.answer


@pytest.mark.parametrize("name", VARIANTS)
def test_programs_are_worked_out_as_python_really_runs_them(name: str, tmp_path: Path) -> None:
    workspace, collect = tmp_path / "w", tmp_path / "c"
    collect.mkdir()
    answers = {}
    for number, task in enumerate(_generate_programs(name, 60, 20)):
        folder = workspace / f"p{number:03}"
        folder.mkdir(parents=True)
        for record in task.records:
            (folder / record["id"]).write_text(record["text"])
        answers[folder.name] = evaluate_root(_list_modules(task), Perfect())
    done = run_python(_DRIVER, workspace=workspace, collect=collect)
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout) == answers


@pytest.mark.parametrize("name", VARIANTS)
def test_programs_are_solved_with_the_prompt_and_the_tool(name: str, tmp_path: Path) -> None:
    for seed in range(10):
        with open_instance(tmp_path / str(seed), name, seed) as (agent, facts):
            assert find_task(name).proof().walk_graph(agent, Perfect()) == facts["answer"]
            assert agent.calls == len(facts["documents"]), "every file is read once"
            assert "main.py" in agent.prompt
            assert facts["answer"] not in agent.prompt


class Wrong(Perfect):
    """Makes one mistake, in the operation of that number."""

    def __init__(self, number: int) -> None:
        self.left = number

    def worked_out(self, value: Value) -> Value:
        self.left -= 1
        return int(value) + 1 if self.left == 0 else value


@pytest.mark.parametrize("name", VARIANTS)
def test_every_operation_is_needed(name: str) -> None:
    for seed in range(10):
        task = generate_task(name, seed)[1]
        modules = _list_modules(task)
        assert all(str(evaluate_root(modules, Wrong(number))) != task.answer for number in range(1, 11))


@pytest.mark.parametrize("name", VARIANTS)
def test_every_constant_is_needed(name: str) -> None:
    """Those too that reach the answer in several ways, where they might cancel out."""
    for task in [
        *_generate_programs(name, 40, 20),
        generate_task(f"{name}{',' if '@' in name else '@'}width=4,consolidation=1", 1)[1],
    ]:
        modules = _list_modules(task)
        for leaf in [leaf_name for leaf_name, module in modules.items() if not module.imports]:
            other = Module(f"def main():\n    return {modules[leaf].run_main({}) + 1}\n")
            assert str(evaluate_root({**modules, leaf: other}, Perfect())) != task.answer


@pytest.mark.drill
def test_thousands_of_modules_on_top_of_each_other_are_worked_out() -> None:
    task = generate_task("lore/code@ops=5000,width=8,consolidation=1,variant=hard", 1)[1]
    assert task.height > 1_500
    assert str(evaluate_root(_list_modules(task), Perfect())) == task.answer


_SHARED = """
import asyncio

total = 5


async def add(value, wait, rest):
    global total
    await asyncio.sleep(wait)
    seen = total
    await asyncio.sleep(rest)
    total = 2 * seen + value


async def both(a, b):
    await asyncio.gather(add(a, {first}), add(b, {second}))
    total = 0


def main():
    asyncio.run(both(v0.main(), 100))
    return total
"""


@pytest.mark.parametrize(
    ("first", "second", "total"),
    [
        ("0.1, 0.1", "0.3, 0.1", 2 * (2 * 5 + 7) + 100),
        ("0.3, 0.1", "0.1, 0.1", 2 * (2 * 5 + 100) + 7),
        ("0.1, 0.8", "0.2, 0.3", 2 * 5 + 7),
        ("0.1, 0.3", "0.2, 0.8", 2 * 5 + 100),
    ],
)
def test_coroutines_take_turns_when_they_wake_up(first: str, second: str, total: int) -> None:
    assert Module(_SHARED.format(first=first, second=second)).run_main({"v0": 7}) == total


@pytest.mark.parametrize(
    ("first", "second"), [("0.1, 0.2", "0.3, 0.5"), ("0.4, 1", "0.4, 2"), ("0.7, 0.7", "0.1, 1.3")]
)
def test_a_tie_between_coroutines_is_refused(first: str, second: str) -> None:
    """Floats would tell 0.1 + 0.2 from 0.3; nobody should have to."""
    with pytest.raises(ValueError, match="not certain"):
        Module(_SHARED.format(first=first, second=second)).run_main({"v0": 7})


@pytest.mark.parametrize(
    "body",
    ["return open('x')", "import os\n    return 1", "while True:\n        pass", "return __import__('os')",
     "return 1 / 2", "return 'a'", "return v0.main(1)", "return v0.other()", "return [1][0]", "return v1.main()",
     "asyncio.run(main())", "del x", "x, y = 1, 2"],
)  # fmt: skip
def test_what_is_not_known_is_not_guessed(body: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        Module(f"def main():\n    {body}\n").run_main({"v0": 1})


def test_names_are_those_that_are_meant() -> None:
    """A variable of the module is changed by who declares it ``global``, and by nobody else."""
    source = "x = 1\ndef main():\n    x = 2\n    if x < 2:\n        x = 9\n    else:\n        x -= -4\n    return -x"
    assert Module(source).run_main({}) == -6
    assert Module(source).imports == ()
    assert Module("import asyncio\nimport v3\nimport v10\n").imports == ("v3", "v10")


def test_reading_goes_on_from_main_alone() -> None:
    class Files:
        prompt = ""

        def text(self, _tool: str, /, **arguments: str) -> str:
            return f"{arguments['doc_id']}\n{sources[arguments['doc_id']]}"

    sources = {"main.py": "import v1\nimport v0\n", "v0.py": "import v1\n", "v1.py": "", "v2.py": ""}
    assert list(modules_read(Files())) == [ROOT, "v0", "v1"]  # type: ignore[arg-type]
