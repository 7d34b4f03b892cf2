"""The columns of a report on GTA: predictions, judged results and run directories, by name."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from yardkit.benchmarks.gta.report.own_runs import predictions_of, works_of
from yardkit.benchmarks.gta.report.works import Work, read_judged
from yardkit.benchmarks.gta.running.judging import RESULTS
from yardkit.benchmarks.gta.scores.answers import Form, Similarity, chosen_similarity
from yardkit.benchmarks.gta.scores.errors import run_errors, sample_stages, step_errors
from yardkit.benchmarks.gta.scores.runs import RunScores, score_runs
from yardkit.benchmarks.gta.scores.steps import StepScores, score_steps
from yardkit.benchmarks.gta.sets.atomic import AtomicSet, Sample, read_atomic
from yardkit.benchmarks.gta.sets.predictions import (
    Worked,
    as_steps,
    holds_steps,
    read_predictions,
    worked_of,
)
from yardkit.benchmarks.gta.sets.workflow import Workflow, read_workflow
from yardkit.sandbox.reports.collect import RunReport
from yardkit.sandbox.runs.run_directory import RunDirectory
from yardkit.world import Problem
from yardkit.world.wording import format_count

FORMS: tuple[Form, ...] = ("published", "corrected")
Mode = Literal["auto", "step", "run"]


@dataclass(frozen=True)
class Steps:
    """Step by step: the figures of both forms, and the errors."""

    scores: Mapping[Form, StepScores]
    errors: Mapping[str, int]


@dataclass(frozen=True)
class Runs:
    """End to end: the figures of both forms, the errors, and the stages at which samples failed."""

    scores: Mapping[Form, RunScores]
    errors: Mapping[str, int]
    stages: Mapping[str, int]


@dataclass(frozen=True)
class Column:
    """The data of one agent; sources with the same name are combined.

    Attributes:
        sources: descriptions of the sources that were read.
        works: its work on the set Workflow.
    """

    name: str
    sources: tuple[str, ...] = ()
    steps: Steps | None = None
    runs: Runs | None = None
    works: tuple[Work, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Data:
    """The available sets, with the similarity of texts and its name."""

    atomic: AtomicSet | None
    workflows: Mapping[str, Workflow]
    similarity: Similarity
    similarity_name: str

    @classmethod
    def read_sets(cls, folder: Path | None) -> "Data":
        """Read the sets in a folder: ``dataset.json``, ``end.json``, or both; none without a folder.

        Raises:
            Problem: it contains neither, or nothing in one of them can be used.
        """
        similarity, name = chosen_similarity()
        if folder is None:
            return cls(None, {}, similarity, name)
        atomic = read_atomic(folder) if (folder / "dataset.json").is_file() else None
        workflows = read_workflow(folder).tasks if (folder / "end.json").is_file() else {}
        if atomic is None and not workflows:
            raise Problem(f"{str(folder)!r} holds neither dataset.json (GTA) nor end.json (GTA-2)")
        return cls(atomic, workflows, similarity, name)


def read_columns(sources: Sequence[str], data: Data, mode: Mode) -> list[Column]:
    """Read the columns, in the order of their names.

    Args:
        sources: paths, optionally with a name before them (``GPT=steps.json``): predictions, a folder or file of judged
            results, or a run directory.
        data: the sets.
        mode: the mode of predictions; ``auto`` detects whether they are steps.

    Raises:
        Problem: a source is none of these, or its set is missing.
    """
    columns: dict[str, Column] = {}
    for source, name, path in zip(sources, _list_names(sources), map(_parse_path, sources), strict=True):
        column = _read_column(path, data, mode)
        before = columns.get(name, Column(name))
        if (column.steps and before.steps) or (column.runs and before.runs) or (column.works and before.works):
            raise Problem(f"{source!r} holds what another source of {name!r} holds already; give it another name")
        columns[name] = replace(
            before,
            sources=(*before.sources, *column.sources),
            steps=before.steps or column.steps,
            runs=before.runs or column.runs,
            works=before.works or column.works,
        )
    return list(columns.values())


def _list_names(sources: Sequence[str]) -> Iterator[str]:
    """List the given names, else the names of the files or folders, with the parent folder where two are the same."""
    stems = [_parse_path(source).absolute() for source in sources]
    for source, path in zip(sources, stems, strict=True):
        stated_name, sign, _ = source.partition("=")
        if sign and stated_name and not Path(source).exists():
            yield stated_name
        else:
            same = sum(other.stem == path.stem for other in stems) > 1
            yield f"{path.parent.name}/{path.stem}" if same else path.stem


def _parse_path(source: str) -> Path:
    path = Path(source)
    return path if path.exists() or "=" not in source else Path(source.partition("=")[2])


def _read_column(path: Path, data: Data, mode: Mode) -> Column:
    if (path / "run.json").is_file():
        return _of_run(path, data)
    if (path / RESULTS).is_file() or path.name == RESULTS:
        works = read_judged(path, data.workflows)
        missing = (
            f", {len(works)} of {len(data.workflows)} tasks"
            if data.workflows
            else f", {format_count(len(works), 'task')}"
        )
        return Column("", (f"judged results in {path.name}{missing}",), works=tuple(works))
    if path.is_file():
        return _of_predictions(path, data, mode)
    raise Problem(
        f"{str(path)!r} is neither a file of predictions, nor a folder with {RESULTS} (`yardkit gta judge`), nor a "
        "run directory (`yardkit run`)"
    )


def _of_run(path: Path, data: Data) -> Column:
    """Read the works of a run, and with the set exported from the suite also the figures of its samples."""
    report = RunReport.read_run(RunDirectory(path))
    works = tuple(works_of(report))
    about = f"{report.plan.agent.partition(chr(10))[0][:60]} in {path.absolute().name}, {len(works)} runs of workflows"
    samples = list(data.atomic.samples.values()) if data.atomic else []
    runs = _score_runs(samples, worked_of(predictions_of(path, samples)), data) if samples else None
    if not works and not runs:
        raise Problem(f"{path.name!r} holds no valid run of a task whose work is a workflow")
    return Column("", (about,), works=works, runs=runs)


def _of_predictions(path: Path, data: Data, mode: Mode) -> Column:
    if data.atomic is None:
        raise Problem(f"{path.name!r} holds predictions; name the folder with their dataset.json: --data DIR")
    samples, broken = list(data.atomic.samples.values()), dict[str, str]()
    predictions = read_predictions(path, samples, data.atomic.ids, broken)
    steps = mode == "step" or (mode == "auto" and holds_steps(path, samples, predictions))
    if steps:
        predictions = as_steps(samples, predictions, broken)
    about = (
        f"predictions {'step by step' if steps else 'end to end'} in {path.name},"
        f" {format_count(len(samples), 'sample')}"
    )
    sources = (about, *(f"broken, and counted as 0: {words}" for words in broken.values()))
    if steps:
        scores = {
            form: score_steps(samples, predictions, form, data.similarity, data.atomic.defaults) for form in FORMS
        }
        return Column("", sources, steps=Steps(scores, step_errors(samples, predictions, data.atomic.defaults)))
    return Column("", sources, runs=_score_runs(samples, worked_of(predictions), data))


def _score_runs(samples: Sequence[Sample], worked: Mapping[str, Worked], data: Data) -> Runs:
    scores = {form: score_runs(samples, worked, form, data.similarity) for form in FORMS}
    return Runs(scores, run_errors(samples, worked), sample_stages(samples, worked, data.similarity))
