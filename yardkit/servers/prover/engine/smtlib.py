"""SMT-LIB 2 scripts, run command by command; commands that could touch files or the process are refused.

Source: The SMT-LIB Standard, version 2.6.
"""

import re
from dataclasses import dataclass, field
from typing import Any, Literal

from yardkit.world import Problem

PRELOAD = ("z3",)
MAX_CHARACTERS = 200_000
MAX_DEPTH = 500
MAX_OUTPUT = 20_000
Status = Literal["sat", "unsat", "unknown"]
_CHECKS = ("check-sat", "check-sat-assuming", "check-sat-using")
_ASKING = {
    *("get-model", "get-value", "get-unsat-core", "get-assertions", "get-info", "get-objectives", "get-assignment"),
    *("get-unsat-assumptions", "get-proof", "get-option", "eval", "simplify", "echo"),
}
"""Commands that change nothing: one that fails leaves the answers around it as they are."""
_COMMANDS = {
    *_CHECKS,
    *("assert", "assert-soft", "declare-const", "declare-fun", "declare-sort", "declare-datatype", "declare-datatypes"),
    *("define-const", "define-fun", "define-fun-rec", "define-funs-rec", "define-sort", "push", "pop", "reset"),
    *("reset-assertions", "get-model", "get-value", "get-unsat-core", "get-assertions", "get-info", "get-objectives"),
    *("get-assignment", "get-unsat-assumptions", "get-proof", "get-option", "set-logic", "set-info", "set-option"),
    *("minimize", "maximize", "eval", "simplify", "echo", "exit"),
}
_OPTIONS = {
    *(":produce-models", ":produce-unsat-cores", ":produce-assignments", ":produce-assertions", ":print-success"),
    *(
        ":produce-proofs",
        ":produce-unsat-assumptions",
        ":random-seed",
        ":opt.priority",
        ":pp.decimal",
        ":interactive-mode",
    ),
    *(":auto_config", ":model.completion", ":smt.mbqi", ":smt.arith.solver", ":global-declarations"),
}
_TOKEN = re.compile(r';[^\n]*|"(?:[^"]|"")*"|\|[^|]*\||[()]|[^\s()";|]+')


@dataclass(frozen=True)
class Check:
    """The answer to one ``check-sat``.

    Attributes:
        line: where it stands in the script.
        model: value of each constant and function if ``sat``, in SMT-LIB notation.
        core: names of the assertions that contradict each other if ``unsat`` (those with ``:named``).
        reason: why it is ``unknown``.
    """

    line: int
    status: Status
    model: dict[str, str] = field(default_factory=dict)
    core: list[str] = field(default_factory=list)
    reason: str = ""

    def __str__(self) -> str:
        lines = [f"line {self.line}: {self.status}" + (f" ({self.reason})" if self.reason else "")]
        lines += [f"  {name} = {value}" for name, value in self.model.items()]
        if self.core:
            lines.append(f"  contradiction between: {', '.join(self.core)}")
        return "\n".join(lines)


@dataclass(frozen=True)
class ScriptRun:
    """What a script gave.

    Attributes:
        checks: one answer per ``check-sat``.
        output: what the other commands printed, cut at 20,000 characters.
        errors: of commands that only ask, with their lines; the others ran.
        stopped: the line and the error of a command after which the rest was not run, for the assertions would differ.
    """

    checks: list[Check]
    output: str
    errors: list[str] = field(default_factory=list)
    stopped: str = ""

    def __str__(self) -> str:
        lines = [str(check) for check in self.checks]
        lines += [f"failed: {error}" for error in self.errors]
        lines += [f"stopped here, and the rest was not run: {self.stopped}"] if self.stopped else []
        return "\n".join([*lines, f"output:\n{self.output}"] if self.output else lines)


@dataclass(frozen=True)
class _Command:
    line: int
    words: list[Any]
    text: str


def run(script: str, seconds: float) -> ScriptRun:
    """Run a script; a script without ``check-sat`` gets one at its end.

    Raises:
        Problem: it cannot be read, with the line; it holds a command or an option that is not allowed; a command fails
            before the first answer.
    """
    commands = _split_commands(script)
    if not any(command.words[0] in _CHECKS for command in commands):
        commands.append(_Command(script.count("\n") + 1, ["check-sat"], "(check-sat)"))
    return _run_commands(commands, seconds)


def _run_commands(commands: list[_Command], seconds: float) -> ScriptRun:
    import z3

    context = z3.Context()
    _send_command(context, f"(set-option :timeout {max(1, int(seconds * 1000))})", 0)
    if not {command.words[0] for command in commands} & {"minimize", "maximize", "assert-soft"}:
        _send_command(context, "(set-option :produce-unsat-cores true)", 0)
    checks: list[Check] = []
    printed, errors, stopped = [], [], ""
    for command in commands:
        if command.words[0] == "exit" or stopped:
            break
        try:
            output = _send_command(context, command.text, command.line)
        except Problem as problem:
            if command.words[0] in _ASKING:
                errors.append(str(problem))
            else:
                stopped = str(problem)
            continue
        if command.words[0] in _CHECKS:
            checks.append(_run_check(context, command.line, output))
        elif output and output != "success":
            printed.append(output)
    if not checks and (stopped or errors):
        raise Problem(stopped or errors[0])
    return ScriptRun(checks, "\n".join(printed)[:MAX_OUTPUT], errors, stopped)


def negate_script(script: str) -> str:
    """The script that looks for a case in which the assertions of `script` do not all hold.

    It gives ``unsat`` if they hold in every case. What `script` asks itself is left out.

    Raises:
        Problem: it cannot be read, asserts nothing, or takes assertions back.
    """
    remaining_commands, asserted = [], []
    for command in _split_commands(script):
        name = command.words[0]
        if name == "assert":
            asserted.append(command.text[1:-1].strip().removeprefix("assert"))
        elif name.startswith(("declare-", "define-", "set-")):
            remaining_commands.append(command.text)
        elif name not in _CHECKS and not name.startswith(("get-", "echo", "exit")):
            raise Problem(
                f"line {command.line}: {name!r} is not allowed in a theorem; use only declare, define and assert"
            )
    if not asserted:
        raise Problem("the theorem has no assertion; add a command (assert ...)")
    # On lines of their own: a formula may end in a comment.
    return "\n".join([*remaining_commands, "(assert (not (and", *asserted, ")))"])


def _send_command(context: Any, text: str, line: int) -> str:
    import z3

    try:
        output = str(z3.Z3_eval_smtlib2_string(context.ref(), text)).strip()
    except z3.Z3Exception as error:
        raw = error.args[0] if error.args else str(error)
        output = raw.decode("utf-8", "replace") if isinstance(raw, bytes) else str(raw)
        raise Problem(f"line {line}: {_extract_reason(output)}; in {_shorten_text(text)}") from error
    return output


def _extract_reason(output: str) -> str:
    error_match = re.search(r'\(error "(?:line \d+ column \d+: )?(.*?)"\)', output, re.DOTALL)
    return (error_match[1] if error_match else output).strip()[:500]


def _run_check(context: Any, line: int, output: str) -> Check:
    status = output.split()[-1] if output else "unknown"
    if status == "sat":
        return Check(line, "sat", model=_parse_model(_send_quietly(context, "(get-model)")))
    if status == "unsat":
        return Check(line, "unsat", core=_send_quietly(context, "(get-unsat-core)").strip("()\n ").split())
    reason = (
        _send_quietly(context, "(get-info :reason-unknown)").removeprefix("(:reason-unknown").rstrip(")").strip(' "')
    )
    timed = reason in ("timeout", "canceled")
    return Check(line, "unknown", reason="the time limit was reached" if timed else reason or "no reason was given")


def _send_quietly(context: Any, text: str) -> str:
    try:
        return _send_command(context, text, 0)
    except Problem:
        # No core was asked for by a name, or there is no model; the answer itself stands.
        return ""


def _parse_model(text: str) -> dict[str, str]:
    """``(define-fun x () Int 6)`` ... as name -> value; functions keep their parameters."""
    model = {}
    for words in _parse_trees(text)[0] if text else []:
        if isinstance(words, list) and words and words[0] == "define-fun":
            name = words[1] + (f" {_format_tree(words[2])}" if words[2] else "")
            model[name] = _format_tree(words[4])
    return model


def _format_tree(tree: Any) -> str:
    return f"({' '.join(_format_tree(part) for part in tree)})" if isinstance(tree, list) else str(tree)


def _parse_trees(text: str) -> list[Any]:
    return [command.words for command in _read_commands(text)]


def _split_commands(script: str) -> list[_Command]:
    if len(script) > MAX_CHARACTERS:
        raise Problem(f"the script has {len(script):,} characters; the limit is {MAX_CHARACTERS:,}. Split it")
    commands = _read_commands(script)
    if not commands:
        raise Problem("the script is empty; give SMT-LIB 2 commands such as (declare-const x Int) (assert (> x 5))")
    for command in commands:
        name = _format_tree(command.words[0]) if command.words else "()"
        if name not in _COMMANDS:
            raise Problem(f"line {command.line}: the command {name[:60]!r} is not allowed; {_ALLOWED}")
        if name == "set-option" and (len(command.words) != 3 or command.words[1] not in _OPTIONS):
            option = _format_tree(command.words[1])[:60] if len(command.words) > 1 else ""
            raise Problem(
                f"line {command.line}: the option {option!r} is not allowed; use {', '.join(sorted(_OPTIONS))}"
            )
    return commands


_ALLOWED = f"allowed are {', '.join(sorted(_COMMANDS))}"


def _read_commands(text: str) -> list[_Command]:
    """The top-level lists of a text with the lines they start at."""
    commands: list[_Command] = []
    stack: list[list[Any]] = []
    begin = position = 0
    for match in _TOKEN.finditer(text):
        _check_gap(text, position, match.start())
        position, token = match.end(), match[0]
        if token.startswith(";"):
            continue
        line = text.count("\n", 0, match.start()) + 1
        _check_token(token, line)
        if token == "(":  # noqa: S105 - no password
            begin = begin if stack else match.start()
            stack.append([])
            if len(stack) > MAX_DEPTH:
                raise Problem(
                    f"line {line}: it is nested more than {MAX_DEPTH} deep; define parts of it with define-fun"
                )
            continue
        if not stack:
            raise Problem(f"line {line}: {token[:60]!r} is outside a command; put commands in parentheses")
        if token != ")":  # noqa: S105 - no password
            stack[-1].append(token)
            continue
        closed = stack.pop()
        if stack:
            stack[-1].append(closed)
        else:
            commands.append(_Command(text.count("\n", 0, begin) + 1, closed, text[begin:position]))
    _check_gap(text, position, len(text))
    if stack:
        raise Problem(
            f"line {text.count(chr(10), 0, begin) + 1}: the command that starts here is never closed; add ')'"
        )
    return commands


def _check_gap(text: str, start: int, end: int) -> None:
    if text[start:end].strip():
        line = text.count("\n", 0, start) + 1
        raise Problem(f"line {line}: {text[start:end].strip()[:40]!r} is an unclosed string or name; close it")


def _check_token(token: str, line: int) -> None:
    # Z3 and the standard differ on backslashes: what is one string for us must not be two for Z3.
    if token[0] in '"|' and re.search(r"\\(?!u)", token):
        raise Problem(f"line {line}: a backslash in {token[:40]} is allowed in \\u{{...}} only")


def _shorten_text(text: str) -> str:
    return repr(text if len(text) <= 160 else text[:145] + "..." + text[-10:])
