"""The HTML page of a run: no script, no network, readable on a phone, light and dark."""

import json
import re
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

from yardkit.evaluators.checkpoints import OUR_FAULTS
from yardkit.kit.markup import Html, make_tag
from yardkit.sandbox.episodes.ledger import Call
from yardkit.sandbox.reports.breakdowns import as_section
from yardkit.sandbox.reports.collect import Delivered, RunDetails, RunReport
from yardkit.sandbox.reports.curves import HEIGHT, OPERATIONS, PROGRESS
from yardkit.sandbox.reports.deliveries import deliveries_section
from yardkit.sandbox.reports.health import health_section
from yardkit.sandbox.reports.lengths import build_length_sections
from yardkit.sandbox.reports.loops import build_loop_section
from yardkit.sandbox.reports.pictures import Gallery, is_media
from yardkit.sandbox.runs.chain_breaks import list_break_kinds
from yardkit.sandbox.runs.closed_loops import FAILURES
from yardkit.sandbox.runs.results import Result
from yardkit.sandbox.runs.summary import Summary, summarize_results, verdict_sentence
from yardkit.sandbox.serving.registry import get_version
from yardkit.sandbox.tasks.task import load_task
from yardkit.world import Problem
from yardkit.world.wording import format_count

# A second line of defence: nothing in the page may load or run anything, even if escaping fails somewhere.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src data:; form-action 'none'"
_MARKS = {"pass": "\u2713", "unjudged": "?"}
_PREVIEW = 3_000
_MOST_OPEN = 40
"""Of more runs than these none is unfolded on opening the page."""
_PAGE_CALLS, _RUN_CALLS = 6_000, 20
"""Calls that are shown in all, shared among the runs; and those of a run at least."""
_MAX_PAGE_TEXT = 20_000
_TEXT_SUFFIXES = (".txt", ".md", ".csv", ".tsv", ".json", ".ics", ".tex", ".html", ".xml", ".yaml", ".toml", ".py")
_AT_FAULT = {
    "nobody": "",
    "agent": "the agent: a checkpoint was not met",
    "yardkit": "Yardkit: the run is invalid and does not count",
    "model service": "the model's service: the run is invalid and does not count",
}


def as_html(report: RunReport) -> str:
    """Render the complete page."""
    title = (
        f"{', '.join(dict.fromkeys(task.split('/')[0] for task in report.plan.tasks))} ·"
        f" {_shorten_agent(report.plan.agent)}"
    )
    sections = [
        _build_tiles(report.summary),
        build_length_sections(report.curves),
        _build_matrix(report),
        as_section(report.results),
        deliveries_section(report.results),
        health_section(report),
        build_loop_section(report.summary),
        *_build_runs(report),
    ]
    return page_of(title, _build_header(report, title), sections)


def page_of(title: str, header: Html, sections: Sequence[Html | None]) -> str:
    """Make a page in one file, which loads and runs nothing."""
    head = make_tag(
        "head",
        make_tag("meta", charset="utf-8"),
        make_tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        make_tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        make_tag("meta", name="color-scheme", content="light dark"),
        make_tag("title", f"Yardkit: {title}"),
        make_tag("style", Html(resources.files(__package__).joinpath("page.css").read_text("utf-8"))),
    )
    foot = f"Made by Yardkit {get_version()}. Invalid runs are counted separately and never against the agent."
    body = make_tag("body", header, make_tag("main", sections), make_tag("footer", foot))
    return f"<!doctype html>\n{make_tag('html', head, body, lang='en')}\n"


def _shorten_agent(agent: str) -> str:
    """An agent in a heading: a model by its name, a command without its words."""
    return "command" if agent.startswith("command:") else agent


def _build_header(report: RunReport, title: str) -> Html:
    plan = report.plan
    missing = len(plan.keys) - len(report.results)
    settings = "".join(f", {name} {value}" for name, value in plan.as_dict()["settings"].items())
    tasks = format_count(len(plan.tasks), "task")
    repeats = f" ({plan.repeats} runs of each)" if plan.repeats > 1 else ""
    extra = f"; {plan.extra_servers} extra servers" if plan.extra_servers else ""
    extra += f"; feedback {plan.feedback}, up to {plan.attempts} deliveries" if plan.attempts > 1 else ""
    about = f"{tasks}, {_format_seeds(plan.seeds)}{repeats}{extra}; agent {plan.agent}{settings}"
    return make_tag(
        "header",
        make_tag("h1", title),
        make_tag("p", about, class_="quiet"),
        make_tag("p", verdict_sentence(report.summary), class_="lead"),
        make_tag("p", f"{format_count(missing, 'run')} not finished yet.", class_="quiet") if missing else None,
    )


def _format_seeds(seeds: Sequence[int]) -> str:
    if len(seeds) > 2 and list(seeds) == list(range(seeds[0], seeds[-1] + 1)):
        return f"seeds {seeds[0]} to {seeds[-1]}"
    return f"seeds {', '.join(map(str, seeds))}"


def _build_tiles(summary: Summary) -> Html:
    usage = summary.usage
    tiles = [
        _build_tile(_format_percent(summary.pass_rate), "passed", _format_interval(summary)),
        _build_tile("-" if summary.reward is None else f"{summary.reward:.3f}", "mean reward", "weighted checkpoints"),
        _build_tile(
            f"{summary.runs}", "runs", f"{summary.invalid} invalid" + (f", {summary.open} open" * bool(summary.open))
        ),
        _build_tile(f"{summary.calls:g}", "calls per run", f"{summary.agent_seconds:.1f} s per run"),
    ]
    if usage.tokens:
        more = [f"{usage.cached_tokens:,} cached"] * bool(usage.cached_tokens)
        more += [] if usage.cost_usd is None else [f"{usage.cost_usd:.4f} USD"]
        tiles.append(_build_tile(f"{usage.tokens:,}", "tokens", ", ".join(more)))
    return make_tag("section", tiles, class_="tiles")


def _build_tile(figure: str, name: str, more: str) -> Html:
    return make_tag("div", make_tag("b", figure), make_tag("span", name), make_tag("small", more))


def _build_matrix(report: RunReport) -> Html:
    """Build the table of tasks and seeds, with a mark for each repeat."""
    seeds = report.plan.seeds
    heads = [
        make_tag("th", "Task"),
        *(make_tag("th", f"seed {seed}") for seed in seeds),
        make_tag("th", "passed"),
        make_tag("th", "reward"),
    ]
    rows, titled = [], ""
    for task, results in report.tasks():
        by_seed: dict[int, list[Html]] = {}
        for result in results:
            by_seed.setdefault(result.seed, []).append(_build_chip(RunDetails(result, report.directory)))
        summary = summarize_results(results)
        cells = [make_tag("td", by_seed.get(seed)) for seed in seeds]
        reward = "-" if summary.reward is None else f"{summary.reward:.3f}"
        passed = f"{summary.passed}/{summary.runs - summary.invalid}"
        # The instances of one task are grouped under one title.
        base, _, _ = task.partition("@")
        name = make_tag(
            "th",
            _break_name(task.split("/")[1]),
            make_tag("small", _read_title(task)) if base != titled else None,
            scope="row",
        )
        titled = base
        rows.append(make_tag("tr", name, cells, make_tag("td", passed), make_tag("td", reward)))
    table = make_tag("table", make_tag("thead", make_tag("tr", heads)), make_tag("tbody", rows))
    return make_tag("section", make_tag("h2", "Tasks and seeds"), make_tag("div", table, class_="scroll"))


def _break_name(name: str) -> list[Html]:
    """Let a narrow page break a name only between its words and parameters."""
    return [make_tag("span", part, class_="part") for part in re.split(r"(?<=[@,_])", name)]


def _build_chip(run: RunDetails) -> Html:
    state = run.result.state
    text = f"{run.result.reward:.2f}" if run.result.valid else "invalid"
    return make_tag("a", text, class_=f"chip {state}", href=f"#{run.anchor}", title=f"{run.result.instance}: {state}")


def _build_runs(report: RunReport) -> list[Html]:
    gallery, count = Gallery(), len(report.results)
    most_calls = max(_RUN_CALLS, _PAGE_CALLS // max(1, count))
    return [_run(run, gallery, most_calls, may_open=count <= _MOST_OPEN) for run in report.runs()]


def _run(run: RunDetails, gallery: Gallery, most_calls: int, *, may_open: bool) -> Html:
    result = run.result
    figures = [f"reward {result.reward:.3f}", f"{result.calls} calls", f"{result.agent_seconds:.1f} s"]
    figures += _format_measures(result.measures)
    heading = make_tag(
        "summary",
        make_tag("span", result.state, class_=f"chip {result.state}"),
        make_tag("span", make_tag("b", _break_name(result.task.split("/")[1])), f" {result.instance}", class_="name"),
        make_tag("span", " · ".join(figures), class_="quiet"),
    )
    parts = [
        # Inside, because a browser unfolds the element around the target of a link.
        make_tag("div", id=run.anchor, class_="target"),
        _build_fault(run),
        _build_section("Prompt", make_tag("pre", run.prompt, class_="prose")),
        _build_section("Extra servers", make_tag("p", ", ".join(result.extra_servers)))
        if result.extra_servers
        else None,
        _build_section("Checkpoints", make_tag("ul", _build_checkpoint(run.verdict), class_="tree"))
        if run.verdict
        else None,
        _build_section("Earlier deliveries", _build_earlier(run)) if run.earlier else None,
        _build_section("Final answer", make_tag("pre", run.answer, class_="prose")) if run.answer else None,
        _build_section("Delivered", [_build_delivery(run, delivered, gallery) for delivered in run.delivered])
        if run.delivered
        else None,
        _build_section(f"Calls ({len(run.calls)})", _build_calls(run, gallery, most_calls)) if run.calls else None,
    ]
    # Passed runs are rarely what the reader looks for, so they start folded.
    return make_tag("details", heading, parts, class_="run", open=may_open and result.state != "passed")


def _format_measures(measures: Mapping[str, float]) -> list[str]:
    """The length of the task and the agent's progress, if known."""
    known = {OPERATIONS: "{:g} operations", HEIGHT: "height {:g}"}
    measure_texts = [words.format(measures[name]) for name, words in known.items() if name in measures]
    return (
        [*measure_texts, f"progress {_format_percent(measures[PROGRESS])}"] if PROGRESS in measures else measure_texts
    )


def _build_earlier(run: RunDetails) -> list[Html]:
    """Show the deliveries before the last one, with the answer, reward and feedback of each."""
    return [
        make_tag(
            "details",
            make_tag("summary", f"delivery {number}: reward {delivery['grade']['reward']:.3f}"),
            make_tag("pre", delivery["answer"], class_="prose"),
            make_tag("pre", delivery["feedback"], class_="prose"),
        )
        for number, delivery in enumerate(run.earlier, 1)
    ]


def _build_section(title: str, content: Html | list[Html]) -> Html:
    return make_tag("section", make_tag("h3", title), content)


def _build_fault(run: RunDetails) -> Html | None:
    """Show who was at fault, why the agent stopped, and what broke."""
    result = run.result
    lines = []
    if _AT_FAULT[result.at_fault]:
        lines.append(make_tag("p", make_tag("b", "At fault: "), _AT_FAULT[result.at_fault]))
    if result.failure:
        lines.append(make_tag("p", make_tag("b", "Failed by: "), f"{result.failure} ({FAILURES[result.failure]})"))
    if result.chain_break:
        lines.append(make_tag("p", make_tag("b", "The chain broke: "), _break_in_words(result)))
    if result.stop != "done":
        # A fault may already contain the detail, such as the error of the model's service.
        detail = "" if any(result.detail in fault for fault in result.faults) else f" {result.detail}"
        lines.append(make_tag("p", make_tag("b", "The agent stopped: "), f"{result.stop}.{detail}"))
    lines += [make_tag("pre", fault) for fault in result.faults]
    if result.tool_errors:
        lines.append(make_tag("p", f"{result.tool_errors} of {result.calls} calls ended in a tool error."))
    if result.crashes:
        lines.append(make_tag("p", make_tag("b", "Crashed: "), "; ".join(result.crashes)))
    return make_tag("section", lines, class_="fault") if lines else None


def _break_in_words(result: Result) -> str:
    names = ("unread_leads", "lost_leads", "left_rules", "wrong_results")
    counts = ", ".join(f"{result.measures.get(name, 0):g} {name.replace('_', ' ')}" for name in names)
    meaning = list_break_kinds().get(result.chain_break, "")
    return f"{result.chain_break} ({meaning}): {counts}."


def _build_checkpoint(node: Mapping[str, Any]) -> Html:
    outcome = node["outcome"] or {1.0: "pass", 0.0: "none"}.get(node["score"], "part")
    state = {"pass": "passed", "unjudged": "open", "part": "part"}.get(outcome, "failed")
    if outcome in OUR_FAULTS:
        state = "invalid"
    score = "not counted" if node["score"] is None else f"{node['score']:.2f}"
    facts = [node["kind"]] * (not node["parts"]) + ["gate"] * bool(node["gate"]) + [f"weight {node['weight']:g}", score]
    if node["outcome"] not in (None, "pass", "fail"):
        facts.insert(0, outcome)
    mark = make_tag("span", _MARKS.get(outcome, "\u2022" if node["parts"] else "\u2717"), class_=f"mark {state}")
    line = make_tag(
        "div",
        mark,
        make_tag("span", node["says"], " ", make_tag("code", node["id"])),
        make_tag("small", " · ".join(facts)),
    )
    evidence = make_tag("pre", node["evidence"]) if node["evidence"] else None
    parts = make_tag("ul", [_build_checkpoint(part) for part in node["parts"]]) if node["parts"] else None
    return make_tag("li", line, evidence, parts)


def _build_delivery(run: RunDetails, delivery: Delivered, gallery: Gallery) -> Html:
    facts = delivery.how if delivery.how == "deleted" else f"{delivery.how}, {delivery.size_bytes:,} bytes"
    line = make_tag("div", make_tag("code", delivery.path), make_tag("small", facts), class_="file")
    file = run.delivered_file(delivery.path)
    if file is None:
        return line
    if is_media(delivery.path):
        return make_tag("div", line, gallery.build_figure(file, delivery.path, caption=False))
    if delivery.path.lower().endswith(_TEXT_SUFFIXES):
        with file.open("rb") as handle:
            text = handle.read(_PREVIEW).decode("utf-8", "replace")
        more = "\n..." if delivery.size_bytes > _PREVIEW else ""
        return make_tag("details", make_tag("summary", line), make_tag("pre", text + more))
    return line


def _build_calls(run: RunDetails, gallery: Gallery, most: int) -> list[Html]:
    """Show the calls of a run; if there are too many, the first and the last ones."""
    left_out = len(run.calls) - most
    if left_out <= 0:
        return [_build_call(run, call, gallery) for call in run.calls]
    omission_note = (
        f"{left_out:,} calls in between are not shown; report.json and the run's ledger.jsonl hold all of them."
    )
    first, last = run.calls[: most // 2], run.calls[most // 2 - most :]
    call_elements = [[_build_call(run, call, gallery) for call in calls] for calls in (first, last)]
    return [*call_elements[0], make_tag("p", omission_note, class_="quiet"), *call_elements[1]]


def _build_call(run: RunDetails, call: Call, gallery: Gallery) -> Html:
    argument_text = json.dumps(dict(call.arguments), ensure_ascii=False, indent=1)
    state = "crashed" if call.crashed else "error" if call.error else ""
    heading = make_tag(
        "summary",
        make_tag("span", f"{call.number}", class_="number"),
        make_tag("span", make_tag("b", call.tool), " ", make_tag("small", _short_arguments(call)), class_="name"),
        make_tag("span", state, class_="chip failed") if state else None,
        make_tag(
            "small",
            f"{call.server or 'no such tool'} · {call.latency_ms:.0f} ms" + (" · changed files" * _is_changing(call)),
        ),
    )
    text = call.error or call.text
    parts = [
        make_tag("small", f"{call.time} · {call.bytes_in:,} bytes in, {call.bytes_out:,} bytes out"),
        make_tag("h4", "Arguments"),
        make_tag("pre", _cut_text(argument_text)),
        make_tag("h4", "Error" if call.error else "Result"),
        make_tag("pre", _cut_text(text)),
        [gallery.build_figure(run.media_file(name), f"shown by call {call.number}") for name in call.media],
    ]
    return make_tag("details", heading, parts, class_="call")


def _is_changing(call: Call) -> bool:
    return call.state_before != call.state_after


def _short_arguments(call: Call) -> str:
    words = ", ".join(f"{name}={value!r}" for name, value in call.arguments.items())
    return words if len(words) <= 90 else words[:87] + "..."


def _cut_text(text: str) -> str:
    return text if len(text) <= _MAX_PAGE_TEXT else f"{text[:_MAX_PAGE_TEXT]}\n... {len(text):,} characters in all"


def _format_percent(rate: float | None) -> str:
    return "-" if rate is None else f"{100 * rate:.1f} %"


def _format_interval(summary: Summary) -> str:
    if summary.interval is None:
        return "no valid run"
    low, high = summary.interval
    return f"{summary.passed} of {summary.runs - summary.invalid}; 95 %: {100 * low:.0f} to {100 * high:.0f} %"


def _read_title(task: str) -> str:
    try:
        return load_task(task).title
    except (OSError, Problem, KeyError):
        return ""  # a report must stay readable after the task was uninstalled
