"""Top-down: a document says how its value follows from those of others, which it names; the leaves hold values.

An agent begins at the root, whose value is asked for, and must read down to the leaves and compute its way back.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from toolyard.state_init.weaving.operators import Kind, Operator, Value, bounded, chosen, random_value


class Link(Protocol):
    """What a tree must know of an operator: the kind of its values, and how many children it has at least."""

    @property
    def kind(self) -> Kind: ...

    @property
    def least(self) -> int: ...


L = TypeVar("L", bound=Link)


@dataclass(eq=False)
class Node(Generic[L]):
    """A document.

    Attributes:
        number: of its variable.
        kind: of its value.
        operator: how the value follows from those of `children`; None for a leaf.
        parents: the nodes that name it.
        value: set when the tree is complete.
        level: operations that depend on each other up to this value; 0 for a leaf.
    """

    number: int
    kind: Kind
    operator: L | None = None
    children: Sequence["Node[L]"] = ()
    parents: Sequence["Node[L]"] = ()
    value: Value = 0
    level: int = 0
    merged_into: "Node[L] | None" = None


@dataclass
class Woven(Generic[L]):
    """A whole task; `nodes` begins with the root, each node stands before those that it names."""

    nodes: list[Node[L]] = field(default_factory=list)

    @property
    def root(self) -> Node[L]:
        return self.nodes[0]

    @property
    def height(self) -> int:
        """The longest chain of operations that depend on each other."""
        return self.root.level

    def trajectory(self) -> list[Node[L]]:
        """All documents from the root down: each after one that names it."""
        return self.nodes


def weave(
    rng: random.Random,
    *,
    operators: str,
    leaf_value: Callable[[Kind, random.Random], Value] = random_value,
    **dials: Any,
) -> Woven[Operator]:
    """A task woven of operations that are told in words.

    Args:
        rng: the only source of chance.
        operators: names joined by ``+``.
        leaf_value: the value of a leaf.
        dials: as `grown` takes them.
    """
    woven = grown(rng, chosen(operators), **dials)
    for node in reversed(woven.nodes):
        if node.operator is None:
            node.value = leaf_value(node.kind, rng)
        else:
            node.value = bounded(node.kind, node.operator.apply([child.value for child in node.children]))
    return woven


def grown(
    rng: random.Random, operators: Sequence[L], *, ops: int, branching: int, width: int, consolidation: float
) -> Woven[L]:
    """The tree of a task, still without values.

    Args:
        rng: the only source of chance.
        operators: which there are.
        ops: how many operations.
        branching: most values that an operation is over.
        width: of more leaves than these several may be redirected to one new leaf that they share; 0: never.
        consolidation: the probability of that, after each operation.
    """
    kinds = sorted({each.kind for each in operators})
    nodes: list[Node[L]] = [Node(0, rng.choice(kinds))]
    leaves = {kind: [node for node in nodes if node.kind == kind] for kind in kinds}
    for _ in range(ops):
        leaf = _taken(leaves, _random_kind(leaves, rng), rng)
        _expand(leaf, operators, branching, nodes, leaves, rng)
        if 0 < width < sum(map(len, leaves.values())) and rng.random() < consolidation:
            _consolidate(_random_kind(leaves, rng), width, nodes, leaves, rng)
    return _finished([node for node in nodes if node.merged_into is None])


def _expand(
    leaf: Node[L],
    known: Sequence[L],
    branching: int,
    nodes: list[Node[L]],
    leaves: dict[Kind, list[Node[L]]],
    rng: random.Random,
) -> None:
    leaf.operator = rng.choice([each for each in known if each.kind == leaf.kind])
    count = rng.randint(leaf.operator.least, max(leaf.operator.least, branching))
    leaf.children = [Node(len(nodes) + place, leaf.kind, parents=[leaf]) for place in range(count)]
    nodes += leaf.children
    leaves[leaf.kind] += leaf.children


def _consolidate(
    kind: Kind, width: int, nodes: list[Node[L]], leaves: dict[Kind, list[Node[L]]], rng: random.Random
) -> None:
    """Several leaves become one new one, which all that named them name instead; nobody names one twice."""
    count = rng.randint(2, max(2, width))
    some = [_taken(leaves, kind, rng) for _ in range(min(count, len(leaves[kind])))]
    shared, naming = Node[L](len(nodes), kind), dict[Node[L], None]()
    for leaf in some:
        if any(parent in naming for parent in leaf.parents):
            leaves[kind].append(leaf)
            continue
        leaf.merged_into = shared
        naming.update(dict.fromkeys(leaf.parents))
    shared.parents = list(naming)
    nodes.append(shared)
    leaves[kind].append(shared)


def _finished(nodes: list[Node[L]]) -> Woven[L]:
    """Every node names newer ones only, so that levels follow from the end."""
    for number, node in enumerate(nodes):
        node.number = number
    for node in reversed(nodes):
        node.children = [_standing(child) for child in node.children]
        node.level = 1 + max((child.level for child in node.children), default=-1)
    return Woven(nodes)


def _standing(node: Node[L]) -> Node[L]:
    """The node that `node` was merged into, at the end of the chain; the way there is shortened."""
    end = node
    while end.merged_into is not None:
        end = end.merged_into
    while node.merged_into is not None:
        node.merged_into, node = end, node.merged_into
    return end


def _random_kind(leaves: dict[Kind, list[Node[L]]], rng: random.Random) -> Kind:
    """The kind of a random leaf."""
    place = rng.randrange(sum(map(len, leaves.values())))
    for kind, some in leaves.items():
        if place < len(some):
            return kind
        place -= len(some)
    raise AssertionError("a place lies among the leaves")


def _taken(leaves: dict[Kind, list[Node[L]]], kind: Kind, rng: random.Random) -> Node[L]:
    """A random leaf of a kind, taken out."""
    some = leaves[kind]
    place = rng.randrange(len(some))
    some[place], some[-1] = some[-1], some[place]
    return some.pop()
