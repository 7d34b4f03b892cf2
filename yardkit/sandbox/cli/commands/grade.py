"""``yardkit grade``: judge an episode."""

import argparse
import json
import sys
from pathlib import Path

from yardkit.sandbox.cli import Subparsers, new_parser
from yardkit.sandbox.cli.episode_options import add_format
from yardkit.world import Problem, reason_of

_DESCRIPTION = """\
Grade an episode: its world is frozen, and the checks of its task run on the frozen copy in a
separate process. After that the episode is over. Grading again, for instance after a check was
fixed, uses the same frozen world and the same answer."""

_EXAMPLES = """\
  yardkit grade runs/e0123456789abcdef --answer "42.50 EUR"
  yardkit grade runs/e0123456789abcdef --answer-file answer.txt --format json

exit code: 0 passed, 1 not passed, 2 misuse, 3 invalid because of a fault that was not the agent's"""

MAX_ANSWER_BYTES = 16 << 20
_INVALID = 3


def add(subparsers: Subparsers) -> None:
    parser = new_parser(subparsers, "grade", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("episode", type=Path, metavar="DIR", help="the episode's directory")
    answer = parser.add_mutually_exclusive_group()
    answer.add_argument("--answer", metavar="TEXT", help="the agent's final answer (the one graded before, or none)")
    answer.add_argument("--answer-file", type=Path, metavar="F", help="a text file with the answer")
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    from yardkit.sandbox.cli.grade_text import as_text
    from yardkit.sandbox.episodes.episode import reopen_episode

    answer: str | None = arguments.answer
    if arguments.answer_file:
        answer = _read_answer(arguments.answer_file)
    episode = reopen_episode(arguments.episode.resolve())
    grade = episode.grade(episode.read_graded_answer() if answer is None else answer)
    if arguments.format == "json":
        print(json.dumps(grade.as_dict(), indent=2, ensure_ascii=False))  # noqa: T201
    else:
        _print_text(f"{episode.task.id}, seed {episode.seed}\n{as_text(grade)}")
    if not grade.valid:
        return _INVALID
    return 0 if grade.passed else 1


def _read_answer(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_ANSWER_BYTES:
            raise Problem(f"the answer file {str(path)!r} is larger than {MAX_ANSWER_BYTES:,} bytes; shorten it")
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Problem(
            f"cannot read the answer file {str(path)!r} ({reason_of(error)}); give a UTF-8 text file"
        ) from error


def _print_text(text: str) -> None:
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding))  # noqa: T201 - a terminal may lack the marks
