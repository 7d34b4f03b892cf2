"""Changing single parts of Office packages, with all other parts kept byte for byte."""

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from yardkit.evaluators.mutations.mutant import Mutant, on_files
from yardkit.evaluators.readers.office.packages import Parts, open_parts

Change = Callable[["Draft"], object]
# The earliest time that a zip can store; fixed, so that the same parts give the same bytes.
_EPOCH = (1980, 1, 1, 0, 0, 0)


class Draft:
    """The parts of a package that is being changed; requested `xml` roots are written back at the end."""

    def __init__(self, path: Path) -> None:
        self.parts: Parts = open_parts(path)
        self.trees: dict[str, Any] = {}
        self.data: dict[str, bytes] = {}
        self.dropped: set[str] = set()
        self.main = self.parts.find_main()

    def xml(self, name: str) -> Any:
        """Return the root of a part, to be changed in place."""
        if name not in self.trees:
            self.trees[name] = self.parts.xml(name)
        return self.trees[name]

    def save(self, path: Path) -> None:
        """Write the package to `path`."""
        from lxml import etree

        changed = {
            name: etree.tostring(tree, xml_declaration=True, encoding="UTF-8", standalone=True)
            for name, tree in self.trees.items()
        } | self.data
        with zipfile.ZipFile(path) as source:
            members = [(info, source.read(info)) for info in source.infolist() if info.filename not in self.dropped]
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
            for info, data in members:
                target.writestr(info, changed.pop(info.filename, data), zipfile.ZIP_DEFLATED)
            for name, data in changed.items():
                target.writestr(zipfile.ZipInfo(name, _EPOCH), data, zipfile.ZIP_DEFLATED)


def make_mutant(operator: str, target: str, description: str, path: str, change: Change) -> Mutant:
    """Make a mutant that applies `change` to the package `path`; `target` is its kind and detail, ``kind#detail``."""

    def edit(files: Path) -> None:
        draft = Draft(files / path)
        change(draft)
        draft.save(files / path)

    kind, _, detail = target.partition("#")
    return Mutant(
        operator, f"{kind}:{path}" + (f"#{detail}" if detail else ""), f"{description} in {path}", on_files(edit)
    )


def shorten_text(text: str) -> str:
    """Shorten a text for a target: white space joined, cut after 60 characters."""
    return " ".join(text.split())[:60]
