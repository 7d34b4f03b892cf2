"""What the records of a woven tree say, in several versions.

All versions have the same figures and operations, with other values, rules and references, and each is sound in itself:
a record of the wrong version leads to other records of that version and to an answer that looks just as right. Only the
references that an agent is told, and those that it works out from there, say which version is meant.
"""

import random
from dataclasses import dataclass, field

from yardkit.benchmarks.lore.generation.bottom_up import GeneratedTree, Node

Value = int | str

AMOUNTS = (1_000, 99_999)
"""Least and largest figure."""
REFERENCES = (100_000, 999_999)
"""Least and largest reference that is a number, whether it is a result or not."""
LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
"""No vowels, so that no words arise."""
OTHER_ENDS = 9
"""More records of the figure that is asked for, so that its value cannot be guessed from a few."""
_FEW = 3
"""So many figures of letters have three letters each, more of them two, so that what they join to fits into columns."""
_FRESH_LETTERS = (6, 8, 9)
_LETTERED = 0.3
_FACTORS = (1, 1, 1, 1, 2, 3)


@dataclass
class Version:
    """One version of all records.

    Attributes:
        values: by node that holds a value.
        references: of every node; the result of its rule where it has one.
        formulas: by rule, such as ``F12 + 2 * F15 - F31`` or ``F12 & F15``.
    """

    values: dict[Node, Value] = field(default_factory=dict)
    references: dict[Node, str] = field(default_factory=dict)
    formulas: dict[Node, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Names:
    """What figures and operations are called in every version; the numbers do not tell where in the tree they stand."""

    figures: dict[Node, str]
    operations: dict[Node, int]


def assign_names(generated_tree: GeneratedTree, rng: random.Random) -> Names:
    """Names in a random order, counted from 1."""
    values = [node for node in generated_tree.nodes if node.role == "value"]
    numbers = rng.sample(range(1, len(values) + 1), len(values))
    rules = generated_tree.rules
    operations = dict(zip(rules, rng.sample(range(1, len(rules) + 1), len(rules)), strict=True))
    return Names({node: f"F{number}" for node, number in zip(values, numbers, strict=True)}, operations)


def build_versions(generated_tree: GeneratedTree, names: Names, count: int, rng: random.Random) -> list[Version]:
    """The right version first, then others, then `OTHER_ENDS` of the last record alone; no reference exists twice."""
    teller = _Teller(generated_tree, names, rng)
    return [*(teller.make_version() for _ in range(count)), *(teller.end() for _ in range(OTHER_ENDS))]


class _Teller:
    """Hands out values and references."""

    def __init__(self, generated_tree: GeneratedTree, names: Names, rng: random.Random) -> None:
        self._woven, self._names, self._rng = generated_tree, names, rng
        self._references: set[str] = set()
        self._values: dict[Node, set[Value]] = {}

    def make_version(self) -> Version:
        new_version = Version()
        for node in self._woven.nodes:
            if node.role == "rule":
                self._settle_values(node, new_version)
        new_version.values[self._woven.root] = self._make_value(self._woven.root, 0)
        for node in self._woven.nodes:
            if node not in new_version.references:
                new_version.references[node] = self._make_fresh_reference()
        self._note_references(new_version)
        return new_version

    def end(self) -> Version:
        """One of the record that is asked for alone; its reference is made as that of the right one is."""
        end_version, root = Version(), self._woven.root
        assert root.source is not None  # noqa: S101 - a task has one operation at least
        self._settle_values(root.source, end_version)
        end = Version({root: self._make_value(root, 0)}, {root: end_version.references[root]})
        self._note_references(end)
        return end

    def _note_references(self, version_draft: Version) -> None:
        for node, value in version_draft.values.items():
            self._values.setdefault(node, set()).add(value)

    def _settle_values(self, rule: Node, version_draft: Version) -> None:
        """Values for what the rule is over, until its result is a reference that nobody has."""
        lettered = rule.operator is not None and rule.operator.kind == "text"
        letters = (3 if len(rule.inputs) <= _FEW else 2) if lettered else 0
        target = rule.target
        assert target is not None  # noqa: S101 - every rule has one
        while True:
            values = {node: self._make_value(node, letters) for node in rule.inputs}
            formula, result = self._join_terms(values) if lettered else self._sum_terms(values)
            fits = lettered or REFERENCES[0] <= int(result) <= REFERENCES[1]
            if fits and result not in self._references:
                break
        self._references.add(result)
        version_draft.values |= values
        version_draft.references[target] = result
        version_draft.formulas[rule] = formula

    def _make_value(self, node: Node, letters: int) -> Value:
        """One that the figure has in no other version: so many letters, or a number for none."""
        while True:
            value = self._choose_letters(letters) if letters else self._rng.randint(*AMOUNTS)
            if value not in self._values.get(node, ()):
                return value

    def _sum_terms(self, values: dict[Node, Value]) -> tuple[str, str]:
        """Terms in any order; the first is never taken off, so that formulas begin without a sign."""
        formula, total = "", 0
        for node in self._rng.sample(list(values), len(values)):
            factor, minus = self._rng.choice(_FACTORS), bool(formula) and self._rng.random() < 1 / 3
            term = f"{factor} * {self._names.figures[node]}" if factor > 1 else self._names.figures[node]
            formula += f" {'-' if minus else '+'} {term}" if formula else term
            total += (-factor if minus else factor) * int(values[node])
        return formula, str(total)

    def _join_terms(self, values: dict[Node, Value]) -> tuple[str, str]:
        order = self._rng.sample(list(values), len(values))
        return " & ".join(self._names.figures[node] for node in order), "".join(str(values[node]) for node in order)

    def _make_fresh_reference(self) -> str:
        while True:
            lettered = self._rng.random() < _LETTERED
            reference = (
                self._choose_letters(self._rng.choice(_FRESH_LETTERS))
                if lettered
                else str(self._rng.randint(*REFERENCES))
            )
            if reference not in self._references:
                self._references.add(reference)
                return reference

    def _choose_letters(self, count: int) -> str:
        return "".join(self._rng.choices(LETTERS, k=count))
