"""``yardkit gta ask``: ask a model step by step."""

import argparse
from pathlib import Path

from yardkit.benchmarks.gta.commands.telling import add_format, print_summary
from yardkit.sandbox.cli import Subparsers, new_parser
from yardkit.world import Problem

_DESCRIPTION = """\
Ask a model step by step (openai:MODEL at OPENAI_BASE_URL) and write its predictions to --output: it sees the gold
chain up to a step and says the next one; no tool runs."""

_EXAMPLES = """\
  yardkit gta ask gta_dataset --agent openai:gpt-5.2 --output predictions.json
  yardkit gta ask gta_dataset --agent openai:gpt-5.2 --set protocol=react --all-tools --output predictions.json"""


def add(actions: Subparsers) -> None:
    parser = new_parser(actions, "ask", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("path", type=Path, metavar="DIR", help="the folder of the set Atomic")
    parser.add_argument("--agent", metavar="openai:MODEL", required=True, help="the model to ask")
    parser.add_argument("--output", type=Path, metavar="FILE", required=True, help="the file for the predictions")
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of the agent, as for run"
    )
    parser.add_argument(
        "--all-tools", action="store_true", help="with all tools of the set, not only those of the sample"
    )
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    from yardkit.benchmarks.gta.running.asking import ask_steps, save_predictions
    from yardkit.benchmarks.gta.sets.atomic import read_atomic
    from yardkit.sandbox.agents.chat import ChatAgent
    from yardkit.sandbox.agents.service import ContextFull, ServiceInvalid

    kind, _, model = arguments.agent.partition(":")
    if kind != "openai":
        raise Problem(f"{arguments.agent!r} is not a model; name one with --agent openai:MODEL")
    settings = ChatAgent.from_settings(model, dict(pair.partition("=")[::2] for pair in arguments.set)).settings
    data = read_atomic(arguments.path)
    samples = list(data.samples.values())
    predictions = {}
    for sample in samples:
        try:
            predictions[sample.id] = ask_steps(sample, data, settings, all_tools=arguments.all_tools)
        except (ServiceInvalid, ContextFull) as error:
            raise Problem(f"sample {sample.id}: the model did not answer: {error}") from error
    save_predictions(arguments.output, samples, predictions)
    summary = {
        "samples": len(samples),
        "tools": "all" if arguments.all_tools else "of each sample",
        "written": str(arguments.output),
    }
    return print_summary(summary, arguments)
