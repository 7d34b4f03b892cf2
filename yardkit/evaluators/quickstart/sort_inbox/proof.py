"""Solutions and near misses of quickstart/sort_inbox."""

import csv
import io
import re
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath

from yardkit.evaluators.proof import Agent, Solved, caught_by_leaf

FOLDERS = ("invoices", "exports", "notes", "archive", "inbox")


def solve(agent: Agent) -> str:
    """Delete the copies, move what the rules name, count."""
    return _sort_files(agent, sorted)


def alternative_in_another_order(agent: Agent, files: Path) -> str:
    """Backwards, copying and deleting instead of moving; the summary saved by another program in other forms."""
    answer = _sort_files(agent, lambda names: sorted(names, reverse=True), copying=True)
    rows = list(csv.reader(io.StringIO((files / "summary.csv").read_text("utf-8"))))
    text = "".join(f"{name};{count}\r\n" for name, count in [rows[0], *reversed(rows[1:])])
    (files / "summary.csv").write_bytes(text.encode("utf-8-sig"))
    return answer


def alternative_with_quoted_summary_and_empty_folders(agent: Agent, files: Path) -> str:
    """Quoted cells and a trailing slash in the summary, and an empty folder left over."""
    answer = _sort_files(agent, sorted)
    rows = list(csv.reader(io.StringIO((files / "summary.csv").read_text("utf-8"))))
    lines = ['"Folder","Files"', *(f'"{name}/","{count}"' for name, count in rows[1:])]
    (files / "summary.csv").write_text("\n".join(lines), "utf-8")
    (files / "inbox" / "old").mkdir()
    return answer


@caught_by_leaf("invoices")
def near_miss_year_of_the_due_date(work: Solved) -> None:
    """An invoice lies in the folder of another year."""
    path = sorted((work.files / "invoices").rglob("*.txt"))[0]
    other = work.files / "invoices" / str(int(path.parent.name) + 1) / path.name
    other.parent.mkdir(exist_ok=True)
    path.rename(other)


@caught_by_leaf("invoices", "inbox")
def near_miss_one_invoice_forgotten(work: Solved) -> None:
    """One invoice is still in the inbox."""
    path = sorted((work.files / "invoices").rglob("*.txt"))[0]
    path.rename(work.files / "inbox" / path.name)


@caught_by_leaf("notes")
def near_miss_note_of_the_cutoff_day_archived(work: Solved) -> None:
    """The boundary is on the wrong side."""
    cutoff = work.facts["prompt"]["cutoff"]
    for path in (work.files / "notes").iterdir():
        if f"date: {cutoff}" in path.read_text("utf-8"):
            path.rename(work.files / "archive" / "notes" / path.name)


@caught_by_leaf("exports")
def near_miss_copies_kept(work: Solved) -> None:
    """A duplicate was sorted as well instead of deleted."""
    path = sorted((work.files / "exports").rglob("*.csv"))[0]
    shutil.copy(path, path.with_stem(path.stem + " (1)"))


@caught_by_leaf("summary")
def near_miss_subfolders_not_counted(work: Solved) -> None:
    """The summary counts only the files directly in each folder."""
    rows = [f"{name},{sum(path.is_file() for path in (work.files / name).iterdir())}" for name in FOLDERS]
    (work.files / "summary.csv").write_text("\n".join(["folder,files", *rows]), "utf-8")


@caught_by_leaf("others_untouched")
def near_miss_other_folder_tidied_as_well(work: Solved) -> None:
    """A file of the accountant was moved too."""
    (work.files / "finance" / "register_2024.txt").rename(work.files / "register_2024.txt")


def _sort_files(agent: Agent, order: Callable[[Iterable[str]], list[str]], *, copying: bool = False) -> str:
    cutoff = str(re.findall(r"dated before (\S+) to", agent.prompt)[0])
    listed = agent.call("list_folder", path="inbox")["entries"]
    names = [PurePosixPath(entry["path"]).name for entry in listed]
    counts = dict.fromkeys(FOLDERS, 0)
    sorted_digests: dict[str, str] = {}
    for name in sorted(names, key=len):
        digest = agent.call("describe_path", path=f"inbox/{name}", sha256=True)["sha256"]
        if digest in sorted_digests:
            agent.call("delete_path", path=f"inbox/{name}")
        sorted_digests.setdefault(digest, name)
    for name in order(sorted_digests.values()):
        target = _find_folder(name, agent.call("read_file", path=f"inbox/{name}")["content"], cutoff)
        counts[target.split("/")[0]] += 1
        if target != f"inbox/{name}":
            _move_file(agent, f"inbox/{name}", target, copying=copying)
    rows = [f"{name},{count}" for name, count in counts.items()]
    agent.call("write_file", path="summary.csv", content="\n".join(["folder,files", *rows, ""]))
    return "The inbox is sorted."


def _move_file(agent: Agent, source: str, target: str, *, copying: bool) -> None:
    agent.call("copy_path" if copying else "move_path", source=source, target=target)
    if copying:
        agent.call("delete_path", path=source)


def _find_folder(name: str, text: str, cutoff: str) -> str:
    lines = text.splitlines()
    if name.endswith(".csv"):
        year, month = re.findall(r"(\d{4})-(\d{2})-\d{2}", name)[0]
        return f"exports/{year}-{month}/{name}"
    if name.endswith(".md"):
        date = next(line for line in lines if line.startswith("date:")).split()[1]
        return f"archive/notes/{name}" if date < cutoff else f"notes/{name}"
    if name.endswith(".txt") and lines[0].startswith("INVOICE"):
        fields = dict(line.split(": ", 1) for line in lines[1:5])
        supplier = fields["Supplier"].lower().replace(" ", "-")
        return f"invoices/{fields['Invoice date'][:4]}/{supplier}_{lines[0].split()[1]}.txt"
    return f"inbox/{name}"
