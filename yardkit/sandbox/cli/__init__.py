"""The command line: a module in `commands` for each command, imported only when its command is used.

Benchmarks add commands of their own (`yardkit.sandbox.benchmarks`).

Exit codes: 0 all went well, 1 some did not pass, 2 misuse, 3 a run was invalid through our own fault, 130 interrupted.
"""

import argparse
import importlib
import os
import sys
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from yardkit.sandbox.benchmarks import load_commands, map_commands
from yardkit.sandbox.serving.fastmcp_settings import quiet_fastmcp
from yardkit.world.extras import missing_package
from yardkit.world.problem import Problem

COMMANDS = {
    "serve": "serve tools to an MCP client, over one of your folders",
    "install": "write a client's configuration so that it starts the servers",
    "gateway": "serve episodes over HTTP: open, work, grade",
    "mcp": "serve one episode over stdin and stdout, or over HTTP",
    "open": "seed an episode and print its prompt",
    "grade": "grade an episode",
    "catalog": "list the servers and their tools",
    "tasks": "list the suites and their tasks",
    "demo": "solve the quickstart suite with the reference agent and show the report",
    "run": "let an agent work on a suite or on tasks, and grade it",
    "regrade": "grade finished runs again, without the agent",
    "report": "write the report of a run as HTML, JSON or JUnit XML",
    "prove": "check that the evaluators accept every correct solution and fail every mutant",
    "stats": "summarize suites: tasks by kind, servers and tools by use",
    "export": "write tasks in the format of another harness",
    "new": "write the skeleton of a server, an app or a task into a checkout",
    "check-reading": "list the words in your files that the reading tools miss",
    "models": "list, add, check and remove the models that servers use, and serve large ones",
    "doctor": "show which requirements are installed, which are missing and how to install them",
    **map_commands(),
}
"""Command -> one line of help, in the order of ``yardkit --help``."""

MISUSE = 2
# As shells report a signal: 128 plus the number of SIGINT, of SIGPIPE.
INTERRUPTED = 130
BROKEN_PIPE = 141

Subparsers = Any  # argparse keeps the type of add_subparsers() private


def run_command(argv: list[str]) -> int:
    """Parse `argv`, run its command and return the exit code; expected failures print no traceback."""
    try:
        code = _run(argv)
        sys.stdout.flush()
    except Problem as problem:
        return _print_complaint(str(problem))
    except ModuleNotFoundError as error:
        problem_or_none = missing_package(error, extra="suites")
        if problem_or_none is None:
            raise
        return _print_complaint(str(problem_or_none))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output (head, less) has closed it. The rest of the buffer must not fail again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    return code


def load_command(name: str) -> ModuleType:
    """Import the module of a command, with ``add`` and ``run``: a benchmark's, or one of `commands`, with _ for -."""
    if name in map_commands():
        return load_commands(name)
    return importlib.import_module(f"yardkit.sandbox.cli.commands.{name.replace('-', '_')}")


def new_parser(subparsers: Subparsers, name: str, description: str, examples: str) -> argparse.ArgumentParser:
    """Make the parser of a command or of one of its actions; `examples` is printed unchanged below the help."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        name,
        description=description,
        epilog=f"examples:\n{examples}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    return parser


def parse_folder(text: str) -> Path:
    """Parse a path argument. No shell reads a client's configuration, so we must expand ``~`` ourselves."""
    return Path(text).expanduser()


def suggest_word(word: str, known: list[str]) -> str:
    """`` Did you mean 'x'?`` for a mistyped word, or nothing."""
    close = get_close_matches(word, known, n=1)
    return f" Did you mean {close[0]!r}?" if close else ""


def _run(argv: list[str]) -> int:
    quiet_fastmcp()
    command = next((word for word in argv if not word.startswith("-")), None)
    if command is not None and command not in COMMANDS:
        raise Problem(
            f"there is no command {command!r}.{suggest_word(command, list(COMMANDS))} Commands: {', '.join(COMMANDS)}"
        )
    parser, subparsers = _top_parser()
    if command is None:
        parser.parse_args(argv)
        parser.print_help()
        return 0
    module = load_command(command)
    module.add(subparsers)
    arguments, unknown = parser.parse_known_args(argv)
    if unknown:
        _refuse_options(unknown, _parser_of(argv, subparsers.choices[command]))
    code: int = module.run(arguments)
    return code


def _top_parser() -> tuple[argparse.ArgumentParser, Subparsers]:
    lines = "\n".join(f"  {name:13} {text}" for name, text in COMMANDS.items())
    parser = _Parser(
        prog="yardkit",
        usage="yardkit COMMAND ...",
        description="Yardkit: real MCP tool servers, seeded workspaces and proven evaluators for agents.",
        epilog=f"commands:\n{lines}\n\n`yardkit COMMAND --help` explains a command and shows examples.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", help=argparse.SUPPRESS, prog="yardkit")
    return parser, subparsers


class _Parser(argparse.ArgumentParser):
    """Prints misuse as one line with exit code 2, like other expected failures. Sub-parsers have this class, too."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.register("type", int, _parse_whole_number)

    def error(self, message: str) -> NoReturn:
        raise Problem(f"{message}; see `{self.prog} --help`")


def _parse_whole_number(text: str) -> int:
    """``int``, but its message has no word of Python."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None


class _Version(argparse.Action):
    """Looks the version up only when asked: reading the package's metadata takes a few milliseconds."""

    def __call__(self, parser: argparse.ArgumentParser, *_args: object, **_options: object) -> NoReturn:
        from yardkit.sandbox.serving.registry import get_version

        print(f"yardkit {get_version()}")  # noqa: T201
        parser.exit()


def _parser_of(words: list[str], parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Return the parser of the action in `words`, if the command has actions with their own options."""
    actions = next(
        (
            parser_action.choices
            for parser_action in parser._actions
            if isinstance(parser_action, argparse._SubParsersAction)
        ),
        {},
    )
    return next((actions[word] for word in words if word in actions), parser)


def _refuse_options(unknown: list[str], parser: argparse.ArgumentParser) -> NoReturn:
    options = [text for action in parser._actions for text in action.option_strings]
    hint = suggest_word(unknown[0].split("=")[0], options)
    raise Problem(f"unknown argument {unknown[0]!r}.{hint} See `{parser.prog} --help`")


def _print_complaint(text: str) -> int:
    line = " ".join(text.split())
    print(f"yardkit: {line}", file=sys.stderr)  # noqa: T201
    return MISUSE
