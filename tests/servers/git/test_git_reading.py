"""Reading repositories that the git program made: status, commits, differences, history, branches."""

from pathlib import Path

import pytest
from real_git import Git, fill_repository, run_git
from support.answers import Call
from support.scale import select_drills

from yardkit.world import World


def test_status_tells_staged_changed_new_and_renamed_files_by_their_very_names(
    done: Call, git: Git, files: Path
) -> None:
    (files / "a.txt").write_text("one\nTWO\nthree\n")
    git("mv", 'src/é "b" 😀.txt', "src/-c.txt")
    (files / "new file").write_text("n")
    status = done("show_status")
    assert (status["branch"], status["total"]) == ("main", 3)
    assert status["files"] == [
        {"path": "a.txt", "unstaged": "modified"},
        {"path": "src/-c.txt", "staged": "renamed", "old_path": 'src/é "b" 😀.txt'},
        {"path": "new file", "new": True},
    ]
    assert done("show_status", limit=1)["next_offset"] == 1
    assert done("show_status", paths=["new file"])["total"] == 1


def test_reading_leaves_every_byte_of_the_repository_as_it_was(done: Call, git: Git, world: World) -> None:
    (world.files / "a.txt").write_text("one\ntwo\nfour\n")
    before = world.state_hash()
    for tool in ("show_status", "show_diff", "list_commits", "show_commit", "list_branches"):
        done(tool)
    assert world.state_hash() == before


def test_commits_are_listed_in_pages_by_author_path_and_time(done: Call, git: Git, files: Path) -> None:
    for number in range(3):
        (files / "a.txt").write_text(f"{number}\n")
        git("commit", "--quiet", "-am", f"Change {number}", "--author=Bo <bo@x.example>")
    page = done("list_commits", limit=2)
    assert [commit["subject"] for commit in page["commits"]] == ["Change 2", "Change 1"]
    rest = done("list_commits", offset=page["next_offset"], limit=2)
    assert [commit["subject"] for commit in rest["commits"]] == ["Change 0", "Begin"]
    assert "next_offset" not in rest
    assert page["commits"][0]["id"] == git("rev-parse", "HEAD")
    assert len(done("list_commits", authors=["BO@"])["commits"]) == 3
    assert len(done("list_commits", paths=["src"])["commits"]) == 1
    assert done("list_commits", since="2 weeks ago")["commits"] == []  # the world's clock is two weeks further
    assert len(done("list_commits", until="2026-03-01")["commits"]) == 4


def test_a_commit_is_shown_with_message_files_and_differences(done: Call, git: Git, files: Path) -> None:
    (files / "a.txt").unlink()
    (files / "pic.bin").write_bytes(b"\0\1\2")
    git("add", "-A")
    git("commit", "--quiet", "-m", "Swap\n\nWith a body")
    commit = done("show_commit", revision="main")
    assert commit["message"] == "Swap\n\nWith a body"
    assert commit["files"] == [
        {"path": "a.txt", "kind": "deleted", "added": 0, "removed": 3},
        {"path": "pic.bin", "kind": "added", "added": None, "removed": None},
    ]
    assert "Binary files /dev/null and b/pic.bin differ" in commit["diff"]
    assert "-two" in commit["diff"]
    assert [change["kind"] for change in done("show_commit", revision="main~1")["files"]] == ["added", "added"]


def test_differences_of_files_index_and_commits(done: Call, git: Git, files: Path) -> None:
    (files / "a.txt").write_text("one\nstaged\nthree\n")
    git("add", "a.txt")
    (files / "a.txt").write_text("one\nchanged\nthree\n")
    assert "-staged\n+changed" in done("show_diff")["diff"]
    assert "-two\n+staged" in done("show_diff", compare="staged")["diff"]
    assert "-two\n+changed" in done("show_diff", compare="all")["diff"]
    git("switch", "--quiet", "-c", "side")
    git("commit", "--quiet", "-am", "Side")
    git("switch", "--quiet", "main")
    (files / "other.txt").write_text("1\n")
    git("add", ".")
    git("commit", "--quiet", "-m", "Main goes on")
    assert [change["path"] for change in done("show_diff", revision="main", other="side")["files"]] == [
        "a.txt",
        "other.txt",
    ]
    forked = done("show_diff", revision="main", other="side", since_fork=True)
    assert [change["path"] for change in forked["files"]] == ["a.txt"]


@pytest.mark.drill
def test_a_long_diff_comes_in_pages_that_are_the_whole(done: Call, git: Git, files: Path) -> None:
    (files / "long.txt").write_text("".join(f"line {number}\n" for number in range(9_000)))
    git("add", ".")
    pages = [done("show_diff", compare="staged")]
    while "next_offset" in pages[-1]:
        pages.append(done("show_diff", compare="staged", offset=pages[-1]["next_offset"]))
    assert len(pages) == 3
    assert "".join(page["diff"] for page in pages).strip() == git("diff", "--cached")


def test_the_history_is_searched_by_message_by_change_and_in_files(done: Call, git: Git, files: Path) -> None:
    (files / "a.txt").write_text("one\nprice (EUR) [a.b]\n")
    git("commit", "--quiet", "-am", "Add the Price")
    (files / "a.txt").write_text("one\n")
    git("commit", "--quiet", "-am", "Take it out")
    assert [c["subject"] for c in done("search_history", query="price", what="messages")["commits"]] == [
        "Add the Price"
    ]
    assert [c["subject"] for c in done("search_history", query="(eur) [A.b]", what="changes")["commits"]] == [
        "Take it out",
        "Add the Price",
    ]
    assert done("search_history", query="pri.*EUR", what="files", revision="HEAD~1", literal=False)["lines"] == [
        {"path": "a.txt", "line": 2, "text": "price (EUR) [a.b]"}
    ]
    assert done("search_history", query="pri.*EUR", what="files") == {}
    assert done("read_revision", path="a.txt", revision="HEAD~1")["text"] == "one\nprice (EUR) [a.b]\n"


def test_branches_and_tags_are_listed_with_where_they_stand(done: Call, git: Git, files: Path) -> None:
    git("tag", "-a", "v1", "-m", "First")
    git("branch", "feature/x")
    git("update-ref", "refs/remotes/origin/main", "HEAD")
    git("commit", "--quiet", "--allow-empty", "-m", "More")
    branches = {branch["name"]: branch for branch in done("list_branches", kind="all")["branches"]}
    assert {name: branches[name]["kind"] for name in branches} == {
        "feature/x": "local",
        "main": "local",
        "origin/main": "remote",
        "v1": "tag",
    }
    assert branches["main"]["current"]
    assert branches["v1"]["commit"] == git("rev-parse", "HEAD~1")
    assert [b["name"] for b in done("list_branches", contains="main")["branches"]] == ["main"]


@pytest.mark.parametrize("revision", ["--output=x", "nope", *select_drills("-x", "HEAD~9", "main..side", "HEAD:a.txt")])
def test_what_is_no_commit_is_refused_by_name(refused: Call, git: Git, files: Path, revision: str) -> None:
    assert f"{revision!r} is not a commit here" in refused("show_commit", revision=revision)
    assert sorted(path.name for path in files.iterdir()) == [".git", "a.txt", "src"]


def test_an_empty_repository_and_a_detached_head_are_no_errors(done: Call, refused: Call, files: Path) -> None:
    run_git(files, "init", "--quiet", "-b", "trunk")
    assert (done("show_status")["branch"], done("show_status")["commit"]) == ("trunk", "")
    assert done("list_commits")["commits"] == []
    assert done("list_branches") == {}
    (files / "a.txt").write_text("1\n")
    run_git(files, "add", ".")
    assert [change["kind"] for change in done("show_diff", compare="staged")["files"]] == ["added"]
    assert "is not a commit here" in refused("show_commit")


def test_paths_are_those_of_the_workspace_or_of_the_repository(done: Call, refused: Call, files: Path) -> None:
    top = files / "projects" / "p"
    top.mkdir(parents=True)
    fill_repository(top)
    (top / "a.txt").write_text("changed\n")
    (files / "outside.txt").write_text("x")
    for path in ("projects/p/a.txt", "a.txt"):
        status = done("show_status", repository="projects/p/src", paths=[path])
        assert status["files"] == [{"path": "projects/p/a.txt", "unstaged": "modified"}]
    assert "is not in the repository" in refused("show_status", repository="projects/p", paths=["outside.txt"])
    assert "not part of the repository" in refused(
        "show_status", repository="projects/p", paths=["projects/p/.git/config"]
    )
    assert "not in a git repository" in refused("show_status")


def test_links_to_other_repositories_are_named_and_not_followed(refused: Call, git: Git, files: Path) -> None:
    git("worktree", "add", "--quiet", "tree")
    assert "is in '.git/worktrees/tree'" in refused("show_status", repository="tree")
    (files / "far").mkdir()
    (files / "far" / ".git").write_text("gitdir: ../../../elsewhere/.git\n")
    assert "is outside the workspace" in refused("show_status", repository="far")
    (files / "odd").mkdir()
    (files / "odd" / ".git").symlink_to(files / ".git")
    assert "is a symlink" in refused("show_status", repository="odd")


def test_a_bare_repository_is_read_and_not_changed(done: Call, refused: Call, git: Git, files: Path) -> None:
    git("clone", "--quiet", "--bare", ".", "hub.git")
    assert [c["subject"] for c in done("list_commits", repository="hub.git")["commits"]] == ["Begin"]
    assert done("read_revision", repository="hub.git", path="a.txt", revision="main")["text"] == "one\ntwo\nthree\n"
    assert "bare repository" in refused("create_branch", repository="hub.git", branch="x")


def test_a_damaged_repository_is_a_problem(refused: Call, git: Git, files: Path) -> None:
    for path in (files / ".git" / "objects").glob("??/*"):
        path.chmod(0o644)
        path.write_bytes(b"garbage")
    assert "refuses: error: inflate" in refused("list_commits")
    (files / ".git" / "index").write_bytes(b"DIRC\0\0\0\2\0\0\xff\xff")
    assert "git status refuses" in refused("show_status")
    assert "git add refuses" in refused("commit_files", message="x")
    assert (files / ".git" / "index").read_bytes() == b"DIRC\0\0\0\2\0\0\xff\xff"


OLD_FILES = {
    "latin.txt": ("Grüße aus Köln\n", "latin-1"),
    "russian.txt": ("Встреча завтра в десять часов\n", "cp1251"),
    "japanese.txt": ("東京都の天気は晴れです\n", "shift_jis"),
    "wide.txt": ("Grüße aus Köln\n", "utf-16"),
}


def test_files_in_older_encodings_are_read_found_and_compared(done: Call, git: Git, files: Path) -> None:
    for name, (text, encoding) in OLD_FILES.items():
        (files / name).write_bytes(text.encode(encoding))
    git("add", "-A")
    git("commit", "--quiet", "-m", "Old files")
    for name, (text, _) in OLD_FILES.items():
        assert done("read_revision", path=name, revision="HEAD")["text"] == text
    notes = done("read_revision", path="latin.txt", revision="HEAD")["source_notes"]
    assert notes == ["'latin.txt' was read as cp1252, a guess since the text does not state its encoding"]
    (files / "latin.txt").write_text("Grüße aus Köln!\n")
    for name in ("russian.txt", "japanese.txt"):
        (files / name).write_bytes((OLD_FILES[name][0] + "!\n").encode(OLD_FILES[name][1]))
    diff = done("show_diff")
    assert "-Grüße aus Köln\n+Grüße aus Köln!\n" in diff["diff"]
    assert " Встреча завтра в десять часов\n" in diff["diff"]
    assert " 東京都の天気は晴れです\n" in diff["diff"]
    assert len(diff["source_notes"]) == 3
    search_result = done("search_history", query="Köln", what="files")
    assert [(line["path"], line["text"]) for line in search_result["lines"]] == [("latin.txt", "Grüße aus Köln")]
    assert [line["path"] for line in done("search_history", query="天気", what="files")["lines"]] == ["japanese.txt"]


@pytest.mark.parametrize("stated", [True, False])
def test_messages_and_names_in_older_encodings_are_read(done: Call, git: Git, files: Path, stated: bool) -> None:
    (files / "message").write_bytes("Größe\n\nFür später\n".encode("latin-1"))
    identity = "Jörg Müller".encode("latin-1").decode("utf-8", "surrogateescape")
    encoding = ["-c", f"i18n.commitEncoding={'ISO-8859-1' if stated else 'UTF-8'}", "-c", f"user.name={identity}"]
    git(*encoding, "commit", "--quiet", "--allow-empty", "-F", "message")
    commit = done("list_commits")["commits"][0]
    assert (commit["subject"], commit["author"]) == ("Größe", "Jörg Müller")
    assert done("show_commit", revision="HEAD")["message"] == "Größe\n\nFür später"


def test_a_search_that_finds_nothing_names_the_files_that_git_does_not_search(
    done: Call, git: Git, files: Path
) -> None:
    (files / "wide.txt").write_bytes("hello\n".encode("utf-16"))
    git("add", ".")
    git("commit", "--quiet", "-m", "Wide")
    for what in ("files", "changes"):
        (note,) = done("search_history", query="hello", what=what)["source_notes"]
        assert "'wide.txt'" in note
    assert done("search_history", query="hello", what="files", paths=["a.txt"]) == {}
    (files / "wide.txt").write_bytes("hallo\n".encode("utf-16"))
    assert "UTF-16" in done("show_diff")["source_notes"][0]
