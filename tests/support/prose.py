"""What users and models read: tool descriptions, errors, help, checkpoints and documents, each with its line.

Only wordings that this project used to have are looked for. proselint finds none of them (it knows clichés and
typography), and vale is not Python and would need a binary; so the list is ours.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATTERNS = {
    r"(?<!there\s)\b(?:is|are|was|were)\s+no\s+(?!longer\b|more\b|need\b)\w+": "is not a valid X; does not exist",
    r"\banew\b": "again",
    r"\bbut\s+for\b": "except",
    r"\bof\s+(?:its|their)\s+own\b": "its own X; a separate X",
    r"\b(?:no|some)body\b": "no one; the user; another client",
    r"\bapart\b": "separately; isolated; except",
    r"\b(?:tells?|told)\b": "says; reports; shows; is notified",
    r"\b(?:stands?|stood)\s+(?:for|in|at|there|beside|on|as|by|behind|above|below|under|over)\b": "is; means; follows",
    r"\blies?\s+(?:in|at|on|below|beside|under|above|outside|within|behind)\b": "is; is stored in; overlaps",
    r"(?:\A|[.:;!]\s|\n\s*\n|(?:\A|\n)\s*(?:[-*>|#]+|\d+\.)\s+)"
    r"(?:what|who|which)\s+(?:is|was|are|were|has|they|it|there|a|the)\b(?![^.?!]*\?)": "a noun as the subject",
    r"\b(?:put|written)\s+down\b": "store; record; transcribe",
    r"\btaken\s+for\b": "mistaken for; interpreted as",
    r"\b(?:made|came)\s+of\s+it\b": "resulted; was created",
    r"\bat\s+hand\b": "available",
    r"\bby\s+itself\b": "automatically; alone",
    r"\bcan\s+not\b": "cannot",
    r"\bin\s+order\s+to\b": "to",
}
"""Wordings, as regular expressions without regard to case, and what an English engineer writes instead."""
_COMPILED = [(re.compile(pattern, re.IGNORECASE), instead) for pattern, instead in PATTERNS.items()]
_NOT_PROSE = re.compile(r"```.*?```|~~~.*?~~~|`[^`\n]*`|<!-- tools -->.*?<!-- /tools -->", re.DOTALL)
_HAS_TEXTS = re.compile(r"\braise \w+\(|\bField\(|^@tool\(|^CHECKS\b", re.MULTILINE)
"""A module without any of these is not parsed: it has no text to check."""
_DISPLAY_FOLDERS = ("yardkit/sandbox/cli/", "yardkit/sandbox/reports/")
"""Packages whose texts are all displayed."""
_GENERATED = ("docs/tasks/", "docs/arguments.md")


@dataclass(frozen=True)
class Spot:
    """A wording of the list in a text.

    Attributes:
        path: the file, relative to the repository.
        line: its line, or where the literal begins that holds it.
        words: as they are.
        instead: what to write.
    """

    path: str
    line: int
    words: str
    instead: str

    @property
    def folder(self) -> str:
        """What the limit of the file is kept by: a package, a folder of documents, or the file."""
        if self.path.endswith("README.md") and self.path != "README.md":
            return "yardkit/servers/*/README.md"
        parts = self.path.split("/")
        return "/".join(parts[:2]) if parts[0] == "yardkit" else parts[0]

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.words!r}; write: {self.instead}"


def find_spots(path: str, text: str, first_line: int = 1, *, is_literal: bool = False) -> list[Spot]:
    """All wordings of the list in a text; a literal in code has one line, that of its beginning."""
    spots = []
    for pattern, instead in _COMPILED:
        for match in pattern.finditer(text):
            words = " ".join(match[0].split()).lstrip(".:;!-*>|# ")
            line = first_line if is_literal else first_line + text.count("\n", 0, match.end())
            spots.append(Spot(path, line, words, instead))
    return spots


PACKAGES = sorted(path.parent.name for path in (ROOT / "yardkit").glob("*/__init__.py"))
DOCUMENTS = ("README.md", "AGENTS.md", "CONTRIBUTING.md", "SECURITY.md", "docs", "yardkit/servers/*/README.md")
"""What spots in documents are counted by, see `Spot.folder`."""


def spots_of_documents() -> Iterator[Spot]:
    """Those of the documents at the root, docs and the servers' READMEs, without code and generated parts."""
    for path in [path for name in DOCUMENTS for path in sorted(ROOT.glob(name))]:
        for file in sorted(path.rglob("*.md")) if path.is_dir() else [path]:
            name = file.relative_to(ROOT).as_posix()
            if not name.startswith(_GENERATED):
                # Code stays as a word without meaning, so that lines are counted right.
                text = _NOT_PROSE.sub(lambda code: re.sub(r"\S", "_", code[0]), file.read_text("utf-8"))
                yield from find_spots(name, text)


def spots_of_code(package: str) -> Iterator[Spot]:
    """Those of the texts in a package that a user or a model reads; dialects repeat the words of other suites."""
    for path in sorted((ROOT / "yardkit" / package).rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        source = path.read_text("utf-8")
        if not name.startswith("yardkit/compat/") and (name.startswith(_DISPLAY_FOLDERS) or _HAS_TEXTS.search(source)):
            for line, text in dict.fromkeys(texts_of(name, ast.parse(source))):
                yield from find_spots(name, text, line, is_literal=True)


def texts_of(path: str, module: ast.Module) -> Iterator[tuple[int, str]]:
    """The texts of a module that a user or a model reads, each with its line."""
    if path.startswith(_DISPLAY_FOLDERS):
        yield from _list_literals(module)
    for node in ast.walk(module):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            yield from _list_literals(node.exc)
        elif isinstance(node, ast.Call) and _read_name(node.func) in ("Field", "make_server", "leaf", "group"):
            yield from _list_literals(node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and any(
            isinstance(decorator, ast.Call) and _read_name(decorator.func) == "tool"
            for decorator in node.decorator_list
        ):
            yield node.lineno, ast.get_docstring(node) or ""
        elif isinstance(node, ast.Assign) and path.endswith("/checks.py") and _read_name(node.targets[0]) == "CHECKS":
            yield from _list_literals(node)


def _read_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _list_literals(node: ast.AST) -> Iterator[tuple[int, str]]:
    """All texts of several words in it except its docstrings; what an f-string fills in is an underscore."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.JoinedStr):
            parts = [str(part.value) if isinstance(part, ast.Constant) else "_" for part in child.values]
            yield from _several_words(child.lineno, "".join(parts))
            for part in child.values:
                yield from _list_literals(part) if isinstance(part, ast.FormattedValue) else ()
        elif isinstance(child, ast.Constant) and isinstance(child.value, str):
            yield from _several_words(child.lineno, child.value)
        elif not (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)):
            yield from _list_literals(child)


def _several_words(line: int, text: str) -> Iterator[tuple[int, str]]:
    # One word alone is a name or a value.
    if " " in text.strip():
        yield line, text
