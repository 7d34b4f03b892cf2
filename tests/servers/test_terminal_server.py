"""Command lines on the files of the workspace."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.speaking import Agent

from yardkit.sandbox.serving.registry import load_server
from yardkit.world import World, use_world


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    new_world = World.create(tmp_path / "world", task="terminal", seed=1)
    (new_world.files / "logs").mkdir()
    (new_world.files / "names.txt").write_text("Berg\nMoser\nBerg\n")
    with use_world(new_world):
        yield new_world


@pytest.fixture
def agent(world: World) -> Agent:
    return Agent(load_server("terminal"), world.files)


async def test_pipes_redirections_and_removals_work_on_the_workspace(agent: Agent) -> None:
    line = "sort names.txt | uniq -c | sort -rn | tr -s ' ' > counts.txt && head -1 counts.txt; rm -r logs"
    assert await agent.says("run_command", command=line) == " 2 Berg\nsaved: counts.txt\nremoved: logs"
    assert (agent.files / "counts.txt").read_text() == " 2 Berg\n 1 Moser\n"
    assert not (agent.files / "logs").exists()


async def test_it_runs_in_a_folder_and_nothing_but_files_stays(agent: Agent) -> None:
    assert await agent.says("run_command", command="X=1; echo $X > x; ls", folder="logs") == "x\nsaved: logs/x"
    assert await agent.says("run_command", command="echo [$X]; ls") == "[]\nlogs\nnames.txt"


async def test_an_exit_code_is_told_and_no_error(agent: Agent) -> None:
    assert await agent.says("run_command", command="grep Nobody names.txt") == "exit code 1"
    reply = await agent.says("run_command", command="cat nothing.txt")
    assert reply == "on standard error: cat: nothing.txt: No such file or directory\nexit code 1"
    assert await agent.says("run_command", command="true") == "exit code 0"


async def test_what_is_not_there_and_what_does_not_end_are_errors(agent: Agent) -> None:
    message = await agent.call_for_error("run_command", command="curl http://example.org")
    assert "curl: command not found" in message
    assert "list_commands" in message
    assert "longer than 1 s" in await agent.call_for_error("run_command", command="while :; do :; done", time_limit_s=1)
    assert "is empty" in await agent.call_for_error("run_command", command="  ")


async def test_a_missing_program_hides_nothing_that_the_line_did(agent: Agent) -> None:
    message = await agent.call_for_error(
        "run_command", command="sort -u names.txt; echo x > made.txt; curl example.org"
    )
    assert all(part in message for part in ("curl: command not found", "It had printed: Berg\nMoser", "made.txt"))
    reply = await agent.says("run_command", command="curl x; echo done")
    assert reply.startswith("done\non standard error:")
    assert "list_commands" in reply


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("date", "Mon Mar 16 09:00:00 UTC 2026"),
        ("date +%F", "2026-03-16"),
        ("TZ=Asia/Tokyo date +%T", "18:00:00"),
        ("date -d '2 days ago' +%F", "2026-03-14"),
        ("date --date='next friday' +%F", "2026-03-20"),
        ("date -d 'last monday' +%F", "2026-03-09"),
        ("date -d '10:30' '+%F %T'", "2026-03-16 10:30:00"),
        ("date -d '12 March' +%F", "2026-03-12"),
        ("date -ud tomorrow +%A", "Tuesday"),
        ("date -d '2025-01-01 +1 day' +%F", "2025-01-02"),
        ("date -d @0 +%Y", "1970"),
        ("sleep 0.01; timeout 60 echo ok", "ok"),
        ("seq 3 | xargs", "1 2 3"),
        ("find names.txt -exec sh -c 'head -1 \"$1\"' x {} ';'", "Berg"),
        ("echo 'echo $1' > s.sh; bash s.sh Ada; rm s.sh", "Ada"),
        ("which sort | wc -l", "1"),
        ("echo '2^10 / 3' | bc", "341"),
        ("printf 'A\\n' | xxd -p", "410a"),
        ("ln names.txt again && cat again | head -1; rm again", "Berg"),
        ("env | grep -c '^DATE' || true", "0"),
    ],
)
async def test_small_programs_do_what_they_do_elsewhere_by_the_clock_of_the_world(
    agent: Agent, line: str, printed: str
) -> None:
    assert await agent.says("run_command", command=line) == printed


async def test_a_date_that_cannot_be_read_is_an_error(agent: Agent) -> None:
    assert "invalid date '2026-02-30'" in await agent.says("run_command", command="date -d 2026-02-30")


@pytest.mark.parametrize(
    "name",
    ["Screenshot 9.00\u202fAM.png", "a\u00a0b.txt", "\U0001f468\u200d\U0001f469.txt", "so\u00adft", "two\nlines"],
)
async def test_a_file_of_any_unicode_name_is_made_changed_and_moved(agent: Agent, name: str) -> None:
    (agent.files / name).write_text("one\n")
    await agent.says("run_command", command=f"echo two >> '{name}'")
    assert (agent.files / name).read_text() == "one\ntwo\n"
    await agent.says("run_command", command=f"mkdir 'in {name}'; mv names.txt 'in {name}/{name}'")
    assert (agent.files / f"in {name}" / name).read_text() == "Berg\nMoser\nBerg\n"


async def test_a_name_that_is_no_text_is_refused_and_loses_nothing(agent: Agent) -> None:
    message = await agent.call_for_error("run_command", command="mv names.txt $'Stra\\xdfe.txt'")
    assert "not UTF-8 text" in message
    assert (agent.files / "names.txt").read_text() == "Berg\nMoser\nBerg\n"


async def test_links_that_are_not_kept_are_named(agent: Agent) -> None:
    reply = await agent.says(
        "run_command", command="ln -s names.txt kept; ln -s /etc/hosts out; ln -s .. up; ln -sf /etc/hosts names.txt"
    )
    assert reply.partition("not kept: ")[2].split(", ") == ["names.txt", "out", "up"]
    assert (agent.files / "kept").read_text() == (agent.files / "names.txt").read_text() == "Berg\nMoser\nBerg\n"


async def test_bytes_that_are_no_utf_8_are_told(agent: Agent) -> None:
    assert "not UTF-8; convert the text with iconv" in await agent.says("run_command", command="printf 'Gr\\xf6\\xdfe'")
    assert await agent.says("run_command", command="printf 'Gr\\xf6\\xdfe' | iconv -f cp1252") == "Gr\u00f6\u00dfe"


async def test_quotes_and_what_looks_like_options_reach_the_shell_as_they_are(agent: Agent) -> None:
    assert await agent.says("run_command", command="echo \"it's\" '$HOME' \\\n-n") == "it's $HOME -n"


async def test_the_programs_are_listed(agent: Agent) -> None:
    reply = await agent.says("list_commands")
    assert {"awk", "grep", "sed", "sort", "xargs"} <= set(reply.split("\n")[0].split(", "))
    assert "curl" not in reply


async def test_toolathlons_terminal_says_what_cli_mcp_server_says(world: World) -> None:
    agent = Agent(load_server("terminal", "toolathlon"), world.files)
    reply = await agent.says("run_command", command="cat names.txt | head -1")
    assert reply == "Berg\n\n\nCommand completed with return code: 0"
    rules = await agent.says("show_security_rules")
    assert rules.startswith("Security Configuration:\n==================\nWorking Directory: .\n\nAllowed Commands:\n")
    assert rules.endswith("Max Command Length: 2048 characters\nCommand Timeout: 60 seconds\n")
