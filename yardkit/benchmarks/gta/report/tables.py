"""The tables of the papers for several agents side by side, as text, Markdown, JSON, or a page with plots."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Literal

from yardkit.benchmarks.gta.report.columns import FORMS, Column, Runs, Steps
from yardkit.benchmarks.gta.report.figures import Figures, Group, Share, figures_of
from yardkit.benchmarks.gta.scores.answers import Form
from yardkit.benchmarks.gta.scores.errors import SAMPLE_STAGES
from yardkit.benchmarks.gta.sets.kinds import CATEGORIES
from yardkit.benchmarks.gta.sets.workflow import LEVELS, PASSES_ABOVE
from yardkit.kit.markup import Html, make_tag
from yardkit.sandbox.reports.page import page_of
from yardkit.sandbox.reports.plots import Line, Mark, Shares, Words, build_legend, line_plot, share_plot
from yardkit.sandbox.reports.tables import Table, markdown_cell, markdown_of, section_of, text_of
from yardkit.sandbox.runs.call_errors import CALL_ERRORS
from yardkit.sandbox.runs.stages import STAGES

ReportFormat = Literal["text", "markdown", "html", "json"]
_NONE = "-"
_ABOUT = (
    "Published figures are those that the code of GTA computes, with its defects, so that they compare with the "
    "papers; corrected ones are without them (docs/gta.md lists what differs). A root or leaf is a success above 7 "
    "points of 10."
)


def _f1_of(category: str) -> Callable[[Any], float]:
    return lambda scores: float(scores.f1[category])


_STEP_FIGURES: Mapping[str, Callable[[Any], float]] = {
    "Inst": lambda scores: scores.inst_acc,
    "Tool": lambda scores: scores.tool_acc,
    "Arg": lambda scores: scores.arg_acc,
    "Summ": lambda scores: scores.summ_acc,
}
_RUN_FIGURES: Mapping[str, Callable[[Any], float]] = {
    **{name: _f1_of(name) for name in CATEGORIES},
    "Ans": lambda scores: scores.ans_acc,
    "Ans+I": lambda scores: scores.ans_acc_with_pictures,
}
"""The columns of the papers' table -> the figure."""
_ABOUT_ATOMIC = (
    "Step by step: InstAcc, ToolAcc, ArgAcc, SummAcc. End to end: F1 of the choice of tools for perception, operation, "
    "logic and creation, AnsAcc, and AnsAcc with ImgGen. Published, InstAcc and F1 can pass 100."
)
_ABOUT_PUBLISHED = "A leaf that no judge could read counts 0 here, as in the code of GTA-2; above it is left out."
_CAPABILITIES = {"P": "perception", "O": "operation", "L": "logic", "C": "creation"}
_GROUPED: Mapping[str, tuple[str, Callable[[Figures], Mapping[str, Group]], str]] = {
    "capability": (
        "By capability",
        lambda figures: {f"{name} ({_CAPABILITIES[name]})": group for name, group in figures.by_capability.items()},
        "A task counts for each category of which it has a tool (GTA-2, table 17). The mapping behind the paper's own "
        "figures is not published.",
    ),
    "class": ("By class", lambda figures: figures.by_category, ""),
    "leaves": ("By number of leaves", lambda figures: figures.by_size, ""),
    "deliverable": (
        "By deliverable",
        lambda figures: figures.by_kind,
        "The files that a task asks for; one that asks for several counts for each.",
    ),
}


def build_tables(columns: Sequence[Column]) -> list[Table]:
    """Build all tables that are not empty."""
    atomic = [column for column in columns if column.steps or column.runs]
    report_tables = [_build_atomic_table(atomic), *_atomic_errors(atomic)] if atomic else []
    workflows = [column for column in columns if column.works]
    figures = {column.name: figures_of(column.works) for column in workflows}
    published = {column.name: figures_of(column.works, "published") for column in workflows}
    if figures:
        corrected = _build_workflow_table("Workflow", figures)
        others = [row for row in _build_workflow_table("", published).rows if row not in corrected.rows]
        report_tables += [corrected, Table("Workflow, published", ["", *figures], others, _ABOUT_PUBLISHED)]
        stages = {name: agent_figures.stages for name, agent_figures in figures.items()}
        report_tables += [_build_level_table(figures), _build_count_table("Where tasks failed", stages, STAGES)]
        report_tables += [_build_group_table(figures, kind) for kind in _GROUPED]
        report_tables.append(_by_task(workflows))
    return [table for table in report_tables if table.rows]


def _build_atomic_table(columns: Sequence[Column]) -> Table:
    """Build the table of the papers: a row for each agent and form."""
    heads = ["", *_STEP_FIGURES, *_RUN_FIGURES]
    rows = [
        [
            f"{column.name}, {form}",
            *_format_cells(column.steps, form, _STEP_FIGURES),
            *_format_cells(column.runs, form, _RUN_FIGURES),
        ]
        for column in columns
        for form in FORMS
    ]
    filled_columns = [place for place in range(len(heads)) if any(row[place] != _NONE for row in rows)]
    return Table(
        "Atomic",
        [heads[at] for at in filled_columns],
        [[row[at] for at in filled_columns] for row in rows],
        _ABOUT_ATOMIC,
    )


def _format_cells(known: Steps | Runs | None, form: Form, figures: Mapping[str, Callable[[Any], float]]) -> list[str]:
    return [f"{figure(known.scores[form]):.2f}" if known else _NONE for figure in figures.values()]


def _atomic_errors(columns: Sequence[Column]) -> Iterator[Table]:
    """Build the tables of errors step by step and end to end, and of the stages where samples failed."""
    for title, part, kinds in (
        ("What went wrong step by step", "steps", CALL_ERRORS),
        ("What went wrong end to end", "runs", CALL_ERRORS),
    ):
        known = [(column.name, getattr(column, part)) for column in columns if getattr(column, part)]
        yield _build_count_table(title, {name: scores.errors for name, scores in known}, kinds)
    runs = {column.name: column.runs.stages for column in columns if column.runs}
    yield _build_count_table("Where answers went wrong", runs, SAMPLE_STAGES)


def _build_count_table(
    title: str, counts_by_name: Mapping[str, Mapping[str, int]], meanings: Mapping[str, str]
) -> Table:
    """Build a table with the count and meaning of each kind."""
    rows = [
        [name, *(f"{counts.get(name, 0)}" for counts in counts_by_name.values())]
        for name in meanings
        if any(counts.get(name) for counts in counts_by_name.values())
    ]
    return Table(title, ["", *counts_by_name], rows, notes=meanings)


def _build_workflow_table(title: str, figures: Mapping[str, Figures]) -> Table:
    rows = [[name, *map(figure, figures.values())] for name, figure in _WORKFLOW.items()]
    return Table(title, ["", *figures], [row for row in rows if any(cell != _NONE for cell in row[1:])])


def _build_level_table(figures: Mapping[str, Figures]) -> Table:
    levels: Mapping[str, Callable[[Figures], str]] = {
        "Deliverables: all present and readable": lambda figures: _format_share(figures.delivered),
        "Leaves passed": lambda figures: _format_share(figures.leaves),
        "Groups of leaves passed": lambda agent_figures: _format_share(agent_figures.groups),
        "Full trees passed": lambda agent_figures: _format_share(agent_figures.successes[PASSES_ABOVE]),
    }
    rows = [[name, *map(cell, figures.values())] for name, cell in levels.items()]
    return Table("Three levels", ["", *figures], [row for row in rows if any(cell != _NONE for cell in row[1:])])


def _build_group_table(figures: Mapping[str, Figures], kind: str) -> Table:
    title, groups_of, about = _GROUPED[kind]
    agent_groups = [groups_of(run_figures) for run_figures in figures.values()]
    names = list(dict.fromkeys(name for groups in agent_groups for name in groups))
    rows = [[name, *(_format_group(groups.get(name)) for groups in agent_groups)] for name in names]
    return Table(title, ["Root score, Root SR", *figures], rows, about)


def _format_group(group: Group | None) -> str:
    return _NONE if group is None else f"{group.root:.2f}, {_format_share(group.success)}"


def _by_task(columns: Sequence[Column]) -> Table:
    """Points, minutes and costs of each task."""
    works_by_name = {column.name: {work.task: work for work in column.works} for column in columns}
    rows = []
    for task in dict.fromkeys(work.task for column in columns for work in column.works):
        cells = [task]
        for works in works_by_name.values():
            work = works.get(task)
            facts = [] if work is None else [_format_number(work.root)]
            if work is not None and work.seconds is not None:
                facts.append(f"{work.seconds / 60:.1f} min")
            if work is not None and work.usage.cost_usd is not None:
                facts.append(_format_cost(work.usage.cost_usd))
            cells.append(", ".join(facts) or _NONE)
        rows.append(cells)
    return Table("Tasks", ["Root score, time, cost", *works_by_name], rows)


def _format_number(value: float | None) -> str:
    return _NONE if value is None else f"{value:.2f}"


def _format_share(share: Share | None) -> str:
    if share is None or share.rate is None:
        return _NONE
    return f"{100 * share.rate:.2f} % ({share.count}/{share.of})"


def _make_success_formatter(level: float) -> Callable[[Figures], str]:
    return lambda figures: _format_share(figures.successes[level])


def _format_tokens(figures: Figures) -> str:
    usage = figures.usage
    cached = f" ({usage.cached_tokens:,} cached)" if usage.cached_tokens else ""
    return f"{usage.tokens:,}{cached}" if usage.tokens else _NONE


def _format_cost(cost: float | None) -> str:
    return _NONE if cost is None else f"{cost:.2f} USD" if cost >= 1 else f"{cost:.4f} USD"


def _as_json(columns: Sequence[Column], similarity: str) -> str:
    report_data = {
        "similarity": similarity,
        "columns": [
            {
                **asdict(column),
                "workflow": {form: vars(figures_of(column.works, form)) for form in FORMS} if column.works else None,
            }
            for column in columns
        ],
    }
    return json.dumps(report_data, indent=1, default=vars) + "\n"


def _as_text(columns: Sequence[Column], similarity: str) -> str:
    return "\n\n".join(["\n".join(_build_intro(columns, similarity)), *map(text_of, build_tables(columns))]) + "\n"


def _as_markdown(columns: Sequence[Column], similarity: str) -> str:
    about = "\n".join(f"- {markdown_cell(line)}" for line in _build_intro(columns, similarity))
    return "\n\n".join([about, *map(markdown_of, build_tables(columns))]) + "\n"


def _build_intro(columns: Sequence[Column], similarity: str) -> list[str]:
    lines = [f"{column.name}: {'; '.join(column.sources)}" for column in columns]
    compared = any(column.steps or column.runs for column in columns)
    return [*lines, _ABOUT, *([f"Likeness of texts: {similarity}."] if compared else [])]


def _as_page(columns: Sequence[Column], similarity: str) -> str:
    title = f"GTA: {', '.join(column.name for column in columns)}"
    lines = _build_intro(columns, similarity)
    count = len(columns)
    header = make_tag(
        "header",
        make_tag("h1", title),
        make_tag("ul", [make_tag("li", line) for line in lines[:count]]),
        [make_tag("p", line, class_="quiet") for line in lines[count:]],
    )
    drawn = dict(_list_plots(columns))
    return page_of(title, header, [section_of(table, drawn.get(table.title)) for table in build_tables(columns)])


def _list_plots(columns: Sequence[Column]) -> Iterator[tuple[str, Html]]:
    """List the plots by the title of the table above them."""
    atomic = [column for column in columns if column.steps or column.runs]
    if atomic:
        yield "Atomic", _with_legend([column.name for column in atomic], list(_atomic_plots(atomic)))
    workflows = [column for column in columns if column.works]
    if workflows:
        figures = [figures_of(column.works) for column in workflows]
        names = [column.name for column in workflows]
        yield "Workflow", _with_legend(names, [_level_plot(names, figures), *_group_plots(names, figures)])


def _atomic_plots(columns: Sequence[Column]) -> Iterator[Html]:
    for part, figures, title in (("steps", _STEP_FIGURES, "step by step"), ("runs", _RUN_FIGURES, "end to end")):
        shares = [
            Shares(number, column.name, [figure(known.scores["corrected"]) / 100 for figure in figures.values()])
            for number, column in enumerate(columns)
            if (known := getattr(column, part))
        ]
        if shares:
            words = Words(
                f"atomic-{part}", f"Atomic {title}", f"Corrected figures {title}, as bars.", title, "corrected"
            )
            yield _wrap_plot(words, share_plot(words, shares, list(figures)))


def _level_plot(names: Sequence[str], figures: Sequence[Figures]) -> Html:
    lines = [
        Line(
            number,
            name,
            [
                Mark(level, share.rate or 0.0, share.interval, f"{name}: {_format_share(share)} above {level:g}")
                for level, share in run_figures.successes.items()
            ],
        )
        for number, (name, run_figures) in enumerate(zip(names, figures, strict=True))
    ]
    words = Words("root-sr", "Root SR", "Share of tasks above each level of points.", "points above", "tasks")
    return _wrap_plot(words, line_plot(words, lines, list(LEVELS)))


def _group_plots(names: Sequence[str], figures: Sequence[Figures]) -> Iterator[Html]:
    for kind, axis in (("leaves", "leaves of a task"), ("deliverable", "deliverable"), ("capability", "capability")):
        title, groups_of, _ = _GROUPED[kind]
        groups = [groups_of(run_figures) for run_figures in figures]
        labels = list(dict.fromkeys(name for group in groups for name in group))
        shares = [
            Shares(number, name, [group[label].success.rate if label in group else None for label in labels])
            for number, (name, group) in enumerate(zip(names, groups, strict=True))
        ]
        if len(labels) > 1:
            words = Words(
                f"by-{kind}", f"Root SR {title.lower()}", f"Root SR {title.lower()}, as bars.", axis, "Root SR"
            )
            yield _wrap_plot(words, share_plot(words, shares, [label.partition(" (")[0] for label in labels]))


def _wrap_plot(words: Words, drawn: Html) -> Html:
    return make_tag("figure", make_tag("figcaption", words.title), drawn, class_="plot")


def _with_legend(names: Sequence[str], plots: Sequence[Html]) -> Html:
    return Html(build_legend(names) + make_tag("div", plots, class_="plots"))


_WORKFLOW: Mapping[str, Callable[[Figures], str]] = {
    "Tasks": lambda figures: f"{figures.works}",
    "Root score": lambda figures: _format_number(figures.root),
    **{f"Root SR, above {level:g}": _make_success_formatter(level) for level in LEVELS},
    "Leaf SR": lambda figures: _format_share(figures.leaves),
    "Leaves without points": lambda figures: f"{figures.unjudged}" if figures.unjudged else _NONE,
    "Tool SR": lambda figures: _format_share(figures.tools),
    "Minutes for a task": lambda figures: _NONE if figures.seconds is None else f"{figures.seconds / 60:.1f}",
    "Tokens in all": _format_tokens,
    "Cost in all": lambda figures: _format_cost(figures.usage.cost_usd),
    "Root score per USD": lambda figures: _format_number(figures.per_cost),
}
"""Rows of the first table -> what they show."""
RENDERERS: Mapping[ReportFormat, Callable[[Sequence[Column], str], str]] = {
    "text": _as_text,
    "markdown": _as_markdown,
    "html": _as_page,
    "json": _as_json,
}
"""Format -> what renders columns (one per agent) in it, given the name of the measure for the similarity of texts."""
