"""Every file lies where the rules say, unchanged, once; the summary counts them."""

from yardkit.evaluators.checkpoints import Check, Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.readers.answers import simplify_text
from yardkit.evaluators.readers.files import only_changed
from yardkit.evaluators.readers.tables import find_records, is_near, read_csv_rows
from yardkit.evaluators.submission import Submission, build_manifest

FOLDERS = ("invoices", "exports", "notes", "archive")


def _sorted_into(*tops: str) -> Check:
    def check(submission: Submission, facts: Facts) -> Finding:
        """The files below these folders are exactly the expected ones, with their old content."""
        now = {path: digest for path, digest in build_manifest(submission.files).items() if path.split("/")[0] in tops}
        expected_files = {path: digest for path, digest in facts["expected"].items() if path.split("/")[0] in tops}
        wrong = sorted(path for path in now.keys() | expected_files.keys() if now.get(path) != expected_files.get(path))
        return make_finding(
            not wrong, f"wrong, missing or not expected: {', '.join(wrong[:10])}" if wrong else "all there"
        )

    return check


def _check_summary(submission: Submission, facts: Facts) -> Finding:
    rows = find_records(read_csv_rows(submission, "summary.csv"), ["folder", "files"], "summary.csv")
    folder_counts = {simplify_text(str(row["folder"])).strip("/"): row["files"] for row in rows}
    counts = facts["counts"]
    good = len(rows) == len(counts) and all(
        is_near(folder_counts.get(folder), count) for folder, count in counts.items()
    )
    return make_finding(good, f"found {folder_counts}, expected {counts}")


def _others_untouched(submission: Submission, _facts: Facts) -> Finding:
    return only_changed(submission, "inbox/", "invoices/", "exports/", "notes/", "archive/", "summary.csv")


def _list_observed(*tops: str) -> tuple[str, ...]:
    return tuple(f"{kind}:{top}/*" for top in tops for kind in ("file", "text", "input", "stray"))


CHECKS = make_group(
    "sort_inbox",
    "The inbox is sorted by the rules",
    make_checkpoint(
        "invoices",
        "Invoices are sorted by year, supplier and number",
        _sorted_into("invoices"),
        covers=_list_observed("invoices"),
        weight=3,
    ),
    make_checkpoint(
        "exports", "Exports are sorted by month", _sorted_into("exports"), covers=_list_observed("exports"), weight=2
    ),
    make_checkpoint(
        "notes",
        "Notes are on the right side of the cutoff",
        _sorted_into("notes", "archive"),
        covers=_list_observed("notes", "archive"),
        weight=2,
    ),
    make_checkpoint(
        "inbox",
        "The inbox holds only files that belong nowhere else, without copies",
        _sorted_into("inbox"),
        covers=_list_observed("inbox"),
        weight=2,
    ),
    make_checkpoint(
        "summary",
        "The summary counts the files of each folder",
        _check_summary,
        covers=("file:summary.csv", "text:summary.csv"),
        kind="format",
    ),
    make_checkpoint(
        "others_untouched",
        "Other folders are as they were",
        _others_untouched,
        covers=("input:finance/*", "stray:*"),
        kind="guardrail",
    ),
)
