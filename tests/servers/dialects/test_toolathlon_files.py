"""The 14 tools of the reference filesystem server; its answers were recorded from version 2026.8.31."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp.types import ImageContent
from support.pictures import COFFEE
from support.speaking import Agent

from yardkit.sandbox.serving.registry import load_server
from yardkit.world import World, use_world

TREE = """[
  {
    "name": "a.txt",
    "type": "file"
  },
  {
    "name": "sub",
    "type": "directory",
    "children": [
      {
        "name": "b.csv",
        "type": "file"
      }
    ]
  }
]"""
SIZES = "\n".join(
    [
        f"[FILE] {'b.csv':<30} {'8 B':>10}",
        f"[DIR] {'deep':<30} ",
        "",
        "Total: 1 files, 1 directories",
        "Combined size: 8 B",
    ]
)
DIFF = """```diff
Index: a.txt
===================================================================
--- a.txt\toriginal
+++ a.txt\tmodified
@@ -1,3 +1,3 @@
 one
-two
+TWO
 three
```

"""


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[Agent]:
    world = World.create(tmp_path / "world", task="files", seed=1)
    (world.files / "sub" / "deep").mkdir(parents=True)
    (world.files / "a.txt").write_text("one\ntwo\nthree\n")
    (world.files / "sub" / "b.csv").write_text("x,y\n1,2\n")
    (world.files / "sub" / "deep" / "c.csv").write_text("x" * 3000)
    with use_world(world):
        yield Agent(load_server("files", "toolathlon"), world.files)


async def test_reads_whole_files_heads_tails_and_several(agent: Agent) -> None:
    assert await agent.says("read_text_file", path="a.txt") == "one\ntwo\nthree\n"
    assert await agent.says("read_file", path="a.txt", head=2) == "one\ntwo"
    assert await agent.says("read_text_file", path="a.txt", tail=2) == "three\n"
    assert "both head and tail" in await agent.call_for_error("read_file", path="a.txt", head=1, tail=1)
    (agent.files / "b.bin").write_bytes(b"\0\1")
    several = await agent.says("read_multiple_files", paths=["a.txt", "b.bin"])
    assert several.startswith("a.txt:\none\ntwo\nthree\n\n\n---\nb.bin: Error - 'b.bin' is binary")


async def test_lists_folders_sizes_and_trees(agent: Agent) -> None:
    assert await agent.says("list_directory", path=".") == "[FILE] a.txt\n[DIR] sub"
    assert await agent.says("list_directory_with_sizes", path="sub") == SIZES
    by_size = await agent.says("list_directory_with_sizes", path="sub/deep", sortBy="size")
    assert by_size.startswith("[FILE] c.csv                             2.93 KB")
    assert await agent.says("directory_tree", path=".", excludePatterns=["deep"]) == TREE
    assert await agent.says("list_allowed_directories") == "Allowed directories:\n."


async def test_a_glob_is_compared_with_the_path_below_the_folder(agent: Agent) -> None:
    assert await agent.says("search_files", path=".", pattern="*.csv") == "No matches found"
    assert await agent.says("search_files", path=".", pattern="**/*.csv") == "sub/b.csv\nsub/deep/c.csv"
    assert (
        await agent.says("search_files", path=".", pattern="**/*.csv", excludePatterns=["sub/deep/**"]) == "sub/b.csv"
    )
    assert await agent.says("search_files", path="sub", pattern="*.csv") == "sub/b.csv"


async def test_edits_show_their_diff_and_a_dry_run_changes_nothing(agent: Agent) -> None:
    edits = [{"oldText": "two", "newText": "TWO"}]
    assert await agent.says("edit_file", path="a.txt", edits=edits, dryRun=True) == DIFF
    assert (agent.files / "a.txt").read_text() == "one\ntwo\nthree\n"
    assert await agent.says("edit_file", path="a.txt", edits=edits) == DIFF
    assert (agent.files / "a.txt").read_text() == "one\nTWO\nthree\n"
    assert "'two' is not in 'a.txt'" in await agent.call_for_error("edit_file", path="a.txt", edits=edits)
    ticks = await agent.says("edit_file", path="a.txt", edits=[{"oldText": "one", "newText": "```"}])
    assert ticks.startswith("````diff")


async def test_writes_makes_folders_and_moves_without_overwriting(agent: Agent) -> None:
    assert await agent.says("write_file", path="x.txt", content="hi") == "Successfully wrote to x.txt"
    assert await agent.says("create_directory", path="d/e") == "Successfully created directory d/e"
    assert await agent.says("move_file", source="x.txt", destination="d/x.txt") == "Successfully moved x.txt to d/x.txt"
    assert (agent.files / "d" / "x.txt").read_text() == "hi"
    message = await agent.call_for_error("move_file", source="d/x.txt", destination="a.txt")
    assert message == "Destination already exists: a.txt; name another one"
    assert (agent.files / "a.txt").read_text() == "one\ntwo\nthree\n"


async def test_tells_of_files_and_folders_and_shows_pictures(agent: Agent) -> None:
    info_lines = (await agent.says("get_file_info", path="a.txt")).splitlines()
    assert info_lines[0] == "size: 14"
    mode = (agent.files / "a.txt").stat().st_mode & 0o777
    assert info_lines[4:] == ["isDirectory: false", "isFile: true", f"permissions: {mode:o}"]
    assert "isDirectory: true" in await agent.says("get_file_info", path="sub")
    (agent.files / "cup.jpg").write_bytes(COFFEE.read_bytes())
    result = await agent.answer("read_media_file", path="cup.jpg")
    assert any(isinstance(block, ImageContent) for block in result.content)
