"""``yardkit run``: run an agent on a suite."""

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from yardkit.sandbox.cli import Subparsers, new_parser
from yardkit.sandbox.cli.episode_options import add_extra_servers
from yardkit.sandbox.cli.job_options import add_jobs, add_seeds, chosen_jobs, chosen_seeds
from yardkit.sandbox.cli.task_options import add_dials, any_dials, chosen_tasks
from yardkit.world import Problem
from yardkit.world.world import machine_time

if TYPE_CHECKING:
    from yardkit.sandbox.runs.growth import Growth
    from yardkit.sandbox.runs.run_directory import Plan


_DESCRIPTION = """\
Let an agent work on tasks, grade what it delivers, and write a report.

Every task is run with every seed; another seed is another instance of the task. With --repeats R
each of these runs R times, since the answers of a model vary. The run directory keeps each
episode. The same --runs resumes a run that was interrupted: finished episodes are kept,
unfinished ones are started again.

agents:
  reference            the task's own solver, over MCP
  scripted             the same with random errors and a short memory, on generated tasks (the suite
                       lore): a check of the harness, not a claim about models. --set error_rate=P gets each
                       operation wrong with probability P, so that (1 - P)^N of the runs with N
                       operations pass; --set memory=M keeps M values; --set seed=S moves the errors
  nop                  does nothing
  command:"PROGRAM .." any program; {mcp_config}, {prompt_file}, {workspace}, {answer_file} are filled in
  openai:MODEL         a tool-calling loop on OPENAI_BASE_URL with OPENAI_API_KEY; some settings:
                       --set protocol=react (calls as text, for models without tool calling),
                       reasoning_effort=high, parallel_tool_calls=false, extra_body='{"top_k": 20}',
                       price=IN,OUT,CACHED. docs/running.md lists all

exit codes: 0 all passed, 1 some did not, 2 wrong usage, 3 a run was invalid through no fault of the agent"""

_EXAMPLES = """\
  yardkit run quickstart
  yardkit run quickstart --agent openai:gpt-5.2 --seeds 3 --jobs 4 --set temperature=0
  yardkit run quickstart --agent openai:my-model --set protocol=react --extra-servers 4
  yardkit run lore --domain documents --mode bottom-up --ops 50 --tasks 20 --repeats 3
  yardkit run lore --ops 5,10,20,40,80 --seeds 20 --agent scripted --set error_rate=0.02 --jobs 2
  yardkit run lore_published --variant hard --ops 1 --until 0.2 --tasks 20 --agent openai:my-model
  yardkit run sort_inbox --agent command:"claude -p --mcp-config {mcp_config} --strict-mcp-config"
  yardkit run office --agent openai:my-model --feedback checkpoint --attempts 3
  yardkit run --runs runs/2026-11-21_101500_quickstart_reference"""


def add(subparsers: Subparsers) -> None:
    parser = new_parser(subparsers, "run", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("names", nargs="*", metavar="SUITE|TASK", help="what to run; may be left out when resuming")
    parser.add_argument("--agent", help="default: reference, or that of the run which is resumed")
    add_seeds(parser, default=1)
    parser.add_argument(
        "--repeats", type=int, metavar="R", help="runs of each task with each seed (default 1); more extend a run"
    )
    parser.add_argument(
        "--sample", type=int, metavar="N", help="only N of the tasks, in the proportions of each domain and difficulty"
    )
    add_extra_servers(parser, default=None)
    add_dials(parser)
    parser.add_argument(
        "--until",
        type=float,
        metavar="SHARE",
        help="double the operations of each kind of task until no more than this share of its answers is right",
    )
    parser.add_argument("--most-ops", type=int, metavar="N", help="stop at this number of operations (default 350)")
    add_jobs(parser)
    parser.add_argument("--runs", type=Path, metavar="DIR", help="the run directory; default: a new one below runs/")
    parser.add_argument(
        "--time-limit", type=float, metavar="S", help="seconds that the agent has for one task (default 1800)"
    )
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of the agent; may be repeated"
    )
    parser.add_argument(
        "--agent-jail",
        action="store_true",
        help="run a command: agent in a bubblewrap sandbox: it reaches its episode and what --set endpoint=URL names, "
        "and sees the system's programs and what --set show=FOLDER names; --set pass_on=NAME passes a variable on",
    )
    parser.add_argument(
        "--feedback",
        choices=["none", "coarse", "checkpoint"],
        help="let the agent continue after a delivery: asked to check its work again (none), given the verdict and "
        "the missing files (coarse), or the checkpoints that failed (checkpoint)",
    )
    parser.add_argument("--attempts", type=int, metavar="N", help="deliveries in all with --feedback (default 3)")
    parser.add_argument("--retry-invalid", action="store_true", help="when resuming, run the invalid ones again")


def run(arguments: argparse.Namespace) -> int:
    from yardkit.sandbox.cli.run_display import carry_out
    from yardkit.sandbox.runs.run_directory import RunDirectory
    from yardkit.sandbox.runs.runner import plan_of

    resumed = RunDirectory(arguments.runs) if arguments.runs else None
    before = resumed.read_plan() if resumed and resumed.exists() else None
    if resumed and not arguments.names and before is None:
        raise Problem(f"there is no run in {str(resumed.path)!r} to resume; name a suite or tasks to start one there")
    if not arguments.names and before is None:
        raise Problem("name a suite or tasks, such as `yardkit run quickstart`; or --runs with a run to resume")
    if (any_dials(arguments) or arguments.sample is not None) and not arguments.names:
        raise Problem(
            "--sample and the options of generated tasks need a suite or tasks, such as `yardkit run lore --ops 50`"
        )
    jobs = chosen_jobs(arguments)
    settings = {**(before.settings if before else {}), **settings_of(arguments.set)}
    agent = arguments.agent or (before.agent if before else "reference")
    if arguments.agent_jail:
        if not agent.startswith("command:"):
            raise Problem(f"--agent-jail is for command: agents; {agent.partition(':')[0]!r} does not run a program")
        settings["jail"] = "on"
    limit_s = arguments.time_limit
    if limit_s is None:
        limit_s = before.time_limit_s if before else 1800.0
    if limit_s <= 0:
        raise Problem(f"--time-limit {limit_s:g}: give seconds above 0")
    # What is named extends a run that is there: its report goes on to show all that it has.
    names = [*(before.tasks if before else ()), *(_list_instances(arguments) if arguments.names else ())]
    no_seeds = arguments.seeds is None and arguments.seed_list is None
    seeds = [*(before.seeds if before else ()), *(() if before and no_seeds else chosen_seeds(arguments, 1))]
    extra = arguments.extra_servers
    if extra is None:
        extra = before.extra_servers if before else 0
    feedback, attempts = _choose_feedback(arguments, before)
    repeats = _choose_repeats(arguments.repeats, before)
    plan = plan_of(names, seeds, agent, settings, limit_s, repeats, extra, feedback, attempts)
    growth = _choose_growth(arguments, plan)
    directory = resumed or RunDirectory(_new_directory(arguments.names, agent))
    return carry_out(plan, directory, jobs, retry_invalid=arguments.retry_invalid, growth=growth)


def _choose_growth(arguments: argparse.Namespace, plan: "Plan") -> "Growth | None":
    from yardkit.sandbox.runs.growth import MOST_OPS, Growth

    if arguments.until is None:
        if arguments.most_ops is not None:
            raise Problem("--most-ops goes with --until; leave it out or give --until")
        return None
    growth = Growth(arguments.until, MOST_OPS if arguments.most_ops is None else arguments.most_ops)
    growth.check(plan.tasks)
    return growth


def _choose_feedback(arguments: argparse.Namespace, before: "Plan | None") -> tuple[str, int]:
    """Return the kind of feedback and the number of deliveries: from the command line, else from the resumed run."""
    from yardkit.sandbox.runs.feedback import ATTEMPTS

    if arguments.feedback is None:
        if arguments.attempts is not None:
            raise Problem("--attempts goes with --feedback; say which: none, coarse or checkpoint")
        return (before.feedback, before.attempts) if before else ("none", 1)
    attempts = ATTEMPTS if arguments.attempts is None else arguments.attempts
    if attempts < 2:
        raise Problem(f"--attempts {attempts}: with feedback there are at least two deliveries")
    return arguments.feedback, attempts


def _choose_repeats(given: int | None, before: "Plan | None") -> int:
    """Return the number of repeats from the command line, else from the resumed run."""
    if given is None:
        return before.repeats if before else 1
    if given < 1:
        raise Problem(f"--repeats {given}: at least one run is needed")
    return given


def _list_instances(arguments: argparse.Namespace) -> list[str]:
    """List the named tasks, or the instances that the options make of them, or a sample of those."""
    if not any_dials(arguments) and arguments.sample is None:
        return list(arguments.names)
    from yardkit.sandbox.tasks.sampling import sample_tasks
    from yardkit.sandbox.tasks.suites import find_tasks

    dialled = any_dials(arguments)
    tasks = chosen_tasks(arguments.names, arguments) if dialled else find_tasks(list(arguments.names))
    return [task.id for task in (tasks if arguments.sample is None else sample_tasks(tasks, arguments.sample))]


def settings_of(pairs: list[str]) -> dict[str, str]:
    """Parse the values of ``--set NAME=VALUE``.

    Raises:
        Problem: a value has another format.
    """
    settings = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign or not name:
            raise Problem(f"--set {pair!r}: write NAME=VALUE, such as temperature=0")
        settings[name] = value
    return settings


def _new_directory(names: list[str], agent: str) -> Path:
    stamp = machine_time().strftime("%Y-%m-%d_%H%M%S")
    subject = names[0].replace("/", "-") if len(names) == 1 else f"{len(names)}-tasks"
    return Path("runs") / f"{stamp}_{subject}_{agent.partition(':')[0]}_{os.getpid()}"
