"""A server that is killed in the middle of a commit."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from real_git import Git

from yardkit.world import World

COMMIT = (
    "import sys; from pathlib import Path\n"
    "from yardkit.servers.git.engine.committing import commit_files\n"
    "from yardkit.servers.git.engine.repository import find_repository\n"
    "from yardkit.world import World, use_world\n"
    "world = World.open(Path(sys.argv[1])); print('ready', flush=True)\n"
    "with use_world(world):\n"
    "    while True:\n"
    "        (world.files / 'a.txt').write_text(str((world.files / 'a.txt').stat().st_mtime_ns))\n"
    "        commit_files(find_repository(world, world.files), 'Again')\n"
    "        print('done', flush=True)\n"
)


@pytest.mark.drill
@pytest.mark.parametrize("delay_ms", range(0, 700, 70))
def test_a_killed_commit_was_made_or_was_not(world: World, git: Git, delay_ms: int) -> None:
    with subprocess.Popen([sys.executable, "-c", COMMIT, str(world.root)], stdout=subprocess.PIPE) as server:
        assert server.stdout
        for _ in range(2):  # ready, and one commit is made
            server.stdout.readline()
        with pytest.raises(subprocess.TimeoutExpired):
            server.wait(delay_ms / 1000)
        os.kill(server.pid, signal.SIGKILL)
        commit_count = 1 + server.stdout.read().count(b"done")
    count = int(git("rev-list", "--count", "HEAD")) - 1
    assert count in (commit_count, commit_count + 1)
    assert git("fsck", "--strict") == ""
    assert git("diff", "--cached", "--name-only") == ""  # nothing is staged: the index is that of the last commit
    assert not list(Path(world.files / ".git").rglob("*.lock"))
