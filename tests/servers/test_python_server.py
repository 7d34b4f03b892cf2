"""Programs of an agent that work on the files of the workspace."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp.types import ImageContent
from support.speaking import Agent

from yardkit.sandbox.serving.registry import load_server
from yardkit.world import World, use_world


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[Agent]:
    world = World.create(tmp_path / "world", task="python", seed=1)
    (world.files / "in.csv").write_text("a,b\n1,2\n3,4\n")
    with use_world(world):
        yield Agent(load_server("python"), world.files)


async def test_a_program_reads_and_writes_the_workspace_and_says_what_it_did(agent: Agent) -> None:
    code = (
        "```python\nimport csv, os\nrows = list(csv.DictReader(open('in.csv')))\nos.makedirs('out')\n"
        "open('out/sum.txt', 'w').write(str(sum(int(r['a']) for r in rows)))\n"
        "os.remove('in.csv')\nprint(len(rows))\n```"
    )
    assert await agent.says("run_python", code=code) == "2\nsaved: out/sum.txt\nremoved: in.csv"
    assert (agent.files / "out" / "sum.txt").read_text() == "4"
    assert not (agent.files / "in.csv").exists()


async def test_a_picture_that_a_program_makes_is_shown(agent: Agent) -> None:
    code = "from PIL import Image; Image.new('RGB', (40, 30), 'navy').save('blue.png')"
    result = await agent.answer("run_python", code=code)
    assert any(isinstance(block, ImageContent) for block in result.content)


async def test_a_file_runs_with_arguments_and_imports_its_neighbours(agent: Agent) -> None:
    (agent.files / "lib").mkdir()
    (agent.files / "lib" / "helper.py").write_text("def double(text):\n    return text * 2\n")
    (agent.files / "lib" / "main.py").write_text("import sys\nfrom helper import double\nprint(double(sys.argv[1]))\n")
    assert await agent.says("run_python_file", path="lib/main.py", arguments=["ab'c"]) == "ab'cab'c"


async def test_a_failure_is_an_error_with_its_traceback_and_what_was_changed(agent: Agent) -> None:
    message = await agent.call_for_error("run_python", code="open('half.txt', 'w').write('x')\nprint('so far')\n1 / 0")
    assert "ZeroDivisionError" in message
    assert "so far" in message
    assert "1 file changed before, such as half.txt" in message
    assert "is empty" in await agent.call_for_error("run_python", code=" \n")


async def test_a_program_that_does_not_end_is_ended_and_has_no_network_and_no_secrets(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    message = await agent.call_for_error("run_python", code="while True: pass", time_limit_s=1)
    assert "longer than 1 s" in message or "more than 1 s of processor time" in message  # whichever is reached first
    assert "longer than 1 s" in await agent.call_for_error(
        "run_python", code="import time; time.sleep(9)", time_limit_s=1
    )
    code = "import os, socket; print(os.environ.get('OPENAI_API_KEY'))\nsocket.create_connection(('127.0.0.1', 80), 1)"
    message = await agent.call_for_error("run_python", code=code)
    assert "None" in message
    assert "secret" not in message
    assert "Error" in message


async def test_a_program_that_writes_a_code_block_runs_as_it_is(agent: Agent) -> None:
    fence = "`" * 3
    code = f"text = '''\n{fence}python\nprint(0)\n{fence}\n'''\nopen('a.md', 'w').write(text)\nprint(1)"
    assert await agent.says("run_python", code=code) == "1\nsaved: a.md"


@pytest.mark.parametrize("stream", ["sys.stdout", "sys.stderr"])
async def test_of_much_output_the_beginning_and_the_end_are_shown(agent: Agent, stream: str) -> None:
    code = f"import sys\nfor number in range(50_000): print(number, file={stream})"
    reply = await agent.says("run_python", code=code)
    assert all(part in reply for part in ("\n1\n2\n", "the middle is left out", "49998\n49999", "at most 20,000"))


async def test_files_are_saved_under_odd_names(agent: Agent) -> None:
    names = ["Shot 9.41\u202fAM.txt", "報告\u3000A.txt", "👩\u200d👧.txt", "a\nb.txt"]
    await agent.says("run_python", code=f"for name in {names!a}: open(name, 'w').write('x')")
    assert sorted(path.name for path in agent.files.glob("*.txt")) == sorted(names)


async def test_a_file_that_is_no_picture_does_not_undo_what_was_said(agent: Agent) -> None:
    result = await agent.answer("run_python", code="open('a.png', 'w').write('x')\nprint(42)")
    assert [block.text.partition(" is not a picture")[0] for block in result.content] == [
        "42\nsaved: a.png",
        "[not shown: 'a.png'",
    ]
