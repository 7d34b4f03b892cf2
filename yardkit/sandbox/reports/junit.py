"""JUnit XML, as CI servers read it: a test suite per task, a test case per run."""

import xml.etree.ElementTree as ET
from collections.abc import Mapping
from typing import Any

from yardkit.kit.markup import clean_text
from yardkit.sandbox.reports.collect import RunDetails, RunReport


def as_junit(report: RunReport) -> str:
    """Render the report as XML. A failed run is a failure, an invalid one an error, an unjudged one skipped."""
    root = ET.Element("testsuites", {"name": "yardkit", **_count_states([run.result.state for run in report.runs()])})
    properties = ET.SubElement(root, "properties")
    for name in ("pass_rate", "pass_rate_of_all"):
        ET.SubElement(properties, "property", name=name, value=str(getattr(report.summary, name)))
    by_task: dict[str, list[RunDetails]] = {}
    for run in report.runs():
        by_task.setdefault(run.result.task, []).append(run)
    for task, runs in by_task.items():
        seconds = sum(run.result.agent_seconds for run in runs)
        counts = _count_states([run.result.state for run in runs])
        suite = ET.SubElement(root, "testsuite", {"name": task, "time": f"{seconds:.3f}", **counts})
        for run in runs:
            _add_case(suite, run)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _count_states(states: list[str]) -> dict[str, str]:
    return {
        "tests": str(len(states)),
        "failures": str(states.count("failed")),
        "errors": str(states.count("invalid")),
        "skipped": str(states.count("open")),
    }


def _add_case(suite: ET.Element, run: RunDetails) -> None:
    result = run.result
    case = ET.SubElement(
        suite,
        "testcase",
        classname=result.task.replace("/", "."),
        name=result.instance,
        time=f"{result.agent_seconds:.3f}",
    )
    if result.state == "failed":
        wrong = [
            leaf for leaf in list_leaves(run.verdict) if leaf.get("score") is not None and leaf["outcome"] != "pass"
        ]
        message = f"reward {result.reward:.3f}; not met: {', '.join(str(leaf['id']) for leaf in wrong)}"
        failure = ET.SubElement(case, "failure", message=clean_text(message), type=result.stop)
        failure.text = clean_text("\n".join(f"{leaf['id']} ({leaf['outcome']}): {leaf['evidence']}" for leaf in wrong))
    elif result.state == "invalid":
        error = ET.SubElement(case, "error", message=clean_text("; ".join(result.faults))[:500], type=result.at_fault)
        error.text = clean_text("\n".join(result.faults))
    elif result.state == "open":
        ET.SubElement(case, "skipped", message="a checkpoint needs a judge and none is configured")
    ET.SubElement(case, "system-out").text = clean_text(run.answer)
    if result.crashes:
        ET.SubElement(case, "system-err").text = "crashed calls: " + "; ".join(result.crashes)


def list_leaves(verdict: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    """The leaves of a verdict tree in JSON."""
    if verdict is None:
        return []
    if not verdict["parts"]:
        return [verdict]
    return [leaf for part in verdict["parts"] for leaf in list_leaves(part)]
