"""The 12 tools of mcp-server-git; its answers were recorded from version 2026.10.19, on a repository made as here."""

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.speaking import Agent

from yardkit.sandbox.serving.registry import load_server
from yardkit.world import World, use_world

STATUS = """Repository status:
On branch main
Changes not staged for commit:
  (use "git add <file>..." to update what will be committed)
  (use "git restore <file>..." to discard changes in working directory)
	modified:   a.txt

Untracked files:
  (use "git add <file>..." to include in what will be committed)
	pic.bin

no changes added to commit (use "git add" and/or "git commit -a")"""
UNSTAGED = """diff --git a/a.txt b/a.txt
index ddc897f..657b95b 100644
--- a/a.txt
+++ b/a.txt
@@ -3,0 +4 @@ three
+four
\\ No newline at end of file"""
SECOND = """commit <id>
Author: Ann Lee <ann@x.example>
Date:   2026-03-16 09:00:00 +0000

    Second

--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,3 @@
 one
-two
+TWO
 three

--- a/pic.bin
+++ /dev/null
Binary files a/pic.bin and /dev/null differ

--- a/sub/é b.csv
+++ b/sub/c.csv
"""
LOG = """Commit history:
Commit: <id>
Author: Ann Lee
Date: 2026-03-16 09:00:01+00:00
Message: Third: ünï

Commit: <id>
Author: Ann Lee
Date: 2026-03-16 09:00:00+00:00
Message: Second

"""


def _fill_repository(top: Path) -> None:
    date = {"GIT_AUTHOR_DATE": "@1773651600 +0000", "GIT_COMMITTER_DATE": "@1773651600 +0000"}
    environment = {**os.environ, **date, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}

    def git(*words: str) -> None:
        subprocess.run(["git", *words], cwd=top, env=environment, check=True, capture_output=True)

    (top / "sub").mkdir(parents=True)
    (top / "a.txt").write_text("one\ntwo\nthree\n")
    (top / "sub" / "é b.csv").write_text("x,y\n1,2\n")
    (top / "pic.bin").write_bytes(b"\0\1\2")
    git("init", "-b", "main")
    git("config", "user.name", "Ann Lee")
    git("config", "user.email", "ann@x.example")
    git("add", ".")
    git("commit", "-m", "First commit\n\nWith a body")
    git("tag", "v1")
    git("branch", "side")
    (top / "a.txt").write_text("one\nTWO\nthree\n")
    git("mv", "sub/é b.csv", "sub/c.csv")
    git("rm", "-q", "--cached", "pic.bin")
    git("commit", "-am", "Second")
    (top / "a.txt").write_text("one\nTWO\nthree\nfour")


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[Agent]:
    world = World.create(tmp_path / "world", task="git", seed=1)
    _fill_repository(world.files / "repo")
    with use_world(world):
        yield Agent(load_server("git", "toolathlon"), world.files)


async def _call_git(agent: Agent, tool: str, **arguments: object) -> str:
    return re.sub("[0-9a-f]{40}", "<id>", await agent.says(tool, repo_path="repo", **arguments))


async def test_status_and_differences_are_in_gits_own_words(agent: Agent) -> None:
    assert await _call_git(agent, "git_status") == STATUS
    assert await _call_git(agent, "git_diff_unstaged", context_lines=0) == f"Unstaged changes:\n{UNSTAGED}"
    assert await _call_git(agent, "git_diff_staged") == "Staged changes:\n"
    assert (await _call_git(agent, "git_diff", target="v1")).startswith("Diff with v1:\ndiff --git a/a.txt b/a.txt\n")
    assert "'nope' is not a commit here" in await agent.call_for_error("git_diff", repo_path="repo", target="nope")


async def test_stages_commits_unstages_and_logs(agent: Agent) -> None:
    assert await _call_git(agent, "git_add", files=["a.txt"]) == "Files staged successfully"
    assert (await _call_git(agent, "git_add", files=["a.txt"])).startswith("No changes were staged: the given paths")
    commit_reply = await _call_git(agent, "git_commit", message="Third: ünï")
    assert commit_reply == "Changes committed successfully with hash <id>"
    refused = await agent.call_for_error("git_commit", repo_path="repo", message="Nothing")
    assert refused.startswith("No changes staged for commit. Use git_add to stage changes first;")
    assert await _call_git(agent, "git_log", max_count=2) == LOG
    assert await _call_git(agent, "git_log", end_timestamp="Mar 15 2026") == "Commit history:\n"
    assert await _call_git(agent, "git_add", files=["."]) == "Files staged successfully"
    assert await _call_git(agent, "git_reset") == "All staged changes reset"


async def test_branches_are_made_listed_and_checked_out(agent: Agent) -> None:
    created = await _call_git(agent, "git_create_branch", branch_name="feature/x")
    assert created == "Created branch 'feature/x' from 'main'"
    assert "already exists" in await agent.call_for_error(
        "git_create_branch", repo_path="repo", branch_name="feature/x"
    )
    assert await _call_git(agent, "git_create_branch", branch_name="old", base_branch="side") == (
        "Created branch 'old' from 'side'"
    )
    assert await _call_git(agent, "git_branch", branch_type="local") == "  feature/x\n* main\n  old\n  side"
    assert await _call_git(agent, "git_branch", branch_type="local", not_contains="HEAD") == "  old\n  side"
    assert await _call_git(agent, "git_checkout", branch_name="feature/x") == "Switched to branch 'feature/x'"
    assert "not a commit here" in await agent.call_for_error("git_checkout", repo_path="repo", branch_name="nope")
    detached = await agent.says("git_checkout", repo_path="repo", branch_name="HEAD~0")
    assert re.fullmatch("HEAD is now detached at [0-9a-f]{7}", detached)
    assert "pass base_branch" in await agent.call_for_error("git_create_branch", repo_path="repo", branch_name="y")


async def test_shows_commits_files_and_folders(agent: Agent) -> None:
    assert await _call_git(agent, "git_show", revision="HEAD") == SECOND
    assert await _call_git(agent, "git_show", revision="HEAD:a.txt") == "one\nTWO\nthree\n"
    assert await _call_git(agent, "git_show", revision="HEAD:") == "a.txt\nsub/"
    assert "With a body" in await _call_git(agent, "git_show", revision="v1")
