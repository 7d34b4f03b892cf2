"""Changing repositories: what the git program then finds in them."""

import os
import shutil
from pathlib import Path

import pytest
from real_git import Git, run_git
from support.answers import Call

from yardkit.world import World, use_world

NOW = 1773651600
"""The world's clock."""


def test_a_commit_holds_all_changes_is_dated_by_the_world_and_found_by_git(done: Call, git: Git, files: Path) -> None:
    (files / "a.txt").unlink()
    (files / "n ew.txt").write_text("1\n")
    (files / "run.sh").write_text("#!/bin/sh\n")
    (files / "run.sh").chmod(0o755)
    commit = done("commit_files", message="Change it\n\n# not a comment")
    assert [change["kind"] for change in commit["files"]] == ["deleted", "added", "added"]
    assert git("status", "--porcelain") == ""
    assert git("log", "-1", "--format=%an <%ae> %cn %at %ct") == f"Ann Lee <ann@lee.example> Ann Lee {NOW} {NOW}"
    assert git("log", "-1", "--format=%B") == "Change it\n\n# not a comment"
    assert "100755" in git("ls-tree", "HEAD", "run.sh")
    assert git("fsck", "--strict") == ""


def test_only_some_paths_or_what_is_staged_or_the_last_commit_anew(
    done: Call, refused: Call, git: Git, files: Path
) -> None:
    (files / "a.txt").write_text("1\n")
    (files / "b.txt").write_text("2\n")
    (files / "c.txt").write_text("3\n")
    git("add", "c.txt")
    assert done("commit_files", message="Only b", paths=["b.txt"])["left"] == 2
    commit = done("commit_files", message="Staged", staged_only=True, author_name="Zoë", author_email="z@x.example")
    assert [change["path"] for change in commit["files"]] == ["c.txt"]
    assert git("log", "-1", "--format=%an %cn") == "Zoë Ann Lee"
    done("commit_files", message="Staged, and a", amend=True)
    assert git("log", "--format=%s") == "Staged, and a\nOnly b\nBegin"
    assert "nothing to commit" in refused("commit_files", message="Nothing")
    assert "did not match" in refused("commit_files", message="x", paths=["nope"])
    assert "empty" in refused("commit_files", message=" ")


def test_the_same_calls_make_the_same_ids_and_the_same_bytes(done: Call, world: World, tmp_path: Path) -> None:
    (world.files / "p").mkdir()
    (world.files / "p" / "a.txt").write_text("1\n")
    other = world.detach(tmp_path / "other")
    hashes = []
    for git_world in (world, other):
        with use_world(git_world):
            done("create_repository", path="p")
            done("commit_files", repository="p", message="One")
            os.utime(git_world.files / "p" / "a.txt", (1, 1))
            done("create_branch", repository="p", branch="b", switch=True)
            (git_world.files / "p" / "a.txt").write_text("2\n")
            done("commit_files", repository="p", message="Two")
            done("switch_branch", repository="p", branch="main")
            hashes.append(git_world.state_hash())
    assert hashes[0] == hashes[1]
    assert run_git(world.files / "p", "log", "--all", "--format=%ct").split() == [str(NOW + 1), str(NOW)]


def test_a_repository_is_made_of_a_folder_with_files(done: Call, refused: Call, files: Path) -> None:
    (files / "p").mkdir()
    (files / "p" / "a.txt").write_text("1\n")
    assert done("create_repository", path="p", branch="trunk")["total"] == 1
    assert "already" in refused("create_repository", path="p")
    assert done("commit_files", repository="p", message="One")["commit"]["author"] == "Yardkit"
    assert run_git(files / "p", "status", "--porcelain", "--branch") == "## trunk"
    assert not (files / "p" / ".git" / "hooks").exists()
    assert "is not a valid branch name" in refused("create_repository", path="q", branch="-x")
    assert not (files / "q").exists()


def test_a_switch_changes_files_links_modes_and_folders_and_keeps_what_is_not_committed(
    done: Call, refused: Call, git: Git, files: Path
) -> None:
    done("create_branch", branch="side", switch=True)
    shutil.rmtree(files / "src")
    (files / "src").write_text("a file now\n")
    (files / "link").symlink_to("a.txt")
    (files / "a.txt").chmod(0o755)
    (files / "large.bin").write_bytes(os.urandom(8_000_001))
    done("commit_files", message="Side")
    (files / "kept.txt").write_text("not committed\n")
    assert done("switch_branch", branch="main")["total"] == 1
    assert (files / "src" / 'é "b" 😀.txt').read_text() == "x\n"
    assert not (files / "large.bin").exists()
    assert git("status", "--porcelain") == "?? kept.txt"
    done("switch_branch", branch="side")
    assert git("status", "--porcelain") == "?? kept.txt"
    assert (files / "link").readlink() == Path("a.txt")
    assert os.access(files / "a.txt", os.X_OK)
    (files / "a.txt").write_text("mine\n")
    git("commit", "--quiet", "-am", "Change a")
    (files / "a.txt").write_text("not saved\n")
    assert "would be overwritten" in refused("switch_branch", branch="main")
    assert (files / "a.txt").read_text() == "not saved\n"


def test_branches_are_made_deleted_and_left_for_a_commit(done: Call, refused: Call, git: Git, files: Path) -> None:
    done("create_branch", branch="x/y", revision="main")
    assert git("branch", "--format=%(refname:short)") == "main\nx/y"
    for name in ("x", "-d", "a b"):
        refused("create_branch", branch=name)
    assert [b["name"] for b in done("delete_branch", branch="x/y")["branches"]] == ["main"]
    git("switch", "--quiet", "-c", "side")
    git("commit", "--quiet", "--allow-empty", "-m", "More")
    reply = done("switch_branch", branch="main~0", detach=True)
    assert (reply["branch"], reply["commit"]) == ("", git("rev-parse", "main"))
    assert "not fully merged" in refused("delete_branch", branch="side")
    done("delete_branch", branch="side", unmerged=True)


def test_changes_are_unstaged_and_discarded(done: Call, refused: Call, git: Git, files: Path) -> None:
    (files / "a.txt").write_text("changed\n")
    (files / "new.txt").write_text("new\n")
    git("add", ".")
    reply = done("reset_files", action="unstage", paths=["new.txt"])
    assert [(f["path"], f.get("staged", "")) for f in reply["files"]] == [("a.txt", "modified"), ("new.txt", "")]
    assert done("reset_files", action="discard")["files"] == [{"path": "new.txt", "new": True}]
    assert (files / "a.txt").read_text() == "one\ntwo\nthree\n"
    assert "files" not in done("reset_files", action="discard", paths=["new.txt", "a.txt"], new_files=True)
    assert not (files / "new.txt").exists()
    git("rm", "--quiet", "a.txt")
    git("commit", "--quiet", "-m", "Remove")
    done("reset_files", action="discard", paths=["a.txt"], revision="HEAD~1")
    assert (files / "a.txt").read_text() == "one\ntwo\nthree\n"
    assert "only apply to discard" in refused("reset_files", action="unstage", revision="HEAD")


@pytest.fixture
def forked(git: Git, files: Path) -> Git:
    """Branches main and side, which changed the same line, and a file of side alone."""
    git("switch", "--quiet", "-c", "side")
    (files / "a.txt").write_text("one\nside\nthree\n")
    (files / "s.txt").write_text("s\n")
    git("add", ".")
    git("commit", "--quiet", "-m", "Side")
    git("switch", "--quiet", "main")
    return git


def _make_divergence(git: Git, files: Path) -> None:
    (files / "a.txt").write_text("one\nmain\nthree\n")
    git("commit", "--quiet", "-am", "Main")


def test_a_merge_moves_ahead_where_that_is_enough(done: Call, refused: Call, forked: Git, files: Path) -> None:
    reply = done("merge_branch", revision="side")
    assert (reply["outcome"], [f["path"] for f in reply["files"]]) == ("fast-forward", ["a.txt", "s.txt"])
    assert forked("rev-parse", "main") == forked("rev-parse", "side")
    assert done("merge_branch", revision="side")["outcome"] == "up to date"
    assert "is not a commit here" in refused("merge_branch", revision="nope")


def test_a_merge_of_both_sides_is_a_commit_of_two_parents(done: Call, refused: Call, forked: Git, files: Path) -> None:
    (files / "m.txt").write_text("m\n")
    forked("add", ".")
    forked("commit", "--quiet", "-m", "Main")
    assert "fast-forward" in refused("merge_branch", revision="side", fast_forward="only")
    reply = done("merge_branch", revision="side", message="Both")
    assert (reply["outcome"], len(reply["commit"]["parents"])) == ("merged", 2)
    assert forked("log", "-1", "--format=%s %ct") == f"Both {NOW}"
    assert (files / "a.txt").read_text() == "one\nside\nthree\n"
    assert forked("fsck", "--strict") == ""


def test_conflicts_are_named_and_left_or_put_back_or_resolved(
    done: Call, refused: Call, forked: Git, files: Path, world: World
) -> None:
    _make_divergence(forked, files)
    reply = done("merge_branch", revision="side", abort_on_conflict=True)
    assert (reply["outcome"], reply["conflicts"]) == ("aborted", [{"path": "a.txt", "what": "both modified"}])
    assert forked("status", "--porcelain") == ""
    assert done("merge_branch", revision="side")["outcome"] == "conflicts"
    assert "<<<<<<< HEAD\nmain\n=======\nside\n" in (files / "a.txt").read_text()
    status = done("show_status")
    assert status["operation"] == "merge"
    assert {"path": "a.txt", "conflict": "both modified"} in status["files"]
    assert "not finished" in refused("merge_branch", revision="side")
    assert "leftover conflict marker" in refused("commit_files", message="Merge")
    assert "files" not in done("abort_merge")
    assert "no merge is under way" in refused("abort_merge")
    done("merge_branch", revision="side")
    (files / "a.txt").write_text("one\nboth\nthree\n")
    assert len(done("commit_files", message="Merge")["commit"]["parents"]) == 2
    assert forked("status", "--porcelain") == ""


def test_a_merge_that_would_lose_changes_is_refused(refused: Call, forked: Git, files: Path) -> None:
    (files / "a.txt").write_text("not committed\n")
    assert "would be overwritten" in refused("merge_branch", revision="side")
    assert (files / "a.txt").read_text() == "not committed\n"


def test_programs_of_the_repository_run_within_walls_and_hooks_not_at_all(
    done: Call, git: Git, files: Path, tmp_path: Path
) -> None:
    seen = tmp_path / "outside"
    evil = f"sh -c 'cat; touch {seen} {files}/planted; ls {tmp_path} >&2; echo ran >> /tmp/ran; cat /tmp/ran'"
    git("config", "filter.evil.clean", evil)
    git("config", "filter.evil.smudge", evil)
    for name in ("core.fsmonitor", "diff.external", "core.pager", "core.editor", "gpg.program"):
        git("config", name, f"touch {files}/planted")
    git("config", "commit.gpgSign", "true")
    (files / ".gitattributes").write_text("*.txt filter=evil\n")
    hook = files / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {files}/planted\nexit 1\n")
    hook.chmod(0o755)
    (files / "a.txt").write_text("1\n")
    done("commit_files", message="Filtered")
    assert git("cat-file", "-p", "HEAD:a.txt").startswith("1\nran")  # git may clean a file more than once
    done("show_diff", revision="HEAD~1", other="HEAD")
    done("create_branch", branch="b", switch=True)
    assert not seen.exists()
    assert not (files / "planted").exists()


def test_files_that_a_fork_shares_are_never_edited_in_place(done: Call, git: Git, world: World, tmp_path: Path) -> None:
    (world.files / "a.txt").write_text("changed\n")
    fork = world.snapshot(tmp_path / "fork")
    before = fork.state_hash()
    done("commit_files", message="Change")
    done("reset_files", action="discard", revision="HEAD~1")
    assert fork.state_hash() == before
    assert run_git(fork.files, "log", "--format=%s") == "Begin"


def test_a_bad_name_in_the_repository_is_no_option(done: Call, git: Git, files: Path) -> None:
    (files / "--force").write_text("1\n")
    (files / ":(exclude)*").write_text("2\n")
    reply = done("commit_files", message="--amend", paths=["--force", ":(exclude)*"])
    assert [change["path"] for change in reply["files"]] == ["--force", ":(exclude)*"]
    assert git("log", "--format=%s") == "--amend\nBegin"


@pytest.mark.drill
def test_sha256_repositories_and_newer_indexes_work_too(done: Call, files: Path) -> None:
    run_git(files, "init", "--quiet", "--object-format=sha256")
    run_git(files, "config", "index.version", "4")
    for number in range(20):
        (files / f"file {number:02}.txt").write_text(f"{number}\n")
    assert len(done("commit_files", message="Many")["commit"]["id"]) == 64
    assert run_git(files, "status", "--porcelain") == ""
    assert run_git(files, "fsck", "--strict") == ""


def test_a_change_of_the_same_size_within_the_second_of_the_index_is_committed(
    done: Call, git: Git, files: Path
) -> None:
    git("config", "core.trustctime", "false")
    place = files / "same.txt"
    place.write_text("one\n")
    os.utime(place, (NOW, NOW))
    git("add", "same.txt")
    git("commit", "-qm", "Same")
    os.utime(files / ".git" / "index", (NOW, NOW))
    place.write_text("two\n")
    os.utime(place, (NOW, NOW))
    assert [change["path"] for change in done("commit_files", message="Two")["files"]] == ["same.txt"]
    assert git("show", "HEAD:same.txt") == "two"


def test_conflicts_without_markers_are_told_when_they_are_committed(done: Call, git: Git, files: Path) -> None:
    def write(text: str, binary: bytes, utf16: str) -> None:
        (files / "text").write_text(text)
        (files / "data").write_bytes(binary)
        (files / "wide").write_bytes(utf16.encode("utf-16"))
        git("add", "--all")
        git("commit", "-qm", text)

    write("base\n", b"\0\1", "base\n")
    git("switch", "-qc", "side")
    write("side\n", b"\0\2", "side\n")
    git("switch", "-q", "main")
    write("ours\n", b"\0\3", "ours\n")
    assert len(done("merge_branch", revision="side")["conflicts"]) == 3
    (files / "text").write_text("both\n")
    notes = " ".join(done("commit_files", message="Merged")["source_notes"])
    assert "'data' (both modified) has no conflict markers" in notes
    assert "'wide' (both modified)" in notes
    assert "'text'" not in notes


def test_what_git_does_not_do_for_commits_repositories_and_submodules_is_told(
    done: Call, git: Git, files: Path
) -> None:
    git("switch", "-q", "--detach")
    (files / "lost.txt").write_text("work\n")
    commit = done("commit_files", message="Detached")["commit"]["id"]
    assert commit[:10] in done("switch_branch", branch="main")["source_notes"][0]
    assert "source_notes" not in done("create_branch", branch="kept", revision=commit, switch=True)
    (files / "inner").mkdir()
    run_git(files / "inner", "init", "-q")
    run_git(files / "inner", "-c", "user.name=A", "-c", "user.email=a@x", "commit", "-qm", "In", "--allow-empty")
    assert "'inner' is a repository of its own" in done("commit_files", message="Inner")["source_notes"][0]
    (files / ".gitmodules").write_text('[submodule "inner"]\n\tpath = inner\n\turl = ./inner\n')
    assert "submodules" in done("show_status")["source_notes"][0]
