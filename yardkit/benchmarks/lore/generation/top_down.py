"""Top-down: a document says how its value follows from those of others, which it names; the leaves hold values.

An agent begins at the root, whose value is asked for, and must read down to the leaves and compute its way back.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from yardkit.benchmarks.lore.generation.leaves import take_random_leaf
from yardkit.benchmarks.lore.generation.operators import MODULUS, Draw, Nested, chosen_nested, random_value
from yardkit.world import Problem

_TRIES = 50
"""Rules that are drawn for a node until nothing cancels out, and trees if there is none for some node."""


class Rule(Protocol):
    """How a value follows from those of the children, as far as a tree must know."""

    @property
    def factors(self) -> Sequence[int]:
        """By how much the value grows with that of each child, modulo `MODULUS`."""


R = TypeVar("R", bound=Rule)


@dataclass(eq=False)
class Node:
    """A document.

    Attributes:
        number: of its variable.
        children: the nodes that it names; none for a leaf.
        parents: the nodes that name it.
        value: set when the tree is complete.
        level: operations that depend on each other up to this value; 0 for a leaf.
    """

    number: int
    children: list["Node"] = field(default_factory=list)
    parents: Sequence["Node"] = ()
    value: int = 0
    level: int = 0
    merged_into: "Node | None" = None


@dataclass
class GeneratedTree:
    """A whole task; `nodes` begins with the root, each node stands before those that it names.

    Attributes:
        rules: how the values of inner nodes follow, where they are told in words.
    """

    nodes: list[Node] = field(default_factory=list)
    rules: dict[Node, "Nested"] = field(default_factory=dict)

    @property
    def root(self) -> Node:
        return self.nodes[0]

    @property
    def height(self) -> int:
        """The longest chain of operations that depend on each other."""
        return self.root.level

    def trajectory(self) -> list[Node]:
        """All documents from the root down: each after one that names it."""
        return self.nodes


def generate_top_down(
    rng: random.Random,
    *,
    operators: str,
    leaf_value: Draw = random_value,
    **dials: Any,
) -> GeneratedTree:
    """A task woven of operations that are told in words.

    Args:
        rng: the only source of chance.
        operators: names joined by ``+``.
        leaf_value: the value of a leaf.
        dials: as `grow_tree` takes them.
    """
    known = chosen_nested(operators)

    def draw(node: Node) -> Nested:
        rng.shuffle(node.children)  # with one operator alone the order is all that can be drawn
        return Nested(rng.choice(known), len(node.children))

    generated_tree, rules = root_tree(lambda: grow_tree(rng, **dials), draw)
    generated_tree.rules = rules
    for node in reversed(generated_tree.nodes):
        if node in generated_tree.rules:
            node.value = generated_tree.rules[node].compute_value([child.value for child in node.children])
        else:
            node.value = int(leaf_value("number", rng)) % MODULUS
    return generated_tree


def grow_tree(rng: random.Random, *, ops: int, branching: int, width: int, consolidation: float) -> GeneratedTree:
    """The tree of a task, still without rules and values.

    Args:
        rng: the only source of chance.
        ops: how many operations.
        branching: most values that an operation is over.
        width: of more leaves than these several may be redirected to one new leaf that they share; 0: never.
        consolidation: the probability of that, after each operation.
    """
    nodes = [Node(0)]
    leaves = list(nodes)
    for _ in range(ops):
        leaf = take_random_leaf(leaves, rng)
        leaf.children = [Node(len(nodes) + place, parents=[leaf]) for place in range(rng.randint(2, branching))]
        nodes += leaf.children
        leaves += leaf.children
        if 0 < width < len(leaves) and rng.random() < consolidation:
            nodes.append(_consolidate_leaves(leaves, width, len(nodes), rng))
    nodes = [node for node in nodes if node.merged_into is None]
    for number, node in enumerate(nodes):
        node.number = number
    for node in reversed(nodes):  # each names newer ones only
        node.children = [_resolve_merged(child) for child in node.children]
        node.level = 1 + max((child.level for child in node.children), default=-1)
    return GeneratedTree(nodes)


def root_tree(grow: Callable[[], GeneratedTree], draw: Callable[[Node], R]) -> tuple[GeneratedTree, dict[Node, R]]:
    """A tree and a rule for every inner node, such that every node counts.

    Raises:
        Problem: the operators do not allow it.
    """
    for _ in range(_TRIES):
        generated_tree = grow()
        rules = _draw_rules(generated_tree, draw)
        if rules:
            return generated_tree, rules
    raise Problem(
        f"with these operators values cancel each other out in each of {_TRIES} trees; allow more operators, or take a "
        "smaller consolidation"
    )


def _draw_rules(generated_tree: GeneratedTree, draw: Callable[[Node], R]) -> dict[Node, R]:
    """The rules, or none where a node cancels out whatever is drawn.

    A node that several name could cancel out: its factor in the value of the root is kept from being 0. It is known
    when the last of those that name it has its rule, since each node stands before those that it names.
    """
    factors, missing = (
        dict.fromkeys(generated_tree.nodes, 0),
        {node: len(node.parents) for node in generated_tree.nodes},
    )
    factors[generated_tree.root] = 1
    rules: dict[Node, R] = {}
    for node in generated_tree.nodes:
        if not node.children:
            continue
        for child in node.children:
            missing[child] -= 1
        for _ in range(_TRIES):
            rules[node] = draw(node)
            parts = zip(node.children, rules[node].factors, strict=True)
            new_factors = {child: (factors[child] + factors[node] * factor) % MODULUS for child, factor in parts}
            if all(factor or missing[child] for child, factor in new_factors.items()):
                break
        else:
            return {}
        factors |= new_factors
    return rules


def _consolidate_leaves(leaves: list[Node], width: int, number: int, rng: random.Random) -> Node:
    """Several leaves become one new one, which all that named them name instead; nobody names one twice."""
    count = min(len(leaves), rng.randint(2, max(2, width)))
    some = [take_random_leaf(leaves, rng) for _ in range(count)]
    shared, naming = Node(number), dict[Node, None]()
    for leaf in some:
        if any(parent in naming for parent in leaf.parents):
            leaves.append(leaf)
            continue
        leaf.merged_into = shared
        naming.update(dict.fromkeys(leaf.parents))
    shared.parents = list(naming)
    leaves.append(shared)
    return shared


def _resolve_merged(node: Node) -> Node:
    """The node that `node` was merged into, at the end of the chain; the way there is shortened."""
    end = node
    while end.merged_into is not None:
        end = end.merged_into
    while node.merged_into is not None:
        node.merged_into, node = end, node.merged_into
    return end
