"""The dependencies of code: the statements that it reaches by name, their data files and packages; nothing is imported.

A definition reaches the names in it: definitions of its own module, and of our modules that it imports at any place. A
module that is passed on as a value, or given by its dotted name, is reached as a whole. Data files count if a statement
names them beside ``__file__``. In a table by file suffix (``{".docx": documents.take}``) only the rows of existing
suffixes count. Code counts in its normal form (`yardkit.sandbox.proofs.normal_form`), so that changes of comments,
docstrings or descriptions have no effect.
"""

import ast
import hashlib
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from pathlib import Path

import yardkit
from yardkit.sandbox.proofs.normal_form import normal_form, strip_prose

Node = tuple[str, str]
"""A module and a name in it; an empty name stands for the whole module."""

_ROOT = Path(yardkit.__file__).parent
_OURS = "yardkit"
_DIGITS = 8
_SUFFIX = re.compile(r"\.\w{1,8}")
_COMPOUND = (ast.If, ast.Try, ast.For, ast.While, ast.With)


@dataclass(frozen=True)
class Statement:
    """A top-level statement of a module: its normal form, the names that it binds, and the names that it uses."""

    form: str
    binds: frozenset[str]
    names: frozenset[tuple[str, ...]]
    imports: Mapping[str, str]
    strings: frozenset[str]
    by_suffix: Mapping[str, frozenset[tuple[str, ...]]]
    loose: bool

    def list_names(self, suffixes: Collection[str] | None) -> frozenset[tuple[str, ...]]:
        """List the names that it uses for files of these suffixes."""
        rows = (names for suffix, names in self.by_suffix.items() if suffixes is None or suffix in suffixes)
        return self.names.union(*rows)


@dataclass(frozen=True)
class Source:
    """The source of a module; `imports` maps the names in it to dotted names."""

    name: str
    path: Path
    statements: tuple[Statement, ...]
    imports: Mapping[str, str]

    def list_binding(self, name: str) -> list[int]:
        """List the statements that bind a name; all statements for an empty name."""
        return [at for at, statement in enumerate(self.statements) if not name or name in statement.binds]


@dataclass
class _Reached:
    """The dependencies found so far."""

    statements: dict[str, set[int]] = field(default_factory=dict)
    data: dict[str, str] = field(default_factory=dict)
    packages: set[str] = field(default_factory=set)


def rests_on(
    roots: Iterable[Node],
    suffixes: Collection[str] | None = None,
    counts: Callable[[str], bool] = lambda _: True,
    packages: Callable[[str], bool] = lambda _: True,
) -> dict[str, str]:
    """Compute the digests of everything that the roots reach, by module and data file, and versions by package.

    Args:
        roots: modules and names in them, or whole modules.
        suffixes: the suffixes of existing files; None if there can be any.
        counts: whether a module counts; one that does not is not followed either.
        packages: whether the version of a package counts.
    """
    reached, waiting, seen = _Reached(), list(roots), set[Node]()
    while waiting:
        node = waiting.pop()
        if node in seen or not counts(node[0]):
            continue
        seen.add(node)
        waiting += _expand_node(node, reached, suffixes)
    texts = {name: _digest_text(_join_statements(name, numbers)) for name, numbers in reached.statements.items()}
    versions = {f"package {name}": _find_version(name) for name in reached.packages if packages(name)}
    return dict(sorted({**texts, **reached.data, **versions}.items()))


def _expand_node(node: Node, reached: _Reached, suffixes: Collection[str] | None) -> Iterator[Node]:
    """List the nodes that one node leads to, and record its statements as reached."""
    source = source_of(node[0])
    numbers = source.list_binding(node[1])
    if not numbers and node[1] in source.imports:
        yield from _resolve_name(source.imports[node[1]].split("."), reached)
        return
    known = reached.statements.setdefault(source.name, set())
    statement_numbers = {
        *(numbers or source.list_binding("")),
        *(at for at, statement in enumerate(source.statements) if statement.loose),
    }
    for number in statement_numbers - known:
        known.add(number)
        yield from _list_named_nodes(source, source.statements[number], reached, suffixes)


def _list_named_nodes(
    source: Source, statement: Statement, reached: _Reached, suffixes: Collection[str] | None
) -> Iterator[Node]:
    for head, *rest in statement.list_names(suffixes):
        target = statement.imports.get(head) or source.imports.get(head)
        if target:
            yield from _resolve_name([*target.split("."), *rest], reached)
        if source.list_binding(head):
            yield source.name, head
        if head == "__file__":
            yield from _list_beside_nodes(source, statement, reached)
    for target in statement.imports.values():
        if not target.startswith(f"{_OURS}."):
            yield from _resolve_name(target.split("."), reached)
    for text in statement.strings:
        if text.startswith(f"{_OURS}.") and not text.endswith(".") and _path_of(text):
            yield text, ""


def _resolve_name(parts: list[str], reached: _Reached) -> Iterator[Node]:
    """Resolve a dotted name to a node: the longest module in it, and the name after that."""
    if parts[0] != _OURS:
        reached.packages |= {parts[0]} - sys.stdlib_module_names
        return
    end = next(end for end in range(len(parts), 0, -1) if _path_of(".".join(parts[:end])))
    yield ".".join(parts[:end]), parts[end] if end < len(parts) else ""


def _list_beside_nodes(source: Source, statement: Statement, reached: _Reached) -> Iterator[Node]:
    """List the files and folders beside a module that a statement names; a Python file is a program that it starts."""
    for text in statement.strings:
        path = source.path.with_suffix(text) if text.startswith(".") and len(text) > 1 else source.path.parent / text
        if path.suffix == ".py" and path.is_file():
            yield f"{source.name.rpartition('.')[0]}.{path.stem}", ""
        elif path.exists() and path != source.path.parent:
            reached.data[path.relative_to(_ROOT).as_posix()] = digest_of(path)


def digest_of(path: Path) -> str:
    """Compute the digest of a file, or of the names and contents of all files below a folder."""
    digest = hashlib.sha256()
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if file.is_file() and "__pycache__" not in file.parts:
            digest.update(f"{file.relative_to(path)}\0".encode() + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:_DIGITS]


def _join_statements(name: str, numbers: Collection[int]) -> str:
    statements = source_of(name).statements
    return "\0".join(statements[number].form for number in sorted(numbers))


def _digest_text(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def _find_version(package: str) -> str:
    """Find the version of the distribution that provides a top-level package; empty if it is not installed."""
    names = _map_distributions().get(package, [])
    return ", ".join(metadata.version(name) for name in sorted(set(names)))


@cache
def _map_distributions() -> Mapping[str, list[str]]:
    return metadata.packages_distributions()


@cache
def _path_of(module: str) -> Path | None:
    """Return the file of one of our modules, if it exists."""
    base = _ROOT.joinpath(*module.split(".")[1:])
    return next((path for path in (base / "__init__.py", base.with_suffix(".py")) if path.is_file()), None)


def is_module(name: str) -> bool:
    """Whether one of our modules has that dotted name."""
    return _path_of(name) is not None


@cache
def source_of(module: str) -> Source:
    """Parse the source of one of our modules.

    Raises:
        LookupError: no module has that name.
    """
    path = _path_of(module)
    if path is None:
        raise LookupError(f"there is no module {module!r}")
    statements, imports = [], dict[str, str]()
    stub = path.with_suffix(".pyi")  # says where the names of a package stand that loads them when they are used
    named = ast.parse(stub.read_text("utf-8")).body if stub.is_file() else []
    for node in [*strip_prose(ast.parse(path.read_text("utf-8"))).body, *named]:
        if isinstance(node, ast.Import | ast.ImportFrom):
            imports |= _map_imports(node)
        elif not _is_for_type_checkers(node):
            statements.append(_make_statement(node))
            imports |= statements[-1].imports if isinstance(node, _COMPOUND) else {}
    return Source(module, path, tuple(statements), imports)


def _is_for_type_checkers(node: ast.stmt) -> bool:
    test = node.test if isinstance(node, ast.If) and not node.orelse else None
    return isinstance(test, ast.Name) and test.id == "TYPE_CHECKING"


def _make_statement(node: ast.stmt) -> Statement:
    statement_names = _Names()
    statement_names.visit(node)
    defined = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    binds = {node.name} if defined else statement_names.bound  # type: ignore[attr-defined]
    return Statement(
        normal_form(node),
        frozenset(binds),
        frozenset(statement_names.names),
        statement_names.imports,
        frozenset(statement_names.strings),
        {suffix: frozenset(names) for suffix, names in statement_names.by_suffix.items()},
        loose=not binds or isinstance(node, _COMPOUND),
    )


class _Names(ast.NodeVisitor):
    """Collects the names in a statement, with their attributes."""

    def __init__(self) -> None:
        self.names: set[tuple[str, ...]] = set()
        self.bound: set[str] = set()
        self.imports: dict[str, str] = {}
        self.strings: set[str] = set()
        self.by_suffix: dict[str, set[tuple[str, ...]]] = {}

    def visit_Dict(self, node: ast.Dict) -> None:
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str) and _SUFFIX.fullmatch(key.value):
                row = _Names()
                row.visit(value)
                self.by_suffix.setdefault(key.value, set()).update(row.names)
                self.strings |= row.strings
            else:
                self.generic_visit(ast.Expr(value) if key is None else ast.Tuple([key, value]))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        dotted = _split_dotted(node)
        if dotted:
            self.names.add(dotted)
        else:
            self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self.bound.add(node.id)
        self.names.add((node.id,))

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str) and len(node.value) < 100:
            self.strings.add(node.value)

    def visit_Import(self, node: ast.Import) -> None:
        self.imports |= _map_imports(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self.imports |= _map_imports(node)


def _split_dotted(node: ast.expr) -> tuple[str, ...]:
    """Split ``a.b.c`` into its parts; empty if it does not begin with a name."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return (node.id, *reversed(parts)) if isinstance(node, ast.Name) else ()


def _map_imports(node: ast.Import | ast.ImportFrom) -> dict[str, str]:
    """Map the imported names to dotted names."""
    if isinstance(node, ast.ImportFrom):
        return {name.asname or name.name: f"{node.module}.{name.name}" for name in node.names}
    module_names = {name.asname: name.name for name in node.names if name.asname}
    return module_names | {name.name.split(".")[0]: name.name.split(".")[0] for name in node.names if not name.asname}
