"""Every file lies where the rules say, unchanged, once; the summary counts them."""

from yardkit.evaluators.checkpoints import Check, Facts, Finding, finding, group, leaf
from yardkit.evaluators.readers.answers import fold
from yardkit.evaluators.readers.files import only_changed
from yardkit.evaluators.readers.tables import find_records, near, read_csv_rows
from yardkit.evaluators.submission import Submission, manifest

FOLDERS = ("invoices", "exports", "notes", "archive")


def _sorted_into(*tops: str) -> Check:
    def check(submission: Submission, facts: Facts) -> Finding:
        """The files below these folders are exactly the expected ones, with their old content."""
        now = {path: digest for path, digest in manifest(submission.files).items() if path.split("/")[0] in tops}
        wanted = {path: digest for path, digest in facts["expected"].items() if path.split("/")[0] in tops}
        wrong = sorted(path for path in now.keys() | wanted.keys() if now.get(path) != wanted.get(path))
        return finding(not wrong, f"wrong, missing or not expected: {', '.join(wrong[:10])}" if wrong else "all there")

    return check


def _summary(submission: Submission, facts: Facts) -> Finding:
    rows = find_records(read_csv_rows(submission, "summary.csv"), ["folder", "files"], "summary.csv")
    found = {fold(str(row["folder"])).strip("/"): row["files"] for row in rows}
    counts = facts["counts"]
    good = len(rows) == len(counts) and all(near(found.get(folder), count) for folder, count in counts.items())
    return finding(good, f"found {found}, expected {counts}")


def _others_untouched(submission: Submission, _facts: Facts) -> Finding:
    return only_changed(submission, "inbox/", "invoices/", "exports/", "notes/", "archive/", "summary.csv")


def _observes(*tops: str) -> tuple[str, ...]:
    return tuple(f"{kind}:{top}/*" for top in tops for kind in ("file", "text", "input", "stray"))


CHECKS = group(
    "sort_inbox",
    "The inbox is sorted by the rules",
    leaf(
        "invoices",
        "Invoices are sorted by year, supplier and number",
        _sorted_into("invoices"),
        observes=_observes("invoices"),
        weight=3,
    ),
    leaf("exports", "Exports are sorted by month", _sorted_into("exports"), observes=_observes("exports"), weight=2),
    leaf(
        "notes",
        "Notes are on the right side of the cutoff",
        _sorted_into("notes", "archive"),
        observes=_observes("notes", "archive"),
        weight=2,
    ),
    leaf(
        "inbox",
        "The inbox holds only files that belong nowhere else, without copies",
        _sorted_into("inbox"),
        observes=_observes("inbox"),
        weight=2,
    ),
    leaf(
        "summary",
        "The summary counts the files of each folder",
        _summary,
        observes=("file:summary.csv", "text:summary.csv"),
        kind="format",
    ),
    leaf(
        "others_untouched",
        "Other folders are as they were",
        _others_untouched,
        observes=("input:finance/*", "stray:*"),
        kind="guardrail",
    ),
)
