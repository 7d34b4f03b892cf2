"""``yardkit doctor``: show what is installed and what is missing, and how to install it."""

import argparse
import json
import platform
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from yardkit.programs.jail import SETTING, may_go_without
from yardkit.sandbox.cli import Subparsers, new_parser
from yardkit.sandbox.serving.model_states import EVERY_TOOL, MissingModel, missing_models, model_states
from yardkit.sandbox.serving.registry import chosen_offer, get_version, server_names
from yardkit.sandbox.serving.requirements import (
    ProgramState,
    ServerState,
    needed_extras,
    needed_packages,
    needs_of,
    program_states,
    server_states,
)
from yardkit.world.extras import read_extras

_DESCRIPTION = """\
Show which requirements are installed, which are missing, and the command that installs them.

A server whose packages were never installed, or none of whose tools works without a model that is not
configured, is listed, but counts as a failure only if you name it. Models that were not added and services
that do not answer never count.
Exit code: 0 when everything installed (or named) works, 1 when something does not.

--list checks nothing and prints what the servers need, one name per line, for scripts that install it:
`packages` of Debian and Ubuntu with the programs that they call (always including bubblewrap), or
`extras` of this distribution."""

_EXAMPLES = """\
  yardkit doctor
  yardkit doctor ocr plot
  sudo apt-get install $(yardkit doctor sheets render --list packages)
  yardkit doctor --format json"""

_LISTS = {"extras": needed_extras, "packages": needed_packages}


def add(subparsers: Subparsers) -> None:
    parser = new_parser(subparsers, "doctor", _DESCRIPTION, _EXAMPLES)
    parser.add_argument(
        "servers", nargs="*", metavar="SERVER", help="servers that must work (default: those installed)"
    )
    parser.add_argument("--format", choices=["text", "json"], default="text", help="%(default)s by default")
    parser.add_argument("--list", choices=list(_LISTS), help="only list what the servers (by default all) need")


def run(arguments: argparse.Namespace) -> int:
    named = _list_servers(arguments.servers)
    if arguments.list:
        print("\n".join(_LISTS[arguments.list](named or server_names())))  # noqa: T201
        return 0
    servers = server_states(named or server_names())
    programs = [state for state in program_states() if not named or set(named) & set(state.program.servers)]
    required = named or [state.name for state in servers if state.works or state.name not in read_extras()]
    models = {state.name: missing_models(state.name) for state in servers if state.works}
    healthy = _is_healthy(required, servers, programs) and not any(map(_lacks_model, map(models.get, named)))
    report = _build_report(servers, programs, models, healthy=healthy)
    print(json.dumps(report, indent=2) if arguments.format == "json" else _format_report(report))  # noqa: T201
    return 0 if healthy else 1


def _list_servers(names: list[str]) -> list[str]:
    offer = chosen_offer(names)
    if not offer.tools:
        return list(offer.servers) if names else []
    from yardkit.sandbox.serving.workspace_server import narrow_offer

    return list(narrow_offer(offer).servers)


def _is_healthy(required: list[str], servers: list[ServerState], programs: list[ProgramState]) -> bool:
    broken = any(not state.works for state in servers if state.name in required)
    # Tesseract is one of two backends, so it is optional. Without a sandbox, listed tools cannot work.
    unusable = any(
        not state.works and state.program.name == "bwrap" and set(required) & set(_list_walled(state))
        for state in programs
    )
    return not broken and not unusable


def _lacks_model(missing: Sequence[MissingModel] | None) -> bool:
    """Whether all tools of a server need a model that is not configured."""
    return any(model.tools == EVERY_TOOL for model in missing or ())


def _list_walled(bwrap: ProgramState) -> Sequence[str]:
    """List the servers that need bubblewrap: with YARDKIT_UNJAILED, only those that run agents' code."""
    return [
        name for name in bwrap.program.servers if not may_go_without() or "code of an agent" in needs_of(name)["bwrap"]
    ]


def _build_report(
    servers: list[ServerState],
    programs: list[ProgramState],
    models: Mapping[str, list[MissingModel]],
    *,
    healthy: bool,
) -> dict[str, Any]:
    return {
        "yardkit": get_version(),
        "python": platform.python_version(),
        "executable": sys.executable,
        "healthy": healthy,
        "unjailed": may_go_without(),
        "servers": [_server_row(state, models.get(state.name, [])) for state in servers],
        "programs": [
            {
                "name": state.program.name,
                "works": state.works,
                "detail": state.detail,
                "needed_for": state.program.needed_for,
                "fix": state.fix,
            }
            for state in programs
        ],
        "models": [asdict(state) for state in model_states()],
    }


def _server_row(state: ServerState, missing: list[MissingModel]) -> dict[str, Any]:
    fix = state.fix or next((model.fix for model in missing if model.tools == EVERY_TOOL), "")
    works = state.works and not _lacks_model(missing)
    return {
        "name": state.name,
        "works": works,
        "missing": state.missing,
        "missing_models": [asdict(model) for model in missing],
        "fix": fix,
    }


def _server_lines(server: dict[str, Any]) -> Iterator[str]:
    models = server["missing_models"]
    if server["missing"]:
        detail = f"not installed: {', '.join(server['missing'])}"
    elif server["works"]:
        detail = "works"
    else:
        detail = f"needs a model: {models[0]['detail']}"
    yield _format_line(server["name"], detail, works=server["works"], fix=server["fix"])
    if server["works"]:
        for model in models:
            yield f"      {'':14} {model['tools']}: no model, {model['detail']}\n      {'':14} fix: {model['fix']}"


def _format_report(report: dict[str, Any]) -> str:
    lines = [f"yardkit {report['yardkit']}, Python {report['python']} ({report['executable']})", "", "servers"]
    for server in report["servers"]:
        lines += _server_lines(server)
    lines += ["", "programs"] if report["programs"] else []
    for program in report["programs"]:
        detail = program["detail"] if program["works"] else f"{program['detail']}; needed for {program['needed_for']}"
        lines.append(_format_line(program["name"], detail, works=program["works"], fix=program["fix"]))
    lines += ["", "models"]
    lines += [_format_line(row["tier"], row["detail"], works=row["works"], fix=row["fix"]) for row in report["models"]]
    if report["unjailed"]:
        lines += ["", f"{SETTING}=1: where bubblewrap does not work, LibreOffice and Chromium run without a sandbox."]
    return "\n".join([*lines, "", _format_verdict(report)])


def _format_verdict(report: dict[str, Any]) -> str:
    if not report["healthy"]:
        return "Something does not work; see `fix` above."
    if not all(row["works"] for row in report["models"]) or any(row["missing_models"] for row in report["servers"]):
        return "Everything that was asked for works, except tools that need a missing model; see `fix` above."
    return "Everything that was asked for works."


def _format_line(name: str, detail: str, *, works: bool, fix: str) -> str:
    first = f"  {'ok' if works else '--'}  {name:14} {detail}"
    return f"{first}\n      {'':14} fix: {fix}" if fix else first
