"""Each picture lies once, as it was, in the folder of what it shows or among the copies; the catalogue says so."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.leaves import Date, FileName, Table, Text
from yardkit.evaluators.submission import Submission, build_manifest

FOLDERS = ("people", "animals", "drinks", "papers", "other", "copies")
CATALOGUE = Table(
    "catalogue.csv",
    "",
    {"file": FileName(), "folder": Text(), "taken": Date(typed=False), "copy_of": FileName()},
    ("file",),
    lambda facts: [
        {"file": name, "folder": about["folder"], "taken": about["taken"], "copy_of": about["copy_of"]}
        for name, about in facts["pictures"].items()
    ],
)


def _check_folder(folder: str, statement: str, weight: float) -> Checkpoint:
    """A folder holds just its pictures, byte for byte."""

    def check(submission: Submission, facts: Facts) -> Finding:
        top = f"photos/{folder}/"
        folder_files = {
            path: digest for path, digest in build_manifest(submission.files).items() if path.startswith(top)
        }
        expected_files = {
            top + name: about["digest"] for name, about in facts["pictures"].items() if about["folder"] == folder
        }
        wrong = sorted(
            path
            for path in folder_files.keys() | expected_files.keys()
            if folder_files.get(path) != expected_files.get(path)
        )
        return make_finding(not wrong, f"wrong, missing or not expected: {', '.join(wrong[:10]) or 'none'}")

    covers = (f"file:photos/{folder}/*", f"image:photos/{folder}/*")
    return make_checkpoint(folder, statement, check, covers=covers, weight=weight)


def _check_heap(submission: Submission, facts: Facts) -> Finding:
    """Nothing but what is no picture is left in the heap, and pictures lie in the six folders only."""
    names = build_manifest(submission.files)
    left = [path for path in names if path.startswith("camera/") and path.partition("/")[2] in facts["pictures"]]
    unexpected = [path for path in names if path.startswith("photos/") and path.split("/")[1] not in FOLDERS]
    return make_finding(not left and not unexpected, f"left in the heap: {left[:6]}; in no folder: {unexpected[:6]}")


CHECKS = make_group(
    "photo_sorting",
    "The pictures are sorted",
    make_group(
        "folders",
        "Each picture is in the folder of its subject",
        _check_folder("people", "The pictures of people", 2),
        _check_folder("animals", "The pictures of animals", 2),
        _check_folder("drinks", "The pictures of cups and bottles", 2),
        _check_folder("papers", "The pictures of papers", 2),
        _check_folder("other", "The other pictures", 1),
        _check_folder("copies", "The copies, and nothing else", 3),
        make_checkpoint("heap", "The heap is empty", _check_heap, covers=("file:photos/*", "stray:*"), kind="format"),
        weight=5,
    ),
    make_group(
        "catalogue",
        "The catalogue lists them",
        leaves.check_rows("each_once", "Each picture has one row, in the order of the names", CATALOGUE, ordered=True),
        leaves.check_cells("folder", "The folders are right", CATALOGUE, "folder", weight=2),
        leaves.check_cells("taken", "So are the days", CATALOGUE, "taken", weight=2),
        leaves.check_cells("copy_of", "So is what each copy is a copy of", CATALOGUE, "copy_of", weight=2),
        weight=3,
    ),
    leaves.answer_number("The answer counts the different pictures", lambda facts: facts["different"]),
    leaves.nothing_else(
        "catalogue.csv", "photos/", also=lambda facts: tuple(f"camera/{name}" for name in facts["pictures"])
    ),
)
