"""Each picture lies once, as it was, in the folder of what it shows or among the copies; the catalogue says so."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, finding, group, leaf
from yardkit.evaluators.leaves import Date, FileName, Table, Text
from yardkit.evaluators.submission import Submission, manifest

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


def _holds(folder: str, says: str, weight: float) -> Checkpoint:
    """A folder holds just its pictures, byte for byte."""

    def check(submission: Submission, facts: Facts) -> Finding:
        top = f"photos/{folder}/"
        found = {path: digest for path, digest in manifest(submission.files).items() if path.startswith(top)}
        wanted = {top + name: about["digest"] for name, about in facts["pictures"].items() if about["folder"] == folder}
        wrong = sorted(path for path in found.keys() | wanted.keys() if found.get(path) != wanted.get(path))
        return finding(not wrong, f"wrong, missing or not expected: {', '.join(wrong[:10]) or 'none'}")

    observes = (f"file:photos/{folder}/*", f"image:photos/{folder}/*")
    return leaf(folder, says, check, observes=observes, weight=weight)


def _heap(submission: Submission, facts: Facts) -> Finding:
    """Nothing but what is no picture is left in the heap, and pictures lie in the six folders only."""
    names = manifest(submission.files)
    left = [path for path in names if path.startswith("camera/") and path.partition("/")[2] in facts["pictures"]]
    odd = [path for path in names if path.startswith("photos/") and path.split("/")[1] not in FOLDERS]
    return finding(not left and not odd, f"left in the heap: {left[:6]}; in no folder: {odd[:6]}")


CHECKS = group(
    "photo_sorting",
    "The pictures are sorted",
    group(
        "folders",
        "Each picture is in the folder of its subject",
        _holds("people", "The pictures of people", 2),
        _holds("animals", "The pictures of animals", 2),
        _holds("drinks", "The pictures of cups and bottles", 2),
        _holds("papers", "The pictures of papers", 2),
        _holds("other", "The other pictures", 1),
        _holds("copies", "The copies, and nothing else", 3),
        leaf("heap", "The heap is empty", _heap, observes=("file:photos/*", "stray:*"), kind="format"),
        weight=5,
    ),
    group(
        "catalogue",
        "The catalogue lists them",
        leaves.rows("each_once", "Each picture has one row, in the order of the names", CATALOGUE, ordered=True),
        leaves.cells("folder", "The folders are right", CATALOGUE, "folder", weight=2),
        leaves.cells("taken", "So are the days", CATALOGUE, "taken", weight=2),
        leaves.cells("copy_of", "So is what each copy is a copy of", CATALOGUE, "copy_of", weight=2),
        weight=3,
    ),
    leaves.answer_number("The answer counts the different pictures", lambda facts: facts["different"]),
    leaves.nothing_else(
        "catalogue.csv", "photos/", also=lambda facts: tuple(f"camera/{name}" for name in facts["pictures"])
    ),
)
